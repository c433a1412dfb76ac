"""Time one judge of a plan as RAIM's appendix H does: full batches, about 500 tokens read, exactly 68 decoded.

The prompts are filler, and nothing is recorded in a store. Rates of several judges become the input of `raim costs`
with `snakemake throughput` (docs/engines.md). Needs the environment of the plan's engine.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

NAME = "throughput"
HELP = "time one judge under a fixed load"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "plan", type=Path, help="configuration with a `judge` section, such as config/judge.yaml"
    )
    parser.add_argument("--suite", help="which of the plans, by its suite (default: the only one)")
    parser.add_argument("--judge", required=True, help="which judge of the plan")
    parser.add_argument("--batch", type=int, default=128, help="prompts at once (default: 128)")
    parser.add_argument("--items", type=int, help="prompts that are timed (default: one batch)")
    parser.add_argument("--input-tokens", type=int, default=500, help="tokens of a prompt (default: 500)")
    parser.add_argument("--new-tokens", type=int, default=68, help="tokens of a reply (default: 68)")
    parser.add_argument("--gpus", type=int, metavar="N", help="as for `raim judge`")
    parser.add_argument("--devices", metavar="LIST", help="as for `raim judge`")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="CPU threads (default: all)")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")


def run(args: argparse.Namespace) -> int:
    """Load, time, write the JSON, print the numbers."""
    import time
    from dataclasses import replace

    from analysis.output import require_writable, write_json
    from raim.errors import InputError
    from verdicts.devices import take_for_judge
    from verdicts.engines.registry import load
    from verdicts.judges.chat import chat_of
    from verdicts.judges.weights import checkpoint, weights_root
    from verdicts.plan_file import read_plan
    from verdicts.throughput import Load, measure, render

    items = args.batch if args.items is None else args.items
    shape = Load(args.batch, items, args.input_tokens, args.new_tokens)
    if min(shape.batch, shape.items, shape.input_tokens, shape.new_tokens, args.threads) < 1:
        raise InputError("--batch, --items, --input-tokens, --new-tokens and --threads: give at least 1")
    plan = read_plan(args.plan, args.suite)
    judge = next((judge for judge in plan.judges() if judge.name == args.judge), None)
    if judge is None:
        raise InputError(f"{args.plan}: no member with judge {args.judge!r}; add it to `members`")
    if judge.weights.kind == "api":
        raise InputError(f"{judge.name} is asked through an API: its speed is not this machine's")
    if args.json is not None:
        require_writable(args.json)
    settings = replace(plan.settings, batch_size=shape.batch)
    folder = checkpoint(judge, weights_root())
    take_for_judge(args.gpus, args.devices)
    engine = load(judge, folder, chat_of(judge, folder), settings, args.threads)
    result = measure(engine, judge, settings.dtype_of(judge), shape, time.perf_counter)  # type: ignore[arg-type]
    if args.json is not None:
        write_json(args.json, result.as_json())
    print(render(result), end="")
    return 0
