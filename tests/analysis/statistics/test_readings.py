from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from analysis.statistics.holm import holm
from analysis.statistics.intervals import Interval
from analysis.statistics.readings import at_chance, reading, verdict


def summary(mean, low, high):
    return Interval(mean, low, high, 0)


CLEAR, UNRESOLVED = summary(0.1, 0.02, 0.2), summary(0.1, -0.02, 0.2)
WORSE, NOTHING = summary(-0.1, -0.2, -0.01), Interval(None, None, None, 2000)


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (CLEAR, "clear improvement"),
        (UNRESOLVED, "unresolved improvement"),
        (summary(0.0001, 0.0, 0.2), "unresolved improvement"),
        (WORSE, "clear worsening"),
        (summary(-0.1, -0.2, 0.0), "unresolved worsening"),
        (summary(0.0, 0.0, 0.0), "no difference"),
        (NOTHING, None),
    ],
)
def test_reading(difference, words):
    assert reading(difference) == words


@pytest.mark.parametrize(
    ("best", "oracle", "words"),
    [
        (CLEAR, CLEAR, "clean win"),
        (CLEAR, UNRESOLVED, "win"),
        (CLEAR, None, "win"),
        (UNRESOLVED, CLEAR, "tie"),
        (summary(0.0, 0.0, 0.0), CLEAR, "tie"),
        (WORSE, WORSE, "loss"),
        (NOTHING, CLEAR, None),
    ],
)
def test_verdict(best, oracle, words):
    assert verdict(best, oracle) == words


def test_at_chance():
    assert at_chance(summary(0.04, -0.01, 0.1))
    assert not at_chance(summary(0.06, -0.01, 0.1))
    assert not at_chance(summary(0.04, 0.01, 0.1))
    assert not at_chance(NOTHING)


@pytest.mark.parametrize("seed", range(5))
def test_holm_against_statsmodels(seed):
    rng = np.random.default_rng(seed)
    p = rng.random(int(rng.integers(1, 12))) ** 3
    p = np.round(np.r_[p, p[:1]], 3)
    names = [f"d{i}" for i in range(len(p))]
    ours = holm(dict(zip(names, p.tolist(), strict=True)))
    np.testing.assert_allclose([ours[n] for n in names], multipletests(p, method="holm")[1], atol=1e-15)


def test_holm_counts_tested_hypotheses_only():
    assert holm({"a": 0.01, "b": None, "c": 0.04}) == {"a": 0.02, "b": None, "c": 0.04}
    assert holm({}) == {}
