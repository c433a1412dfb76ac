"""The reports of the studies, from the committed numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.pipeline.build import Output, build
from analysis.pipeline.derived import Derived
from analysis.report.page import render
from analysis.report.study import Part, study_page
from analysis.tables.files import write_table
from tests.analysis.report.reading import Element, read


def part(derived: Path, package: str, tables: list[str], folder: Path) -> Part:
    modules = {name: f"{package}.{name}" for name in tables}
    made = build("Table", modules, derived, folder, write_table, "some_tables")
    figure = Output("figure1", "Figure 1. A drawing", "a paper", (), (), "it was not drawn")
    return Derived(derived), {"tables": made, "figures": [figure]}, folder


def titles(page: Element) -> list[str]:
    return [heading.text() for heading in page.all("h2", "h3")]


def test_the_annotator_test(root: Path, tmp_path: Path) -> None:
    derived = root / "derived" / "alt_test"
    parts = {"": part(derived, "analysis.alt_test.tables", ["table2", "table1"], tmp_path / "tables")}
    page = read(render(study_page("Alternative annotator test", derived, parts, derived)))
    assert titles(page) == [
        "Contents",
        "Check against the committed numbers",
        "Alternative annotator test",
        "Table 1. Sets of annotations",
        "Table 2. Judges and the test",
        "Figure 1. A drawing",
    ]
    text = page.all("main")[0].text()
    assert "PASS: the numbers are the committed ones" in text
    assert "Framing: 2,552 items in 116 documents, 6 judges." in text
    assert "rule some_tables, analysis/alt_test/tables/table1.py, from overview.json, */test.json" in text
    assert "Skipped: it was not drawn." in text
    (label,) = (one for one in page.all("p") if one.attributes.get("class") == "label")
    assert label.text() == Derived(derived).overview["label"]


def test_pools_keep_their_outputs_apart(root: Path, tmp_path: Path) -> None:
    derived = root / "derived" / "judgemoe"
    parts = {
        pool: part(derived / pool, "analysis.judgemoe.tables", ["table02", "table03"], tmp_path / pool)
        for pool in ("paper", "sim")
    }
    page = read(render(study_page("JudgeMoE", derived, parts, None)))
    ids = [one.attributes["id"] for one in page.all("h3")]
    expected = ["table-2", "table-3", "figure-1"]
    assert ids == [f"{pool}-{name}" for pool in parts for name in expected]
    assert len(page.all("table")) == 3, "the published numbers have no Table 3"
    text = page.all("main")[0].text()
    assert "10 original cells: SummEval@1-5" in text
    assert "does not name it" in text
    digests = [one.text() for one in page.all("dd")]
    assert digests[:2] == [derived_overview(derived / pool)["records"] for pool in parts]
    assert not [one for one in page.all("p") if one.attributes.get("class") == "label"]


def derived_overview(folder: Path) -> dict[str, str]:
    return dict(Derived(folder).overview)


def test_anchors_of_two_pools_would_clash_without_their_names(root: Path, tmp_path: Path) -> None:
    derived = root / "derived" / "judgemoe"
    one = part(derived / "paper", "analysis.judgemoe.tables", ["table02"], tmp_path / "one")
    page = study_page("JudgeMoE", derived, {"a": one}, None)
    clash = type(page)(page.title, page.label, page.facts, (*page.sections, *page.sections[1:]))
    with pytest.raises(ValueError, match="occur twice: a, a-table-2, a-figure-1"):
        render(clash)
