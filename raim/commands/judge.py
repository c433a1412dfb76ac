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
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verdicts.engines.base import Engine
    from verdicts.judges.roster import Judge
    from verdicts.plan import Settings

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
    from verdicts.judges.chat import chat_of
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan import Slice, items_of, read_plan
    from verdicts.records.schema import Run
    from verdicts.runs import judge_missing
    from verdicts.store import Store

    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr
    )
    plan = read_plan(args.plan)
    part = Slice.parse(args.slice)
    members = [m for m in plan.members if m.judge == args.judge and args.protocol in (None, m.protocol)]
    if not members:
        raise InputError(
            f"{args.plan}: no member with judge {args.judge!r} and this protocol; add it to `members`"
        )
    judge = next(judge for judge in plan.judges() if judge.name == args.judge)
    if judge.weights.kind == "api":
        raise InputError(
            f"{judge.name} is asked through an API, for which there is no engine here; leave it out of `members`"
        )
    # All sources are read and checked before weights are fetched or a model loaded.
    benchmarks = [(benchmark, part.of(items)) for benchmark, items in items_of(plan, args.benchmark)]
    folder = checkpoint(judge, weights_root())
    chat = chat_of(judge, folder)
    started = datetime.now(UTC)
    made = judge_missing(
        Store(args.store),
        [(member, judge, chat) for member in members],
        benchmarks,
        plan.settings,
        Run(
            run=f"{judge.name}-{started:%Y%m%dT%H%M%S}-{os.getpid()}",
            engine=plan.settings.engine,
            versions={"python": platform.python_version(), "raim": raim.__version__},
            started=started.isoformat(timespec="seconds"),
        ),
        lambda: _load(judge, folder, chat, plan.settings, args.threads),
    )
    print(f"{judge.name}: {made} records made; the store is {args.store}")
    return 0


def _load(
    judge: Judge, folder: Path, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> Engine:
    import torch
    from transformers.utils import logging as library

    from verdicts.engines.transformers_engine import TransformersEngine

    # Its bars would tear the lines of this command's own progress.
    library.disable_progress_bar()
    torch.set_num_threads(threads)
    return TransformersEngine(
        folder,
        chat=chat,
        context=min(settings.context, judge.context),
        dtype=settings.dtype or judge.dtype,
        batch_size=settings.batch_size,
        trust_remote_code=bool(judge.remote_code),
    )
