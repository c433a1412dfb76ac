"""The steps of the plane, the budgets and the threshold family on suites that lack something."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from analysis.output import write_json
from analysis.pipeline.derive import derive_benchmark
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.steps import (
    ladder,
    learning_curve,
    leave_one_out,
    overview,
    panel_size,
    regime,
    regime_budget,
    regime_plane,
    subpanels,
    thresholds,
)
from tests.analysis.contexts import judge, member, suite_context
from tests.analysis.full_suite import derive as derive_full
from tests.analysis.full_suite import write_full_suite
from tests.analysis.simulate import simulate

OURS = (regime, regime_budget, learning_curve, leave_one_out, panel_size, subpanels, regime_plane, thresholds)
STEPS = [module.__name__.rpartition(".")[2] for module in OURS]


def run(panels, comparators=None, folder=None, steps=OURS):
    """Values of every step by benchmark; a skipped one's reason."""
    context = suite_context(panels, comparators, folder)
    write_json(folder / "overview.json", overview.derive(context))
    found = {}
    for module in (ladder, *steps):
        step = module.__name__.rpartition(".")[2]
        contexts = context.benchmarks.items() if module.SCOPE == "benchmark" else [("", context)]
        for name, one in contexts:
            (folder / name).mkdir(exist_ok=True)
            try:
                values = module.derive(one)
            except Skip as skip:
                values = {"skipped": str(skip)}
            write_json(folder / name / f"{step}.json", values)
            found[step, name] = values
    return found


@pytest.fixture(scope="module")
def uneven(tmp_path_factory):
    """Panels of 6, 4 and 1 members, no frontier judge on one of the benchmarks."""
    panels = {
        "medhallu": simulate(0, n_items=150, n_clusters=70, n_members=6),
        "wice": simulate(1, n_items=120, n_clusters=60, n_members=4),
        "cnn": simulate(2, n_items=90, n_clusters=30, n_members=1),
    }
    sonnet = {"sonnet": (member("sonnet", "frontier"), {"medhallu": judge(panels["medhallu"], 5)})}
    return run(panels, sonnet, tmp_path_factory.mktemp("uneven"))


def test_panels_of_different_sizes_have_shares_and_no_counts(uneven):
    plane = uneven["regime_plane", ""]
    assert set(plane["benchmarks"]) == {"medhallu", "wice"}
    assert "one member" in plane["left_out"]["cnn"]
    assert plane["stability"]["counts"] is None
    assert "size" in plane["stability"]["reason"]
    assert plane["stability"]["cells"]


def test_rank_correlations_of_two_benchmarks_have_no_value(uneven):
    free = uneven["regime_plane", ""]["label_free"]
    assert free["agreement_and_phi_bar"]["rho"] is None
    assert "fewer than 3" in free["agreement_and_phi_bar"]["reason"]
    assert free["largest_difference_of_the_identity"] == 0.0


def test_one_member_is_skipped_with_the_reason(uneven):
    for step in ("regime", "leave_one_out", "subpanels"):
        assert "member" in uneven[step, "cnn"]["skipped"]
    assert "pair" in uneven["regime_budget", "cnn"]["skipped"]
    assert uneven["panel_size", "cnn"]["order"] == ["judge-0"]
    assert uneven["learning_curve", "cnn"]["pool"] == 24


def test_without_a_frontier_judge_everywhere_the_frontier_objective_has_no_value(uneven):
    found = uneven["thresholds", ""]
    assert "frontier" in found["objectives"]["near_frontier_0.10"]["reason"]
    assert found["family"]["near_frontier_0.05"].keys() == {"reason"}
    assert found["objectives"]["beats_best_member"]["n_panels"] == found["n_panels"]
    assert found["frontier"]["medhallu"]["judge"] == "sonnet"
    assert found["frontier"]["wice"] is None
    assert "three members" in found["left_out"]["cnn"]


def test_budgets_beyond_a_benchmark_are_listed(uneven):
    assert uneven["regime_budget", "wice"]["beyond_the_benchmark"] == [100, 200]
    assert list(uneven["learning_curve", "wice"]["budgets"]) == ["10", "25", "48"]


