"""One look for all figures, and files that are the same bytes for the same numbers.

Colours are Okabe and Ito's, told apart under the common colour-vision deficiencies; since prints lose colour, a figure
also varies marker or line. Fonts are embedded as TrueType, no output carries a date.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure

from analysis.pipeline.derived import Stamp
from raim.safe_text import printable

#: Okabe and Ito (2008); black last, for reference marks.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "black": "#000000",
}
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
#: Widths of a column and of a page of the paper, in inches.
COLUMN, PAGE = 3.4, 7.0
_BESIDE = 4
#: Between the stamp and the edge, in inches: what the layout keeps round the axes.
_MARGIN = 3 / 72
#: For signed quantities: blue below zero, white at zero, vermilion-like red above; readable in greyscale by its values.
DIVERGING = "RdBu_r"

_RC: Any = {
    "font.family": "DejaVu Sans",  # ships with matplotlib: the same glyphs on every machine
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.prop_cycle": cycler(color=list(COLOURS.values())),
    "lines.linewidth": 1.0,
    "lines.markersize": 4,
    "figure.dpi": 100,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "pdf.compression": 6,
    "svg.hashsalt": "raim",
    "text.usetex": False,
    "axes.unicode_minus": True,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw and save inside this context; a user's own matplotlib settings have no say in it."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_RC)
        yield


def new_figure(width: float = PAGE, height: float = 3.0) -> Figure:
    """An empty figure in inches that belongs to no window system."""
    return Figure(figsize=(width, height), layout="constrained")


def grid_shape(panels: int) -> tuple[int, int]:
    """Rows and columns of a page's small panels: four beside each other at most, in rows as full as can be."""
    rows = math.ceil(panels / _BESIDE)
    return rows, math.ceil(panels / rows)


def literal(text: str) -> str:
    """Other people's text for a label: a dollar sign in it opens no formula."""
    return printable(text).replace("$", r"\$")


def save(figure: Figure, pdf: Path, png: Path, title: str, stamp: Stamp, origin: str = "") -> None:
    """Write the figure as PDF and PNG, its stamp printed at the foot; stamp and origin stand in the metadata."""
    line = f"{stamp.label.rstrip('.')}; {stamp}" if stamp.label else str(stamp)
    figure.supxlabel(
        literal(line), x=1 - _MARGIN / figure.get_figwidth(), ha="right", fontsize=4.5, color="0.45"
    )
    subject = f"{line}; {origin}" if origin else line
    about = {"Title": title, "Subject": subject, "Creator": "raim", "Producer": "matplotlib"}
    figure.savefig(pdf, format="pdf", metadata={**about, "CreationDate": None})
    figure.savefig(png, format="png", metadata={"Title": title, "Description": subject, "Software": "raim"})
