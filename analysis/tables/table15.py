"""Table 15: the full method ladder, kappa."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.tables.method_ladder import method_ladder
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 15, "Full method ladder: Cohen's κ", "RAIM, appendix I"
READS = ("ladder",)


def build(derived: Derived) -> Table:
    """Kappa of every method on every benchmark."""
    caption = "Full method ladder: Cohen's κ against gold, each dataset under its own frame."
    return method_ladder(derived, f"Table {NUMBER}", caption, "kappa")
