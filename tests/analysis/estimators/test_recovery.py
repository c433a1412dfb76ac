"""Item-level recovery against loops, scikit-learn and our own Newton solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.linear_model import LogisticRegression

from analysis.estimators.recovery import LeaderErrors, leader_errors, recovery
from analysis.skip import Skip
from analysis.statistics.fixed_effects import penalised_slope, slope
from analysis.statistics.logistic import fit_logistic
from analysis.steps import recovery as step
from tests.analysis import plain
from tests.analysis.contexts import suite_context
from tests.analysis.simulate import simulate

PANELS = {f"set{seed}": simulate(seed, n_items=400, n_clusters=150) for seed in (0, 2, 3)}


def test_items_are_the_leaders_errors() -> None:
    for panel in PANELS.values():
        verdicts = plain.ladder_verdicts(panel)
        expected = []
        for i, y in enumerate(panel.gold):
            leader = verdicts["best_cv"][i]
            if leader is not None and leader != y:
                row = [v for v in panel.votes[i] if not np.isnan(v)]
                expected.append((sum(v == y for v in row), len(row), verdicts["stacked"][i] == y))
        items = leader_errors(panel)
        assert [(c, r) for c, _, r in expected] == list(zip(items.correct, items.recovered, strict=True))
        np.testing.assert_allclose(items.share, [c / n for c, n, _ in expected])
        assert len(items.cluster) == len(expected)


def test_table_counts_and_correlations() -> None:
    errors = {name: leader_errors(panel) for name, panel in PANELS.items()}
    result = recovery(errors)
    share = np.concatenate([e.share for e in errors.values()])
    recovered = np.concatenate([e.recovered for e in errors.values()])
    assert result["n_items"] == len(share) == sum(row["n"] for row in result["by_correct"])
    assert result["n_recovered"] == recovered.sum() == sum(row["recovered"] for row in result["by_correct"])
    r, p = pearsonr(recovered.astype(float), share)
    assert result["correlation"]["r"] == pytest.approx(r)
    assert result["correlation"]["p"] == pytest.approx(p)
    for name, entry in result["benchmarks"].items():
        assert entry["r"] == pytest.approx(np.corrcoef(errors[name].recovered, errors[name].share)[0, 1])


def test_coefficients_against_other_solvers() -> None:
    errors = [leader_errors(panel) for panel in PANELS.values()]
    share, outcome = (np.concatenate([getattr(e, f) for e in errors]) for f in ("share", "recovered"))
    groups = np.repeat(range(3), [len(e.share) for e in errors])
    dummies = (groups[:, None] == [1, 2]).astype(float)
    design = np.column_stack([share, dummies])
    free = fit_logistic(design, outcome[None].astype(float), np.ones((1, len(outcome))), ridge=0.0)
    result = slope(share, outcome, groups, np.arange(len(outcome)), ["a", "b", "c"])
    assert result["coefficient"] == pytest.approx(free.coefficients[0, 0], rel=1e-8)
    p = 1 / (1 + np.exp(-free.margins(design)[0]))
    full = np.column_stack([np.ones(len(share)), design])
    variance = np.linalg.inv((full.T * (p * (1 - p))) @ full)
    assert result["standard_error"] == pytest.approx(np.sqrt(variance[1, 1]), rel=1e-6)
    published = LogisticRegression(max_iter=10_000, tol=1e-10).fit(design, outcome).coef_[0, 0]
    assert penalised_slope(share, outcome, groups)["coefficient"] == pytest.approx(published, rel=1e-5)
    assert 0 < published < result["coefficient"]


def test_a_benchmark_without_variation_is_left_out_of_the_regression() -> None:
    rng = np.random.default_rng(1)
    share, groups = rng.random(200), np.repeat([0, 1], 100)
    outcome = (rng.random(200) < share) & (groups == 0)
    both = slope(share, outcome, groups, np.arange(200), ["mixed", "never"])
    alone = slope(share[:100], outcome[:100], groups[:100], np.arange(100), ["mixed"])
    assert both["left_out"] == {"never": "all of its outcomes are equal"}
    assert both["coefficient"] == alone["coefficient"]


def test_undefined_values_have_reasons() -> None:
    share = np.linspace(0, 1, 40)
    separated = slope(share, share > 0.5, np.zeros(40, int), np.arange(40), ["a"])
    assert separated["coefficient"] is None
    assert "separates" in separated["reason"]
    few = LeaderErrors(np.array([0, 1]), np.array([0.0, 0.5]), np.array([False, True]), np.array([0, 1]))
    none = LeaderErrors(*(np.array([], dtype=t) for t in (int, float, bool, int)))  # type: ignore[call-overload]
    result = recovery({"few": few, "none": none})
    assert result["benchmarks"]["few"]["r"] is None
    assert result["benchmarks"]["none"]["share"] is None
    assert all("reason" in entry for entry in result["benchmarks"].values())


def test_step() -> None:
    result = step.derive(suite_context(PANELS))
    assert list(result["benchmarks"]) == list(PANELS)
    perfect = simulate(0)
    votes = np.repeat(perfect.gold[:, None], perfect.n_members, axis=1).astype(float)
    flawless = {"a": type(perfect)(**{**perfect.__dict__, "votes": votes})}
    with pytest.raises(Skip, match="errs on any item"):
        step.derive(suite_context(flawless))
