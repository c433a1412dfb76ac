"""Read every stored reply again, without judging again.

Verdict replies are read by the paper's parser and by the published one, scores and grades by the parser of today beside
what is stored. Reports for each judge and frame on which share of its replies the two differ. `raim export` writes what
the replies say today (`--reading`: verdicts as either parser reads them).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verdicts.readings import Comparison
    from verdicts.records.schema import Condition

NAME = "reparse"
HELP = "read stored replies again and report where the readings differ"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command."""
    parser.add_argument("--store", type=Path, default=Path("store"), help="the record store (default: store)")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write every number there as well")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from analysis.output import require_writable, write_json
    from raim.errors import InputError
    from verdicts.readings import AGAIN, READINGS, compare, has_replies, has_two_readings
    from verdicts.store import Store

    if args.json is not None:
        require_writable(args.json)
    shards = [shard for shard in Store(args.store).shards() if has_replies(shard.condition)]
    found = [(shard.condition, compare(shard.records(), shard.condition)) for shard in shards]
    found = [(condition, comparison) for condition, comparison in found if comparison.replies]
    if not found:
        raise InputError(
            f"{args.store}: holds no reply to read; judge first (`raim judge`) under a protocol that writes replies "
            f"(generative, native, samples, decoded)"
        )
    of_verdicts = [entry for entry in found if has_two_readings(entry[0])]
    others = [entry for entry in found if not has_two_readings(entry[0])]
    tables = [
        _table(entries, names) for entries, names in ((of_verdicts, READINGS), (others, AGAIN)) if entries
    ]
    print("\n\n".join(tables))
    outdated = sum(comparison.outdated for _, comparison in found)
    if outdated:
        print(
            f"{outdated} replies were stored as another parser read them; `raim export` writes what they say today"
        )
    if args.json is not None:
        write_json(
            args.json,
            [{"condition": condition.as_json(), **comparison.as_json()} for condition, comparison in found],
        )
    return 0


def _table(entries: Sequence[tuple[Condition, Comparison]], names: Iterable[str]) -> str:
    """One line a condition; the last columns are how many replies each reading finds a verdict or score in."""
    from analysis.terminal import table

    rows: list[tuple[str, ...]] = [
        (
            "judge",
            "frame",
            "asked for",
            "replies",
            "differ",
            "share",
            *(f"{name} reads" for name in names),
            "outdated",
        )
    ]
    rows += [
        (
            condition.judge,
            condition.frame,
            _asked(condition),
            str(comparison.replies),
            str(comparison.differ),
            f"{comparison.share:.3f}",
            *(str(comparison.committed[name]) for name in names),
            str(comparison.outdated),
        )
        for condition, comparison in entries
    ]
    return table(rows, left=3)


def _asked(condition: Condition) -> str:
    from verdicts.readings import grader_of

    if condition.labels is not None:
        return f"{condition.decoding['mode']} {condition.labels[0]}-{condition.labels[-1]}"
    return "verdicts" if grader_of(condition) is None else "grades"
