"""From a benchmark's declaration to its items, with every check on the source made before a model is
loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from raim.errors import InputError
from verdicts.benchmarks.compare import compare, shipped_index
from verdicts.benchmarks.hub import hub_rows
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import adapted, read_rows, require_columns
from verdicts.benchmarks.spec import Benchmark
from verdicts.records.canonical import sha256_file
from verdicts.records.index import read_index

#: Mismatches that an error message names; the rest are counted.
NAMED = 5


@dataclass(frozen=True)
class Built:
    """Items of a source, and in words whatever of the source differs from what is published about it."""

    items: tuple[Item, ...]
    differences: tuple[str, ...]


def build_items(benchmark: Benchmark, path: Path | None = None) -> Built:
    """Build from a local file, or from the declared source where no path is given, and hold the result
    against Table 18.

    Raises InputError where the source cannot be read or does not have the shape that the builder needs; a
    source that has the shape but not the counts is returned with its differences.
    """
    path = benchmark.source.file if path is None else path
    where = benchmark.source.hub or benchmark.name if path is None else str(path)
    try:
        rows = hub_rows(benchmark.source) if path is None else read_rows(path)
    except InputError as error:
        raise InputError(f"{benchmark.name}: {error}") from error
    try:
        rows = adapted(benchmark.adapt, rows)
        require_columns(rows, benchmark.source.columns)
        items = benchmark.build(rows)
        pool = benchmark.pool(rows)
    except InputError as error:
        raise InputError(f"{where}, {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{where}: its rows do not have the shape that {benchmark.name} needs ({error!r}); give the "
            f"source described at {benchmark.source.page}"
        ) from error
    _require_distinct(items, where)
    differences = [*_file_difference(benchmark, path), *_count_differences(benchmark, pool, items)]
    return Built(tuple(items), tuple(differences))


def load_items(benchmark: Benchmark, path: Path | None = None, index: Path | None = None) -> list[Item]:
    """The benchmark's items, checked against Table 18 and the index (by default the one that is shipped, if
    any).

    Raises InputError that names the differences of a changed source.
    """
    built = build_items(benchmark, path)
    index = shipped_index(benchmark.name) if index is None else index
    mismatches = compare(built.items, read_index(index)) if index is not None else []
    if built.differences or mismatches:
        found = [*built.differences, *map(str, mismatches[:NAMED])]
        more = f"; and {len(mismatches) - NAMED} more" if len(mismatches) > NAMED else ""
        raise InputError(
            f"{benchmark.name}: {path or benchmark.source.hub} is not the source that the benchmark is "
            f"defined on: {'; '.join(found)}{more}. Give the complete source ({benchmark.source.page}"
            f"{f', revision {benchmark.source.revision}' if benchmark.source.revision else ''}); "
            f"`raim verify {benchmark.name}` lists every difference"
        )
    return list(built.items)


def _require_distinct(items: Sequence[Item], where: str) -> None:
    """Records are found by content and items by uid, so neither may occur twice."""
    if not items:
        raise InputError(f"{where}: no item could be built; give the publisher's complete source")
    for what, values in (("uid", [i.uid for i in items]), ("content", [i.content for i in items])):
        value, times = Counter(values).most_common(1)[0]
        if times > 1:
            uids = [item.uid for item, other in zip(items, values, strict=True) if other == value]
            raise InputError(
                f"{where}: items {', '.join(uids)} have the same {what}; remove the repeated rows"
            )


def _file_difference(benchmark: Benchmark, path: Path | None) -> list[str]:
    expected = benchmark.source.sha256
    if path is None or expected is None or (found := sha256_file(path)) == expected:
        return []
    return [f"its sha256 is {found}, the benchmark's file has {expected}"]


def _count_differences(benchmark: Benchmark, pool: dict[str, int], items: Sequence[Item]) -> list[str]:
    if benchmark.expected is None:
        return []
    expected = benchmark.expected
    golds = Counter(item.gold for item in items)
    counts = [
        *((f"{what} upstream", pool.get(what, 0), number) for what, number in expected.pool.items()),
        ("items", len(items), expected.items),
        ("clusters", len({item.cluster for item in items}), expected.clusters),
        ("supported items", golds[0], expected.balance[0]),
        ("hallucinated items", golds[1], expected.balance[1]),
    ]
    return [f"{found} {what} instead of {wanted}" for what, found, wanted in counts if found != wanted]
