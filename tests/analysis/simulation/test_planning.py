"""Plans: what they count, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score

from analysis.estimators.admissibility import admissibility
from analysis.estimators.costs import read_rates
from analysis.simulation.panel import draw_records, model_from_parameters
from analysis.simulation.planning import N_REFERENCE, pilot_certainty, plan_panel
from analysis.simulation.prevalence_study import prevalence_study
from raim.cli import main
from tests.analysis.simulate import simulate

MODEL = model_from_parameters((0.6, 0.5, 0.45, 0.35, 0.3, 0.25), 0.3, coverage=0.97, matched_pairs=True)


def test_more_records_never_hurt_much_and_the_answers_follow_from_the_points() -> None:
    plan = plan_panel(MODEL, budgets=(100, 10, 30, 300), n_replicates=40, seed=1)
    assert [point.records for point in plan.points] == [10, 30, 100, 300]
    assert [point.labels for point in plan.points] == [20, 60, 200, 600]
    means = [point.stacked for point in plan.points]
    assert means == sorted(means)
    assert all(point.stacked_low <= point.stacked <= point.stacked_high for point in plan.points)
    assert plan.points[-1].phi_error < plan.points[0].phi_error
    good = [point.records for point in plan.points if point.stacked >= 0.95 * plan.reference]
    assert plan.stable_from == min(good)
    assert plan.call_from in (None, 10, 30, 100, 300)


def test_a_point_against_plain_loops() -> None:
    """One budget, replicate by replicate, with scikit-learn and the paper's own functions."""
    budget, replicates, seed = 40, 12, 5
    plan = plan_panel(MODEL, budgets=(budget,), n_replicates=replicates, seed=seed)
    sample = draw_records(MODEL, budget * replicates, np.random.default_rng([seed, budget]))
    further = draw_records(MODEL, N_REFERENCE, np.random.default_rng([seed, 0, 1]))
    kappas, calls = [], []
    for replicate in range(replicates):
        rows = sample.record // budget == replicate
        votes, gold = sample.votes[rows], sample.gold[rows]
        fit = LogisticRegression(tol=1e-10, max_iter=5000).fit(np.nan_to_num(votes, nan=0.5), gold)
        kappas.append(cohen_kappa_score(further.gold, fit.predict(np.nan_to_num(further.votes, nan=0.5))))
        call = admissibility(votes, gold).admissible
        calls.append(bool(call))
    (point,) = plan.points
    assert point.stacked == pytest.approx(np.mean(kappas), abs=2e-3)
    assert point.same_call == pytest.approx(np.mean(np.array(calls) == plan.admissible))
    member = [
        cohen_kappa_score(further.gold[m], further.votes[m, j])
        for j in range(6)
        for m in [~np.isnan(further.votes[:, j])]
    ]
    assert min(member) <= point.best_single <= max(member)


def test_one_class_samples_fall_back_to_the_majority() -> None:
    rare = model_from_parameters((0.4, 0.5, 0.3), 0.3, prevalence=0.05)
    (point,) = plan_panel(rare, budgets=(5,), n_replicates=40).points
    assert point.degenerate > 20
    assert point.same_leader < 1


def test_the_pilots_certainty_is_a_share_of_its_resamples() -> None:
    clear = simulate(3, n_items=900, n_clusters=300)
    assert pilot_certainty(clear, n_draws=100) > 0.9
    assert 0 <= pilot_certainty(simulate(4, n_items=30, n_clusters=12), n_draws=100) < 1


def test_even_classes_need_no_balancing_and_uneven_ones_do() -> None:
    entries = prevalence_study(MODEL, prevalences=(0.08, 0.5), n_records=300, n_replicates=6, seed=2)
    rare, even = (entry["same"] for entry in entries)
    assert even["shifted"]["balanced_accuracy"] == pytest.approx(even["plain"]["balanced_accuracy"], abs=0.02)
    for name in ("class_weighted", "shifted", "balanced"):
        assert rare[name]["balanced_accuracy"] > rare["plain"]["balanced_accuracy"] + 0.1
    moved = entries[0]["from_even"]
    assert moved["deployment"]["accuracy"] > moved["plain"]["accuracy"]


def test_plan_panel_writes_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "plan.json"
    arguments = ["plan", "panel", "--kappas", "0.5", "0.45", "0.4", "--phi", "0.3", "--matched-pairs"]
    assert main([*arguments, "--budgets", "20", "50", "--replicates", "20", "--json", str(out)]) == 0
    page = capsys.readouterr().out
    result = json.loads(out.read_text(encoding="utf-8"))
    assert page.startswith("SIMULATED from parameters: 3 members")
    assert [point["records"] for point in result["points"]] == [20, 50]
    assert f"{result['points'][0]['stacked']:.3f}" in page
    # The paper's price of 100 labels, at 3 members in place of ten.
    rates = read_rates()
    panel = rates.sequence(rates.panel) * 3 / 10
    assert result["usd"]["panel"] == pytest.approx(panel)
    assert result["points"][1]["break_even_items"] == pytest.approx(100 * 1000 / (2.52 - panel))


def test_plan_panel_reads_a_pilot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pilot = simulate(6, n_items=120, n_clusters=60)
    path = tmp_path / "pilot.csv"
    lines = [",".join(["item", "cluster", "gold", *pilot.members])]
    for row, uid in enumerate(pilot.uids):
        votes = ["" if np.isnan(v) else str(int(v)) for v in pilot.votes[row]]
        lines.append(",".join([uid, pilot.clusters[pilot.cluster[row]], str(pilot.gold[row]), *votes]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["plan", "panel", str(path), "--budgets", "10", "--replicates", "10"]) == 0
    page = capsys.readouterr().out
    assert "pilot pilot.csv: 120 items in 60 records" in page
    assert "The pilot's own resamples" in page
    assert (
        main(
            ["plan", "prevalence", str(path), "--prevalences", "0.3", "--records", "60", "--replicates", "2"]
        )
        == 0
    )
    assert "0.30" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["panel"], "give a pilot's file of votes, or --kappas and --phi"),
        (["panel", "x.csv", "--phi", "0.3"], "give one or the other"),
        (["panel", "no-such.csv"], "no-such.csv"),
        (["panel", "--kappas", "0.4", "--phi", "0.3"], "two or more"),
        (["panel", "--kappas", "0.4", "0.3", "--phi", "0.3", "--budgets", "1"], "2 records or more"),
        (["panel", "--kappas", "0.4", "0.3", "--phi", "0.3", "--replicates", "3"], "10 or more"),
        (["panel", "--kappas", "0.4", "0.3", "--phi", "0.3", "--api-usd", "0"], "--api-usd"),
        (["prevalence", "--kappas", "0.4", "0.3", "--phi", "0.3", "--prevalences", "0"], "between 0 and 1"),
        (["prevalence", "--kappas", "0.4", "0.3", "--phi", "0.3", "--records", "10"], "give 50 or more"),
    ],
)
def test_plans_refuse_with_a_remedy(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *arguments]) == 2
    assert words in capsys.readouterr().err
