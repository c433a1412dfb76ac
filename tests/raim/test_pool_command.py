"""``raim pool``, from the command line to its files."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from raim.cli import main
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell

KEYS = ("hard_best_single", "soft_best_single", "uniform_linear", "uniform_log", "cov_log", "judgemoe")


def write_scores(path, cell, *, decoded=False, targets=True, splits=False):
    """A cell as a user's file."""
    k = len(cell.labels)
    names = ["score"] if decoded else [f"p_{i + 1}" for i in range(k)]
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            [
                "item",
                "cluster",
                "judge",
                *(["target"] if targets else []),
                *(["split"] if splits else []),
                *names,
            ]
        )
        for i, item in enumerate(cell.items):
            for j, judge in enumerate(cell.judges):
                if cell.present[i, j]:
                    p = cell.probabilities[i, j]
                    values = [p.argmax() + 1] if decoded else [repr(float(x)) for x in p]
                    fixed = [item, f"c{cell.clusters[i]}", judge]
                    fixed += [repr(float(cell.targets[i]))] if targets else []
                    fixed += [("train", "validation", "test")[cell.splits[i]]] if splits else []
                    writer.writerow([*fixed, *values])


@pytest.fixture
def no_torch(monkeypatch):
    """As on a machine without torch, whatever this one has."""

    def refuse():
        raise InputError("training a gate needs torch, which is not installed")

    monkeypatch.setattr("analysis.judgemoe.gates.train.require_torch", refuse)


def run(*arguments):
    return main(["pool", *map(str, arguments)])


def test_compare_save_and_apply(tmp_path, capsys, no_torch):
    cell = random_cell(150, 4, 5, missing=0.1)
    write_scores(tmp_path / "s.csv", cell)
    assert run(tmp_path / "s.csv", "--json", tmp_path / "o.json") == 0
    page = capsys.readouterr().out
    values = json.loads((tmp_path / "o.json").read_text())
    for key in KEYS:
        for metric in ("spearman", "mae", "ece"):
            assert set(values["methods"][key][metric]) >= {"estimate", "low", "high", "n"}
    log = values["methods"]["uniform_log"]["spearman"]
    assert log["low"] <= log["estimate"] <= log["high"]
    assert 0 < log["n"] <= 150
    # Without torch the gate is null with the reason, on the page too.
    assert values["methods"]["judgemoe"]["mae"]["estimate"] is None
    assert "torch" in values["methods"]["judgemoe"]["mae"]["reason"]
    assert "torch" in page
    assert isinstance(values["residual_correlation"], float)
    assert values["decision"]["choice"] in ("single", "fixed", "full", "sparse")
    assert values["decision"]["reason"] in page

    write_scores(tmp_path / "new.csv", random_cell(40, 4, 5, seed=9), targets=False)
    model = tmp_path / "o.model.json"
    assert run(tmp_path / "new.csv", "--model", model, "--predictions", tmp_path / "p.csv") == 0
    rows = list(csv.DictReader((tmp_path / "p.csv").open()))
    assert [row["item"] for row in rows] == [f"i{i}" for i in range(40)]
    assert all(0 <= float(row["prediction"]) <= 1 for row in rows)


def test_out_of_fold_scores_are_those_of_a_plain_cross_fit(tmp_path, no_torch):
    from scipy.stats import spearmanr

    from analysis.judgemoe.pools.fixed import fit_pool
    from analysis.judgemoe.sources.long_csv import read_scores
    from analysis.statistics.folds import cluster_folds

    write_scores(tmp_path / "s.csv", random_cell(120, 4, 5))
    assert run(tmp_path / "s.csv", "--json", tmp_path / "o.json") == 0
    found = json.loads((tmp_path / "o.json").read_text())["methods"]["cov_log"]
    cell = read_scores(tmp_path / "s.csv").cell
    fold = cluster_folds(len(np.unique(cell.clusters)), 5, 13)[cell.clusters]
    prediction = np.empty(120)
    for f in range(5):
        pool = fit_pool(cell.take(fold != f), "cov", "log")
        prediction[fold == f] = pool.predict(cell.take(fold == f))
    assert found["spearman"]["estimate"] == pytest.approx(
        spearmanr(prediction, cell.targets).statistic, abs=1e-9
    )
    assert found["mae"]["estimate"] == pytest.approx(np.abs(prediction - cell.targets).mean(), abs=1e-9)


