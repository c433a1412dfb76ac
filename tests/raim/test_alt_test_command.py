"""``raim alt-test`` and ``raim plan alt-test`` from the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from raim.cli import main
from tests.analysis.alt_test import plain
from tests.analysis.alt_test.simulated import crowd
from tests.synthetic import PANEL, make_suite
from verdicts.records.files import read_record_file
from verdicts.records.index import read_index


@pytest.fixture
def files(tmp_path):
    """Humans and two judges in the field's layout."""
    humans, judge = crowd(np.random.default_rng(0), n_items=90)
    _, other = crowd(np.random.default_rng(1), n_items=90)
    (tmp_path / "h.json").write_text(json.dumps(humans))
    (tmp_path / "j.json").write_text(json.dumps({"good": judge, "other": other}))
    return tmp_path


def run(folder, *options, humans="h.json", judges="j.json"):
    out = folder / "out.json"
    out.unlink(missing_ok=True)
    status = main(
        [
            "alt-test",
            "--humans",
            str(folder / humans),
            "--judges",
            str(folder / judges),
            "--json",
            str(out),
            *options,
        ]
    )
    return status, json.loads(out.read_text()) if out.exists() else None


def test_json_layout(files, capsys):
    """The keys that users rely on, with the values of plain loops."""
    status, report = run(files, "--score", "accuracy", "--epsilon", "0.1")
    assert status == 0
    humans, judges = (json.loads((files / name).read_text()) for name in ("h.json", "j.json"))
    for name, judge in judges.items():
        omega, rho, p_values, sizes = plain.alt_test(humans, judge, plain.accuracy, 0.1)
        found = report["judges"][name]
        assert found["winning_rate"] == pytest.approx(omega)
        assert found["advantage_probability"] == pytest.approx(rho)
        assert found["passes"] is (omega >= 0.5)
        assert {k: v["n"] for k, v in found["annotators"].items()} == sizes
        for annotator, p in p_values.items():
            assert found["annotators"][annotator]["p_value"] == pytest.approx(p)
            assert isinstance(found["annotators"][annotator]["rejected"], bool)
            assert 0 <= found["annotators"][annotator]["advantage"] <= 1
    alone = sum(sum(item in labels for labels in humans.values()) == 1 for item in judges["good"])
    assert report["skipped"] == {"annotators": {}, "items": {"too_few_humans": alone, "no_judge": 0}}
    assert report["agreement"]["cohen_kappa"]["n_pairs"] == 6
    assert report["settings"]["epsilon"] == 0.1
    page = capsys.readouterr().out
    for word in ("good", "other", "h3", "Cohen's kappa", "Krippendorff's alpha", "winning rate"):
        assert word in page


def test_long_csv(files):
    """The same annotations as long CSV files give the same report."""
    for name in ("h", "j"):
        rows = ["item,annotator,label"]
        for annotator, labels in json.loads((files / f"{name}.json").read_text()).items():
            rows += [f"{item},{annotator},{label}" for item, label in labels.items()]
        (files / f"{name}.csv").write_text("\n".join(rows) + "\n")
    _, expected = run(files, "--epsilon", "0.15")
    assert run(files, "--epsilon", "0.15", humans="h.csv", judges="j.csv") == (0, expected)


def test_published_set(shared_data, shared_spec, tmp_path):
    """Lesion from the command line, against the published implementation's values."""
    folder = shared_data / "alt_test" / "lesion"
    out = tmp_path / "out.json"
    options = ["--humans", folder / "human_annotations.json", "--judges", folder / "llm_annotations.json"]
    options += ["--score", "neg_rmse", "--epsilon", "0.15", "--json", out]
    assert main(["alt-test", *map(str, options)]) == 0
    found = json.loads(out.read_text())["judges"]
    expected = json.loads((shared_spec / "alt_test_reference.json").read_text())["lesion"]
    for name, values in expected.items():
        for key, value in values.items():
            assert found[name][key] == pytest.approx(value, abs=1e-12)


