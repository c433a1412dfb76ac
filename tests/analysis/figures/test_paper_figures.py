"""The paper's figures from the derived files of a suite with every comparator, and of a bare panel."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from analysis.figures.order import by_competence
from analysis.figures.style import save, style
from analysis.pipeline.derive import derive_benchmark, derive_suite
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.steps.order import order_steps
from tests.analysis.full_suite import derive, write_full_suite
from tests.synthetic import PANEL, Judge, make_suite

ROOT = Path(__file__).resolve().parents[3]
STEMS = sorted(path.stem for path in (ROOT / "analysis" / "figures").glob("figure[0-9]*.py"))
OWN = ("figure02", "figure03b", "figure09", "figure10")
#: Overlap of two texts' boxes that is taken for an overlap of the texts, in pixels of both directions.
TOUCHING = 2.0


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Derived:
    folder = tmp_path_factory.mktemp("full")
    passes = order_steps()
    return derive(write_full_suite(folder / "toy"), folder / "derived", (*passes.suite, *passes.benchmarks))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Derived:
    folder = tmp_path_factory.mktemp("bare")
    suite = make_suite(folder / "toy", [*PANEL, Judge("half", 0.6, only=("factscore",))])
    passes, names = order_steps(), ["factscore", "medhallu"]
    list(derive_suite(passes.before, suite, folder / "derived", names))
    for name in names:
        list(derive_benchmark(passes.benchmarks, suite, folder / "derived", name))
    list(derive_suite((*passes.alongside, *passes.after), suite, folder / "derived", names))
    return Derived(folder / "derived")


def drawn(derived: Derived, stem: str, folder: Path) -> Figure:
    module = import_module(f"analysis.figures.{stem}")
    with style(), warnings.catch_warnings():
        # Matplotlib warns where a layout does not fit.
        warnings.simplefilter("error")
        figure: Figure = module.draw(Derived(derived.folder, frozenset(module.READS)))
        save(figure, folder / f"{stem}.pdf", folder / f"{stem}.png", module.NAME, derived.stamp)
        # Saving measured the texts at the resolution of the file.
        figure.draw_without_rendering()
    return figure


def texts(figure: Figure) -> Iterator[Text]:
    """Texts that are drawn, those of the axes and legends too."""
    undrawn = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        # Labels of ticks beyond the limits are kept, and not drawn.
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        for label in (tick.label1, tick.label2)
    }
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text not in undrawn and text.get_visible() and text.get_text().strip():
            yield text


def words(figure: Figure) -> set[str]:
    return {text.get_text() for text in texts(figure)}


def test_every_figure_of_the_paper_has_a_module() -> None:
    numbers = {str(import_module(f"analysis.figures.{stem}").NUMBER) for stem in STEMS}
    assert numbers >= {"1", "2", "3a", "3b", *map(str, range(4, 11))}


@pytest.mark.parametrize("kind", ["full", "bare", "cpu", "sim"])
@pytest.mark.parametrize("stem", STEMS)
def test_no_text_is_clipped_or_runs_into_another(
    kind: str, stem: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Of made suites and of the released ones, whose names are longer and whose cells are emptier."""
    made = kind in ("full", "bare")
    derived = request.getfixturevalue(kind) if made else Derived(ROOT / "derived" / kind)
    try:
        figure = drawn(derived, stem, tmp_path)
    except Skip:
        pytest.skip("not made of this suite")
    edge = figure.bbox
    boxes = []
    for text in texts(figure):
        # An annotation's own extent takes in the line that leads to its point.
        box = Text.get_window_extent(text)
        inside = box.x0 >= edge.x0 + 1 and box.y0 >= edge.y0 + 1
        inside = inside and box.x1 <= edge.x1 - 1 and box.y1 <= edge.y1 - 1
        assert inside, f"{stem}: {text.get_text()!r} at {box} leaves {edge}"
        # The box of a slanted text says little about where its letters are.
        if text.get_rotation() % 90 == 0:
            boxes.append((text.get_text(), box))
    for (first, a), (second, b) in combinations(boxes, 2):
        across, along = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, along) < TOUCHING, f"{stem}: {first!r} runs into {second!r}"


def test_figure_2_draws_members_panel_oracle_and_frontier(full: Derived, tmp_path: Path) -> None:
    figure = drawn(full, "figure02", tmp_path)
    axes = figure.axes[0]
    points = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 5]
    assert len(points) == 4
    stars = [line for line in axes.lines if line.get_marker() == "*"]
    heights = sorted(float(np.asarray(line.get_ydata())[0]) for line in stars)
    expected = [full.read(name, "judges")["sonnet"]["kappa"]["resample_mean"] for name in full.benchmarks]
    assert heights == pytest.approx(sorted(expected))
    assert "frontier judge (Sonnet)" in words(figure)
    kappas = [entry["kappa"] for entry in full.overview["benchmarks"]["wice"]["members"].values()]
    drawn_members = [sorted(np.asarray(line.get_ydata(), dtype=float)) for line in points]
    assert any(values == pytest.approx(sorted(kappas)) for values in drawn_members)


