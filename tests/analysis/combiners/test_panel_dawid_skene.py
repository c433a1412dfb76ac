from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene as CrowdKitDawidSkene

from analysis.combiners.dawid_skene import DEFAULT, PUBLISHED, Setting, dawid_skene
from tests.analysis.simulate import simulate


def plain(votes, setting):
    """Item by item, softmax in logs, as the release is described."""
    n, k = votes.shape
    given = ~np.isnan(votes)
    post = np.array([v[g].mean() if g.any() else 0.5 for v, g in zip(votes, given, strict=True)])
    post = np.column_stack([1 - post, post])
    for iteration in range(1, setting.max_iterations + 1):
        prior = np.maximum(post.mean(axis=0), setting.floor) + setting.smoothing
        prior /= prior.sum()
        table = np.zeros((k, 2, 2))
        for i in range(n):
            for m in range(k):
                if given[i, m]:
                    table[m, :, int(votes[i, m])] += post[i]
        table = np.maximum(table, setting.floor) + setting.smoothing
        table /= table.sum(axis=2, keepdims=True)
        new = np.empty_like(post)
        for i in range(n):
            log = np.log(prior)
            for m in range(k):
                if given[i, m]:
                    log = log + np.log(table[m, :, int(votes[i, m])])
            log = np.exp(log - log.max())
            new[i] = log / log.sum()
        change = np.abs(new - post).max()
        post = new
        if iteration >= setting.min_iterations and change < setting.tolerance:
            return post[:, 1], iteration, True
    return post[:, 1], setting.max_iterations, False


@pytest.mark.parametrize("setting", [DEFAULT, PUBLISHED], ids=["default", "published"])
@pytest.mark.parametrize("seed", [0, 1])
def test_against_loops(seed, setting):
    votes = simulate(seed, n_items=70, n_clusters=20, n_members=5, missing=0.15).votes
    short = Setting(setting.floor, setting.smoothing, setting.tolerance, 60, setting.min_iterations)
    fit = dawid_skene(votes, short)
    posteriors, iterations, converged = plain(votes, short)
    np.testing.assert_allclose(fit.posteriors, posteriors, atol=1e-11)
    assert (fit.iterations, fit.converged) == (iterations, converged)
    np.testing.assert_array_equal(fit.predictions, posteriors >= 0.5)


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")
def test_against_crowd_kit():
    panel = simulate(3, n_items=200, n_clusters=50, missing=0.1)
    fit = dawid_skene(panel.votes)
    item, member = np.nonzero(~np.isnan(panel.votes))
    answers = pd.DataFrame({"task": item, "worker": member, "label": panel.votes[item, member].astype(int)})
    theirs = CrowdKitDawidSkene(n_iter=fit.iterations, tol=-1.0).fit_predict_proba(answers)
    assert fit.converged
    np.testing.assert_allclose(fit.posteriors[theirs.index], theirs[1].to_numpy(), atol=1e-8)


def test_published_setting_never_stops_on_the_first_iteration():
    votes = np.array([[1.0], [0.0]] * 20)
    assert dawid_skene(votes, PUBLISHED).iterations >= 2


def test_not_converged_is_reported():
    fit = dawid_skene(simulate(1).votes, Setting(1e-12, 0.0, 1e-10, 3, 1))
    assert (fit.iterations, fit.converged) == (3, False)
    assert fit.last_change > 1e-10


def test_an_item_without_votes_has_the_prior():
    votes = np.vstack([simulate(2).votes, np.full((1, 6), np.nan)])
    fit = dawid_skene(votes)
    assert fit.posteriors[-1] == pytest.approx(fit.prior, abs=1e-9)


def test_unanimous_panels_stay_finite():
    fit = dawid_skene(np.ones((30, 3)))
    assert np.isfinite(fit.posteriors).all()
    assert fit.predictions.tolist() == [1.0] * 30
