"""Write a suite's votes on one benchmark as the CSV file that `raim audit`, `raim fit` and `raim apply` read.

One row an item, with its cluster, its gold label and one column for each member of the panel; empty = abstained.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "votes"
HELP = "write a suite's votes on a benchmark as CSV"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("suite", type=Path, metavar="FOLDER", help="a suite, such as suites/cpu")
    parser.add_argument("benchmark", help="one of its benchmarks, such as truthfulqa")
    parser.add_argument(
        "--out", type=Path, metavar="VOTES.csv", required=True, help="where the votes are written"
    )


def run(args: argparse.Namespace) -> int:
    """Read the records, write the file, say what it holds."""
    from analysis.output import require_writable, write_text
    from analysis.panel.suites import load_panel
    from analysis.panel.votes_csv import to_csv
    from verdicts.records.suite import read_suite

    require_writable(args.out)
    panel = load_panel(args.suite, args.benchmark)
    write_text(args.out, to_csv(panel.votes))
    print(f"{args.out}: {panel.votes.n_items} items, {panel.votes.n_members} members")
    roster = read_suite(args.suite).members
    for member, reason in panel.left_out.items():
        # No judge beside the panel has a column here.
        if roster[member].role == "member":
            print(f"left out: {member} ({reason})")
    return 0
