"""The paper's tables from the derived files of two suites: one with every comparator, one with a bare panel."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.pipeline.build import Output, build
from analysis.pipeline.derive import derive_benchmark, derive_suite
from analysis.pipeline.derived import Derived
from analysis.published import read_published
from analysis.steps.order import order_steps
from analysis.tables.files import write_table
from tests.analysis.full_suite import derive, write_full_suite
from tests.synthetic import PANEL, Judge, make_suite

ROOT = Path(__file__).resolve().parents[3]
MODULES = {
    path.stem: f"analysis.tables.{path.stem}"
    for path in (ROOT / "analysis" / "tables").glob("table[0-9]*.py")
}
#: What pdfLaTeX sets without a further package, beside ASCII.
LATIN = {*map(chr, range(0xA0, 0x180)), "§"}


class Built:
    """A suite's derived files and tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.derived = Derived(folder / "derived")
        outputs = build("Table", MODULES, folder / "derived", folder / "tables", write_table)
        self.outputs: dict[str, Output] = {output.module.rpartition(".")[2]: output for output in outputs}

    def csv(self, table: str) -> pd.DataFrame:
        text = (self.folder / "tables" / f"{table}.csv").read_text(encoding="utf-8")
        return pd.read_csv(io.StringIO(text), comment="#")

    def text(self, table: str, ending: str = "md") -> str:
        return (self.folder / "tables" / f"{table}.{ending}").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("full")
    derive(
        write_full_suite(folder / "toy"),
        folder / "derived",
        (*order_steps().suite, *order_steps().benchmarks),
    )
    return Built(folder)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """No comparator; a member that was asked about one benchmark, and one that judged half of another."""
    folder = tmp_path_factory.mktemp("bare")
    judges = [*PANEL, Judge("half", 0.6, only=("factscore",)), Judge("quitter", 0.6)]
    suite = make_suite(folder / "toy", judges, {"factscore": 25, "medhallu": 30})
    cut_short(suite, "medhallu", "quitter", 20)
    passes = order_steps()
    for steps in (passes.before, passes.alongside):
        list(derive_suite(steps, suite, folder / "derived", ["factscore", "medhallu"]))
    for name in ("factscore", "medhallu"):
        list(derive_benchmark(passes.benchmarks, suite, folder / "derived", name))
    list(derive_suite(passes.after, suite, folder / "derived", ["factscore", "medhallu"]))
    return Built(folder)


def cut_short(suite: Path, benchmark: str, judge: str, kept: int) -> None:
    """Leave the first records of one judge only, as a run that was stopped does."""
    from verdicts.records.files import read_record_file, write_record_file
    from verdicts.records.lock import write_lock

    path = suite / "records" / benchmark / f"{judge}.jsonl.gz"
    file = read_record_file(path)
    write_record_file(path, file.condition, list(file.records.values())[:kept], file.runs)
    write_lock(suite)


def ladder(built: Built, benchmark: str) -> Mapping[str, Any]:
    return built.derived.read(benchmark, "ladder")


def test_every_table_of_the_paper_has_a_module() -> None:
    numbers = {import_module(name).NUMBER for name in MODULES.values()}
    assert numbers >= set(range(1, 24))


def test_every_table_is_made_of_a_suite_with_every_comparator(full: Built) -> None:
    skipped = {name for name, output in full.outputs.items() if output.skipped is not None}
    assert skipped == {"table03", "table19", "table20"}
    assert all(len(output.files) == 3 for name, output in full.outputs.items() if name not in skipped)


def test_a_bare_panel_lacks_what_needs_other_judges_and_says_so(bare: Built) -> None:
    for name in ("table12", "table13"):
        reason = bare.outputs[name].skipped
        assert reason is not None
        assert "the suite has" in reason
        assert not (bare.folder / "tables" / f"{name}.csv").exists()
    for name in ("table01", "table15", "table16", "table17", "table22", "table23"):
        assert bare.outputs[name].skipped is None


@pytest.mark.parametrize("ending", ["csv", "md", "tex"])
def test_every_table_is_stamped_and_says_what_the_suite_is(full: Built, ending: str) -> None:
    for name, output in full.outputs.items():
        if output.files:
            text = full.text(name, ending)
            assert str(full.derived.stamp) in text, name
            assert f"{name}.py, from overview.json" in text.replace("\\", ""), name
            assert "SIMULATED: no judge was asked" in text, name


def test_latex_has_signs_that_it_can_set(full: Built) -> None:
    for name, output in full.outputs.items():
        if output.files:
            text = full.text(name, "tex")
            foreign = {sign for sign in text if ord(sign) > 127} - LATIN
            assert not foreign, (name, foreign)
            assert text.count("{") == text.count("}")


