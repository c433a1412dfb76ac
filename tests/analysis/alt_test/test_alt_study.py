"""The study: from annotations to derived files, tables and figures; the published anchors; the committed numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from analysis.alt_test.simulation.curves import Design
from analysis.alt_test.study.derive import derive_set, label_shares
from analysis.alt_test.study.overview import overview, simulation
from analysis.alt_test.study.pools import constant_judge, panels_of
from analysis.alt_test.study.sets import set_from_config
from analysis.figures.files import write_figure
from analysis.output import write_json
from analysis.pipeline.build import build
from analysis.pipeline.check import compare_folders
from analysis.tables.files import write_table
from raim.errors import InputError
from tests.analysis.alt_test.test_alt_panels import documents

TABLES = ("table1", "table2", "table5", "table6", "panels", "weighted")
FIGURES = ("figure3", "figure4", "figure5")
ENTRY = {
    "score": "accuracy",
    "epsilon": 0.1,
    "annotators": "made up",
    "source": "nowhere",
    "document": "^(.*?)__",
    "aspect": "__[0-9]*?([0-9])$",
    "aspects": {str(digit): f"aspect {digit}" for digit in range(6)},
}
KINDS = {
    "binary": ({"kind": "binary", "positive": "yes", "negative": "no"}, ("no", "yes"), "accuracy"),
    "summeval": ({"kind": "scores"}, (1, 2, 3, 4, 5), "neg_rmse"),
    "plurality": ({"kind": "plurality"}, ("a", "b", "c"), "accuracy"),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Derived files of three made-up sets and a small simulation."""
    folder = tmp_path_factory.mktemp("study")
    tests = {}
    for seed, (name, (panel, labels, score)) in enumerate(KINDS.items()):
        humans, judges = documents(np.random.default_rng(seed), labels, n_items=6, n_documents=50)
        files = []
        for kind, given in (("human", humans), ("llm", judges)):
            files.append(folder / f"{name}_{kind}.json")
            files[-1].write_text(json.dumps(given))
        described = set_from_config(name, {**ENTRY, "score": score, "panel": panel})
        values = derive_set(described, *files)
        (folder / "derived" / name).mkdir(parents=True)
        for step, value in values.items():
            write_json(folder / "derived" / name / f"{step}.json", value)
        tests[name] = values["test"]
    write_json(folder / "derived" / "overview.json", overview(tests))
    small = Design(n_sets=3, n_bootstraps=3, sizes=(30, 60, 100, 150, 200))
    write_json(folder / "derived" / "simulation.json", simulation(design=small))
    return folder / "derived"


def read(study, *parts):
    return json.loads(study.joinpath(*parts).read_text())


def modules(kind, names):
    return {name: f"analysis.alt_test.{kind}.{name}" for name in names}


def test_tables_are_made(study, tmp_path):
    """Every table is made of every kind of set; none says nan, each carries its stamp."""
    tables = build("Table", modules("tables", TABLES), study, tmp_path / "t", write_table)
    assert [output.skipped for output in tables] == [None] * len(TABLES)
    for name in TABLES:
        text = (tmp_path / "t" / f"{name}.md").read_text()
        assert "nan" not in text.lower()
        assert "suite alt\\_test" in text


@pytest.mark.slow
def test_figures_are_made(study, tmp_path):
    figures = build("Figure", modules("figures", FIGURES), study, tmp_path / "f", write_figure)
    assert [output.skipped for output in figures] == [None] * len(FIGURES)
    assert all((tmp_path / "f" / f"{name}.png").stat().st_size > 10_000 for name in FIGURES)


def test_tables_say_what_the_derived_files_say(study, tmp_path):
    build("Table", modules("tables", ["table2"]), study, tmp_path / "t", write_table)
    lines = [
        line for line in (tmp_path / "t" / "table2.csv").read_text().splitlines() if not line.startswith("#")
    ]
    (row,) = (
        fields for fields in csv.reader(lines) if fields[0].startswith("summeval") and fields[1] == "f0"
    )
    judge = read(study, "summeval", "test.json")["judges"]["f0"]
    assert float(row[2]) == pytest.approx(judge["traditional"]["accuracy"])
    assert float(row[4]) == pytest.approx(judge["winning_rate"])
    assert float(row[5]) == pytest.approx(judge["advantage_probability"])


