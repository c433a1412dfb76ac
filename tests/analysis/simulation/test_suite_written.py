"""The simulated suite on disk: format, labels, fit, bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.suites import load_panel
from analysis.simulation.build import simulate_suite
from analysis.simulation.competence import member_tables
from analysis.simulation.distance import compare, read_published, summarise
from analysis.simulation.refine import deviations
from analysis.simulation.targets import Targets, read_targets
from analysis.simulation.write import arm_name, judge_name, member_name, write
from raim.cli import main
from verdicts.records.files import read_record_file
from verdicts.records.lock import compare_lock, locked_digest
from verdicts.records.suite import read_suite

FRONTIER = "claude-sonnet-4-6"


@pytest.fixture(scope="module")
def targets() -> Targets:
    """The two smallest benchmarks, of both kinds, whose tables the scores fix."""
    loaded = read_targets()
    return replace(loaded, benchmarks={name: loaded.benchmarks[name] for name in ("wice", "cnn")})


@pytest.fixture(scope="module")
def suite(targets: Targets, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suites") / "sim"
    write(targets, simulate_suite(targets, member_tables(targets), 0), folder, 0)
    return folder


def test_the_suite_reads_as_any_other_and_says_what_it_is(suite: Path, targets: Targets) -> None:
    described = read_suite(suite)
    assert described.label == "SIMULATED"
    assert [member.role for member in described.members.values()] == [
        *["member"] * 10,
        "frontier",
        *["larger"] * 2,
        *["purpose_trained"] * 5,
        *["def_on"] * 11,
    ]
    for name, arm in described.members.items():
        if arm.role == "def_on":
            assert (name, arm.benchmarks) == (f"{arm.arm_of}.def_on", ("wice", "cnn"))
    difference = compare_lock(suite)
    assert not [*difference.missing, *difference.changed, *difference.untracked]
    assert difference.found == difference.locked
    for path in sorted(suite.rglob("*.jsonl.gz")):
        file = read_record_file(path)
        assert file.condition.judge.startswith("simulated/")
        assert all(record.value.rule == "simulated" for record in file.records.values())
        assert all(item.startswith("simulated/") for item in file.records)
    panel = load_panel(suite, "cnn")
    assert panel.votes.members == tuple(map(member_name, targets.members))
    beside = {judge_name(j) for j in targets.judges if j.role != "member"}
    arms = {arm_name(j.checkpoint) for j in targets.judges if j.role == "member" or j.checkpoint == FRONTIER}
    assert set(panel.comparators) == beside | arms
    assert not panel.left_out


@pytest.mark.parametrize("name", ["wice", "cnn"])
def test_kappas_and_correlations_are_the_published_ones(suite: Path, targets: Targets, name: str) -> None:
    panel, target = load_panel(suite, name), targets.benchmarks[name]
    kappas = kappa(confusion(panel.votes.votes, panel.votes.gold))
    wanted = np.array([target.scores[member].kappa for member in targets.members])
    assert np.abs(kappas - wanted).max() < 1e-12
    off = deviations(panel.votes.votes, panel.votes.gold, target.phi)
    assert abs(off.mean()) < 0.003
    assert np.abs(off).max() < 0.04
    for judge in targets.judges:
        if judge.role != "member":
            votes = panel.comparators[judge_name(judge)][:, None]
            found = kappa(confusion(votes, panel.votes.gold))[0]
            assert found == pytest.approx(
                target.scores[judge.checkpoint].kappa, abs=0.51 / target.class_sizes[0]
            )


def test_the_frontier_judges_difference_is_as_uncertain_as_published(suite: Path, targets: Targets) -> None:
    from analysis.combiners.stacked import stacked
    from analysis.estimators.frontier import against_judge
    from analysis.statistics.folds import cluster_folds

    for name, target in targets.benchmarks.items():
        panel = load_panel(suite, name)
        votes = panel.votes
        folds = cluster_folds(votes.n_clusters)[votes.cluster]
        combined = stacked(votes.votes, votes.gold, folds, 5).predictions
        frontier = panel.comparators[member_name(FRONTIER)]
        delta = against_judge(combined, frontier, votes.gold, votes.cluster)["kappa"]["delta"]
        low, high = target.panel_minus_frontier
        assert delta["high"] - delta["low"] == pytest.approx(high - low, rel=0.05)


def test_the_same_seed_gives_the_same_bytes(suite: Path, targets: Targets, tmp_path: Path) -> None:
    write(targets, simulate_suite(targets, member_tables(targets), 0), tmp_path, 0)
    for path in sorted(suite.rglob("*")):
        if path.is_file():
            assert (tmp_path / path.relative_to(suite)).read_bytes() == path.read_bytes()
    other = dict(
        simulate_suite(
            replace(targets, benchmarks={"cnn": targets.benchmarks["cnn"]}), member_tables(targets), 0
        )
    )
    panel = load_panel(suite, "cnn")
    order = np.argsort(other["cnn"].items.uids)
    alone = np.column_stack([other["cnn"].votes[member] for member in targets.members])[order]
    np.testing.assert_array_equal(alone, panel.votes.votes)


def test_distances_count_what_they_say() -> None:
    """Published values against themselves: no distance, all readings and calls the same; then one thing changed."""
    published = read_published()["wice"]

    def simulated(values: list[float], word: str | None = None) -> dict[str, object]:
        return {"resample_mean": values[0], "low": values[1], "high": values[2], "reading": word}

    from analysis.statistics.intervals import Interval
    from analysis.statistics.readings import reading

    ladder = {
        "methods": {m: {"kappa": simulated(v)} for m, v in published["kappa"].items()},
        "deltas": {
            d: {"kappa": simulated(v, reading(Interval(v[0], v[1], v[2], 0)))}
            for d, v in published["deltas"].items()
        },
        "admissibility": {"admissible": True},
    }
    gap = published["panel_minus_frontier"]
    frontier = simulated(gap, reading(Interval(gap[0], gap[1], gap[2], 0)))
    budget = {"budgets": {b: {"same_call": v} for b, v in published["p_call"].items()}}
    curve = {
        "budgets": {
            b: {"stacked": {"mean": v}} for b, v in published["stacked_at_budget"].items() if b != "full"
        },
        "full_pool": {"kappa": published["stacked_at_budget"]["full"]},
    }
    same = summarise({"wice": compare(published, ladder, frontier, budget, curve)})
    assert same["readings"] == {"same": 8, "of": 8}
    assert same["calls"] == {"same": 1, "of": 1}
    assert all(entry["largest"] == 0 for entry in same["kappa"].values())
    ladder["methods"]["stacked"]["kappa"]["resample_mean"] += 0.1
    ladder["deltas"]["stacked-best_cv"]["kappa"]["reading"] = "clear improvement"
    moved = compare(published, ladder, frontier, budget, curve)
    assert moved["kappa"]["stacked"]["distance"] == pytest.approx(0.1)
    assert summarise({"wice": moved})["readings_against_best_cv"] == {"same": 0, "of": 1}


def test_the_command_refuses_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for arguments, words in (
        (["--out", str(tmp_path)], "holds something else"),
        (["--out", str(tmp_path / "notes.txt")], "is a file"),
        (["--out", str(tmp_path / "new"), "--seed", "-1"], "from 0 on"),
        (["--out", str(tmp_path / "new"), "--replicates", "1"], "2 or more"),
        (["--out", str(tmp_path / "new"), "--equal-recalls"], "goes with --replicates"),
    ):
        assert main(["simulate", *arguments]) == 2
        assert words in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.slow
def test_the_shipped_suite_is_what_the_command_writes(root: Path, tmp_path: Path) -> None:
    shipped = root / "suites" / "sim"
    assert main(["simulate", "--out", str(tmp_path / "sim")]) == 0
    assert locked_digest(tmp_path / "sim") == locked_digest(shipped)
    lock = json.loads((shipped / "LOCK.json").read_text(encoding="utf-8"))
    assert lock == json.loads((tmp_path / "sim" / "LOCK.json").read_text(encoding="utf-8"))


def test_the_steps_set_the_suite_beside_the_publication(suite: Path, tmp_path: Path) -> None:
    from analysis.pipeline.derive import derive_benchmark, derive_suite
    from analysis.steps import simulated_distance
    from analysis.steps.order import order_steps

    names, passes = ["wice", "cnn"], order_steps()
    steps = (*simulated_distance.READS, "prevalence")
    early = [step for step in passes.before if step == "overview"]
    list(derive_suite(early, suite, tmp_path, names))
    for name in names:
        list(derive_benchmark([step for step in passes.benchmarks if step in steps], suite, tmp_path, name))
    list(derive_suite(["simulated_distance"], suite, tmp_path, names))
    values = json.loads((tmp_path / "simulated_distance.json").read_text(encoding="utf-8"))
    assert set(values["benchmarks"]) == {"wice", "cnn"}
    for entry in values["benchmarks"].values():
        assert entry["fit"]["kappa_largest"] < 1e-12
        assert abs(entry["fit"]["phi_bar"]) < 0.003
        assert entry["call"]["same"]
        assert entry["deltas"]["stacked-frontier"]["published_interval"]
        assert entry["fit"]["frames"]["kappa_largest"] < 1e-12
        assert entry["frames"]["panel"]["def_on"]["distance"] == pytest.approx(0, abs=1e-12)
        assert len(entry["frames"]["members_gain_in_kappa"]) == 10
        assert len(entry["trained"]) == 5
    assert "published" not in values["benchmarks"]["cnn"]["frames"]["edge"]
    assert values["benchmarks"]["wice"]["frames"]["edge"]["published"] == 0.116
    assert values["summary"]["frames"]["mean_edge"]["benchmarks"] == 2
    assert values["summary"]["trained"]["n"] == 10
    assert values["summary"]["readings"]["of"] == 16
    assert values["summary"]["calls"] == {"same": 2, "of": 2}
    readings = json.loads((tmp_path / "wice" / "prevalence.json").read_text(encoding="utf-8"))["readings"]
    ladder = json.loads((tmp_path / "wice" / "ladder.json").read_text(encoding="utf-8"))
    assert readings["plain"]["kappa"] == ladder["methods"]["stacked"]["kappa"]


def test_other_suites_are_not_compared(tmp_path: Path) -> None:
    from analysis.pipeline.derive import derive_suite
    from tests.analysis.full_suite import write_full_suite

    folder = write_full_suite(tmp_path / "full")
    list(derive_suite(["overview", "simulated_distance"], folder, tmp_path / "out", ["wice"]))
    values = json.loads((tmp_path / "out" / "simulated_distance.json").read_text(encoding="utf-8"))
    assert "not the simulated suite's" in values["skipped"]