def test_table_1_is_the_ladder_with_the_frontier_judge(full: Built) -> None:
    frame = full.csv("table01").set_index("dataset")
    assert list(frame["group"]) == ["Core grounded"] * 2 + ["Grounded (secondary)", "Ungrounded (contrast)"]
    entry = ladder(full, "wice")
    row = frame.loc["WiCE"]
    for column, method in (("label-free, κ: D–S", "dawid_skene"), ("stacked panel: κ", "stacked")):
        score = entry["methods"][method]["kappa"]
        for part in ("estimate", "resample_mean", "low", "high"):
            assert row[f"{column} {part}"] == pytest.approx(score[part], abs=1e-9)
        assert row[column] == row[f"{column} resample_mean"]
        assert row[f"{column} n_scored"] == score["n_scored"]
        assert row[f"{column} n_total"] == 120
    frontier = full.derived.read("wice", "frontier")["sonnet"]
    column = "paired Δ (panel − comparator): frontier (bacc)"
    delta = frontier["balanced_accuracy"]["delta"]
    assert row[column] == pytest.approx(100 * delta["resample_mean"])
    assert row[f"{column} high"] == pytest.approx(100 * delta["high"])
    assert row[f"{column} p_one_sided"] == delta["p_one_sided"]


def test_table_1_counts_the_readings(full: Built) -> None:
    line = next(line for line in full.text("table01", "csv").splitlines() if line.startswith("# count"))
    cells = [cell.strip() for cell in line.removeprefix("# ").split("|")][-4:]
    for cell, pair in zip(cells[:2], ("stacked-average_member", "stacked-best_cv"), strict=True):
        deltas = [ladder(full, name)["deltas"][pair]["kappa"] for name in full.derived.benchmarks]
        up = sum(d["low"] > 0 for d in deltas), sum(d["resample_mean"] > 0 >= d["low"] for d in deltas)
        down = sum(d["high"] < 0 for d in deltas), sum(d["resample_mean"] < 0 <= d["high"] for d in deltas)
        assert [int(n) if n != "–" else 0 for n in re.findall(r"\d+|–", cell)] == [*up, *down]


def test_table_1_without_a_frontier_judge_says_so(bare: Built) -> None:
    text = bare.text("table01")
    assert "n/a: the suite has no frontier judge." in text
    frame = pd.read_csv(io.StringIO(bare.text("table01", "csv")), comment="#", keep_default_na=False)
    for column in frame.columns:
        if "frontier" in column:
            assert set(frame[column]) == {"n/a"}, column


def test_members_left_out_are_listed_with_the_reason(bare: Built) -> None:
    for name in ("table01", "table15", "table17", "table23"):
        text = bare.text(name).replace("\\", "")
        assert "Left out of the panel, not asked about this benchmark: Half (MEDHALLU)." in text
        assert "Left out of the panel, missing: 20 of 60 items judged: Quitter (MEDHALLU)." in text
    text = bare.text("table22").replace("\\", "")
    assert "(a) undefined: not asked about this benchmark" in text
    assert "(b) undefined: missing: 20 of 60 items judged" in text


def test_scores_on_fewer_items_are_marked_with_their_number(full: Built) -> None:
    """The CV-best single abstains where its member does."""
    for name in full.derived.benchmarks:
        score = ladder(full, name)["methods"]["best_cv"]["kappa"]
        if score["n_scored"] < score["n_total"]:
            assert f"{score['resample_mean']:.3f}<sup>†</sup> ({score['n_scored']})" in full.text("table15")
            return
    pytest.fail("no CV-best single abstains on this suite")


@pytest.mark.parametrize(
    ("table", "metric", "scale"), [("table15", "kappa", 1), ("table16", "balanced_accuracy", 100)]
)
def test_the_method_ladders_print_every_method(full: Built, table: str, metric: str, scale: int) -> None:
    frame = full.csv(table).set_index("method")
    assert len(frame) == 9
    for label, method in (("log-odds-weighted", "log_odds_weighted"), ("oracle single", "oracle")):
        for title, name in (("MedHallu", "medhallu"), ("CNN", "cnn")):
            score = ladder(full, name)["methods"][method][metric]
            assert frame.loc[label, title] == pytest.approx(scale * score["resample_mean"], abs=1e-8)
            assert frame.loc[label, f"{title} low"] == pytest.approx(scale * score["low"], abs=1e-8)


def test_table_22_counts_verdicts_and_missing_records(bare: Built) -> None:
    frame = bare.csv("table22").set_index("judge")
    entry = bare.derived.overview["benchmarks"]["medhallu"]
    for member, title in (
        ("smollm2-135m.constrained", "Smollm2-135M"),
        ("gemma-3-270m.constrained", "Gemma-3-270M"),
    ):
        scored = entry["members"][member]["n_scored"]
        assert frame.loc[title, "MEDHALLU"] == pytest.approx(scored / 60)
        assert frame.loc[title, "MEDHALLU n_scored"] == scored
        assert frame.loc[title, "MEDHALLU missing"] == 0
    assert frame.loc["Half", "MEDHALLU missing"] == 60
    assert frame.loc["Quitter", "MEDHALLU missing"] == 40
    assert pd.isna(frame.loc["Quitter", "MEDHALLU"])
    votes = [e for b in bare.derived.overview["benchmarks"].values() for e in b["members"].values()]
    abstained = sum(e["n_total"] - e["n_scored"] for e in votes)
    total = sum(e["n_total"] for e in votes)
    assert f"The panels abstain on {abstained} of {total} votes" in bare.text("table22")
    assert "| quitter |" not in bare.text("table22")


