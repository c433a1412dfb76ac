"""The grids of Figures 4 and 5.

The text of appendix C names the axes and the fixed values (K = 4 in Figure 4, eta_f = 0.2 in Figure 5), and noise
levels from 0.1 to 0.5; the levels between, and Figure 5's numbers of categories, are ours.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from analysis.alt_test.simulation.annotations import Noise

NOISE_LEVELS: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
CATEGORIES: Final = (2, 4, 8, 16)

#: Rows: eta_f, columns: eta_h.
FIGURE_4: Final = tuple(tuple(Noise(4, human, judge) for human in NOISE_LEVELS) for judge in NOISE_LEVELS)
#: Rows: K, columns: eta_h.
FIGURE_5: Final = tuple(tuple(Noise(k, human, 0.2) for human in NOISE_LEVELS) for k in CATEGORIES)


def panel_rng(noise: Noise, seed: int = 0) -> np.random.Generator:
    """A panel's own generator: its numbers do not depend on which panels are computed, or in what order."""
    return np.random.default_rng(
        [seed, noise.categories, round(1000 * noise.human), round(1000 * noise.judge)]
    )
