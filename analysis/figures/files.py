"""A figure's files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from analysis.figures.style import save, style
from analysis.pipeline.derived import Derived


def write_figure(
    module: ModuleType, derived: Derived, folder: Path, stem: str, origin: str = ""
) -> tuple[str, ...]:
    """Write what a figure's module draws as ``<stem>.pdf`` and ``.png``, with its origin in their metadata.

    Returns their names.
    """
    pdf, png = folder / f"{stem}.pdf", folder / f"{stem}.png"
    with style():
        save(module.draw(derived), pdf, png, f"Figure {module.NUMBER}. {module.NAME}", derived.stamp, origin)
    return pdf.name, png.name
