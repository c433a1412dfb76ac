"""Items, drawings with exact tables, the fit of error correlations, and the last exchanges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from analysis.arrays import Floats, Ints
from analysis.estimators.error_correlation import error_correlation
from analysis.simulation.confusions import Table
from analysis.simulation.drawing import Drawing, draw
from analysis.simulation.fit import fit_correlation, rms
from analysis.simulation.items import matched_pairs, pooled_claims, share_within_clusters
from analysis.simulation.refine import deviations, refine

TABLES = (Table(60, 20, 30, 65), Table(85, 40, 15, 60), Table(50, 5, 45, 90), Table(70, 30, 25, 62))


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return draw(matched_pairs(100), TABLES, np.random.default_rng(0))


def counts(votes: Floats, gold: Ints) -> list[tuple[int, int, int, int]]:
    found = []
    for column in votes.T:
        committed = ~np.isnan(column)
        (tn, fp), (fn, tp) = confusion_matrix(gold[committed], column[committed], labels=[0, 1])
        found.append((tp, fp, fn, tn))
    return found


def test_pairs_hold_one_item_of_each_class() -> None:
    items = matched_pairs(3)
    assert items.uids == ("0:pos", "0:neg", "1:pos", "1:neg", "2:pos", "2:neg")
    assert items.cluster.tolist() == [0, 0, 1, 1, 2, 2]
    assert items.gold.tolist() == [0, 1, 0, 1, 0, 1]


def test_claims_have_their_compositions_and_cluster_numbers_by_first_appearance() -> None:
    compositions = [(1, 0, 5), (0, 1, 4), (0, 2, 2), (1, 1, 3), (2, 2, 1)]
    items = pooled_claims(compositions, np.random.default_rng(0))
    found: dict[tuple[int, int], int] = {}
    for code in range(items.cluster.max() + 1):
        labels = items.gold[items.cluster == code]
        kind = int((labels == 0).sum()), int((labels == 1).sum())
        found[kind] = found.get(kind, 0) + 1
    assert found == {(s, h): n for s, h, n in compositions}
    _, first = np.unique(items.cluster, return_index=True)
    assert (np.diff(first) > 0).all()
    assert all(
        uid.endswith("neg" if label else "pos") for uid, label in zip(items.uids, items.gold, strict=True)
    )
    assert len(set(items.uids)) == len(items.uids)


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.sampled_from([-0.4, -0.1, 0.0, 0.3, 0.8]), st.integers(0, 100))
def test_items_of_a_cluster_depend_as_asked(dependence: float, seed: int) -> None:
    cluster = np.repeat(np.arange(20_000), 2)
    cluster = np.concatenate([cluster, np.arange(20_000, 30_000)])
    noise = np.random.default_rng(seed).standard_normal((len(cluster), 1))
    shared = share_within_clusters(noise, cluster, dependence)[:, 0]
    pairs = shared[:40_000].reshape(-1, 2)
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(dependence, abs=0.03)
    assert shared.std() == pytest.approx(1, abs=0.02)
    assert (shared[40_000:] == noise[40_000:, 0]).all()


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.integers(0, 1000), st.floats(-0.3, 0.99), st.floats(-0.9, 0.9))
def test_tables_are_exact_whatever_the_correlations(seed: int, rho: float, dependence: float) -> None:
    drawn = draw(matched_pairs(100), TABLES, np.random.default_rng(seed))
    correlation = np.full((4, 4), rho) + (1 - rho) * np.eye(4)
    votes = drawn.votes(drawn.latent(correlation, dependence))
    assert counts(votes, drawn.items.gold) == [(t.tp, t.fp, t.fn, t.tn) for t in TABLES]


def test_perfectly_correlated_twins_vote_alike() -> None:
    drawn = draw(matched_pairs(100), (Table(60, 20, 40, 80),) * 2, np.random.default_rng(0))
    votes = drawn.votes(drawn.latent(np.ones((2, 2)), 0.0))
    assert (votes[:, 0] == votes[:, 1]).all()


def test_the_fit_comes_near_and_exchanges_come_nearer(drawing: Drawing) -> None:
    gold = drawing.items.gold
    target = np.array([[1, 0.4, 0.1, 0.3], [0.4, 1, 0.2, 0.5], [0.1, 0.2, 1, 0.15], [0.3, 0.5, 0.15, 1]])
    start = drawing.votes(drawing.latent(np.eye(4), 0.0))
    fit = fit_correlation(drawing, target, 0.0)
    assert fit.deviation == pytest.approx(rms(error_correlation(fit.votes, gold).phi[0] - target))
    assert fit.deviation < rms(error_correlation(start, gold).phi[0] - target) / 5
    assert np.linalg.eigvalsh(fit.correlation)[0] > -1e-8
    refined = refine(fit.votes, gold, target)
    off = deviations(refined.votes, gold, target)
    assert np.sqrt(np.mean(off**2)) <= fit.deviation
    assert np.abs(off).max() < 0.02
    assert refined.swaps > 0
    assert counts(refined.votes, gold) == counts(fit.votes, gold)
    assert (np.isnan(refined.votes) == np.isnan(fit.votes)).all()


def test_no_single_exchange_is_left_that_lowers_the_deviation(drawing: Drawing) -> None:
    """Plain loops over all exchanges, at the end of the refinement, on a small set."""
    small = draw(
        matched_pairs(15),
        (Table(9, 4, 6, 11), Table(10, 5, 4, 10), Table(6, 2, 8, 12)),
        np.random.default_rng(2),
    )
    gold = small.items.gold
    target = np.array([[1, 0.3, 0.2], [0.3, 1, 0.1], [0.2, 0.1, 1]])
    votes = refine(small.votes(small.latent(np.eye(3), 0.0)), gold, target).votes

    def cost(some: Floats) -> float:
        return float((deviations(some, gold, target) ** 2).sum())

    least = cost(votes)
    for member in range(3):
        for label in (0, 1):
            rows = np.flatnonzero((gold == label) & ~np.isnan(votes[:, member]))
            for a in rows:
                for b in rows:
                    if votes[a, member] != votes[b, member]:
                        changed = votes.copy()
                        changed[[a, b], member] = changed[[b, a], member]
                        assert cost(changed) >= least - 1e-10