def test_skipped_annotators_are_in_the_report(files, capsys):
    humans = json.loads((files / "h.json").read_text())
    humans["h3"] = dict(list(humans["h3"].items())[:7])
    (files / "h.json").write_text(json.dumps(humans))
    status, report = run(files, "--epsilon", "0.2")
    assert status == 0
    assert report["skipped"]["annotators"]["h3"]["good"] == {"n": 7, "reason": "7 items, fewer than 30"}
    assert "annotator 'h3' skipped" in capsys.readouterr().err


def test_options_reach_the_test(files, capsys):
    """Every option changes what it says it does."""
    humans, judges = (json.loads((files / name).read_text()) for name in ("h.json", "j.json"))
    rows = "".join(f"{item},{int(item[1:]) // 5}\n" for item in judges["good"])
    (files / "c.csv").write_text("item,cluster\n" + rows)
    (files / "d.csv").write_text(
        "item,domain\n" + "".join(f"i{i},{'x' if i < 45 else 'y'}\n" for i in range(90))
    )
    (files / "g.json").write_text(json.dumps(judges["other"]))
    (files / "q.json").write_text(json.dumps(dict.fromkeys(humans, 2.0) | {"h0": 9.0}))

    for robust in ("t", "bootstrap"):
        _, report = run(files, "--epsilon", "0.1", "--clusters", str(files / "c.csv"), "--robust", robust)
        entry = report["judges"]["good"]["annotators"]["h0"]["cluster_robust"]
        assert entry["n_clusters"] == 18
        assert entry["test"] == f"cluster_{robust}"
    _, report = run(files, "--epsilon", "0.1", "--domains", str(files / "d.csv"))
    assert set(report["domains"]) == {"x", "y"}
    assert report["claims"]["good"]["claim"].endswith("of 2 domains")
    _, report = run(files, "--gold", str(files / "g.json"))
    assert (report["settings"]["epsilon"], report["settings"]["reference"]) == (0.0, "gold")
    assert report["judges"]["other"]["advantage_probability"] == 1.0
    _, report = run(files, "--expert", "h1", "--annotators-are", "experts")
    assert set(report["judges"]["good"]["annotators"]) == {"h0", "h2", "h3"}
    assert report["settings"]["epsilon"] == 0.2
    assert "recommended for experts" in report["settings"]["epsilon_reason"]
    _, report = run(files, "--epsilon", "0.1", "--quality", str(files / "q.json"))
    assert report["settings"]["quality"]["h0"] == 9.0
    _, report = run(files, "--epsilon", "0.1", "--ipw")
    assert report["judges"]["good"]["annotators"]["h0"]["test"] == "weighted_t"
    _, report = run(files, "--epsilon", "0.1", "--minority", "c", "--minority-factor", "3")
    assert report["settings"]["weighting"] == "minority_labels"
    _, report = run(files, "--epsilon", "0.1", "--label-weight", "c=3")
    assert report["settings"]["score"] == "label_weighted_accuracy"
    _, report = run(files, "--epsilon", "0.1", "--sweep")
    assert len(report["sweep"]["good"]["winning_rates"]) == 41
    _, report = run(files, "--epsilon", "0.1", "--abstention", "c")
    assert report["judges"]["good"]["annotators"]["h0"]["n_abstained"] > 0
    (files / "e.json").write_text(json.dumps({"a": [1, 0], "b": [0.9, 0.1], "c": [0, 1]}))
    _, report = run(files, "--epsilon", "0.1", "--score", "embeddings", "--embeddings", str(files / "e.json"))
    assert report["settings"]["score"] == "embedding_similarity"
    capsys.readouterr()


