"""Tables 2, 4, 5, 11 and 12 and Figures 7, 8 and 11 of a suite that has every kind of comparator."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

from analysis.figures.files import write_figure
from analysis.pipeline.build import origin
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Heading, Number
from analysis.tables.files import write_table
from analysis.tables.render import Table
from tests.analysis.full_suite import BENCHMARKS, derive, write_full_suite
from tests.synthetic import make_suite

STEPS = ("recovery", "predictor", "transfer", "base_instruct", "frame_contrast", "judges", "routes", "costs")
TABLES, FIGURES = (2, 4, 5, 11, 12), (7, 8, 11)


def module(kind: str, number: int) -> ModuleType:
    return import_module(f"analysis.{kind}s.{kind}{number:02d}")


def readable(derived: Derived, one: ModuleType) -> Derived:
    return Derived(derived.folder, frozenset(one.READS))


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> Derived:
    folder = tmp_path_factory.mktemp("full")
    return derive(write_full_suite(folder / "suite"), folder / "derived", STEPS)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Derived:
    """A suite of members alone."""
    folder = tmp_path_factory.mktemp("bare")
    clusters = dict.fromkeys(BENCHMARKS, 30)
    return derive(make_suite(folder / "suite", benchmarks=clusters), folder / "derived", STEPS)


def table(derived: Derived, number: int) -> Table:
    one = module("table", number)
    built: Table = one.build(readable(derived, one))
    return built


@pytest.mark.parametrize("number", TABLES)
def test_tables_are_written_in_three_formats(derived: Derived, number: int, tmp_path: Path) -> None:
    one = module("table", number)
    made_by = origin(one, derived.folder, "tables")
    files = write_table(one, readable(derived, one), tmp_path, "t", made_by)
    assert files == ("t.csv", "t.md", "t.tex")
    texts = [(tmp_path / name).read_text(encoding="utf-8").replace("\\", "") for name in files]
    assert all("SIMULATED" in text for text in texts)
    assert all(
        f"rule tables, analysis/tables/table{number:02d}.py, from overview.json" in text for text in texts
    )


@pytest.mark.parametrize("number", FIGURES)
def test_figures_are_drawn_whole(derived: Derived, number: int, tmp_path: Path) -> None:
    one = module("figure", number)
    write_figure(one, readable(derived, one), tmp_path, "f")
    pixels = np.asarray(Image.open(tmp_path / "f.png").convert("L"))
    assert (pixels < 128).sum() > 1000
    # Nothing is cut off at the edges but the stamp's line.
    edges = (pixels[0], pixels[:, 0], pixels[: -pixels.shape[0] // 20, -1])
    assert all((edge > 200).all() for edge in edges)


def test_table_2_has_the_routes_of_the_suite(derived: Derived) -> None:
    rows = {row[0]: row for row in table(derived, 2).rows if not isinstance(row, Heading)}
    routes = derived.read_suite("routes")
    assert list(routes["scopes"]) == ["aggrefact", "grounded", "suite"]
    ladders = [
        derived.read(name, "ladder")["methods"]["stacked"]["balanced_accuracy"] for name in ("wice", "cnn")
    ]
    mean = np.mean([entry["resample_mean"] for entry in ladders])
    panel = rows["stacked panel"]
    assert panel[3] == Number(routes["methods"]["stacked"]["aggrefact"]["mean"], 1, 100.0)
    assert routes["methods"]["stacked"]["aggrefact"]["mean"] == pytest.approx(mean)
    assert panel[6].text() == "0.020"
    assert rows["Sonnet"][6].text() == "2.52"
    assert rows["GPT-4o, prompted"][3].text() == "70.8"
    assert rows["MiniCheck-FT5"][5].value is None
    assert rows["MiniCheck-FT5"][-1] == "no"


def test_the_origin_names_files_of_benchmarks_and_of_the_suite(derived: Derived) -> None:
    found = origin(module("table", 12), derived.folder)
    assert found == "analysis/tables/table12.py, from overview.json, */judges.json, */ladder.json"
    assert origin(module("table", 2), derived.folder).endswith("from overview.json, routes.json, costs.json")


def test_table_12_says_where_a_judge_cannot_be_run(derived: Derived) -> None:
    rows = {row[0]: row for row in table(derived, 12).rows}
    missing = rows["FActScore"][1]
    assert missing.value is None
    assert "needs a document" in missing.reason
    kappa = derived.read("wice", "judges")["minicheck"]["kappa"]["resample_mean"]
    assert rows["WiCE"][1].value == kappa


def test_table_12_gives_the_range_of_coverages_or_the_one_that_all_have(derived: Derived, root: Path) -> None:
    shares = [
        derived.read(name, "judges")[judge]["coverage"]
        for name in derived.benchmarks
        for judge in ("minicheck", "prometheus")
        if judge in derived.read(name, "judges")
    ]
    (note,) = table(derived, 12).footnotes
    assert note == f"Coverage of the purpose-trained judges: {min(shares):.3f} to {max(shares):.3f}."
    (note,) = table(Derived(root / "derived" / "sim"), 12).footnotes
    assert note == "Coverage of the purpose-trained judges: 1.000."


def test_table_11_is_of_the_claim_sets(derived: Derived) -> None:
    built = table(derived, 11)
    assert [row[0] for row in built.rows] == ["WiCE", "CNN"]
    assert built.header[-2:] == ("def_on", "own")
    delta = built.rows[0][3]
    assert delta.low < delta.value < delta.high


def test_table_4_counts_every_item_twice(derived: Derived) -> None:
    rows = [row for row in table(derived, 4).rows if not isinstance(row, Heading)]
    n = rows[-1][1]
    by_benchmark = [row for row in rows[:-1] if row[0] in {entry[0] for entry in BENCHMARKS.values()}]
    by_count = [row for row in rows[:-1] if row[0].isdecimal()]
    assert sum(row[1] for row in by_benchmark) == sum(row[1] for row in by_count) == n


@pytest.mark.parametrize(
    ("kind", "number", "reason"),
    [
        ("table", 11, "no member was asked a second time"),
        ("table", 12, "no single judge outside the panel"),
        ("figure", 7, "no two checkpoints"),
        ("figure", 11, "rates name 0 of its 4 members"),
    ],
)
def test_what_a_suite_lacks_is_skipped(bare: Derived, kind: str, number: int, reason: str) -> None:
    one = module(kind, number)
    make = one.build if kind == "table" else one.draw
    with pytest.raises(Skip, match=reason):
        make(readable(bare, one))


def test_table_2_without_costs_and_judges(bare: Derived) -> None:
    built = table(bare, 2)
    rows = {row[0]: row for row in built.rows if not isinstance(row, Heading)}
    assert "Sonnet" not in rows
    # The synthetic benchmarks are all asked under one frame: there is no claim set to average.
    assert [title for title in built.header if "(" in title] == ["grounded (3)", "suite (4)"]
    cost = next(cell for cell in rows["stacked panel"] if isinstance(cell, Number) and cell.value is None)
    assert "rates name 0 of its 4 members" in cost.reason
