"""The store: a folder of shards, one a condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from raim.errors import InputError
from verdicts.records.schema import Condition
from verdicts.store.shard import Shard, read_condition


class Store:
    """All shards below a folder. Nothing is made before the first record is written."""

    def __init__(self, root: Path) -> None:
        if root.exists() and not root.is_dir():
            raise InputError(f"{root}: the store is a folder, and this is a file; choose another store")
        self.root = root

    def shard(self, condition: Condition) -> Shard:
        """The shard of a condition."""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", condition.judge).strip("-.")[:60]
        return Shard(self.root / f"{slug}--{condition.digest[:16]}", condition)

    def shards(self) -> Iterator[Shard]:
        """Every shard there is, by folder name."""
        for path in sorted(self.root.glob("*/condition.json")):
            yield Shard(path.parent, read_condition(path))
