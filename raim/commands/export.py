"""Export a plan's records from the store as a suite: description, item index, records without raw replies, lock."""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "export"
HELP = "write the records of a plan as a suite that the analysis reads"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument(
        "plan", type=Path, help="configuration with a `judge` section, such as config/judge.yaml"
    )
    parser.add_argument("--suite", help="which of the plans, by its suite (default: the only one)")
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")
    parser.add_argument("--out", type=Path, required=True, help="folder of the suite, such as suites/cpu")
    parser.add_argument(
        "--reading",
        choices=("paper", "release"),
        default="paper",
        help="parser of the stored replies: the paper's rule, or the published one (default: paper)",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from verdicts.drawing import items_of
    from verdicts.export import export_suite
    from verdicts.plan_file import read_plan
    from verdicts.store import Store

    plan = read_plan(args.plan, args.suite)
    covered = export_suite(plan, items_of(plan), Store(args.store), args.out, args.reading)
    for name, (found, wanted) in covered.items():
        print(f"{found:6d} of {wanted:6d}  {name}")
    return 0
