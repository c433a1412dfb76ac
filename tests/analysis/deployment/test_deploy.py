"""Fit and apply: against scikit-learn, through files, and refusing what is not the model's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from analysis.deployment.deploy import Model, apply_model, fit_model, read_model
from analysis.deployment.deploy_text import verdicts_csv
from analysis.output import write_json
from analysis.panel.votes import VoteMatrix
from analysis.panel.votes_csv import Columns, parse_votes_csv, to_csv
from raim.cli import main
from raim.errors import InputError
from tests.analysis.simulate import simulate

PANEL = simulate(3, n_items=300, n_clusters=120)


def labelled(path: Path, panel: VoteMatrix = PANEL) -> Path:
    path.write_text(to_csv(panel), encoding="utf-8")
    return path


def unlabelled(path: Path, names: list[str], votes: np.ndarray) -> Path:
    lines = [",".join(["item", *names])]
    for i, row in enumerate(votes):
        lines.append(",".join([f"new-{i}", *("" if np.isnan(v) else str(int(v)) for v in row)]))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_json(tmp_path / "model.json", fit_model(labelled(tmp_path / "votes.csv"), Columns(), n_draws=50))
    return tmp_path / "model.json"


def test_fit_and_apply_against_scikit_learn(tmp_path: Path, model: Path) -> None:
    reference = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000)
    reference.fit(np.where(np.isnan(PANEL.votes), 0.5, PANEL.votes), PANEL.gold)
    fitted = read_model(model)
    np.testing.assert_allclose(fitted.weights, reference.coef_[0], atol=1e-8)
    new = simulate(7, n_items=80, n_clusters=40).votes
    order = [3, 0, 5, 1, 4, 2]
    names = [PANEL.members[column] for column in order]
    path = unlabelled(tmp_path / "new.csv", names, new[:, order])
    result = apply_model(fitted, path, Columns())
    features = np.where(np.isnan(new), 0.5, new)
    np.testing.assert_allclose(result.probabilities, reference.predict_proba(features)[:, 1], atol=1e-9)
    np.testing.assert_array_equal(result.verdicts, reference.predict(features))
    np.testing.assert_array_equal(result.committed, (~np.isnan(new)).sum(axis=1))
    assert result.uids == tuple(f"new-{i}" for i in range(80))


def test_model_says_what_it_is_worth(model: Path) -> None:
    values = json.loads(model.read_text(encoding="utf-8"))
    assert values["n_items"] == 300
    assert values["prevalence"] == PANEL.prevalence
    assert len(values["input"]["sha256"]) == 64
    member = values["members"]["judge-2"]
    assert len(member["folds"]["folds"]) == 5
    # The fit on all items lies among the fits on four fifths of them.
    assert abs(member["weight"] - member["folds"]["mean"]) < 3 * member["folds"]["sd"] + 0.1
    assert values["out_of_fold"]["stacked"]["kappa"]["n_total"] == 300
    assert values["admissibility"]["required"] == 3


def test_gold_and_clusters_are_not_read(tmp_path: Path, model: Path) -> None:
    labelled(tmp_path / "a.csv")
    flipped = type(PANEL)(**{**PANEL.__dict__, "gold": 1 - PANEL.gold})
    labelled(tmp_path / "b.csv", flipped)
    first, second = (
        apply_model(read_model(model), tmp_path / name, Columns()) for name in ("a.csv", "b.csv")
    )
    assert verdicts_csv(first) == verdicts_csv(second)


def test_abstentions_count_one_half_and_ties_are_supported(tmp_path: Path) -> None:
    model = Model(("a", "b"), -1.0, np.array([1.0, 1.0]), np.ones(2), np.full(2, 0.5))
    rows = np.array([[1, 0], [1, np.nan], [np.nan, np.nan], [1, 1]], dtype=float)
    result = apply_model(model, unlabelled(tmp_path / "v.csv", ["a", "b"], rows), Columns())
    np.testing.assert_allclose(result.probabilities, 1 / (1 + np.exp(-np.array([0, 0.5, 0, 1]))))
    np.testing.assert_array_equal(result.verdicts, [0, 1, 0, 1])
    np.testing.assert_array_equal(result.committed, [2, 1, 0, 2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,a\nx,1\n", "no column 'b'.*ask them too"),
        ("item,a,b,c\nx,1,0,1\n", "column 'c' is no member of the model"),
        ("id,a,b\nx,1,0\n", r"no column 'item' \(--item\)"),
        ("item,a,b\nx,1,2\n", "line 2: 'b' is '2'"),
        ("item,a,b\nx,1,1\nx,0,0\n", "item 'x' appears more than once"),
        ("item,a,b,a\nx,1,1,1\n", "'a' appears twice"),
        ("item,a,b\n", "a header and no items"),
        ("item,a,b\nx,1\n", "2 fields where the header has 3"),
        ('""\n', "the file is empty"),
    ],
)
def test_votes_that_are_not_the_models(tmp_path: Path, text: str, message: str) -> None:
    model = Model(("a", "b"), 0.0, np.ones(2), np.ones(2), np.ones(2))
    (tmp_path / "v.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        apply_model(model, tmp_path / "v.csv", Columns())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": 2}, "a model of shape 2; this version reads 1"),
        ({"members": {}}, "a model without members"),
        ({"members": {"a": {"weight": "1"}}}, "not a model of `raim fit`"),
        ({"intercept": None}, "not a model of `raim fit`"),
        ({"intercept": {"value": True}}, "True is not a number"),
        (None, "not a model of `raim fit`"),
    ],
)
def test_files_that_are_no_models(model: Path, change: dict[str, object] | None, message: str) -> None:
    values = json.loads(model.read_text(encoding="utf-8"))
    model.write_text("[]" if change is None else json.dumps({**values, **change}), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_model(model)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    votes, model, out = labelled(tmp_path / "votes.csv"), tmp_path / "model.json", tmp_path / "out.csv"
    assert main(["fit", str(votes), "--model", str(model)]) == 0
    assert "admissible" in capsys.readouterr().out
    assert main(["apply", str(model), str(votes), "--out", str(out)]) == 0
    assert "items called hallucinated" in capsys.readouterr().out
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "item,verdict,probability,committed"
    assert len(lines) == 301
    first = model.read_bytes()
    assert main(["fit", str(votes), "--model", str(model)]) == 0
    assert model.read_bytes() == first
    assert main(["apply", str(model), str(votes), "--out", str(votes)]) == 2
    assert main(["fit", str(votes), "--model", str(votes)]) == 2
    assert main(["apply", str(votes), str(votes), "--out", str(out)]) == 2
    assert "not a model of `raim fit`" in capsys.readouterr().err


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_a_panel_survives_its_file(seed: int) -> None:
    panel = simulate(seed, n_items=30, n_clusters=12, n_members=3, missing=0.3)
    again = parse_votes_csv(to_csv(panel).encode(), "x", Columns())
    assert again.members == panel.members
    assert again.uids == panel.uids
    assert again.clusters == panel.clusters
    for field in ("cluster", "gold", "votes"):
        np.testing.assert_array_equal(getattr(again, field), getattr(panel, field))
