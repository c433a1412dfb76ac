"""The tables and figures of a suite as a report shows them."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from PIL import Image

from analysis.pipeline.build import Output
from analysis.pipeline.catalogue import in_order
from analysis.pipeline.derived import Derived
from analysis.report.page import Picture, Shown, anchor
from analysis.tables.render import Table

#: CSS pixels for a pixel of the drawing, so that its text is about as large as the page's.
_SCALE = 0.48


def shown_tables(outputs: Iterable[Output], derived: Derived, prefix: str = "") -> tuple[Shown, ...]:
    """Tables in the paper's order, built from the derived files that the tables' rule read; or why there are none."""
    return tuple(
        _shown(output, prefix, None if output.skipped is not None else _table(output, derived))
        for output in sorted(outputs, key=in_order)
    )


def shown_figures(
    outputs: Iterable[Output], derived: Derived, folder: Path, prefix: str = ""
) -> tuple[Shown, ...]:
    """Figures in the paper's order, as they were drawn into the folder; or why there are none."""
    return tuple(
        _shown(output, prefix, None if output.skipped is not None else _picture(output, derived, folder))
        for output in sorted(outputs, key=in_order)
    )


def _shown(output: Output, prefix: str, content: Table | Picture | None) -> Shown:
    return Shown(anchor(output.title, prefix), output.title, output.source, content, output.skipped)


def _table(output: Output, derived: Derived) -> Table:
    module = import_module(output.module)
    table: Table = module.build(Derived(derived.folder, frozenset(output.reads)))
    return replace(table, origin=output.origin)


def _picture(output: Output, derived: Derived, folder: Path) -> Picture:
    path = next(folder / name for name in output.files if name.endswith(".png"))
    with Image.open(path) as image:
        width, height = (round(pixels * _SCALE) for pixels in image.size)
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    stamp = derived.stamp
    return Picture(
        f"data:image/png;base64,{data}",
        width,
        height,
        stamp.caption(output.shows),
        f"{stamp}; {output.origin}",
    )