def test_combined_annotators(files, capsys):
    """Two sets with other items: all 24 pairings of four with four."""
    humans, judges = (json.loads((files / name).read_text()) for name in ("h.json", "j.json"))
    second = {
        f"s{name}": {f"s{item}": label for item, label in labels.items()} for name, labels in humans.items()
    }
    judges["good"] |= {f"s{item}": label for item, label in judges["good"].items()}
    (files / "h2.json").write_text(json.dumps(second))
    (files / "j.json").write_text(json.dumps({"good": judges["good"]}))
    status, report = run(files, "--epsilon", "0.1", "--humans-2", str(files / "h2.json"))
    assert status == 0
    assert len(report["combined"]["pairings"]) == 24
    assert len(report["combined"]["judges"]["good"]["by_pairing"]) == 24
    assert "24 pairings" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "give --epsilon E"),
        (("--epsilon", "0.1", "--annotators-are", "crowd"), "not both"),
        (("--epsilon", "2"), "between -1 and 1"),
        (("--epsilon", "0.1", "--q", "0"), "false discovery rate"),
        (("--epsilon", "0.1", "--min-items", "500"), "no annotator has 500 items"),
        (("--epsilon", "0.1", "--expert", "nobody"), "none of the humans"),
        (("--epsilon", "0.1", "--score", "neg_rmse"), "needs numbers"),
        (("--epsilon", "0.1", "--score", "embeddings"), "go together"),
        (("--epsilon", "0.1", "--label-weight", "c"), "LABEL=WEIGHT"),
        (("--epsilon", "0.1", "--label-weight", "c=x"), "LABEL=WEIGHT"),
        (("--epsilon", "0.1", "--score", "rank", "--label-weight", "c=2"), "goes with --score accuracy"),
        (("--epsilon", "0.1", "--minority", "zz"), "nobody gave the label 'zz'"),
        (("--epsilon", "0.1", "--cluster-separator", "@@"), "is in no item's id, such as"),
        (("--epsilon", "0.1", "--cluster-separator", ""), "is in no item's id, such as"),
        (("--epsilon", "0.1", "--domain-separator", "@@"), "is in no item's id, such as"),
        (("--epsilon", "0.1", "--seed", "-1"), "--seed -1"),
        (("--epsilon", "0.1", "--pairings", "0"), "--pairings 0"),
    ],
)
def test_bad_input_ends_with_2_and_writes_nothing(files, capsys, options, words):
    status, report = run(files, *options)
    assert (status, report) == (2, None)
    captured = capsys.readouterr()
    assert captured.err.startswith("raim: error: ")
    assert words in captured.err
    assert captured.out == ""


def test_the_output_is_no_input(files, capsys):
    before = (files / "j.json").read_text()
    options = ["--humans", str(files / "h.json"), "--judges", str(files / "j.json"), "--epsilon", "0.1"]
    assert main(["alt-test", *options, "--json", str(files / "j.json")]) == 2
    assert "is an input" in capsys.readouterr().err
    assert (files / "j.json").read_text() == before


def test_mixed_labels_and_a_missing_file(files, capsys):
    (files / "j.json").write_text('{"f": {"i1": 3}}')
    assert run(files, "--epsilon", "0.1")[0] == 2
    assert "mixed type" in capsys.readouterr().err
    assert run(files, "--epsilon", "0.1", humans="none.json")[0] == 2


def test_names_cannot_break_the_terminal(files, capsys):
    judges = json.loads((files / "j.json").read_text())
    (files / "j.json").write_text(json.dumps({"\x1b[31mred\u202e": judges["good"]}))
    assert run(files, "--epsilon", "0.1")[0] == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out


SMALL = ("--datasets", "6", "--bootstraps", "6", "--sizes", "30:120:30")


def test_plan_by_simulation(tmp_path, capsys):
    out = tmp_path / "plan.json"
    options = (
        "--epsilon",
        "0.2",
        "--human-kappa",
        "0.49",
        "--judge-noise",
        "0.1",
        "--json",
        str(out),
        *SMALL,
    )
    assert main(["plan", "alt-test", *options]) == 0
    plan = json.loads(out.read_text())
    assert plan["human_noise"] == pytest.approx(0.3)
    assert [point["n_items"] for point in plan["points"]] == [30, 60, 90, 120]
    enough = [p["n_items"] for p in plan["points"] if p["pass_rate"] >= 0.8]
    assert plan["n_items"] == min(enough)
    assert f"Annotate {plan['n_items']} items" in capsys.readouterr().out


