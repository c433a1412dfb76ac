"""Tables 6 and 7 and Figures 3(a), 4, 5 and 6 from derived files."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.patches import Rectangle

from analysis.figures import figure03a, figure04, figure05, figure06
from analysis.figures.labels import place_labels
from analysis.figures.style import new_figure, save, style
from analysis.output import write_json
from analysis.pipeline.derived import Derived
from analysis.tables import table06, table07
from analysis.tables.cells import Number
from analysis.tables.render import to_csv, to_latex, to_markdown
from tests.analysis.estimators.test_regime_steps import STEPS
from tests.analysis.full_suite import derive, write_full_suite

mpl.use("Agg")


@pytest.fixture(scope="module")
def derived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outputs")
    return derive(write_full_suite(folder / "toy"), folder / "derived", STEPS)


def restricted(derived, module):
    return Derived(derived.folder, frozenset(module.READS))


def test_table_6_prints_the_derived_values(derived):
    table = table06.build(restricted(derived, table06))
    budgets = list(derived.read_suite("regime_plane")["budgets"])
    assert table.header == ("benchmark", "n", "φ̄", "spread", "regime", *budgets)
    for row, name in zip(table.rows, derived.benchmarks, strict=True):
        sample, full = derived.read(name, "regime_budget"), derived.read(name, "regime")
        assert row[1] == full["n_items"]
        assert row[3] == f"{full['competent']}/5"
        assert row[4] == ("admissible" if full["admissible"] else "not admissible")
        for cell, budget in zip(row[5:], budgets, strict=True):
            entry = sample["budgets"].get(budget)
            assert isinstance(cell, Number)
            assert cell.value == (None if entry is None else entry["same_call"])
    first = table.foot[0]
    assert first[5] == f"{derived.read_suite('regime_plane')['budgets']['10']['same_call_mean']:.2f}"


def test_table_7_prints_the_derived_values(derived):
    table = table07.build(restricted(derived, table07))
    for row, name in zip(table.rows, derived.benchmarks, strict=True):
        curve = derived.read(name, "learning_curve")
        full = curve["budgets"][str(curve["pool"])]
        assert row[1] == curve["pool"]
        assert row[-1].value == full["stacked"]["mean"] == curve["full_pool"]["kappa"]
        assert row[3].value == curve["budgets"]["10"]["stacked"]["mean"]


@pytest.mark.parametrize("module", [table06, table07])
def test_tables_render(derived, module):
    table = module.build(restricted(derived, module))
    assert "SIMULATED" in to_markdown(table)
    assert to_csv(table).count("\n") > len(table.rows)
    assert to_latex(table).count("{") == to_latex(table).count("}")


def test_a_figure_with_placed_labels_is_the_same_bytes_twice(derived, tmp_path):
    for copy in ("a", "b"):
        with style():
            figure = figure03a.draw(restricted(derived, figure03a))
            save(figure, tmp_path / f"{copy}.pdf", tmp_path / f"{copy}.png", "figure", derived.stamp)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_figure_6_draws_every_benchmark_twice(derived):
    with style():
        figure = figure06.draw(restricted(derived, figure06))
        figure.draw_without_rendering()
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    names = [derived.overview["benchmarks"][name]["title"] for name in derived.benchmarks]
    assert sorted(titles) == sorted(names * 2)
    curves = {axes.get_title(): axes for axes in figure.axes if axes.get_xscale() == "log"}
    for name in derived.benchmarks:
        axes = curves[derived.overview["benchmarks"][name]["title"]]
        points = derived.read(name, "learning_curve")["budgets"]
        drawn = {tuple(line.get_xydata()[0]) for line in axes.lines if len(line.get_xydata()) == 1}
        assert drawn == {(float(b), point["stacked"]["mean"]) for b, point in points.items()}


def test_the_hatched_area_is_the_region(derived):
    with style():
        axes = figure03a.draw(restricted(derived, figure03a)).axes[0]
    plane = derived.read_suite("regime_plane")
    hatched = [p for p in axes.patches if isinstance(p, Rectangle) and p.get_hatch()]
    cells = plane["stability"]["cells"]
    assert len(hatched) == len(cells)
    for patch, cell in zip(hatched, cells, strict=True):
        if cell["phi_from"] is not None:
            assert patch.get_x() == cell["phi_from"]
        if cell["share_to"] is not None:
            assert patch.get_y() + patch.get_height() == pytest.approx(cell["share_to"] * 5)
    placed = {
        tuple(np.ravel(line.get_xydata()).round(9)) for line in axes.lines if len(line.get_xydata()) == 1
    }
    for entry in plane["benchmarks"].values():
        assert (round(entry["phi_bar"], 9), entry["competent"]) in placed


def test_cells_of_figure_5_are_the_differences(derived):
    with style():
        axes = figure05.draw(restricted(derived, figure05)).axes[0]
    values = np.asarray(axes.images[0].get_array())
    names = [label.get_text() for label in axes.get_xticklabels()]
    titles = {name: derived.overview["benchmarks"][name]["title"] for name in derived.benchmarks}
    for name, title in titles.items():
        without = derived.read(name, "leave_one_out")["without"]
        expected = [without[member]["delta"]["resample_mean"] for member in without]
        np.testing.assert_allclose(values[:, names.index(title)], expected)


def test_matrices_of_figure_4_ascend_and_hide_the_diagonal(derived):
    with style():
        figure = figure04.draw(restricted(derived, figure04))
    images = [axes.images[0] for axes in figure.axes if axes.images]
    means = []
    for image in images:
        matrix = np.ma.filled(np.ma.asarray(image.get_array(), dtype=float), np.nan)
        assert np.isnan(np.diag(matrix)).all()
        means.append(np.nanmean(matrix))
    assert means == sorted(means)


def test_labels_stay_apart_and_inside():
    points = [(0.5, 0.5), (0.52, 0.5), (0.97, 0.97), (0.02, 0.03)]
    with style():
        figure = new_figure(3.4, 3.0)
        axes = figure.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 1))
        place_labels(axes, points, ["first", "second", "corner", "origin"], avoid_x=(0.6,))
        figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in axes.texts]
        frame = axes.get_window_extent()
    for i, box in enumerate(boxes):
        assert frame.x0 - 2 <= box.x0
        assert box.x1 <= frame.x1 + 2
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])


def test_a_pool_of_a_budgets_size_stands_in_both_columns(tmp_path):
    """MedHallu's smallest pool is 800 clusters, the last budget of Table 7."""
    point = {"mean": 0.7, "median": 0.7, "low": 0.69, "high": 0.71, "defined": 1}
    budgets = {
        "10": {"full": False, "stacked": point},
        "25": {"full": True, "stacked": {**point, "mean": 0.725}},
    }
    curve = {"pool": 25, "n_replicates": 100, "n_folds": 5, "unweighted": 0.6, "budgets": budgets}
    (tmp_path / "medhallu").mkdir()
    write_json(tmp_path / "medhallu" / "learning_curve.json", {**curve, "full_pool": {"gap": None}})
    entry = {"title": "MedHallu", "members": {}}
    stamp = {"suite": "toy", "records": "0" * 64, "label": "SIMULATED"}
    write_json(tmp_path / "overview.json", {**stamp, "benchmarks": {"medhallu": entry}})
    table = table07.build(Derived(tmp_path))
    assert table.header == ("benchmark", "train", "unw.", "10", "25", "full")
    assert [cell.value for cell in table.rows[0][3:]] == [0.7, 0.725, 0.725]