def test_table_13_sets_the_panel_beside_every_other_judge(full: Built) -> None:
    frame = full.csv("table13").set_index("dataset")
    for judge, title in (("sonnet", "Sonnet"), ("qwen32b", "Qwen2.5-32B")):
        entry = full.derived.read("cnn", "frontier")[judge]
        level = full.derived.read("cnn", "judges")[judge]["kappa"]
        assert frame.loc["CNN", f"{title}: κ"] == pytest.approx(level["resample_mean"])
        delta = entry["kappa"]["delta"]
        assert frame.loc["CNN", f"{title}: Δκ"] == pytest.approx(delta["resample_mean"])
        assert frame.loc["CNN", f"{title}: Δκ low"] == pytest.approx(delta["low"])
    kept = full.derived.read_suite("substitution")["sonnet"]["kappa_kept"]["median"]
    assert f"the panel keeps a median {kept:.0%} of κ" in full.text("table13")


def test_table_8_sets_measured_means_beside_published_ones(full: Built) -> None:
    frame = full.csv("table08").set_index("system")
    assert frame.loc["GPT-4o", "mean"] == 70.8
    # The suite has two of the four sets: no mean over four.
    assert pd.isna(frame.loc["stacked panel", "mean"])
    score = ladder(full, "cnn")["methods"]["stacked"]["balanced_accuracy"]["resample_mean"]
    assert frame.loc["stacked panel", "CNN"] == pytest.approx(100 * score)
    # Sets that the suite lacks go by their own names too.
    assert {"XSum", "ExpertQA"} <= set(frame.columns)


def test_published_means_are_those_of_their_rows() -> None:
    for row in read_published("leaderboard")["rows"]:
        assert sum(row["scores"]) / 4 == pytest.approx(row["mean"], abs=0.101), row["system"]


def test_table_9_names_the_best_member(full: Built) -> None:
    values = full.derived.read("medhallu", "external_f1")
    best = max(entry["estimate"] for entry in values["members"].values())
    frame = full.csv("table09").set_index("system")
    rows = frame[frame.index.str.startswith("best member by F1")]
    assert rows["F1"].tolist() == pytest.approx([100 * best])
    # What the published systems do not say is undefined with its reason, not left empty.
    assert frame["coverage"].isna().sum() == sum(frame["source"] != "this suite") > 0
    assert "undefined: not reported" in full.text("table09")


def test_table_17_and_23_print_paired_differences(full: Built) -> None:
    delta = ladder(full, "medhallu")["deltas"]["dawid_skene-best_cv"]["kappa"]
    row = full.csv("table17").set_index("dataset").loc["MedHallu"]
    assert row["unsupervised aggregator: Δ DS−best"] == pytest.approx(delta["resample_mean"])
    values = full.derived.read("medhallu", "abstention")
    row = full.csv("table23").set_index("dataset").loc["MedHallu"]
    assert row["moved"] == values["pairs"]["categorical-imputed"]["moved"]
    assert row["stacked κ: 0.5"] == pytest.approx(values["methods"]["imputed"]["estimate"])


def test_table_18_and_21_describe_the_suite(full: Built) -> None:
    frame = full.csv("table18").set_index("dataset")
    assert frame.loc["WiCE", ["items", "clusters"]].tolist() == [120, 60]
    assert frame.loc["WiCE", "balance"] == "60/60"
    roster = full.csv("table21")
    assert len(roster) == len(full.derived.overview["roster"])
    assert roster.iloc[0]["checkpoint"].startswith("meta-llama/") or roster.iloc[0]["#"] == 0


def test_a_table_reads_the_steps_it_names_alone(full: Built) -> None:
    with pytest.raises(ValueError, match="step 'ladder' is read, which READS does not name"):
        import_module("analysis.tables.table15").build(Derived(full.folder / "derived", frozenset()))


@pytest.mark.parametrize("suite", ["full", "bare"])
def test_latex_sets_every_table(suite: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex with booktabs and graphicx (texlive-latex-recommended)")
    built: Built = request.getfixturevalue(suite)
    tables = [built.text(name, "tex") for name, output in sorted(built.outputs.items()) if output.files]
    assert len(tables) > 12
    packages = r"\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{booktabs,graphicx}"
    document = [
        r"\documentclass{article}",
        packages,
        r"\begin{document}",
        *tables,
        r"\clearpage\end{document}",
    ]
    (tmp_path / "tables.tex").write_text("\n".join(document), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
    )
    log = (tmp_path / "tables.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log
    assert "Output written on tables.pdf" in log
