"""A frontier panel to compare effective independence with: Kohli's nine judges, as quoted in appendix B."""

from __future__ import annotations

#: Corpus: (mean error correlation, effective votes).
FRONTIER_PANELS = {
    "ChaosNLI-MNLI": (0.391, 2.18),
    "ChaosNLI-SNLI": (0.354, 2.35),
    "ChaosNLI-AlphaNLI": (0.328, 2.48),
}
#: Limit of effective votes that the same source reads off its panel, 1 / phi_bar.
FRONTIER_ASYMPTOTE = 2.6
