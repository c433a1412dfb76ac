"""The report of a full suite whose names are markup."""

from __future__ import annotations

import json
from pathlib import Path

from analysis.figures.files import write_figure
from analysis.pipeline.build import build, read_summary
from analysis.pipeline.derived import Derived
from analysis.report.page import render
from analysis.report.suite import suite_page
from analysis.steps.order import order_steps
from analysis.tables.files import write_table
from tests.analysis.full_suite import derive, write_full_suite
from verdicts.records.lock import write_lock

ROOT = Path(__file__).resolve().parents[3]
TITLE = '"><script>alert("title")</script>{{ 7 * 7 }}{% raw %}'
TAG = "</td></table><script>alert(1)</script>"
BENCHMARK = "<img src=x onerror=alert(1)>\N{RIGHT-TO-LEFT OVERRIDE}"
LABEL = "SIMULATED <b>& not judged</b>"


TABLES = {
    path.stem: f"analysis.tables.{path.stem}" for path in (ROOT / "analysis/tables").glob("table[0-9]*.py")
}
#: Drawing takes long: some that are made, one that never is.
FIGURES = {
    name: f"analysis.figures.{name}" for name in ("figure01", "figure02", "figure03a", "figure07", "figure11")
}


def write_hostile_suite(folder: Path) -> Path:
    """A suite of all comparators; its title, label, a member's tag and a benchmark's title are markup."""
    suite = write_full_suite(folder)
    path = suite / "suite.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values |= {"title": TITLE, "label": LABEL}
    values["members"]["gemma"]["tag"] = TAG
    values["benchmarks"]["wice"]["title"] = BENCHMARK
    path.write_text(json.dumps(values), encoding="utf-8")
    write_lock(suite)
    return suite


def make_report(folder: Path) -> Path:
    """Derive the suite, make its tables and figures, and write ``report.html`` beside them."""
    steps = order_steps()
    derived = derive(
        write_hostile_suite(folder / "suite"), folder / "derived", (*steps.suite, *steps.benchmarks)
    )
    build("Table", TABLES, derived.folder, folder / "tables", write_table, "tables")
    build("Figure", FIGURES, derived.folder, folder / "figures", write_figure, "figures")
    return write_report(folder, derived.folder)


def write_report(folder: Path, committed: Path | None) -> Path:
    outputs = {kind: read_summary(folder / kind) for kind in ("tables", "figures")}
    page = suite_page(Derived(folder / "derived"), outputs, folder / "figures", committed)
    path = folder / "report.html"
    path.write_text(render(page), encoding="utf-8")
    return path