@pytest.mark.parametrize(
    ("stem", "text"), [("figure02", "no frontier judge in this suite"), ("figure03b", "no frontier judge")]
)
def test_a_series_that_is_left_out_is_said_to_be(bare: Derived, stem: str, text: str, tmp_path: Path) -> None:
    assert text in words(drawn(bare, stem, tmp_path))


def test_figure_3b_fills_what_excludes_zero(full: Derived, tmp_path: Path) -> None:
    figure = drawn(full, "figure03b", tmp_path)
    marks = {
        round(float(np.asarray(line.get_xdata())[0]), 9): line.get_markerfacecolor()
        for line in figure.axes[0].lines
        if line.get_marker() in ("o", "s", "D")
    }
    deltas = [full.read(name, "frontier")["sonnet"]["kappa"]["delta"] for name in full.benchmarks]
    deltas += [
        full.read(name, "ladder")["deltas"][f"stacked-{other}"]["kappa"]
        for name in full.benchmarks
        for other in ("best_cv", "average_member")
    ]
    assert len(marks) == len(deltas)
    for delta in deltas:
        clear = delta["low"] > 0 or delta["high"] < 0
        assert (marks[round(delta["resample_mean"], 9)] != "white") == clear


def test_figure_10_prints_values_and_ranks(full: Derived, tmp_path: Path) -> None:
    figure = drawn(full, "figure10", tmp_path)
    cells = [text.get_text() for text in figure.axes[0].texts]
    assert len(cells) == 5 * 4
    assert all(re.fullmatch(r"−?\d\.\d\d†?\n\(\d\)", cell) for cell in cells)
    low = [
        entry["members"][member]["n_scored"] < 0.95 * entry["n_items"]
        for member in full.overview["roster"]
        for entry in map(full.overview["benchmarks"].get, by_competence(full))
        if entry is not None and member in entry["members"]
    ]
    assert ["†" in cell for cell in cells] == low
    assert any(low)
    assert "(n): rank within the column; †: on fewer than 0.95 of the items" in words(figure)
    ranks = sorted(cell[-2] for cell in cells[::4])
    assert ranks[0] == "1"


def test_figure_10_marks_members_that_are_not_in_the_panel(bare: Derived, tmp_path: Path) -> None:
    figure = drawn(bare, "figure10", tmp_path)
    assert [text.get_text() for text in figure.axes[0].texts].count("—") == 1
    assert any("—: not in the panel, or undefined" in text for text in words(figure))


def test_figure_6_says_nothing_of_a_single_judge_without_a_kappa(full: Derived, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(full.folder, tmp_path / "derived"))
    path = folder / "wice" / "learning_curve.json"
    curve = json.loads(path.read_text(encoding="utf-8"))
    *_, last = curve["budgets"].values()
    last["best_single"] |= {"mean": None, "reason": "the predictions of every replicate are constant"}
    path.write_text(json.dumps(curve), encoding="utf-8")
    changed = drawn(Derived(folder), "figure06", tmp_path)
    assert [line.get_marker() for axes in changed.axes for line in axes.lines].count("^") == 1
    assert "single undefined" in words(changed)
    assert "single undefined" not in words(drawn(full, "figure06", tmp_path))


def test_figure_6_is_drawn_of_a_panel_whose_stacker_is_undefined_at_every_budget(
    full: Derived, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(full.folder, tmp_path / "derived"))
    path = folder / "wice" / "learning_curve.json"
    curve = json.loads(path.read_text(encoding="utf-8"))
    for point in curve["budgets"].values():
        point["stacked"] |= {"mean": None, "low": None, "high": None, "reason": "too few clusters"}
    path.write_text(json.dumps(curve), encoding="utf-8")
    assert len(drawn(Derived(folder), "figure06", tmp_path).axes) > 0


@pytest.mark.parametrize("stem", OWN)
def test_same_bytes_twice(full: Derived, stem: str, tmp_path: Path) -> None:
    for copy in ("a", "b"):
        (tmp_path / copy).mkdir()
        drawn(full, stem, tmp_path / copy)
    for ending in ("pdf", "png"):
        first, second = (tmp_path / copy / f"{stem}.{ending}" for copy in ("a", "b"))
        assert first.read_bytes() == second.read_bytes()
