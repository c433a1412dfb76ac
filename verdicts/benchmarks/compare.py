"""A publisher's data joined against the content-addressed index: the same items, or every difference
named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from verdicts.benchmarks.items import Item
from verdicts.records.index import IndexRow

_SHIPPED = Path(__file__).parent / "index"


@dataclass(frozen=True)
class Mismatch:
    """One item that differs: ``kind`` is ``missing``, ``extra``, or the field that changed."""

    uid: str
    kind: str
    indexed: str
    found: str

    def __str__(self) -> str:
        """One line a reader can act on; hashes are cut to 12 digits."""
        if self.kind in ("missing", "extra"):
            where = "the data lacks it" if self.kind == "missing" else "the index lacks it"
            return f"{self.uid}: {self.kind} ({where})"
        return f"{self.uid}: {self.kind} is {self.found[:12]}, the index has {self.indexed[:12]}"


def index_rows(items: Iterable[Item]) -> list[IndexRow]:
    """The items' index: ids, gold and hashes, no text."""
    return [IndexRow(item.uid, str(item.cluster), item.gold, item.content, item.join_key) for item in items]


def shipped_index(name: str) -> Path | None:
    """The index of a benchmark that the project ships, or None where it ships none."""
    path = _SHIPPED / f"{name}.tsv"
    return path if path.is_file() else None


def compare(items: Sequence[Item], indexed: Sequence[IndexRow]) -> list[Mismatch]:
    """Every difference between items and an index: missing items, then changed ones in the index's order,
    then extra.

    An index row without a content hash or join key is compared on the others. Empty where all agree.
    """
    found = {row.uid: row for row in index_rows(items)}
    missing = [Mismatch(row.uid, "missing", row.content, "") for row in indexed if row.uid not in found]
    changed = [
        Mismatch(row.uid, field, str(expected), str(value))
        for row in indexed
        if row.uid in found
        for (field, expected), value in zip(asdict(row).items(), asdict(found[row.uid]).values(), strict=True)
        if expected not in ("", value)
    ]
    known = {row.uid for row in indexed}
    return (
        missing
        + changed
        + [Mismatch(uid, "extra", "", row.content) for uid, row in found.items() if uid not in known]
    )
