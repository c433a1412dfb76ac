"""Derived tiers made of published numbers, for tests of the comparison."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from analysis.pipeline.derived import TABLE_ORDER, Derived
from analysis.publication.keys import Place, Source
from analysis.publication.printed_tables import FOLDER
from analysis.publication.release import RULES, compare_release

_PART = re.compile(r"<[^>]*>|[^/]+")
ROLES = {
    "claude-sonnet-4-6": "frontier",
    "Qwen/Qwen2.5-32B-Instruct-AWQ": "larger",
    "Qwen/Qwen2.5-72B-Instruct-AWQ": "larger",
}


def checkpoints() -> set[str]:
    """All checkpoints that the rules and the printed tables name."""
    texts = [path.read_text(encoding="utf-8") for path in (RULES, *FOLDER.glob("table*.yaml"))]
    return {name for text in texts for name in re.findall(r"<([^>{]+)>", text) if name != "checkpoint"}


class Tier:
    """A derived tier in the making."""

    def __init__(self, label: str = "measured", members: set[str] | None = None) -> None:
        names = sorted(checkpoints() | (members or set()))
        self.files: dict[str, Any] = {
            "overview.json": {
                "suite": "paper",
                "label": label,
                "records": "0" * 64,
                "benchmarks": {name: {} for name in TABLE_ORDER},
                "roster": {
                    f"m{i}.x": {"judge": name, "role": ROLES.get(name, "member")}
                    for i, name in enumerate(names)
                },
            }
        }
        self._names = {name: f"m{i}.x" for i, name in enumerate(names)}

    def put(self, place: Place, value: float) -> None:
        """Write a number at a place, the objects on the way included."""
        parts = [
            self._names.get(part[1:-1], part) if part[0] == "<" else part for part in _PART.findall(place.key)
        ]
        inside = self.files.setdefault(place.file, {})
        for part in parts[:-1]:
            inside = inside.setdefault(part, {})
        inside[parts[-1]] = value

    def write(self, folder: Path) -> Derived:
        """The tier on disk."""
        for name, values in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values), encoding="utf-8")
        return Derived(folder)


def of_the_release(reference: Mapping[str, Any], folder: Path, label: str = "measured") -> Tier:
    """The release's numbers where this project would write them."""
    tier = Tier(label, set(reference["member_kappa"]["medhallu"]))
    entries = compare_release(Source(tier.write(folder)), reference)
    for entry in entries:
        assert entry.ours is None
        tier.put(entry.place, float(entry.published))
    return tier


def printed() -> list[tuple[str, str, str, Mapping[str, Any], str]]:
    """Table, row, column, its specification and cell, of everything that the paper prints."""
    cells = []
    for path in sorted(FOLDER.glob("table*.yaml")):
        for block in yaml.safe_load(path.read_text(encoding="utf-8"))["blocks"]:
            for row, values in block["values"].items():
                for (column, spec), cell in zip(block["columns"].items(), values, strict=True):
                    if cell is not None:
                        cells.append((path.stem, row, column, spec, cell))
    return cells
