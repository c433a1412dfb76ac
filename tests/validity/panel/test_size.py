"""Size of the one-sided test and of the readings where there is no difference, over 1,600 panels."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.arrays import Floats
from tests.validity.panel.panels import judge
from tests.validity.panel.population import MEDHALLU, WICE, Design, Population

pytestmark = pytest.mark.validity

N_PANELS = 1600
#: Two members alike in skill, of which one abstains more; abstaining tells nothing, so their kappas are equal.
TWINS = Population(np.array([[0.9, 0.5], [0.9, 0.5]]), 0.8, np.array([0.0, 0.15]))


@pytest.mark.parametrize(("design", "seed"), [(WICE, 1), (MEDHALLU, 1)], ids=["wice", "medhallu"])
def test_one_sided_test_holds_its_size(design: Design, seed: int) -> None:
    def methods(votes: Floats, _: int) -> dict[str, Floats]:
        return {"first": votes[:, 0], "second": votes[:, 1]}

    p, clear = [], []
    for batch in judge(TWINS, design, methods, N_PANELS, seed):
        gap = batch["first"].draws - batch["second"].draws
        # analysis.statistics.intervals.one_sided_p of every panel at once.
        p.append((gap <= 0).mean(axis=0))
        low, high = np.percentile(gap, [2.5, 97.5], axis=0)
        clear.append(np.where(low > 0, 1, np.where(high < 0, -1, 0)))
    values, readings = np.concatenate(p), np.concatenate(clear)
    rejected = {level: float((values < level).mean()) for level in (0.01, 0.025, 0.05, 0.10)}
    print(rejected, float((readings == 1).mean()), float((readings == -1).mean()))
    # Three binomial standard errors at 1,600 panels are 0.016 at a level of 0.05.
    assert 0.034 <= rejected[0.05] <= 0.066
    assert 0.077 <= rejected[0.10] <= 0.123
    assert rejected[0.01] <= 0.02
    for sign in (1, -1):
        assert float((readings == sign).mean()) <= 0.04
    # The p of a true null is uniform: the middle of it as well as its tail.
    assert np.median(values) == pytest.approx(0.5, abs=0.04)
