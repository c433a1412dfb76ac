"""The base-versus-instruct probe against numpy's corrcoef draw by draw."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from analysis.arrays import Floats, Ints
from analysis.estimators.twins import Twins, base_instruct
from analysis.skip import Skip
from analysis.steps import base_instruct as step
from tests.analysis.contexts import judge, member, suite_context
from tests.analysis.simulate import simulate


def twins(seed: int, missing: float = 0.0, k: int = 4) -> Twins:
    arms = [simulate(s, n_items=160, n_clusters=70, n_members=k, missing=missing) for s in (seed, seed + 100)]
    base = arms[0]
    # Both arms answer the same items: the second arm's errors on the first arm's gold.
    wrong = np.where(np.isnan(arms[1].votes), np.nan, arms[1].votes != arms[1].gold[:, None])
    instruct = np.where(np.isnan(wrong), np.nan, np.abs(base.gold[:, None] - wrong))
    return Twins(tuple("abcdefgh"[:k]), base.votes, instruct, base.gold, base.cluster)


def mean_phi(votes: Floats, gold: Ints) -> float:
    """The release's rule on fully committed votes: constant members drop out of the mean."""
    errors = (votes != gold[:, None]).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        phi = np.corrcoef(errors.T)
    return float(np.nanmean(phi[np.triu_indices(len(phi), 1)]))


@pytest.mark.parametrize("excluded", [None, 1])
def test_against_corrcoef(excluded: int | None) -> None:
    both = twins(0)
    result = base_instruct(both, n_draws=150)
    kept = [column for column in range(4) if column != excluded]
    entry = result if excluded is None else result["without"][both.tags[excluded]]
    assert entry["base"]["estimate"] == pytest.approx(mean_phi(both.base[:, kept], both.gold))
    assert entry["instruct"]["estimate"] == pytest.approx(mean_phi(both.instruct[:, kept], both.gold))
    assert entry["shift"]["estimate"] == pytest.approx(
        entry["instruct"]["estimate"] - entry["base"]["estimate"]
    )
    items = [np.flatnonzero(both.cluster == c) for c in range(70)]
    rng, shifts = np.random.default_rng(0), []
    for _ in range(150):
        index = np.concatenate([items[c] for c in rng.integers(0, 70, size=70)])
        gold = both.gold[index]
        shifts.append(
            mean_phi(both.instruct[np.ix_(index, kept)], gold)
            - mean_phi(both.base[np.ix_(index, kept)], gold)
        )
    low, high = np.percentile(shifts, [2.5, 97.5])
    assert [entry["shift"]["low"], entry["shift"]["high"]] == pytest.approx([low, high])


def test_a_twin_that_never_errs_drops_out_of_the_mean() -> None:
    both = twins(3)
    base = both.base.copy()
    base[:, 2] = both.gold
    result = base_instruct(Twins(both.tags, base, both.instruct, both.gold, both.cluster), n_draws=20)
    assert result["base"]["estimate"] == pytest.approx(mean_phi(base, both.gold))
    assert result["pairs"]["base"].count(None) == 3


def test_abstentions_are_read_pair_by_pair() -> None:
    both = twins(5, missing=0.2)
    errors = np.where(np.isnan(both.base), np.nan, both.base != both.gold[:, None])
    expected = []
    for i in range(4):
        for j in range(i + 1, 4):
            joint = ~np.isnan(errors[:, i]) & ~np.isnan(errors[:, j])
            expected.append(np.corrcoef(errors[joint, i], errors[joint, j])[0, 1])
    result = base_instruct(both, n_draws=5)
    assert result["pairs"]["base"] == pytest.approx(expected)
    assert result["twins"]["a"]["base"]["coverage"] < 1


def test_step_matches_twins_by_tag_on_the_items_asked_of_all() -> None:
    panel = simulate(0)
    asked = np.ones(panel.n_items, dtype=bool)
    asked[:12] = False
    comparators = {}
    for seed, tag in enumerate(("Yi", "Gemma", "Phi")):
        for role in ("probe_base", "probe_instruct"):
            if (tag, role) != ("Phi", "probe_base"):
                votes = np.where(asked, judge(panel, seed), np.inf)
                comparators[f"{tag}-{role}"] = (member(tag, role, tag), {"wice": votes})
    context = suite_context({"wice": panel}, comparators).benchmarks["wice"]
    both = step.matched(context)
    assert both.tags == ("Gemma", "Yi")
    assert both.base.shape == (panel.n_items - 12, 2)
    assert set(both.cluster) == set(range(both.cluster.max() + 1))
    assert step.derive(context)["shift"]["estimate"] == 0
    with pytest.raises(Skip, match="no two checkpoints"):
        step.derive(suite_context({"wice": panel}).benchmarks["wice"])
