"""Judge the items of a plan with one judge, resuming where the store stands.

The plan is the `judge` section of a configuration such as config/judge.yaml. Run once for each judge: a second model
in one process would run out of memory. Needs the judge environment (`make judge-env`).
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
    parser.add_argument("plan", type=Path, help="configuration with a `judge` section, such as config/judge.yaml")
    parser.add_argument("--judge", required=True, help="which judge of the plan")
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")
    parser.add_argument("--benchmark", action="append", help="only this benchmark, in the order given (repeatable)")
    parser.add_argument("--protocol", help="only this protocol")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="CPU threads (default: all)")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from raim.errors import InputError
    from verdicts.engines.base import Engine
    from verdicts.judges.chat import chat_of
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan import items_of, read_plan
    from verdicts.records.schema import Run
    from verdicts.runs import judge_missing
    from verdicts.store import Store

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    plan = read_plan(args.plan)
    members = [m for m in plan.members if m.judge == args.judge and args.protocol in (None, m.protocol)]
    if not members:
        raise InputError(f"{args.plan}: no member with judge {args.judge!r} and this protocol; add it to `members`")
    # All sources are read and checked before weights are fetched or a model loaded.
    benchmarks = items_of(plan, args.benchmark)
    judge = next(judge for judge in plan.judges() if judge.name == args.judge)
    folder = checkpoint(judge, weights_root())
    chat = chat_of(judge, folder)

    def load() -> Engine:
        import torch

        from verdicts.engines.transformers_engine import TransformersEngine

        torch.set_num_threads(args.threads)
        return TransformersEngine(
            folder,
            chat=judge.chat,
            chat_kwargs=judge.chat_kwargs,
            context=min(plan.settings.context, judge.context),
            dtype=plan.settings.dtype,
            batch_size=plan.settings.batch_size,
        )

    started = datetime.now(UTC)
    provenance = Run(
        run=f"{judge.name}-{started:%Y%m%dT%H%M%S}-{os.getpid()}",
        engine=plan.settings.engine,
        versions=_versions(),
        hardware=f"{platform.machine()}, {args.threads} threads",
        started=started.isoformat(timespec="seconds"),
    )
    made = judge_missing(
        Store(args.store), [(m, judge, chat) for m in members], benchmarks, plan.settings, provenance, load
    )
    print(f"{judge.name}: {made} records made; the store is {args.store}")
    return 0


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for name in ("raim", "torch", "transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
