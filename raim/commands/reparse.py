"""Read every stored reply again, by the paper's parser and by the published one, without judging again.

Reports for each judge and frame on which share of its replies the two differ. `raim export --reading` makes a suite of
either reading.
"""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "reparse"
HELP = "read stored replies by both parsers and report where they differ"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from analysis.output import require_writable, write_json
    from analysis.terminal import table
    from raim.errors import InputError
    from verdicts.readings import compare
    from verdicts.store import Store

    if args.json is not None:
        require_writable(args.json)
    shards = [shard for shard in Store(args.store).shards() if shard.condition.kind == "verdict"]
    found = [(shard.condition, compare(shard.records())) for shard in shards]
    found = [(condition, comparison) for condition, comparison in found if comparison.replies]
    if not found:
        raise InputError(
            f"{args.store}: holds no reply to read; judge first under a generative protocol (`raim judge`)"
        )
    rows: list[tuple[str, ...]] = [
        ("judge", "frame", "replies", "differ", "share", "paper reads", "release reads", "outdated")
    ]
    for condition, comparison in found:
        counts = (comparison.committed["paper"], comparison.committed["release"], comparison.outdated)
        rows.append(
            (
                condition.judge,
                condition.frame,
                str(comparison.replies),
                str(comparison.differ),
                f"{comparison.share:.3f}",
                *map(str, counts),
            )
        )
    print(table(rows, left=2))
    outdated = sum(comparison.outdated for _, comparison in found)
    if outdated:
        print(
            f"{outdated} stored verdicts are another parser's; `raim export` writes what the replies say today"
        )
    if args.json is not None:
        write_json(
            args.json,
            [{"condition": condition.as_json(), **comparison.as_json()} for condition, comparison in found],
        )
    return 0
