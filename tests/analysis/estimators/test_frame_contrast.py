"""Frame contrast and single judges against loops over draws."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from analysis.estimators.judges import score_judges
from analysis.skip import Skip
from analysis.steps import frame_contrast as step
from analysis.steps import judges as judges_step
from tests.analysis import plain
from tests.analysis.contexts import judge, member, suite_context
from tests.analysis.simulate import simulate

PANEL = simulate(2, n_items=150, n_clusters=60, n_members=4)


def verdicts(votes: np.ndarray) -> list[int | None]:
    return [None if np.isnan(v) else int(v) for v in votes]


def test_step_pairs_each_member_with_its_second_arm() -> None:
    second = {f"judge-{j}": judge(PANEL, 10 + j, accuracy=0.55) for j in (0, 2, 3)}
    comparators = {
        **{
            f"{name}.def_on": (member(name, "def_on", arm_of=name), {"wice": votes})
            for name, votes in second.items()
        },
        "sonnet": (member("sonnet", "frontier"), {"wice": judge(PANEL, 20, 0.9)}),
        "sonnet.def_on": (member("sonnet", "def_on", arm_of="sonnet"), {"wice": judge(PANEL, 21, 0.7)}),
        "stray": (member("stray", "def_on", arm_of="judge-9"), {"wice": judge(PANEL, 22)}),
    }
    context = suite_context({"wice": PANEL}, comparators).benchmarks["wice"]
    result = step.derive(context)
    assert list(result["members"]) == ["judge-0", "judge-2", "judge-3"]
    assert list(result["comparators"]) == ["sonnet"]
    own = PANEL.votes[:, [0, 2, 3]]
    first = np.column_stack(list(second.values()))
    series = {
        "own panel": [plain.majority(verdicts(row)) for row in own],
        "first panel": [plain.majority(verdicts(row)) for row in first],
        "own 2": verdicts(PANEL.votes[:, 2]),
        "first 2": verdicts(second["judge-2"]),
    }
    draws = plain.bootstrap(PANEL, series, plain.charged_bacc, 2000)
    for ours, name in ((result["panel"], "panel"), (result["members"]["judge-2"], "2")):
        delta = np.array(draws[f"own {name}"]) - np.array(draws[f"first {name}"])
        entry = ours["delta"]["balanced_accuracy"]
        assert entry["resample_mean"] == pytest.approx(delta.mean())
        assert [entry["low"], entry["high"]] == pytest.approx(list(np.percentile(delta, [2.5, 97.5])))
    gold = [int(y) for y in PANEL.gold]
    assert result["panel"]["def_on"]["balanced_accuracy"]["estimate"] == pytest.approx(
        plain.charged_bacc(gold, series["first panel"])
    )
    kappas = [plain.kappa(gold, verdicts(column)) for column in first.T]
    assert result["competent"]["def_on"] == sum(k >= 0.30 for k in kappas)
    tpr = np.nansum(second["judge-2"][PANEL.gold == 1]) / (PANEL.gold == 1).sum()
    assert result["members"]["judge-2"]["def_on"]["hallucinated_recall"] == pytest.approx(tpr)


def test_step_needs_a_second_arm() -> None:
    with pytest.raises(Skip, match="second time"):
        step.derive(suite_context({"wice": PANEL}).benchmarks["wice"])


def test_judges_have_both_balanced_accuracies() -> None:
    votes = judge(PANEL, 5, missing=0.3)
    result = score_judges({"one": votes}, PANEL.gold, PANEL.cluster, n_draws=100)["one"]
    gold, series = [int(y) for y in PANEL.gold], verdicts(votes)
    assert result["kappa"]["estimate"] == pytest.approx(plain.kappa(gold, series))
    assert result["balanced_accuracy"]["estimate"] == pytest.approx(plain.charged_bacc(gold, series))
    kept = ~np.isnan(votes)
    assert result["committed_balanced_accuracy"]["estimate"] == pytest.approx(
        balanced_accuracy_score(PANEL.gold[kept], votes[kept])
    )
    assert result["coverage"] == pytest.approx(kept.mean())

    def committed(gold: list[int], series: list[int | None]) -> float:
        pairs = [(y, v) for y, v in zip(gold, series, strict=True) if v is not None]
        return float(balanced_accuracy_score(*zip(*pairs, strict=True)))

    draws = plain.bootstrap(PANEL, {"one": series}, committed, 100)["one"]
    assert result["committed_balanced_accuracy"]["resample_mean"] == pytest.approx(np.mean(draws))


def test_judges_step_takes_single_judges_by_role() -> None:
    comparators = {
        "mini": (member("mini", "purpose_trained"), {"wice": judge(PANEL, 1)}),
        "big": (member("big", "larger"), {"wice": judge(PANEL, 2)}),
        "twin": (member("twin", "probe_base"), {"wice": judge(PANEL, 3)}),
    }
    result = judges_step.derive(suite_context({"wice": PANEL}, comparators).benchmarks["wice"])
    assert {name: entry["role"] for name, entry in result.items()} == {
        "mini": "purpose_trained",
        "big": "larger",
    }
    with pytest.raises(Skip, match="no single judge"):
        judges_step.derive(suite_context({"wice": PANEL}).benchmarks["wice"])