def test_without_summeval_its_tables_are_skipped(study, tmp_path):
    test = read(study, "binary", "test.json")
    for name in ("test", "panels", "weighted", "labels"):
        (tmp_path / "d" / "binary").mkdir(parents=True, exist_ok=True)
        write_json(tmp_path / "d" / "binary" / f"{name}.json", read(study, "binary", f"{name}.json"))
    write_json(tmp_path / "d" / "overview.json", overview({"binary": test}))
    made = build(
        "Table",
        {t: f"analysis.alt_test.tables.{t}" for t in TABLES},
        tmp_path / "d",
        tmp_path / "t",
        write_table,
    )
    assert [o.title.split(".")[0] for o in made if o.skipped] == ["Table 5", "Table 6"]


def test_panels_by_kind():
    for name, (panel, labels, score) in KINDS.items():
        humans, judges = documents(np.random.default_rng(0), labels, n_items=6)
        names = set(
            panels_of(set_from_config(name, {**ENTRY, "score": score, "panel": panel}), humans, judges)
        )
        expected = {
            "binary": {"stacked", "stacked_told", "unweighted"},
            "summeval": {
                "mean", "mean_rounded", "median", "median_rounded", "calibrated", "calibrated_rounded",
            },
            "plurality": {"plurality"},
        }  # fmt: skip
        assert names == expected[name]


def test_constant_judge_and_label_shares():
    humans = {"a": {"d__0": "x", "d__1": "x"}, "b": {"d__0": "y", "d__1": "x"}}
    assert constant_judge(humans) == {"d__0": "x", "d__1": "x"}
    described = set_from_config("s", {**ENTRY, "aspects": {"0": "zero", "1": "one"}})
    shares = label_shares(described, humans, {"f": {"d__0": "z", "d__1": None, "elsewhere__0": "x"}})
    assert shares["0"]["humans"] == shares["0"]["majority"] == {"x": 0.5, "y": 0.5}
    assert shares["0"]["judges"]["f"] == {"x": 0.0, "y": 0.0, "z": 1.0}
    assert shares["1"]["judges"]["f"] == {"x": 0.0, "y": 0.0}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"document": "("}, "no regular expression"),
        ({"document": "^x"}, "needs a group"),
        ({"document": "^(zzz)"}, "finds nothing in item"),
        ({"aspects": {"0": "zero"}}, "which `aspects` does not name"),
        ({"panel": {"kind": "binary"}}, "needs its `positive`"),
    ],
)
def test_sets_refused(tmp_path, change, words):
    humans, judges = documents(np.random.default_rng(0), ("no", "yes"))
    for kind, given in (("human", humans), ("llm", judges)):
        (tmp_path / f"{kind}.json").write_text(json.dumps(given))
    with pytest.raises(InputError, match=words):
        derive_set(set_from_config("s", {**ENTRY, **change}), tmp_path / "human.json", tmp_path / "llm.json")


# The committed numbers


@pytest.fixture(scope="module")
def committed(root):
    return root / "derived" / "alt_test"