def test_plan_from_a_pilot(files, capsys):
    options = ["--epsilon", "0.1", "--humans", str(files / "h.json"), "--judges", str(files / "j.json")]
    assert main(["plan", "alt-test", *options, "--judge", "good", "--sizes", "60:120:60"]) == 0
    assert "pilot items 90" in capsys.readouterr().out
    assert main(["plan", "alt-test", *options]) == 2
    assert "--judge: name the judge" in capsys.readouterr().err


def test_plan_that_no_size_meets(capsys):
    options = ("--epsilon", "0", "--human-noise", "0.1", "--judge-noise", "0.8", *SMALL)
    assert main(["plan", "alt-test", *options]) == 0
    assert "With none of these numbers" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "give --human-kappa"),
        (("--human-noise", "0.1"), "give --judge-accuracy"),
        (("--human-kappa", "1.2", "--judge-noise", "0.1"), "kappa among humans"),
        (("--human-noise", "0.1", "--judge-accuracy", "0.2"), "pure noise"),
        (("--human-noise", "0.1", "--judge-noise", "0.1", "--sizes", "20:30:5"), "FIRST 30 or more"),
        (("--human-noise", "0.1", "--judge-noise", "0.1", "--power", "1"), "--power"),
        (("--human-noise", "0.1", "--judge-noise", "0.1", "--annotators", "1"), "annotators"),
        (("--humans", "h.json"), "both --humans and --judges"),
        (
            ("--humans", "h.json", "--judges", "j.json", "--human-kappa", "0.5"),
            "--human-kappa beside a pilot",
        ),
        (("--human-noise", "0.1", "--judge-noise", "0.1", "--seed", "-1"), "--seed -1"),
        (("--human-noise", "0.1", "--judge-noise", "0.1", "--epsilon", "nan"), "--epsilon nan"),
        (("--human-noise", "0.1", "--judge-accuracy", "0.9", "--categories", "1"), "--categories 1"),
    ],
)
def test_plan_refuses(capsys, options, words):
    assert main(["plan", "alt-test", "--epsilon", "0.1", *options]) == 2
    assert words in capsys.readouterr().err


def test_the_example_of_the_docs(root, capsys, monkeypatch):
    """The command in docs/alt_test.md prints what the page says."""
    monkeypatch.chdir(root)
    page = (root / "docs" / "alt_test.md").read_text(encoding="utf-8")
    folder = "docs/examples/alt_test"
    options = [
        "--humans",
        f"{folder}/humans.json",
        "--judges",
        f"{folder}/judges.json",
        "--score",
        "accuracy",
    ]
    assert main(["alt-test", *options, "--annotators-are", "skilled", "--cluster-separator", "__"]) == 0
    assert f"```\n{capsys.readouterr().out}```" in page


