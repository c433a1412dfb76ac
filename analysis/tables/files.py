"""A table's files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType

from analysis.pipeline.derived import Derived
from analysis.tables.render import to_csv, to_latex, to_markdown


def write_table(
    module: ModuleType, derived: Derived, folder: Path, stem: str, origin: str = ""
) -> tuple[str, ...]:
    """Write what a table's module builds as ``<stem>.csv``, ``.md`` and ``.tex``; returns their names."""
    table = replace(module.build(derived), origin=origin)
    texts = {"csv": to_csv(table), "md": to_markdown(table), "tex": to_latex(table)}
    for ending, text in texts.items():
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")
    return tuple(f"{stem}.{ending}" for ending in texts)
