"""Compare the regenerated derived tier of a suite with the committed one, within 1e-8.

Status 0 if they agree, 1 if they differ, 2 if there is nothing to compare.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "check"
HELP = "compare regenerated numbers with the committed ones"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The suite, or two folders."""
    parser.add_argument("suite", help="suite to check, e.g. cpu")
    parser.add_argument("--regenerated", type=Path, metavar="DIR", help="default: results/SUITE/derived")
    parser.add_argument("--committed", type=Path, metavar="DIR", help="default: derived/SUITE")
    parser.add_argument(
        "--tolerance", type=float, default=1e-8, help="largest deviation (default: %(default)s)"
    )
    parser.add_argument("--limit", type=int, default=20, help="differences to print (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    from analysis.check import compare_folders

    regenerated = args.regenerated or Path("results", args.suite, "derived")
    committed = args.committed or Path("derived", args.suite)
    comparison = compare_folders(regenerated, committed, args.tolerance)
    print(f"{regenerated} against {committed}: {comparison.report(args.limit)}", end="")
    return 0 if comparison.passed else 1
