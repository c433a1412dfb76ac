from __future__ import annotations

import numpy as np
import pytest

from analysis.estimators.admissibility import DECLARED, Thresholds, admissibility, call
from analysis.estimators.error_correlation import effective_votes, error_correlation
from tests.analysis.simulate import simulate

NAN = np.nan


def plain_phi(votes, gold):
    n_members = votes.shape[1]
    values = {}
    for i in range(n_members):
        for j in range(i + 1, n_members):
            joint = ~np.isnan(votes[:, i]) & ~np.isnan(votes[:, j])
            a = (votes[joint, i] != gold[joint]).astype(float)
            b = (votes[joint, j] != gold[joint]).astype(float)
            if joint.sum() < 5:
                values[i, j] = NAN
            elif a.std() == 0 or b.std() == 0:
                values[i, j] = 0.0
            else:
                values[i, j] = np.corrcoef(a, b)[0, 1]
    return values


@pytest.mark.parametrize("missing", [0.0, 0.1, 0.6])
def test_phi_against_numpy(missing):
    panel = simulate(8, missing=missing)
    ours = error_correlation(panel.votes, panel.gold)
    theirs = plain_phi(panel.votes, panel.gold)
    for (i, j), value in theirs.items():
        assert ours.phi[0, i, j] == pytest.approx(value, abs=1e-12, nan_ok=True)
        assert ours.phi[0, j, i] == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert ours.mean()[0] == pytest.approx(np.nanmean(list(theirs.values())), abs=1e-12)


def test_skipped_and_constant_pairs_are_told_apart_and_counted():
    gold = np.array([0, 1] * 6)
    votes = np.column_stack(
        [gold, 1 - gold, np.where(np.arange(12) < 4, gold, NAN), gold[::-1] ^ (np.arange(12) > 8)]
    )
    ours = admissibility(votes, gold)
    # The first two never vary; the third shares four items with anybody.
    assert (ours.pairs, ours.skipped, ours.constant) == (6, 3, 3)
    assert ours.phi_bar == 0.0
    assert np.isnan(ours.phi[0, 2])
    assert ours.phi[0, 1] == 0.0


def test_four_joint_items_are_too_few_and_five_enough():
    gold = np.zeros(9, dtype=int)
    first = np.array([0, 1, 0, 1, 0, NAN, NAN, NAN, NAN])
    assert error_correlation(np.column_stack([first, first]), gold).phi[0, 0, 1] == pytest.approx(1.0)
    assert np.isnan(error_correlation(np.column_stack([first[1:], first[1:]]), gold[1:]).phi[0, 0, 1])


def test_many_samples_at_once_are_the_samples_alone():
    panel = simulate(9)
    weights = np.random.default_rng(0).integers(0, 3, size=(15, panel.n_items)).astype(float)
    together = error_correlation(panel.votes, panel.gold, weights)
    for s, times in enumerate(weights.astype(int)):
        alone = error_correlation(np.repeat(panel.votes, times, axis=0), np.repeat(panel.gold, times))
        np.testing.assert_allclose(together.phi[s], alone.phi[0], atol=1e-13)
        assert together.mean()[s] == pytest.approx(alone.mean()[0], abs=1e-13)


def test_mean_agreement_of_votes_is_that_of_errors():
    panel = simulate(10, missing=0.0)
    errors = panel.votes != panel.gold[:, None]
    for i in range(panel.n_members):
        for j in range(i):
            assert np.mean(panel.votes[:, i] == panel.votes[:, j]) == np.mean(errors[:, i] == errors[:, j])


def test_effective_votes():
    assert effective_votes(10, 0.0) == 10
    assert effective_votes(10, 1.0) == 1
    assert effective_votes(1, 0.7) == 1
    assert np.isnan(effective_votes(3, -0.5))


@pytest.mark.parametrize(
    ("share", "n_members", "required"),
    [
        (0.5, 10, 5),
        (0.5, 9, 5),
        (0.5, 1, 1),
        (0.3, 10, 3),
        (0.7, 10, 7),
        (0.6, 5, 3),
        (0.1, 30, 3),
        (0.0, 4, 0),
    ],
)
def test_required_members(share, n_members, required):
    assert Thresholds(share=share).required(n_members) == required


def test_the_call_includes_its_bounds():
    assert call(5, 5, 0.40, DECLARED.phi) is True
    assert call(5, 5, 0.400001, DECLARED.phi) is False
    assert call(4, 5, 0.1, DECLARED.phi) is False
    assert call(4, 5, None, DECLARED.phi) is False
    assert call(5, 5, None, DECLARED.phi) is None


def test_a_kappa_of_exactly_the_bar_is_competent():
    # 13 of 20 right on each class: kappa 0.3.
    gold = np.repeat([0, 1], 20)
    votes = np.where(np.arange(40) % 20 < 13, gold, 1 - gold).astype(float)
    assert admissibility(votes[:, None], gold).competent == 1


def test_one_member_is_one_vote_and_has_no_pair():
    panel = simulate(1, n_members=1)
    ours = admissibility(panel.votes, panel.gold)
    assert (ours.phi_bar, ours.n_eff, ours.pairs) == (None, 1.0, 0)


def test_undefined_kappa_is_not_competent():
    gold = np.array([0, 1] * 10)
    only_on_one_class = np.where(gold == 1, 1.0, NAN)
    assert admissibility(np.column_stack([only_on_one_class, gold]), gold).competent == 1