def test_decoded_scores_leave_null_what_needs_probabilities(tmp_path, no_torch):
    write_scores(tmp_path / "s.csv", random_cell(100, 3, 5), decoded=True)
    assert run(tmp_path / "s.csv", "--json", tmp_path / "o.json", "--labels", 1, 2, 3, 4, 5) == 0
    values = json.loads((tmp_path / "o.json").read_text())
    soft = values["methods"]["soft_best_single"]["spearman"]
    assert soft["estimate"] is None
    assert "probabilities" in soft["reason"]
    assert values["methods"]["hard_best_single"]["spearman"]["estimate"] is not None
    # The model keeps the label set: a score off it is refused.
    write_scores(tmp_path / "new.csv", random_cell(20, 3, 7, seed=3), decoded=True, targets=False)
    assert run(tmp_path / "new.csv", "--model", tmp_path / "o.model.json") == 2


def test_given_splits_are_used(tmp_path, no_torch):
    cell = random_cell(150, 3, 5)
    write_scores(tmp_path / "s.csv", cell, splits=True)
    assert run(tmp_path / "s.csv", "--json", tmp_path / "o.json") == 0
    values = json.loads((tmp_path / "o.json").read_text())
    assert values["evaluation"]["scheme"] == "given splits"
    assert values["evaluation"]["held_out"] == int((cell.splits == 2).sum())
    assert values["evaluation"]["advised_on"] == "validation items"


def test_test_labels_do_not_move_the_advice(tmp_path, no_torch):
    cell = random_cell(200, 4, 5)
    targets = cell.targets.copy()
    test = np.flatnonzero(cell.splits == 2)
    targets[test] = np.random.default_rng(1).permutation(targets[test])
    found = []
    for name, changed in (("a", cell), ("b", replace(cell, targets=targets))):
        write_scores(tmp_path / f"{name}.csv", changed, splits=True)
        assert run(tmp_path / f"{name}.csv", "--json", tmp_path / f"{name}.json") == 0
        found.append(json.loads((tmp_path / f"{name}.json").read_text()))
    assert found[0]["decision"] == found[1]["decision"]
    assert found[0]["methods"]["cov_log"] != found[1]["methods"]["cov_log"]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"m": 3}, "another set of judges"),
        ({"m": 5}, "another set of judges"),
        ({"k": 4}, "labels"),
        ({"k": 6}, "labels"),
    ],
)
def test_models_of_other_judges_or_labels_are_refused(tmp_path, capsys, no_torch, changes, what):
    write_scores(tmp_path / "s.csv", random_cell(100, 4, 5))
    assert run(tmp_path / "s.csv", "--save-model", tmp_path / "m.json") == 0
    write_scores(tmp_path / "new.csv", random_cell(20, **{"m": 4, "k": 5, **changes}), targets=False)
    capsys.readouterr()
    assert run(tmp_path / "new.csv", "--model", tmp_path / "m.json", "--predictions", tmp_path / "p.csv") == 2
    assert what in capsys.readouterr().err
    assert not (tmp_path / "p.csv").exists()


@pytest.mark.parametrize("method", KEYS[:5])
def test_every_fixed_method_can_be_saved_and_applied(tmp_path, capsys, no_torch, method):
    cell = random_cell(60, 3, 4, missing=0.2)
    write_scores(tmp_path / "s.csv", cell)
    assert run(tmp_path / "s.csv", "--method", method, "--save-model", tmp_path / "m.json") == 0
    capsys.readouterr()
    assert run(tmp_path / "s.csv", "--model", tmp_path / "m.json") == 0
    found = capsys.readouterr()
    rows = list(csv.DictReader(found.out.splitlines()))
    empty = sum(row["prediction"] == "" for row in rows)
    assert (empty > 0) == ("best_single" in method)
    assert (f"{empty} of 60 items have no prediction" in found.err) == (empty > 0)


