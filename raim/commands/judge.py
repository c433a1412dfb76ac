"""Judge the items of a plan with one judge, resuming where the store stands.

The plan is the `judge` section of a configuration such as config/judge.yaml. Run once for each judge: a second model
in one process would run out of memory. With --slice several processes share a judge's items, each on a device of its
own (CUDA_VISIBLE_DEVICES), all into one store. Needs the judge environment (`make judge-env`).
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

NAME = "judge"
HELP = "ask one judge about every item of a plan that it has not judged yet"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument(
        "plan", type=Path, help="configuration with a `judge` section, such as config/judge.yaml"
    )
    parser.add_argument("--judge", required=True, help="which judge of the plan")
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")
    parser.add_argument(
        "--benchmark", action="append", help="only this benchmark, in the order given (repeatable)"
    )
    parser.add_argument("--protocol", help="only this protocol")
    parser.add_argument(
        "--slice",
        metavar="I/N",
        default="1/1",
        help="only the I-th of N parts of each benchmark, whole clusters",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="CPU threads (default: all)")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    import raim
    from raim.errors import InputError
    from verdicts.engines.registry import engine_of, load
    from verdicts.judges.chat import chat_of
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan import Slice, items_of, read_plan
    from verdicts.records.schema import Run
    from verdicts.runs import judge_missing
    from verdicts.store import Store

    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr
    )
    if args.threads < 1:
        raise InputError(f"--threads {args.threads}: give at least 1")
    plan = read_plan(args.plan)
    part = Slice.parse(args.slice)
    members = [m for m in plan.members if m.judge == args.judge and args.protocol in (None, m.protocol)]
    if not members:
        raise InputError(
            f"{args.plan}: no member with judge {args.judge!r} and this protocol; add it to `members`"
        )
    judge = next(judge for judge in plan.judges() if judge.name == args.judge)
    engine = engine_of(judge, plan.settings)
    # All sources are read and checked before weights are fetched or a model loaded.
    benchmarks = [(benchmark, part.of(items)) for benchmark, items in items_of(plan, args.benchmark)]
    folder = None if judge.weights.kind == "api" else checkpoint(judge, weights_root())
    chat = None if folder is None else chat_of(judge, folder)
    started = datetime.now(UTC)
    made = judge_missing(
        Store(args.store),
        [(member, judge, chat) for member in members],
        benchmarks,
        plan.settings,
        Run(
            run=f"{judge.name}-{started:%Y%m%dT%H%M%S}-{os.getpid()}",
            engine=engine,
            versions={"python": platform.python_version(), "raim": raim.__version__},
            started=started.isoformat(timespec="seconds"),
        ),
        lambda: load(judge, folder, chat, plan.settings, args.threads),
    )
    print(f"{judge.name}: {made} records made; the store is {args.store}")
    return 0
