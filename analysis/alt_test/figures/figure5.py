"""Figure 5: the number of categories, by simulation."""

from __future__ import annotations

from matplotlib.figure import Figure

from analysis.alt_test.figures.simulated import draw_grid
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 5, "Simulated number of categories", "alt-test, appendix C"
READS = ("simulation",)


def draw(derived: Derived) -> Figure:
    """eta_f = 0.2; eta_h grows to the right, K downwards."""
    values = derived.read_suite("simulation")
    return draw_grid(values["figure5"], values["design"], "categories")
