"""Text for a terminal: aligned columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from raim.safe_text import printable


def width(text: str) -> int:
    """Columns a printable text takes: two for wide East Asian characters, none for combining marks."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def table(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Rows of cells as aligned lines, the first ``left`` columns flush left and the others flush right.

    The first row is the header.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(width(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            cell + " " * (space - width(cell)) if column < left else " " * (space - width(cell)) + cell
            for column, (cell, space) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)
