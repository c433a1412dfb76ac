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
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")
    parser.add_argument("--out", type=Path, required=True, help="folder of the suite, such as suites/cpu")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from raim.errors import InputError
    from verdicts.export import export_suite
    from verdicts.judges.chat import chat_of
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan import items_of, read_plan
    from verdicts.store import Store

    plan = read_plan(args.plan)
    judges = {judge.name: judge for judge in plan.judges()}
    chats = {name: chat_of(judge, checkpoint(judge, weights_root())) for name, judge in judges.items()}
    members = [(member, judges[member.judge], chats[member.judge]) for member in plan.members]
    covered = export_suite(plan, items_of(plan), members, Store(args.store), args.out)
    if not any(found for found, _ in covered.values()):
        raise InputError(f"{args.store}: holds no record of this plan; judge first (`raim judge`)")
    for name, (found, wanted) in covered.items():
        print(f"{found:6d} of {wanted:6d}  {name}")
    return 0
