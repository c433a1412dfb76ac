"""Read a model of `raim fit` on a CSV file of votes without gold: a verdict and a probability for each item.

The file has the item's id and one column for each of the model's members: 1 = hallucinated, 0 = supported, empty =
abstained. Columns named as the cluster and the gold label may be there and are not read; any other is refused.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from raim.errors import InputError
from raim.options.votes import add_votes

NAME = "apply"
HELP = "read a fitted panel on new votes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("model", type=Path, metavar="MODEL.json", help="a model of `raim fit`")
    add_votes(parser)
    parser.add_argument(
        "--out", type=Path, metavar="OUT.csv", required=True, help="where the verdicts are written"
    )


def run(args: argparse.Namespace) -> int:
    """Apply, write the verdicts, print what changed since the fit."""
    from analysis.deployment.deploy import apply_model, read_model
    from analysis.deployment.deploy_text import render_apply, verdicts_csv
    from analysis.output import require_writable, write_text
    from analysis.panel.csv_rows import delimiter_of
    from analysis.panel.votes_csv import Columns

    delimiter = delimiter_of(args.delimiter)
    require_writable(args.out)
    for source in (args.votes, args.model):
        if args.out.exists() and source.exists() and args.out.samefile(source):
            raise InputError(f"--out {args.out} is a file that is read: name another")
    model = read_model(args.model)
    result = apply_model(model, args.votes, Columns(args.item, args.cluster, args.gold), delimiter)
    write_text(args.out, verdicts_csv(result))
    print(render_apply(model, result), end="")
    return 0
