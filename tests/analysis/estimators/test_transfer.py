"""Leave-one-dataset-out transfer against scikit-learn and loops over draws."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from analysis.estimators.transfer import pooled_fit, shared_members, transfer
from analysis.skip import Skip
from analysis.steps import transfer as step
from tests.analysis import plain
from tests.analysis.contexts import judge, member, suite_context
from tests.analysis.simulate import simulate

PANELS = {
    "medhallu": simulate(0, n_items=300, n_clusters=120),
    "wice": simulate(4, n_items=160, n_clusters=80),
    "xsum": simulate(5, n_items=200, n_clusters=90),
}


def sklearn_fit(names: list[str]) -> LogisticRegression:
    votes = np.vstack([PANELS[name].votes for name in names])
    gold = np.concatenate([PANELS[name].gold for name in names])
    model = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000)
    return model.fit(np.where(np.isnan(votes), 0.5, votes), gold)


def test_pooled_fit_against_scikit_learn() -> None:
    intercept, coefficients = pooled_fit(list(PANELS.values()))
    model = sklearn_fit(list(PANELS))
    assert intercept == pytest.approx(model.intercept_[0], abs=1e-8)
    np.testing.assert_allclose(coefficients, model.coef_[0], atol=1e-8)


def test_transferred_panel_never_sees_the_held_out_gold() -> None:
    panel = PANELS["wice"]
    others = {name: value for name, value in PANELS.items() if name != "wice"}
    flipped = type(panel)(**{**panel.__dict__, "gold": 1 - panel.gold})
    first = transfer({**others, "wice": panel}, "wice", n_draws=50)
    second = transfer({**others, "wice": flipped}, "wice", n_draws=50)
    assert first["coefficients"] == second["coefficients"]
    scores = [result["methods"]["transferred"]["balanced_accuracy"]["estimate"] for result in (first, second)]
    assert sum(scores) == pytest.approx(1)


def test_scores_and_differences_against_loops() -> None:
    panel = PANELS["xsum"]
    frontier = judge(panel, 9)
    result = transfer(PANELS, "xsum", {"sonnet": frontier}, n_draws=200)
    model = sklearn_fit(["medhallu", "wice"])
    predicted = model.predict(np.where(np.isnan(panel.votes), 0.5, panel.votes))
    verdicts = plain.ladder_verdicts(panel) | {
        "transferred": [int(v) for v in predicted],
        "sonnet": [None if np.isnan(v) else int(v) for v in frontier],
    }
    names = ("transferred", "stacked", "best_cv", "unweighted", "oracle", "sonnet")
    draws = plain.bootstrap(panel, {name: verdicts[name] for name in names}, plain.kappa, 200)
    ours = {"stacked": "in_domain", "sonnet": "comparator:sonnet"}
    for name in names:
        entry = result["methods"][ours.get(name, name)]["kappa"]
        assert entry["resample_mean"] == pytest.approx(np.nanmean(draws[name]), abs=1e-12)
    cost = np.array(draws["stacked"]) - np.array(draws["transferred"])
    entry = result["deltas"]["in_domain-transferred"]["kappa"]
    assert [entry["low"], entry["high"]] == pytest.approx(list(np.percentile(cost, [2.5, 97.5])))
    assert result["clear_cost"] == (entry["low"] > 0)
    gap = np.array(draws["transferred"]) - np.array(draws["sonnet"])
    assert result["deltas"]["transferred-comparator:sonnet"]["kappa"]["resample_mean"] == pytest.approx(
        gap.mean()
    )


def test_step_takes_the_members_that_all_sets_share() -> None:
    panels = {**PANELS, "wice": PANELS["wice"].select_members(["judge-0", "judge-2", "judge-3"])}
    others = {"sonnet": (member("sonnet", "frontier"), {"wice": judge(PANELS["wice"], 1)})}
    result = step.derive(suite_context({**panels, "factscore": simulate(8)}, others))
    assert result["members"] == ["judge-0", "judge-2", "judge-3"] == list(shared_members(panels))
    assert result["left_out"]["medhallu"] == ["judge-1", "judge-4", "judge-5"]
    assert list(result["benchmarks"]) == list(panels)
    assert "comparator:sonnet" in result["benchmarks"]["wice"]["methods"]
    assert "comparator:sonnet" not in result["benchmarks"]["xsum"]["methods"]
    with pytest.raises(Skip, match="needs two core grounded benchmarks, and the suite has 1"):
        step.derive(suite_context({"wice": PANELS["wice"], "factscore": simulate(8)}))
