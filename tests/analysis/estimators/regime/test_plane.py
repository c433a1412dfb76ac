"""The invariance region against the calls at sampled thresholds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.estimators.admissibility import DECLARED, Thresholds
from analysis.estimators.regime.plane import (
    Plane,
    invariance_cells,
    invariance_counts,
    kappa_bracket,
    phi_bracket,
)

planes = st.builds(
    lambda phi, competent, sizes: Plane(
        np.array(phi),
        np.minimum(np.array(competent[: len(phi)]), np.array(sizes[: len(phi)])),
        np.array(sizes[: len(phi)]),
    ),
    st.lists(st.sampled_from([-0.1, 0.05, 0.2, 0.33, 0.4, 0.41, 0.6, 0.9]), min_size=1, max_size=6),
    st.lists(st.integers(0, 10), min_size=6, max_size=6),
    st.one_of(
        st.sampled_from([4, 7, 10]).map(lambda size: [size] * 6),
        st.lists(st.sampled_from([4, 7, 10]), min_size=6, max_size=6),
    ),
)


def inside(value, low, high):
    return bool((low is None or value >= low) and (high is None or value < high))


@given(plane=planes)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_the_region_is_where_the_calls_are_the_declared_ones(plane):
    declared = plane.calls()
    cells = invariance_cells(plane)
    for share in np.linspace(0.013, 1.057, 19):
        for phi in np.linspace(-0.2037, 1.0, 19):
            same = bool((plane.calls(Thresholds(share=share, phi=phi)) == declared).all())
            held = any(
                (cell.share_above is None or share > cell.share_above)
                and (cell.share_to is None or share <= cell.share_to)
                and inside(phi, cell.phi_from, cell.phi_below)
                for cell in cells
            )
            assert same is held, (share, phi)


@given(plane=planes)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_counts_are_the_region_by_required_members(plane):
    if len(set(plane.members.tolist())) > 1:
        with pytest.raises(ValueError, match="different sizes"):
            invariance_counts(plane)
        return
    declared = plane.calls()
    rows = {row.count: row for row in invariance_counts(plane)}
    for count in range(int(plane.members[0]) + 2):
        for phi in np.linspace(-0.2037, 1.0, 19):
            same = bool((((plane.competent >= count) & (plane.phi_bar <= phi)) == declared).all())
            row = rows.get(count)
            assert same is (row is not None and inside(phi, row.phi_from, row.phi_below))


def test_the_declared_point_is_in_the_region_and_cells_do_not_touch_twice():
    rng = np.random.default_rng(0)
    for _ in range(50):
        plane = Plane(rng.uniform(0, 1, 7), rng.integers(0, 11, 7), np.full(7, 10))
        cells = invariance_cells(plane)
        assert any(
            (c.share_above is None or DECLARED.share > c.share_above)
            and (c.share_to is None or DECLARED.share <= c.share_to)
            and inside(DECLARED.phi, c.phi_from, c.phi_below)
            for c in cells
        )
        for first, second in pairwise(cells):
            assert first.share_to is not None
            assert (first.phi_from, first.phi_below) != (second.phi_from, second.phi_below) or (
                first.share_to != second.share_above
            )


@given(
    phi=st.lists(st.sampled_from([0.1, 0.3, 0.4, 0.5]), min_size=1, max_size=5),
    seed=st.integers(0, 1000),
    size=st.integers(1, 8),
)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_the_competence_bar_moves_within_its_bracket(phi, seed, size):
    rng = np.random.default_rng(seed)
    kappas = [np.round(rng.uniform(-0.1, 0.7, size), 2) for _ in phi]

    def calls(bar):
        required = DECLARED.required(size)
        return [(k >= bar).sum() >= required and p <= DECLARED.phi for k, p in zip(kappas, phi, strict=True)]

    low, high = kappa_bracket(np.array(phi), kappas)
    for bar in np.r_[np.linspace(-0.2, 0.8, 31) + 0.0005, np.concatenate(kappas)]:
        held = bool((low is None or bar > low) and (high is None or bar <= high))
        assert (calls(bar) == calls(DECLARED.kappa)) is held


def test_phi_bracket_holds_the_bar():
    assert phi_bracket(np.array([0.2, 0.4, 0.41, 0.9])) == (0.4, 0.41)
    assert phi_bracket(np.array([0.5])) == (None, 0.5)
    assert phi_bracket(np.array([0.1])) == (0.1, None)
