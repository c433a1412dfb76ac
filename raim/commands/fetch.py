"""Fetch a judge's weights and bring them into a folder that loads quickly. Resumable; what is there stays."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

NAME = "fetch"
HELP = "fetch a judge's weights"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("judge", help="name of the judge in the roster")
    parser.add_argument("--plan", type=Path, help="configuration whose `judge` section pins the revision")
    parser.add_argument(
        "--weights", type=Path, help="folder for weights (default: $RAIM_WEIGHTS, or weights)"
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from raim.safe_text import SafeStream
    from verdicts.judges.roster import find
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan_file import read_plans

    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        stream=SafeStream(sys.stderr),
    )
    # Plans of one configuration share its revisions: any of them knows the judge's.
    plan = None if args.plan is None else next(iter(read_plans(args.plan).values()))
    judge = find(args.judge) if plan is None else plan.judge(args.judge)
    print(checkpoint(judge, args.weights or weights_root()))
    return 0
