"""Judge the items of a plan with one judge, resuming where the store stands.

The plan is one of those in the `judge` section of a configuration such as config/judge.yaml. Run once for each judge: a
second model in one process would run out of memory. With --slice several processes share a judge's items, all into one
store; with --gpus each takes GPUs of its own among --devices and waits while others have them. Needs the judge
environment (`make judge-env`); a judge behind an API, its key in the environment too (docs/api_judges.md).
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import secrets
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
    parser.add_argument("--suite", help="which of the plans, by its suite (default: the only one)")
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
    parser.add_argument(
        "--gpus",
        type=int,
        metavar="N",
        help="take N free GPUs of --devices, 0 for the CPU (default: those of CUDA_VISIBLE_DEVICES, none taken)",
    )
    parser.add_argument(
        "--devices",
        metavar="LIST",
        help="GPUs of this host to take --gpus of, such as 0,1 (default: CUDA_VISIBLE_DEVICES, or all there are)",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="CPU threads (default: all)")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    import raim
    from raim.errors import InputError
    from raim.safe_text import SafeStream
    from verdicts.devices import take_for_judge
    from verdicts.drawing import Slice, items_of
    from verdicts.engines.base import Engine
    from verdicts.engines.registry import engine_of, load, refuse_probabilities
    from verdicts.judges.chat import chat_of
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan_file import read_plan
    from verdicts.records.schema import Run
    from verdicts.runs import judge_missing
    from verdicts.store import Store

    # Several judges and shards write to one terminal.
    shard = args.judge if args.slice == "1/1" else f"{args.judge} {args.slice}"
    logging.basicConfig(
        level=logging.INFO,
        format=f"%(asctime)s {shard}: %(message)s",
        datefmt="%H:%M:%S",
        stream=SafeStream(sys.stderr),
    )
    if args.threads < 1:
        raise InputError(f"--threads {args.threads}: give at least 1")
    plan = read_plan(args.plan, args.suite)
    part = Slice.parse(args.slice)
    members = [m for m in plan.members if m.judge == args.judge and args.protocol in (None, m.protocol)]
    if not members:
        raise InputError(
            f"{args.plan}: no member with judge {args.judge!r} and this protocol; add it to `members`"
        )
    judge = next(judge for judge in plan.judges() if judge.name == args.judge)
    settings = plan.settings.beside(args.store)
    engine = engine_of(judge, settings)
    refuse_probabilities(judge, settings, [member.protocol for member in members])
    # All the judge's sources are read and checked before weights are fetched or a model loaded.
    own = [name for name in plan.benchmarks if any(member.judges(name) for member in members)]
    benchmarks = [(benchmark, part.of(items)) for benchmark, items in items_of(plan, args.benchmark or own)]
    folder = None if judge.weights.kind == "api" else checkpoint(judge, weights_root())
    chat = None if folder is None else chat_of(judge, folder)
    started = datetime.now(UTC)

    def load_alone() -> Engine:
        # Only now: a shard with nothing to judge waits for no GPU. They are this process's until it ends.
        take_for_judge(args.gpus, args.devices)
        return load(judge, folder, chat, settings, args.threads)

    made = judge_missing(
        Store(args.store),
        [(member, judge, chat) for member in members],
        benchmarks,
        settings,
        Run(
            # Process ids repeat between hosts, and in containers they are all alike.
            run=f"{judge.name}-{started:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}",
            engine=engine,
            versions={"python": platform.python_version(), "raim": raim.__version__},
            started=started.isoformat(timespec="seconds"),
        ),
        load_alone,
    )
    print(f"{judge.name}: {made} records made; the store is {args.store}")
    return 0
