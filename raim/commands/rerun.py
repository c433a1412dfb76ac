"""Compare a suite with its re-run on other hardware: agreement of each judge's verdicts, kappas, coverage, readings.

Both must have the same items with the same gold under the same frames. A judge is found again by its checkpoint, its
protocol and its arm, whatever it is called; it is flagged if it agrees on fewer than 95% of the items that both runs
answered.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "rerun"
HELP = "compare a suite with its re-run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("first", type=Path, metavar="SUITE", help="a suite's folder, such as suites/cpu")
    parser.add_argument("second", type=Path, metavar="RERUN", help="the folder of its re-run")
    parser.add_argument(
        "--pair",
        type=_pair,
        action="append",
        default=[],
        metavar="NAME=NAME",
        help="a member of SUITE and the one of RERUN that it is, where its checkpoint and protocol do not tell",
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")


def run(args: argparse.Namespace) -> int:
    """Compare, write the JSON, print the page; status 1 if a judge is flagged or a reading changed."""
    from analysis.output import require_writable, write_json
    from analysis.rerun.comparison import compare_suites
    from analysis.rerun.text import render

    if args.json is not None:
        require_writable(args.json)
    result = compare_suites(args.first, args.second, given=args.pair)
    if args.json is not None:
        write_json(args.json, result)
    print(render(result), end="")
    flagged = any(
        judge["flagged"] for entry in result["benchmarks"].values() for judge in entry["judges"].values()
    )
    return 1 if flagged or result["changed_verdicts"] else 0


def _pair(text: str) -> tuple[str, str]:
    first, found, second = text.partition("=")
    if not (first and found and second):
        raise argparse.ArgumentTypeError(
            f"{text!r}: give two members' names, such as a.generative=b.generative"
        )
    return first, second
