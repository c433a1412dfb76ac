"""A suite's panel against its members: plain loops, abstentions, the frontier as the expert."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from analysis.alt_test.members import against_members
from analysis.panel.votes import vote_matrix


def panel(rng, n=200, k=4, missing=0.05):
    gold = rng.integers(0, 2, n)
    wrong = rng.random((n, k)) < np.linspace(0.15, 0.4, k)
    votes = np.where(wrong, 1 - gold[:, None], gold[:, None]).astype(float)
    votes[rng.random((n, k)) < missing] = np.nan
    return vote_matrix(
        [f"m{j}" for j in range(k)], [f"u{i:03}" for i in range(n)], np.arange(n) // 4, gold, votes
    )


def expected(judge, members, reference):
    """Omega and p-values by loops: an abstention scores below everything, items without a reference do not count."""
    p_values = {}
    for name, votes in members.items():
        d = []
        for f, h, y in zip(judge, votes, reference, strict=True):
            if np.isnan(y):
                continue
            score_f = -1.0 if np.isnan(f) else float(f == y)
            score_h = -1.0 if np.isnan(h) else float(h == y)
            d.append(int(score_h >= score_f) - int(score_f >= score_h))
        p_values[name] = float(ttest_1samp(d, 0.0, alternative="less").pvalue)
    rejected = multipletests(list(p_values.values()), alpha=0.05, method="fdr_by")[0]
    return float(rejected.mean()), p_values


@pytest.mark.parametrize("of_frontier", [False, True])
def test_against_loops(of_frontier):
    rng = np.random.default_rng(0)
    votes = panel(rng)
    reference = votes.gold.astype(float)
    if of_frontier:
        reference = np.where(
            rng.random(200) < 0.1, np.nan, np.where(rng.random(200) < 0.1, 1 - reference, reference)
        )
    method = np.where(rng.random(200) < 0.1, 1.0 - votes.gold, votes.gold.astype(float))
    method[:5] = np.nan
    found = against_members(votes, {"method": method}, reference)
    members = dict(zip(votes.members, votes.votes.T, strict=True))
    for name, judge in {"method": method, **members}.items():
        others = {other: given for other, given in members.items() if other != name}
        omega, p_values = expected(judge, others, reference)
        assert found[name]["winning_rate"] == pytest.approx(omega)
        assert {k: v["p_value"] for k, v in found[name]["members"].items()} == pytest.approx(p_values)
        assert found[name]["cluster_robust"]["winning_rate"] is not None


def test_too_few_items_is_undefined_with_a_reason():
    votes = panel(np.random.default_rng(1), n=20)
    found = against_members(votes, {"method": votes.gold.astype(float)}, votes.gold.astype(float))
    assert found["method"]["winning_rate"] is None
    assert "the most items compared with one are 20" in found["method"]["reason"]


def test_no_reference_and_one_member():
    votes = panel(np.random.default_rng(2), k=1)
    found = against_members(votes, {}, votes.gold.astype(float))
    assert found["m0"]["winning_rate"] is None
    assert found["m0"]["reason"]
    silent = against_members(votes, {"f": votes.gold.astype(float)}, np.full(200, np.nan))
    assert silent["f"]["reason"] == "the reference labels no item"
