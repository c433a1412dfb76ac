"""Figure 4: noise of the humans and of the judge, by simulation."""

from __future__ import annotations

from matplotlib.figure import Figure

from analysis.alt_test.figures.simulated import draw_grid
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 4, "Simulated noise of annotators and judge", "alt-test, appendix C"
READS = ("simulation",)


def draw(derived: Derived) -> Figure:
    """K = 4; eta_h grows to the right, eta_f downwards."""
    values = derived.read_suite("simulation")
    return draw_grid(values["figure4"], values["design"], "judge_noise")
