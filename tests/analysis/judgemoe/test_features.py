from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import entropy

from analysis.judgemoe.features import FEATURE_SETS, feature_tensor, hard_scores, soft_scores, summaries
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell


def test_against_a_plain_loop():
    cell = random_cell(40, 3, 5, missing=0.3)
    found = summaries(cell)
    for i in range(40):
        for j in range(3):
            p = cell.probabilities[i, j]
            if not cell.present[i, j]:
                assert all(np.isnan(found[name][i, j]) for name in found)
                continue
            order = np.sort(p)[::-1]
            near = sum(x for x in p if x >= order[0] / 2) - order[0]
            expected = {
                "hard": cell.labels[list(p).index(max(p))],
                "soft": sum(s * x for s, x in zip(cell.labels, p, strict=True)),
                "confidence": order[0] - order[1],
                "entropy": entropy(p) / np.log(5),
                "maximum": order[0],
                "near_tie": near,
            }
            for name, value in expected.items():
                assert found[name][i, j] == pytest.approx(value, abs=1e-12), name


def test_example_of_proposition_7():
    """Same expected score, other uncertainty."""
    p = np.array([[[0.5, 0.0, 0.5]], [[0.0, 1.0, 0.0]], [[0.2, 0.2, 0.6]]])
    cell = random_cell(3, 1, 3, probabilities=p)
    found = summaries(cell)
    assert soft_scores(cell)[:2, 0].tolist() == [0.5, 0.5]
    assert found["near_tie"][:, 0].tolist() == pytest.approx([0.5, 0.0, 0.0])
    assert found["confidence"][:, 0].tolist() == pytest.approx([0.0, 1.0, 0.4])
    assert hard_scores(cell)[:, 0].tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_sets_have_their_width_and_absent_judges_are_zero(name):
    cell = random_cell(30, 3, 5, missing=0.4)
    x = feature_tensor(cell, name)
    assert x.shape == (
        30,
        3,
        {"distribution": 5, "full": 11, "distribution_scores": 7, "summaries": 6, "scores": 2}.get(name, 1),
    )
    assert np.isfinite(x).all()
    assert not x[~cell.present].any()


def test_decoded_scores_have_no_probabilities():
    cell = random_cell(20, 2, 3, score_source="decoded")
    feature_tensor(cell, "hard")
    with pytest.raises(InputError, match="decoded scores only"):
        feature_tensor(cell, "full")
    with pytest.raises(InputError, match="no feature set"):
        feature_tensor(cell, "embedding")