def test_the_findings_of_the_docs(root):
    """Every number of the findings is the committed one."""
    page = (root / "docs" / "alt_test.md").read_text(encoding="utf-8")
    findings = " ".join(page.split("## Findings")[1].split("Figures 4 and 5")[0].split())

    def read(*parts):
        return json.loads((root / "derived" / "alt_test").joinpath(*parts).read_text(encoding="utf-8"))

    def said(judge):
        return f"ω {judge['winning_rate']:.2f}, ρ {judge['advantage_probability']:.3f}"

    judges = {
        name: read(name, "test.json")["judges"] for name in ("framing", "summeval", "lesion", "cebab_aspects")
    }
    panels = {name: read(name, "panels.json") for name in judges}
    shown = {
        "framing": ("gpt-4o", ("stacked", "unweighted")),
        "summeval": ("mistral-v03", ("calibrated_rounded", "mean")),
        "lesion": ("gemini_pro", ("calibrated_rounded",)),
        "cebab_aspects": ("gemini_pro", ("plurality",)),
    }
    for name, (best, pools) in shown.items():
        assert max(judges[name], key=lambda j: judges[name][j]["advantage_probability"]) == best
        assert f"{best}: {said(judges[name][best])}" in findings
        for pool in pools:
            assert said(panels[name]["judges"][pool]) in findings
    for name, pool in (("framing", "stacked"), ("summeval", "calibrated_rounded")):
        for one in panels[name]["domains"].values():
            judge = one["judges"][pool]
            assert f"{judge['winning_rate']:.2f}, {judge['advantage_probability']:.3f}" in findings
    weighted = read("summeval", "weighted.json")
    assert (
        f"has ρ {weighted['plain']['all']['constant']['advantage_probability']:.3f} on SummEval" in findings
    )
    assert f"(ρ {weighted['weighted']['all']['constant']['advantage_probability']:.3f})" in findings
    assert f"falls to {weighted['weighted']['all']['mistral-v03']['advantage_probability']:.3f}" in findings
    for name in ("llama-31", "gpt-4o-mini"):
        judge = judges["cebab_aspects"][name]
        assert judge["passes"]
        assert not judge["cluster_robust"]["passes"]
        assert f"{judge['winning_rate']:.2f} to {judge['cluster_robust']['winning_rate']:.2f}" in findings
    aspects = read("cebab_aspects", "test.json")["domains"].values()
    by_aspect = [judge for one in aspects for judge in one["judges"].values()]
    assert sum(judge["passes"] for judge in by_aspect) == 10
    assert not any(judge["cluster_robust"]["passes"] for judge in by_aspect)
    assert "none of ten passes is left" in findings
    changed = {
        (name, judge)
        for name in judges
        for judge, one in judges[name].items()
        if one["passes"] != one["cluster_robust"]["passes"]
    }
    assert changed == {("cebab_aspects", "llama-31"), ("cebab_aspects", "gpt-4o-mini")}


def test_released_records_are_judges(tmp_path, capsys):
    """A suite's record files, named by uid through the index: verdicts as judges beside humans in JSON."""
    suite = tmp_path / "suite"
    make_suite(suite, [*PANEL])
    benchmark = sorted(path.stem for path in (suite / "index").glob("*.tsv"))[0]
    index = suite / "index" / f"{benchmark}.tsv"
    rows = read_index(index)
    rng = np.random.default_rng(0)
    humans = {
        f"h{j}": {row.uid: ("no", "yes")[row.gold ^ int(rng.random() < 0.2)] for row in rows}
        for j in range(3)
    }
    (tmp_path / "h.json").write_text(json.dumps(humans))
    files = sorted((suite / "records" / benchmark).glob("*.jsonl.gz"))
    out = tmp_path / "out.json"
    options = [
        "--humans",
        tmp_path / "h.json",
        "--judges",
        *files,
        "--index",
        index,
        "--epsilon",
        "0.2",
        "--json",
        out,
    ]
    assert main(["alt-test", *map(str, options), "--verdict-labels", "no", "yes"]) == 0
    report = json.loads(out.read_text())
    assert set(report["judges"]) == {judge.name for judge in PANEL}
    for path in files:
        records = read_record_file(path).records
        answers = {
            row.uid: {0: "no", 1: "yes", None: ""}[records[row.content].value.verdict]
            for row in rows
            if row.content in records
        }
        entry = report["judges"][path.name.removesuffix(".jsonl.gz")]
        silent = sum(label == "" for label in answers.values())
        assert all(part["n_abstained"] == silent for part in entry["annotators"].values())
        _, rho, _, sizes = plain.alt_test(humans, answers, worse_when_empty, 0.2)
        assert entry["advantage_probability"] == pytest.approx(rho)
        assert {k: v["n"] for k, v in entry["annotators"].items()} == sizes
    capsys.readouterr()


def worse_when_empty(label, others):
    return -1.0 if label == "" else plain.accuracy(label, others)
