"""The store: a folder of shards, one a condition."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from raim.errors import InputError
from verdicts.records.schema import SCHEMA_VERSION, Condition
from verdicts.store.shard import Shard


class Store:
    """All shards below a folder. Nothing is made before the first shard is asked for."""

    def __init__(self, root: Path) -> None:
        if root.exists() and not root.is_dir():
            raise InputError(f"{root}: the store is a folder, and this is a file; choose another store")
        self.root = root

    def shard(self, condition: Condition) -> Shard:
        """The shard of a condition, made where there is none."""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", condition.judge).strip("-.")[:60]
        return Shard(self.root / f"{slug}--{condition.digest[:16]}", condition)

    def shards(self) -> Iterator[Shard]:
        """Every shard there is, by folder name."""
        for path in sorted(self.root.glob("*/condition.json")):
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
                schema = int(found["schema"])
                condition = Condition.from_json(found) if schema <= SCHEMA_VERSION else None
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise InputError(f"{path}: cannot read the shard's condition ({error}); restore it") from error
            if condition is None:
                raise InputError(f"{path}: written in record schema {schema}, this version knows {SCHEMA_VERSION}; upgrade raim")
            yield Shard(path.parent, condition)
