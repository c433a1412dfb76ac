"""Bring a suite's released records into a store: `raim judge` then asks only for what they lack."""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "seed"
HELP = "start a store from a suite's released records"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("suite", type=Path, help="folder of the suite, such as suites/cpu")
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from verdicts.seed import seed
    from verdicts.store import Store

    print(f"{args.store}: {seed(Store(args.store), args.suite)} records added from {args.suite}")
    return 0
