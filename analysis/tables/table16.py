"""Table 16: the full method ladder, balanced accuracy."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.tables.method_ladder import method_ladder
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 16, "Full method ladder: balanced accuracy", "RAIM, appendix I"
READS = ("ladder",)


def build(derived: Derived) -> Table:
    """Balanced accuracy of every method on every benchmark, in percent."""
    caption = (
        "Full method ladder: balanced accuracy against gold in percent, an abstention counting as an error; "
        "each dataset under its own frame."
    )
    return method_ladder(derived, f"Table {NUMBER}", caption, "balanced_accuracy", decimals=1, scale=100.0)