def test_bad_files_and_options_end_with_status_2(tmp_path, capsys):
    cell = random_cell(60, 3, 4)
    scores = tmp_path / "s.csv"
    write_scores(scores, cell)
    (tmp_path / "bad.json").write_text("{}")
    for arguments, what in [
        ((tmp_path / "none.csv",), "cannot be read"),
        ((scores, "--folds", 1), "--folds"),
        ((scores, "--folds", 100, "--save-model", tmp_path / "m.json"), "cannot make 100 folds"),
        ((scores, "--json", tmp_path / "no" / "o.json"), "no folder"),
        ((scores, "--save-model", scores), "file of scores"),
        ((scores, "--predictions", tmp_path / "p.csv"), "--predictions goes with --model"),
        ((scores, "--model", tmp_path / "bad.json"), "not a model"),
        ((scores, "--model", tmp_path / "bad.json", "--json", tmp_path / "o.json"), "--json is for fitting"),
    ]:
        assert run(*arguments) == 2, arguments
        assert what in capsys.readouterr().err


def scores_of(path, rows, names=("p_1", "p_2", "p_3")):
    """A file of rows ``(item, cluster, target, judge, ...)``."""
    lines = [",".join(["item", "cluster", "target", "judge", *names])]
    path.write_text("\n".join([*lines, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return path


def varied(i, j):
    """Probabilities of three labels that differ between items and judges."""
    first = round(0.1 + 0.6 * ((7 * i + 3 * j) % 11) / 11, 3)
    return first, 0.2, round(0.8 - first, 3)


def test_what_no_pool_can_be_told_from_is_refused(tmp_path, capsys, no_torch):
    many = range(60)
    same_target = [(f"i{i}", f"c{i % 9}", 0.5, f"j{j}", *varied(i, j)) for i in many for j in range(3)]
    flat = [(f"i{i}", f"c{i % 9}", i % 5 / 4, f"j{j}", 0.2, 0.3, 0.5) for i in many for j in range(3)]
    one_document = [(f"i{i}", "c", i % 5 / 4, f"j{j}", *varied(i, j)) for i in many for j in range(2)]
    for rows, what in (
        (same_target, "same target"),
        (flat, "no method has a defined Spearman"),
        (one_document, "all items are of one cluster"),
    ):
        path = scores_of(tmp_path / "s.csv", rows)
        assert run(path, "--json", tmp_path / "o.json") == 2
        assert what in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == [path]


def test_judges_without_common_items_leave_undefined_what_needs_them(tmp_path, no_torch):
    rows = [(f"i{i}", f"c{i % 9}", i % 5 / 4, f"j{i % 3}", *varied(i, 0)) for i in range(80)]
    assert run(scores_of(tmp_path / "s.csv", rows), "--json", tmp_path / "o.json") == 0
    values = json.loads((tmp_path / "o.json").read_text())
    assert "j0 and j1 share 0 of" in values["methods"]["cov_log"]["spearman"]["reason"]
    assert values["residual_correlation"] is None
    assert values["residual_correlation_reason"]
    assert values["decision"]["choice"] in ("single", "fixed")


def test_a_constant_judge_among_others_is_null_with_a_reason(tmp_path, no_torch):
    rows = [
        (f"i{i}", f"c{i % 9}", varied(i, 1)[2], f"j{j}", *(varied(i, j) if j else (0.2, 0.3, 0.5)))
        for i in range(80)
        for j in range(3)
    ]
    assert (
        run(scores_of(tmp_path / "s.csv", rows), "--json", tmp_path / "o.json", "--method", "uniform_log")
        == 0
    )
    values = json.loads((tmp_path / "o.json").read_text())
    assert values["methods"]["soft_best_single"]["spearman"]["estimate"] > 0.9
    assert values["diagnostics"]["leave_one_out"]["gains"]["j0"] is not None
    assert values["decision"]["deployed_weights"] == pytest.approx({"j0": 1 / 3, "j1": 1 / 3, "j2": 1 / 3})


def test_judges_at_chance_are_not_recommended_without_a_caution(tmp_path, no_torch):
    rng = np.random.default_rng(3)
    rows = [
        (f"i{i}", f"c{i % 12}", i % 5 / 4, f"j{j}", *varied(int(rng.integers(100)), j))
        for i in range(60)
        for j in range(3)
    ]
    assert run(scores_of(tmp_path / "s.csv", rows), "--json", tmp_path / "o.json") == 0
    assert "not clearly above 0" in json.loads((tmp_path / "o.json").read_text())["decision"]["reason"]


def test_one_judge_stands_alone(tmp_path, no_torch):
    rows = [(f"i{i}", f"c{i % 9}", i % 5 / 4, "j", *varied(i, 0)) for i in range(60)]
    assert run(scores_of(tmp_path / "s.csv", rows), "--json", tmp_path / "o.json") == 0
    decision = json.loads((tmp_path / "o.json").read_text())["decision"]
    assert decision["choice"] == "single"
    assert decision["reason"].startswith("the file has one judge")
    assert decision["deployed_weights"] == {"j": 1.0}


@pytest.mark.parametrize(
    "damage",
    [
        {"method": "none"},
        {"target_range": [1.0, float("nan")]},
        {"labels": [1.0, 1.0, 2.0]},
        {"pool": {"weights": [1.0]}},
        {"pool": {"weights": [float("nan")] * 3}},
        {"pool": {"weights": [-1.0, 1.0, 1.0]}},
        {"pool": {"weights": ["a", "b", "c"]}},
        {"pool": {"judges": ["j0", "j1", "stranger"]}},
        {"pool": {"kind": "none"}},
        {"pool": {"temperature": 0.0}},
        {"pool": None, "single": {"judge": "stranger", "extraction": "soft"}},
        {"pool": None, "single": {"judge": "j0", "extraction": "none"}},
    ],
    ids=lambda damage: "-".join(f"{k}:{v if isinstance(v, str) else ''}" for k, v in damage.items()),
)
def test_damaged_models_are_refused(tmp_path, capsys, no_torch, damage):
    write_scores(tmp_path / "s.csv", random_cell(60, 3, 3))
    assert run(tmp_path / "s.csv", "--method", "uniform_log", "--save-model", tmp_path / "m.json") == 0
    model = json.loads((tmp_path / "m.json").read_text())
    for key, value in damage.items():
        if value is None:
            del model[key]
        elif isinstance(value, dict) and key in model:
            model[key] |= value
        else:
            model[key] = value
    (tmp_path / "m.json").write_text(json.dumps(model))
    capsys.readouterr()
    assert run(tmp_path / "s.csv", "--model", tmp_path / "m.json", "--predictions", tmp_path / "p.csv") == 2
    assert "fit it again" in capsys.readouterr().err
    assert not (tmp_path / "p.csv").exists()


def test_predictions_never_overwrite_an_input(tmp_path, capsys, no_torch):
    scores, model = tmp_path / "s.csv", tmp_path / "m.json"
    write_scores(scores, random_cell(60, 3, 3))
    assert run(scores, "--save-model", model) == 0
    for source in (scores, model):
        before = source.read_bytes()
        assert run(scores, "--model", model, "--predictions", source) == 2
        assert "is an input" in capsys.readouterr().err
        assert source.read_bytes() == before


def test_a_split_that_some_items_lack_is_named(tmp_path, capsys):
    rows = [
        (f"i{i}", f"c{i}", i % 5 / 4, "j", ("train", "", "test")[i % 3], *varied(i, 0)) for i in range(30)
    ]
    path = scores_of(tmp_path / "s.csv", rows, names=("split", "p_1", "p_2", "p_3"))
    assert run(path, "--json", tmp_path / "o.json") == 2
    assert "10 of 30 items have no split, the first is i1" in capsys.readouterr().err


def test_the_gate_is_compared_saved_and_applied(tmp_path, capsys):
    pytest.importorskip("torch", reason="training gates needs torch (pip install 'raim[judge]')")
    write_scores(tmp_path / "s.csv", random_cell(120, 3, 4))
    assert run(tmp_path / "s.csv", "--json", tmp_path / "o.json", "--method", "judgemoe") == 0
    values = json.loads((tmp_path / "o.json").read_text())
    assert values["methods"]["judgemoe"]["spearman"]["estimate"] > 0.5
    assert values["methods"]["judgemoe_sparse"]["spearman"]["n"] == 120
    assert {row["judge"] for row in values["diagnostics"]["gate"]} == {"j0", "j1", "j2"}
    capsys.readouterr()
    assert run(tmp_path / "s.csv", "--model", tmp_path / "o.model.json") == 0
    assert len(capsys.readouterr().out.splitlines()) == 121
