"""The cross-dataset predictor on the release's values: Table 5 as printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.estimators.predictor import Coordinates, predictor
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.steps import predictor as step
from tests.analysis.contexts import suite_context
from tests.analysis.simulate import simulate

RELEASE = ("medhallu", "wice", "ragtruth", "xsum", "cnn", "expertqa", "factscore", "truthfulqa")
#: rho and p of phi-bar, count and composite, as Table 5 prints them.
TABLE_5 = (
    (8, "-0.36 0.39", "0.48 0.23", "0.47 0.24"),
    (7, "-0.61 0.15", "0.74 0.06", "0.71 0.07"),
    (6, "-0.37 0.47", "0.58 0.23", "0.54 0.27"),
)


def test_table_5(shared_spec: Path) -> None:
    release = json.loads((shared_spec / "raim_release_reference.json").read_text(encoding="utf-8"))
    points = []
    for name in RELEASE:
        key = name if name in release else f"aggrefact_{name}"
        full = release["regime_budget"]["per_dataset"][key]["full"]
        gain, level = release[key]["diffs"]["stacked-best_single_cv"][0], release[key]["kappa"]["stacked"][0]
        points.append(Coordinates(full["phi"], full["spread"], gain, level))
    cuts = [("all", range(8)), ("one", [0, 1, 2, 3, 5, 6, 7]), ("two", [0, 1, 2, 3, 6, 7])]
    result = predictor(points, cuts)
    for row, printed in zip(result["subsets"], TABLE_5, strict=True):
        cells = [row[name] for name in ("phi_bar", "competent", "composite")]
        assert (row["n"], *(f"{cell['rho']:.2f} {cell['p']:.2f}" for cell in cells)) == printed
    against = result["against_stacked_kappa"]
    assert f"{against['phi_bar']['rho']:.2f} {against['competent']['rho']:.2f}" == "-0.76 0.95"


def ladder(phi: float | None, competent: int, gain: float) -> dict[str, object]:
    return {
        "deltas": {"stacked-best_cv": {"kappa": {"resample_mean": gain}}},
        "methods": {"stacked": {"kappa": {"resample_mean": 0.4 + gain}}},
        "admissibility": {"phi_bar": phi, "competent": competent, "reason": "one member: no pair"},
    }


def test_step_drops_the_held_back_sets_in_turn(tmp_path: Path) -> None:
    values = {
        "medhallu": ladder(0.3, 9, 0.03),
        "wice": ladder(0.2, 8, 0.05),
        "cnn": ladder(0.8, 0, 0.06),
        "expertqa": ladder(0.6, 1, -0.01),
        "xsum": ladder(None, 1, 0.0),
    }
    for name, value in values.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "ladder.json").write_text(json.dumps(value), encoding="utf-8")
    context = suite_context({name: simulate(0) for name in values}, derived=tmp_path)
    result = step.derive(context)
    assert [(row["title"], row["n"]) for row in result["subsets"]] == [
        ("all 4", 4),
        ("without Cnn", 3),
        ("without Cnn and Expertqa", 2),
    ]
    assert result["left_out"] == {"xsum": "one member: no pair"}
    assert "fewer than 3" in result["subsets"][2]["phi_bar"]["reason"]
    assert result["benchmarks"]["wice"]["composite"] == pytest.approx(6.4)


def test_step_needs_two_benchmarks(tmp_path: Path) -> None:
    (tmp_path / "wice").mkdir()
    (tmp_path / "wice" / "ladder.json").write_text(json.dumps(ladder(0.2, 3, 0.1)), encoding="utf-8")
    context = suite_context({"wice": simulate(0)}, derived=tmp_path)
    assert isinstance(context.derived, Derived)
    with pytest.raises(Skip, match="fewer than two"):
        step.derive(context)
