"""Fit a panel's stacker on a CSV file of labelled votes and keep it for `raim apply`.

The file is the one that `raim audit` reads: item, cluster, gold and one column for each member.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from raim.errors import InputError
from raim.options.votes import add_members, add_votes

NAME = "fit"
HELP = "fit a panel on labelled votes and keep the model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_votes(parser)
    add_members(parser)
    parser.add_argument(
        "--model", type=Path, metavar="MODEL.json", required=True, help="where the model is written"
    )


def run(args: argparse.Namespace) -> int:
    """Fit, write the model, print what it is worth."""
    from analysis.deployment.deploy import fit_model
    from analysis.deployment.deploy_text import render_fit
    from analysis.output import require_writable, write_json
    from analysis.panel.csv_rows import delimiter_of
    from analysis.panel.votes_csv import Columns

    delimiter = delimiter_of(args.delimiter)
    require_writable(args.model)
    if args.model.exists() and args.votes.exists() and args.model.samefile(args.votes):
        raise InputError(f"--model {args.model} is the file of votes: name another")
    members = None if args.members is None else tuple(args.members)
    model = fit_model(args.votes, Columns(args.item, args.cluster, args.gold, members), delimiter=delimiter)
    write_json(args.model, model)
    print(render_fit(model), end="")
    return 0
