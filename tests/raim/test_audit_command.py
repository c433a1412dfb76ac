"""``raim audit`` from the command line."""

from __future__ import annotations

import csv
import hashlib
import json
import os

import numpy as np
import pytest

from analysis.estimators.ladder import ladder
from analysis.panel.votes_csv import read_votes_csv
from raim.cli import main
from tests.analysis.panels import faithbench_votes, framing_votes
from tests.analysis.simulate import simulate

METHODS = {
    "unweighted",
    "accuracy_weighted",
    "log_odds_weighted",
    "average_member",
    "best_cv",
    "oracle",
    "dawid_skene",
    "stacked",
}
DELTAS = {
    f"stacked-{other}" for other in ("best_cv", "oracle", "average_member", "unweighted", "dawid_skene")
}


def write(path, panel, names=None):
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["item", "cluster", "gold", *(names or panel.members)])
        for i, uid in enumerate(panel.uids):
            votes = ["" if np.isnan(v) else int(v) for v in panel.votes[i]]
            writer.writerow([uid, panel.clusters[panel.cluster[i]], panel.gold[i], *votes])
    return path


@pytest.fixture
def votes(tmp_path):
    return write(tmp_path / "votes.csv", simulate(40))


def audit(path, tmp_path, *options):
    out = tmp_path / "out.json"
    assert main(["audit", str(path), "--json", str(out), *options]) == 0
    return json.loads(out.read_text(encoding="utf-8"))


def check_keys(result):
    assert {"n_items", "n_clusters", "members", "methods", "deltas", "admissibility", "verdict"} <= set(
        result
    )
    for member in result["members"].values():
        assert {"kappa", "balanced_accuracy", "coverage"} <= set(member)
    assert set(result["methods"]) >= METHODS
    assert set(result["deltas"]) >= DELTAS
    for method in result["methods"].values():
        for metric in ("kappa", "balanced_accuracy"):
            score = method[metric]
            assert {"estimate", "resample_mean", "low", "high", "n_scored", "n_total"} <= set(score)
            assert score["low"] <= score["resample_mean"] <= score["high"]
    for delta in result["deltas"].values():
        for metric in ("kappa", "balanced_accuracy"):
            keys = {"estimate", "resample_mean", "low", "high", "p_one_sided", "reading"}
            assert keys <= set(delta[metric])
            assert 0 <= delta[metric]["p_one_sided"] <= 1
    assert {"phi_bar", "n_eff", "competent", "admissible"} <= set(result["admissibility"])
    assert result["verdict"] in {"clean win", "win", "tie", "loss"}


def test_json_holds_the_ladder_of_the_file(votes, tmp_path):
    result = audit(votes, tmp_path)
    check_keys(result)
    expected = json.loads(json.dumps(ladder(read_votes_csv(votes))))
    assert {key: result[key] for key in expected} == expected
    assert result["input"] == {"name": "votes.csv", "sha256": hashlib.sha256(votes.read_bytes()).hexdigest()}


def test_twice_the_same_bytes(votes, tmp_path):
    audit(votes, tmp_path)
    first = (tmp_path / "out.json").read_bytes()
    audit(votes, tmp_path)
    assert (tmp_path / "out.json").read_bytes() == first


def test_page(votes, tmp_path, capsys):
    result = audit(votes, tmp_path)
    page = capsys.readouterr().out
    assert "240 items in 90 clusters, 6 members" in page
    assert "Admissibility: " in page
    assert f"Verdict: {result['verdict']}." in page
    assert result["deltas"]["stacked-best_cv"]["kappa"]["reading"] in page
    assert f"{result['methods']['stacked']['kappa']['resample_mean']:.3f}" in page
    for member, score in result["members"].items():
        line = next(line for line in page.splitlines() if line.startswith(member))
        assert f"{score['n_scored']}/240" in line


def test_options_of_columns_and_bars(tmp_path):
    panel = simulate(41)
    path = write(tmp_path / "v.csv", panel)
    text = path.read_text().replace("item,cluster,gold", "id,source,label", 1).replace(",", ";")
    path.write_text(text)
    options = ["--item", "id", "--cluster", "source", "--gold", "label"]
    options += ["--delimiter", ";", "--members", "judge-0", "judge-3"]
    bars = ["--kappa-bar", "-1", "--share", "1", "--phi-bar", "1"]
    result = audit(path, tmp_path, *options, *bars)
    assert list(result["members"]) == ["judge-0", "judge-3"]
    assert result["admissibility"]["competent"] == 2
    assert result["admissibility"]["admissible"] is True
    assert result["admissibility"]["thresholds"] == {"kappa": -1, "share": 1, "phi": 1}


