"""Audit a panel of judges from a CSV file of votes: scores with intervals, paired differences, admissibility.

The file has a header and one row an item, with its item id, its cluster (the source record it derives from),
its gold label and one column for each member: 1 = hallucinated, 0 = supported, empty = abstained.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from raim.errors import InputError
from raim.options.votes import add_members, add_votes

NAME = "audit"
HELP = "audit a panel from a CSV file of votes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_votes(parser)
    add_members(parser)
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")
    parser.add_argument(
        "--deployment-prior",
        type=float,
        metavar="P",
        help="share of hallucinated items where the panel will be used: read the stacked panel for it as well",
    )
    bars = parser.add_argument_group("operating point of the admissibility test")
    for option, default, words in (
        ("--kappa-bar", 0.30, "kappa from which a member is competent"),
        ("--share", 0.5, "share of the members that must be competent"),
        ("--phi-bar", 0.40, "highest mean error correlation admitted"),
    ):
        bars.add_argument(option, type=float, default=default, help=f"{words} (default: {default})")


def run(args: argparse.Namespace) -> int:
    """Audit the file, write the JSON, print the page."""
    from analysis.deployment.audit import audit
    from analysis.deployment.audit_text import render
    from analysis.estimators.admissibility import Thresholds
    from analysis.output import require_writable, write_json
    from analysis.panel.csv_rows import delimiter_of
    from analysis.panel.votes_csv import Columns

    delimiter = delimiter_of(args.delimiter)
    for option, value, low, high in (
        ("--kappa-bar", args.kappa_bar, -1, 1),
        ("--share", args.share, 0, 1),
        ("--phi-bar", args.phi_bar, -1, 1),
    ):
        if not low <= value <= high:
            raise InputError(f"{option} {value}: give a number from {low} to {high}")
    if args.deployment_prior is not None and not 0 < args.deployment_prior < 1:
        raise InputError(f"--deployment-prior {args.deployment_prior}: give a number between 0 and 1")
    if args.json is not None:
        require_writable(args.json)
        if args.json.exists() and args.votes.exists() and args.json.samefile(args.votes):
            raise InputError(f"--json {args.json} is the file of votes: name another")
    members = None if args.members is None else tuple(args.members)
    result = audit(
        args.votes,
        Columns(args.item, args.cluster, args.gold, members),
        delimiter=delimiter,
        thresholds=Thresholds(args.kappa_bar, args.share, args.phi_bar),
        deployment_prior=args.deployment_prior,
    )
    if args.json is not None:
        write_json(args.json, result)
    print(render(result), end="")
    return 0
