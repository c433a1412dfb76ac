"""The report of a suite: everything is in it, and nothing that it did not mean to say."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

import raim
from analysis.pipeline.build import read_summary
from analysis.pipeline.derived import Derived
from analysis.report.class_shares import class_shares
from analysis.report.page import Page, Section, Shown, anchor, render
from tests.analysis.report.browser import find_browser, visit
from tests.analysis.report.reading import Element, read
from tests.analysis.report.suite_report import BENCHMARK, LABEL, TAG, TITLE, make_report, write_report

#: All that a report is made of; nothing that runs, embeds or loads.
ELEMENTS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "body",
        "header",
        "nav",
        "main",
        "section",
        "article",
    ),
    *("h1", "h2", "h3", "p", "a", "ol", "ul", "li", "dl", "dt", "dd", "div", "span", "strong", "sup"),
    *("table", "colgroup", "thead", "tbody", "tfoot", "tr", "th", "td", "figure", "img", "figcaption"),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_report(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page(report: Path) -> Element:
    return read(report.read_text(encoding="utf-8"))


def test_every_output_is_shown_or_skipped_with_its_reason(report: Path, page: Element) -> None:
    for kind in ("tables", "figures"):
        outputs = read_summary(report.parent / kind)
        assert {bool(output.skipped) for output in outputs} == {True, False}
        for output in outputs:
            (article,) = (
                one
                for one in page.all("article")
                if one.all("h3")[0].text() == output.title and not one.all("a")
            )
            assert article.attributes["aria-labelledby"] == article.all("h3")[0].attributes["id"]
            assert output.source in article.text()
            if output.skipped:
                assert f"Skipped: {output.skipped}." in article.text()
                assert not article.all("table", "img")
            else:
                assert output.origin in article.text()
                assert f"rule {kind}, analysis/{kind}/" in article.text()
                assert len(article.all("table", "img")) == 1


def test_outputs_stand_in_the_papers_order(page: Element) -> None:
    for name, kind in (("tables", "Table"), ("figures", "Figure")):
        (section,) = (one for one in page.all("section") if one.attributes["aria-labelledby"] == name)
        titles = [heading.text() for heading in section.all("h3")]
        found = [re.match(rf"{kind} (\d+)(\w?)\.", title).groups() for title in titles]
        assert found == sorted(found, key=lambda number: (int(number[0]), number[1]))


def test_tables_have_the_cells_of_their_other_formats(report: Path, page: Element) -> None:
    for name, file in (("table-15", "table15"), ("table-1", "table01")):
        (article,) = (one for one in page.all("article") if one.attributes["aria-labelledby"] == name)
        rows = [row for part in article.all("tbody", "tfoot") for row in part.all("tr")]
        cells = [text for row in rows for cell in row.all("th", "td") if (text := cell.text().strip())]
        text = (report.parent / "tables" / f"{file}.md").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.startswith("|")][2:]
        plain = [unescape(re.sub(r"</?sup>|[*\\]", "", cell)) for line in lines for cell in line.split(" |")]
        texts = [cell.removeprefix("| ").strip() for cell in plain]
        assert [cell.replace("\\", "") for cell in cells] == [cell for cell in texts if cell.strip("|")]


def test_figures_are_the_drawings_themselves(report: Path, page: Element) -> None:
    images = page.all("img")
    drawn = {path.read_bytes() for path in (report.parent / "figures").glob("*.png")}
    shown = [base64.b64decode(one.attributes["src"].removeprefix("data:image/png;base64,")) for one in images]
    assert set(shown) == drawn
    assert len(shown) == len(drawn)
    assert all(len(one.attributes["alt"]) > 20 for one in images)
    assert all(int(one.attributes[side]) > 100 for one in images for side in ("width", "height"))


def test_the_stamp_is_complete(page: Element, report: Path) -> None:
    overview = json.loads((report.parent / "derived" / "overview.json").read_text())
    facts = {one.all("dt")[0].text(): one.all("dd")[0].text() for one in page.all("dl")[0].all("div")}
    assert facts == {
        "Suite": "suite",
        "Label": LABEL,
        "Digest of the records": overview["records"],
        "Made by": f"raim {raim.__version__}",
    }
    captions = [
        one.text() for one in page.all("figcaption", "p") if one.tag == "figcaption" or is_caption(one)
    ]
    assert len(captions) > 20
    assert all(f"Suite suite: {LABEL}" in caption for caption in captions)


def is_caption(one: Element) -> bool:
    return one.attributes.get("class") == "caption"


def test_text_of_a_suite_is_text(page: Element) -> None:
    assert page.all("h1")[0].text() == TITLE
    tags = Counter(element.tag for element in page.all())
    assert set(tags) <= ELEMENTS
    assert tags["img"] == len(page.all("figure"))
    attributes = {name for element in page.all() for name in element.attributes}
    assert not [name for name in attributes if name.startswith("on") or name == "style"]
    text = page.all("main")[0].text()
    assert TAG in text
    assert BENCHMARK[:-1] + "\\u202e" in text
    assert BENCHMARK[-1] not in text


def test_nothing_is_loaded_and_links_lead_somewhere(page: Element) -> None:
    names = Counter(one.attributes["id"] for one in page.all() if "id" in one.attributes)
    assert max(names.values()) == 1
    for one in page.all():
        for attribute in ("href", "src"):
            if address := one.attributes.get(attribute):
                assert address.startswith("data:") or address[1:] in names, address
        for attribute in ("aria-labelledby",):
            assert one.attributes.get(attribute, "contents") in names
    (style,) = page.all("style")
    assert "url(" not in style.text()
    assert "@import" not in style.text()
    policy = next(m for m in page.all("meta") if m.attributes.get("http-equiv") == "Content-Security-Policy")
    assert policy.attributes["content"].startswith("default-src 'none'")


def test_tables_can_be_read_aloud(page: Element) -> None:
    assert page.all("html")[0].attributes["lang"] == "en"
    levels = [int(one.tag[1]) for one in page.all("h1", "h2", "h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for table in page.all("table"):
        assert all(one.attributes.get("scope") for one in table.all("th"))
        assert all(one.text().strip() for one in table.all("th"))
        widths = {
            sum(int(cell.attributes.get("colspan") or 1) for cell in row.all("th", "td"))
            for row in table.all("tr")
        }
        assert len(widths) == 1


def test_readings_stand_in_words(page: Element) -> None:
    (section,) = (one for one in page.all("section") if one.attributes["aria-labelledby"] == "readings")
    assert "The stacked panel against its best member (CV): " in section.text()
    assert "against Sonnet: " in section.text()
    assert re.search(
        r"MedHallu: \w+( \w+)?\. .* Admissibility: (not )?admissible\. \d of 5 reach", section.text()
    )
    header, *rows = ([cell.text() for cell in row.all("th", "td")] for row in section.all("tr"))
    assert header[-2:] == ["Sonnet (frontier)", "verdict"]
    assert len(rows) == 4
    assert all(re.match(r"(clear|unresolved) \w+: [+−]0\.\d+ \[", row[2]) for row in rows)


def test_readings_for_uneven_classes_stand_beside_the_plain_one(report: Path, page: Element) -> None:
    (section,) = (one for one in page.all("section") if one.attributes["aria-labelledby"] == "class-shares")
    assert "No benchmark has classes that are far from even." in section.text()
    rows = [
        [cell.text().strip() for cell in row.all("th", "td")] for row in section.all("tbody")[0].all("tr")
    ]
    values = json.loads((report.parent / "derived" / "medhallu" / "prevalence.json").read_text())["readings"]
    (row,) = (row for row in rows if row[0] == "MedHallu")
    assert row[1:4] == [
        "50.0",
        *(f"{values[r]['kappa']['resample_mean']:.3f}" for r in ("plain", "balanced")),
    ]


def test_far_from_even_classes_are_warned_of(report: Path, tmp_path: Path) -> None:
    shutil.copytree(report.parent / "derived", tmp_path / "derived")
    path = tmp_path / "derived" / "wice" / "prevalence.json"
    values = json.loads(path.read_text())
    path.write_text(json.dumps({**values, "far_from_even": True, "warning": "read it balanced"}))
    section = class_shares(Derived(tmp_path / "derived"))
    assert section.points == (f"{BENCHMARK}: read it balanced",)
    assert section.paragraphs == ()


def test_a_failed_check_is_reported(report: Path, tmp_path: Path) -> None:
    assert "PASS: the numbers are the committed ones" in report.read_text(encoding="utf-8")
    committed = tmp_path / "committed"
    shutil.copytree(report.parent / "derived", committed)
    path = committed / "medhallu" / "ladder.json"
    values = json.loads(path.read_text())
    values["methods"]["stacked"]["kappa"]["estimate"] += 1e-6
    path.write_text(json.dumps(values))
    kept = report.read_text(encoding="utf-8")
    try:
        text = write_report(report.parent, committed).read_text(encoding="utf-8")
        assert "FAIL: 1 differences" in text
        assert "medhallu/ladder.json: methods.stacked.kappa.estimate" in text
        assert "does not name it" in write_report(report.parent, None).read_text(encoding="utf-8")
    finally:
        report.write_text(kept, encoding="utf-8")


def test_anchors_are_one_to_one() -> None:
    assert anchor("Table A3. The panel. Again") == "table-a3"
    assert anchor("Figure 3a. Plane", "sim") == "sim-figure-3a"
    one = Shown("table-1", "Table 1. One", "nowhere", None, "there is nothing")
    page = Page("A study", "", (), (Section("tables", "Tables", shown=(one,)),))
    assert "Skipped: there is nothing." in render(page)
    twice = replace(page, sections=(Section("tables", "Tables", shown=(one, one)),))
    with pytest.raises(ValueError, match="occur twice: table-1"):
        render(twice)


def test_in_a_browser(report: Path, tmp_path: Path) -> None:
    browser = find_browser()
    if browser is None:
        pytest.skip("needs Chromium (install it, or set CHROMIUM to its command)")
    seen = visit(browser, report, (1280, 400), tmp_path / "profile")
    assert seen.console == []
    assert seen.asked == {"/harness", "/report.html"}
    for width, found in seen.measured.items():
        assert found["content"] <= found["visible"], f"wider than the window at {width} pixels"
        assert len(found["images"]) == len(list((report.parent / "figures").glob("*.png")))
        assert all(natural > 100 and 0 < shown <= int(width) for natural, shown in found["images"])
        assert found["scripts"] == 0
        assert found["requests"] == []


def test_the_browser_test_sees_what_is_wrong(tmp_path: Path) -> None:
    browser = find_browser()
    if browser is None:
        pytest.skip("needs Chromium (install it, or set CHROMIUM to its command)")
    page = tmp_path / "page" / "page.html"
    page.parent.mkdir()
    page.write_text(
        '<div style="width:900px">wide</div><img src="/gone.png"><script>undefined_name()</script>'
    )
    seen = visit(browser, page, (400,), tmp_path / "profile")
    found = seen.measured["400"]
    assert found["content"] >= 900 > found["visible"]
    assert found["images"][0][0] == 0
    assert found["scripts"] == 1
    assert "/gone.png" in seen.asked
    assert any("undefined_name" in line for line in seen.console)
