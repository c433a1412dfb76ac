"""From one number to a bucket vector: the soft score is the number, whatever the range."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.judgemoe.selectors.experts import scalar_as_distribution
from verdicts.experts.buckets import MAPS, bucket_vector, logistic, unit
from verdicts.protocols.scores import TOPS

LAW = settings(derandomize=True, max_examples=200, deadline=None)
SHARE = st.floats(0.0, 1.0)


@LAW
@given(share=SHARE, top=st.sampled_from(TOPS))
def test_the_expected_score_is_the_number(share: float, top: int) -> None:
    labels = [float(label) for label in range(1, top + 1)]
    vector = bucket_vector(share, labels)
    assert math.fsum(vector) == pytest.approx(1.0, abs=1e-12)
    assert sum(p > 0 for p in vector) <= 2
    expected = math.fsum(p * label for p, label in zip(vector, labels, strict=True))
    assert expected == pytest.approx(1.0 + share * (top - 1), abs=1e-9)


@LAW
@given(share=SHARE, top=st.sampled_from(TOPS))
def test_it_is_what_the_analysis_makes_of_a_number(share: float, top: int) -> None:
    labels = np.linspace(0.0, 1.0, top)
    theirs = scalar_as_distribution(np.array([share]), labels)[0]
    assert bucket_vector(share, labels.tolist()) == pytest.approx(tuple(theirs), abs=1e-9)


def test_ends_and_labels_are_met_exactly() -> None:
    assert bucket_vector(0.0, [1, 2, 3]) == (1.0, 0.0, 0.0)
    assert bucket_vector(0.5, [1, 2, 3]) == (0.0, 1.0, 0.0)
    assert bucket_vector(1.0, [1, 2, 3]) == (0.0, 0.0, 1.0)
    assert bucket_vector(0.25, [1, 2, 3]) == (0.5, 0.5, 0.0)
    with pytest.raises(ValueError, match="a share is on"):
        bucket_vector(1.5, [1, 2])


@LAW
@given(
    scores=st.lists(st.floats(-700.0, 700.0), min_size=2, max_size=2).map(sorted), base=st.floats(-3.0, 0.9)
)
@pytest.mark.parametrize("name", sorted(MAPS))
def test_maps_keep_the_order_and_stay_in_range(name: str, scores: list[float], base: float) -> None:
    low, high = (MAPS[name](score, base) for score in scores)
    assert 0.0 <= low <= high <= 1.0


def test_maps() -> None:
    assert [unit(0.3), unit(-0.2), unit(1.2)] == [0.3, 0.0, 1.0]
    assert unit(0.9, 0.8) == pytest.approx(0.5)
    assert unit(0.7, 0.8) == 0.0
    assert logistic(0.0) == 0.5
    assert logistic(math.log(3.0)) == pytest.approx(0.75)
    assert logistic(5.0, 5.0) == 0.5
    assert logistic(-1000.0) == 0.0