def test_the_roster_orders_members_and_breaks_ties(tmp_path):
    """Twins tie for everything; the suite lists them against the order of their names."""
    panel = simulate(3, n_items=120, n_clusters=60, n_members=3, missing=0.0)
    votes = panel.votes.copy()
    votes[:, 2] = votes[:, 0]
    twins = type(panel)(panel.members, panel.uids, panel.clusters, panel.cluster, panel.gold, votes)
    context = suite_context({"medhallu": twins}, derived=tmp_path)
    members = context.suite.members
    backwards = type(context.suite)(
        **{**vars(context.suite), "members": {name: members[name] for name in reversed(members)}}
    )
    one = type(context.benchmarks["medhallu"])(
        backwards, "medhallu", context.benchmarks["medhallu"].panel, Derived(tmp_path)
    )
    found = regime.derive(one)
    assert found["members"] == ["judge-2", "judge-1", "judge-0"]
    assert found["leader"] in ("judge-2", "judge-1")
    assert found["label_free"]["converged"]["leader"] in ("judge-2", "judge-1")
    assert found["phi"][0][2] == pytest.approx(1.0)
    assert list(leave_one_out.derive(one)["without"]) == ["judge-2", "judge-1", "judge-0"]
    assert panel_size.derive(one)["order"][0] in ("judge-2", "judge-1")


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return write_full_suite(tmp_path_factory.mktemp("suites") / "toy")


def test_two_workers_write_the_same_bytes_as_one(suite, tmp_path):
    derive_full(suite, tmp_path / "one", STEPS)
    names = ["medhallu", "factscore"]
    for name in ("overview",):
        (tmp_path / "two").mkdir()
        (tmp_path / "two" / f"{name}.json").write_bytes((tmp_path / "one" / f"{name}.json").read_bytes())
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(_all_steps, [suite] * 2, [tmp_path / "two"] * 2, names))
    for name in names:
        for step in STEPS[:6]:
            ours = (tmp_path / "two" / name / f"{step}.json").read_bytes()
            assert ours == (tmp_path / "one" / name / f"{step}.json").read_bytes(), (name, step)


def _all_steps(suite, derived, name):
    list(derive_benchmark(["ladder", *STEPS[:6]], suite, derived, name))


def test_every_undefined_value_stands_beside_a_reason(suite, tmp_path):
    derived = derive_full(suite, tmp_path, STEPS)
    for path in sorted(derived.folder.rglob("*.json")):
        if path.stem in STEPS and path.stem != "subpanels":
            _reasoned(json.loads(path.read_text(encoding="utf-8")), path.stem)


#: None here is a bound that is not there, or follows from a reason in the same file.
_UNBOUNDED = {
    "share_above",
    "share_to",
    "phi_from",
    "phi_below",
    "phi_bracket",
    "kappa_bracket",
    "largest_over_runner_up",
    "gain",
    "gain_below",
    "gain_above",
    "share_with_gain",
    "frontier_difference",
    "share_far_behind_the_frontier",
    "mean_phi",
    "max_phi",
    "phi",
    "kappas",
    "frontier",
    "largest_gradient",
}


def _reasoned(value, where):
    if isinstance(value, dict):
        for key, inner in value.items():
            if inner is None and key not in _UNBOUNDED:
                assert "reason" in value, (where, key)
            if key not in _UNBOUNDED:
                _reasoned(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for inner in value:
            _reasoned(inner, where)


def test_the_full_pool_gap_is_small_on_a_real_sized_panel(tmp_path):
    panel = simulate(4, n_items=800, n_clusters=400)
    found = run({"medhallu": panel}, folder=tmp_path, steps=(learning_curve,))["learning_curve", "medhallu"]
    gap = found["full_pool"]
    assert gap["gap"] == pytest.approx(abs(gap["kappa"] - gap["reported"]))
    assert gap["gap"] < 0.003
    assert np.isfinite(gap["gap_of_folds"])
