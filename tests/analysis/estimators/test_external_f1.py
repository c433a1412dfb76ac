"""F1 of the hallucinated class against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from analysis.estimators.external_f1 import external_f1
from analysis.skip import Skip
from analysis.steps import external_f1 as step
from tests.analysis.contexts import judge, member, suite_context
from tests.analysis.simulate import simulate


@pytest.mark.parametrize("seed", [0, 1])
def test_an_abstention_is_a_missed_detection(seed: int) -> None:
    panel = simulate(seed, missing=0.3)
    named = {name: panel.votes[:, column] for column, name in enumerate(panel.members)}
    result = external_f1(named, panel.gold, panel.cluster, n_draws=20)
    for name, verdicts in named.items():
        read = np.nan_to_num(verdicts, nan=0.0)
        assert result[name]["estimate"] == pytest.approx(f1_score(panel.gold, read))
        assert result[name]["coverage"] == np.mean(~np.isnan(verdicts))
        assert result[name]["n_committed"] == (~np.isnan(verdicts)).sum()
        assert result[name]["n_scored"] == panel.n_items
        assert result[name]["low"] <= result[name]["resample_mean"] <= result[name]["high"]


@pytest.mark.parametrize("prevalence", [0.1, 160 / 900, 0.5, 0.8])
def test_another_prevalence_is_another_weight_of_the_classes(prevalence: float) -> None:
    panel = simulate(2, prevalence=0.4, missing=0.1)
    verdicts = panel.votes[:, 1]
    result = external_f1({"a": verdicts}, panel.gold, panel.cluster, prevalence, n_draws=5)["a"]
    share = panel.gold.mean()
    weight = np.where(panel.gold == 1, prevalence / share, (1 - prevalence) / (1 - share))
    expected = f1_score(panel.gold, np.nan_to_num(verdicts, nan=0.0), sample_weight=weight)
    assert result["at_published_prevalence"] == pytest.approx(expected)


def test_without_a_hallucinated_item_or_verdict_it_is_undefined() -> None:
    result = external_f1({"a": np.zeros(4)}, np.zeros(4, dtype=np.int64), np.arange(4), 0.5, n_draws=5)["a"]
    assert result["estimate"] is None
    assert result["at_published_prevalence"] is None
    assert result["reason"] == "neither gold nor verdicts have a hallucinated item"


def test_the_step_scores_panel_members_and_frontier_where_something_is_published() -> None:
    votes = simulate(0)
    context = suite_context(
        {"medhallu": votes, "wice": votes},
        {"sonnet": (member("sonnet", "frontier"), {"medhallu": judge(votes, 1)})},
    )
    values = step.derive(context.benchmarks["medhallu"])
    assert set(values["panel"]) == {"stacked", "unweighted"}
    assert set(values["members"]) == set(votes.members)
    assert list(values["frontier"]) == ["sonnet"]
    with pytest.raises(Skip, match="no published result"):
        step.derive(context.benchmarks["wice"])