def test_committed_simulation_says_what_appendix_c_says(committed):
    """Kappa 0.8 at eta_h = 0.1; the readings of the text, in words, on the committed curves."""
    values = read(committed, "simulation.json")
    assert (values["design"]["n_sets"], values["design"]["n_bootstraps"]) == (50, 50)
    assert values["design"]["sizes"] == list(range(30, 201, 10))
    zero, five, ten, twenty = range(4)
    panels = {(p["human_noise"], p["judge_noise"]): p for row in values["figure4"] for p in row}
    assert panels[0.1, 0.1]["kappa"] == pytest.approx(0.8, abs=0.03)
    assert panels[0.5, 0.1]["kappa"] == pytest.approx(0.25, abs=0.05)
    # "The LLM can pass the test even for epsilon = 0 when the gap is large enough."
    assert panels[0.5, 0.1]["winning_rate"][zero][-1] > 0.9
    # Equal noise: "passes for epsilon = 0.2 with fewer than 50 instances, but not for epsilon < 0.1".
    for eta in (0.1, 0.2, 0.3):
        assert panels[eta, eta]["winning_rate"][twenty][2] > 0.5
        assert panels[eta, eta]["winning_rate"][five][-1] < 0.55
    # Stronger humans make it harder; stronger judges make it easier.
    for size in (2, 7, 17):
        across = [panels[eta, 0.3]["winning_rate"][ten][size] for eta in (0.1, 0.2, 0.3, 0.4, 0.5)]
        assert across == sorted(across)
        down = [panels[0.3, eta]["winning_rate"][ten][size] for eta in (0.5, 0.4, 0.3, 0.2, 0.1)]
        assert down == sorted(down)
    # Figure 5: more categories are harder with reliable humans and easier with unreliable ones.
    of = {
        (p["human_noise"], p["categories"]): p["winning_rate"][ten][7]
        for row in values["figure5"]
        for p in row
    }
    assert [of[0.1, k] for k in (2, 4, 8, 16)] == sorted((of[0.1, k] for k in (2, 4, 8, 16)), reverse=True)
    unreliable = {
        (p["human_noise"], p["categories"]): p["winning_rate"][zero][17]
        for row in values["figure5"]
        for p in row
    }
    assert [unreliable[0.5, k] for k in (2, 4, 8, 16)] == sorted(unreliable[0.5, k] for k in (2, 4, 8, 16))


def test_committed_summeval_has_the_published_anchors(committed):
    """B.3, D.1: Mistral passes for consistency only, with rho 0.87; 89% of the majorities there are a 5."""
    test, labels = read(committed, "summeval", "test.json"), read(committed, "summeval", "labels.json")
    passed = {a: one["judges"]["mistral-v03"]["passes"] for a, one in test["domains"].items()}
    assert passed == {"coherence": False, "consistency": True, "fluency": False, "relevance": False}
    consistency = test["domains"]["consistency"]["judges"]
    assert consistency["mistral-v03"]["advantage_probability"] == pytest.approx(0.87, abs=0.006)
    assert labels["consistency"]["majority"]["5"] == pytest.approx(0.89, abs=0.005)
    assert labels["consistency"]["humans"]["5"] == pytest.approx(0.87, abs=0.03)
    assert test["judges"]["mistral-v03"]["traditional"]["pearson"] == pytest.approx(0.12, abs=0.02)


def test_committed_values_are_the_reference(committed, shared_spec):
    expected = json.loads((shared_spec / "alt_test_reference.json").read_text())
    for name, judges in expected.items():
        found = read(committed, name, "test.json")["judges"]
        for judge, values in judges.items():
            for key, value in values.items():
                assert found[judge][key] == pytest.approx(value, abs=1e-12)


@pytest.mark.slow
def test_committed_sets_are_regenerated(committed, root, shared_data, tmp_path):
    """All sets from the publishers' files, at 1e-8."""
    config = yaml.safe_load((root / "config" / "alt_test.yaml").read_text())["alt_test"]
    for name, entry in config["sets"].items():
        folder: Path = shared_data / "alt_test" / name
        values = derive_set(
            set_from_config(name, entry), folder / "human_annotations.json", folder / "llm_annotations.json"
        )
        for step, value in values.items():
            (tmp_path / "new" / name).mkdir(parents=True, exist_ok=True)
            (tmp_path / "old" / name).mkdir(parents=True, exist_ok=True)
            write_json(tmp_path / "new" / name / f"{step}.json", value)
            write_json(tmp_path / "old" / name / f"{step}.json", read(committed, name, f"{step}.json"))
    comparison = compare_folders(tmp_path / "new", tmp_path / "old")
    assert comparison.passed, comparison.report()


def test_committed_numbers_hold_no_text_of_others(committed):
    """Aggregates only: no item id of the publishers' files."""
    text = "".join(path.read_text() for path in committed.rglob("*.json"))
    for mark in ("dm-test-", "cnn-test-", "ISIC_", "nationalreview", ".txt__"):
        assert mark not in text