def test_names_cannot_command_the_terminal(tmp_path, capsys):
    panel = simulate(42, n_members=5)
    names = ["=1+1", "-rf", "\x1b[2Jclear", "rtl\u202eevil", "宽 name"]
    result = audit(write(tmp_path / "v.csv", panel, names), tmp_path)
    page = capsys.readouterr().out
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "\\x1b[2Jclear" in page
    assert set(result["members"]) == set(names)


def test_far_from_balanced_and_low_coverage_are_noted(tmp_path, capsys):
    result = audit(write(tmp_path / "v.csv", simulate(43, prevalence=0.1, missing=0.3)), tmp_path)
    page = capsys.readouterr().out
    assert any("far from balanced" in note for note in result["notes"])
    assert any("Coverage below 0.95" in note for note in result["notes"])
    assert "far from balanced" in page
    even = audit(write(tmp_path / "w.csv", simulate(43, missing=0)), tmp_path)
    assert not any("far from balanced" in note or "Coverage" in note for note in even["notes"])


def test_without_json_only_the_page(votes, tmp_path, capsys):
    assert main(["audit", str(votes)]) == 0
    assert "Verdict" in capsys.readouterr().out
    assert [p.name for p in tmp_path.iterdir()] == ["votes.csv"]


BAD = {
    "label": ("item,cluster,gold,a\nx,1,1,maybe\n", "'a' is 'maybe'"),
    "one class": (
        "item,cluster,gold,a\n" + "".join(f"{i},{i},1,1\n" for i in range(9)),
        "gold has one class only",
    ),
    "few clusters": (
        "item,cluster,gold,a\n" + "".join(f"{i},{i % 4},{i % 2},1\n" for i in range(9)),
        "4 clusters are fewer than the 5 folds",
    ),
    "duplicate": ("item,cluster,gold,a\nx,1,1,1\nx,2,0,1\n", "item 'x' appears 2 times"),
    "silent member": (
        "item,cluster,gold,a,quiet\n" + "".join(f"{i},{i},{i % 2},1,\n" for i in range(9)),
        "never commits to a verdict: 'quiet'",
    ),
    "empty file": ("", "the file is empty"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_exits_2_with_a_message_and_writes_nothing(case, tmp_path, capsys):
    text, message = BAD[case]
    path = tmp_path / "votes.csv"
    path.write_text(text)
    out = tmp_path / "out.json"
    out.write_text("earlier")
    assert main(["audit", str(path), "--json", str(out)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"raim: error: {path}")
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert out.read_text() == "earlier"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "votes.csv"]


@pytest.mark.parametrize("out", ["missing/out.json", ".", "votes.csv"])
def test_outputs_that_cannot_be_written_are_refused_first(out, votes, tmp_path, capsys):
    before = votes.read_bytes()
    assert main(["audit", str(votes), "--json", str(tmp_path / out)]) == 2
    assert "out.json" in capsys.readouterr().err or out != "missing/out.json"
    assert votes.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["votes.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_closed_folder(votes, tmp_path, capsys):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert main(["audit", str(votes), "--json", str(closed / "out.json")]) == 2
    assert "not writable" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [["--delimiter", ";;"], ["--share", "1.5"], ["--phi-bar", "nan"], ["--members", "nobody"]],
)
def test_bad_options_exit_2(options, votes, capsys):
    assert main(["audit", str(votes), *options]) == 2
    assert "raim: error: " in capsys.readouterr().err


def test_framing_six_real_judges(shared_data, tmp_path):
    path = framing_votes(shared_data / "alt_test" / "framing", tmp_path / "framing.csv")
    result = audit(path, tmp_path)
    check_keys(result)
    assert (result["n_items"], result["n_clusters"], len(result["members"])) == (2552, 116, 6)
    assert all(member["coverage"] == 1 for member in result["members"].values())
    assert result["admissibility"]["competent"] == 6
    assert (
        result["methods"]["stacked"]["kappa"]["estimate"]
        > result["methods"]["unweighted"]["kappa"]["estimate"]
    )


def test_faithbench_eight_detectors(shared_data, tmp_path, capsys):
    path = faithbench_votes(shared_data / "panels" / "faithbench_panel.csv", tmp_path / "faithbench.csv")
    result = audit(path, tmp_path)
    check_keys(result)
    assert (result["n_items"], result["n_clusters"], len(result["members"])) == (750, 75, 8)
    assert result["members"]["true_nli"]["n_scored"] == 748
    # Chosen because the detectors disagree: all of them are near chance.
    assert all(abs(member["kappa"]) < 0.1 for member in result["members"].values())
    assert result["admissibility"]["admissible"] is False
    assert "far from balanced" in capsys.readouterr().out
