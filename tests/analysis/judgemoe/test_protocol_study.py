from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from analysis.judgemoe.cell import TEST, VALIDATION
from analysis.judgemoe.features import hard_scores, soft_scores
from analysis.judgemoe.protocol.ranges import (
    Run,
    best_range_counts,
    protocol_runs,
    select_protocols,
    soft_over_hard,
)
from analysis.judgemoe.protocol.styles import compare_styles, non_default_best
from analysis.judgemoe.simulation.protocols import range_cells, style_cells
from analysis.judgemoe.studies.protocols import ranges, split_style
from tests.analysis.judgemoe.random_cells import random_cell

NAN = float("nan")


def run(dataset, judge, scale, hard, soft, hard_test, soft_test, items=100):
    return Run(dataset, judge, scale, items, hard, soft, hard_test, soft_test)


RUNS = [
    run("d", "a", "1-5", 0.3, 0.4, 0.35, 0.5),
    run("d", "a", "1-10", 0.6, 0.5, 0.55, 0.4, items=200),
    run("d", "b", "1-5", 0.3, 0.4, NAN, 0.9),
    run("d", "b", "1-10", 0.2, 0.3, 0.1, 0.2, items=200),
    run("e", "a", "1-5", 0.1, 0.1, 0.2, 0.2),
    run("e", "a", "1-10", 0.1, 0.2, 0.2, 0.3, items=200),
]


def test_best_range_counts_compare_usable_runs():
    # d/b has one usable range and so no choice.
    assert best_range_counts(RUNS) == {"1-5": 1, "1-10": 1}


def test_soft_over_hard_leaves_out_undefined_runs_and_counts_ties_against():
    assert soft_over_hard(RUNS) == {"1-5": (1, 2), "1-10": (2, 3)}


def test_protocols_are_selected_on_validation_and_scored_on_test():
    found = select_protocols(RUNS)
    chosen = {(p.dataset, p.judge): (p.scale, p.extraction, p.test) for p in found["validation"]}
    assert chosen[("d", "a")] == ("1-10", "hard", 0.55)
    assert chosen[("d", "b")] == ("1-5", "soft", 0.9)
    assert [p.test for p in found["1-5 soft"]] == [0.5, 0.9, 0.2]
    assert [p.test for p in found["test"]] == [0.55, 0.9, 0.3]
    assert len({len(rows) for rows in found.values()}) == 1


def test_pairs_without_both_fixed_ranges_are_left_out_of_every_row():
    found = select_protocols([*RUNS, run("f", "a", "1-5", 0.1, 0.1, 0.2, 0.2)])
    assert all("f" not in {p.dataset for p in rows} for rows in found.values())


def test_runs_against_scipy():
    cell = random_cell(120, 2, 5)
    (first, _) = protocol_runs([cell])
    test = cell.split(TEST)
    assert first.soft_test == pytest.approx(spearmanr(soft_scores(test)[:, 0], test.targets).statistic)
    validation = cell.split(VALIDATION)
    assert first.hard_validation == pytest.approx(
        spearmanr(hard_scores(validation)[:, 0], validation.targets).statistic
    )
    assert first.items == len(test.items)


def test_styles():
    rows = [
        {"default": 0.5, "rubric": 0.4, "critical": 0.6},
        {"default": 0.3, "rubric": NAN, "critical": 0.3},
        {"default": 0.2, "rubric": 0.3, "critical": 0.1},
    ]
    table = compare_styles(rows, "default")
    assert [row.style for row in table] == ["default", "critical", "rubric"]
    assert [(row.rows, row.wins) for row in table] == [(3, None), (3, 1), (2, 1)]
    assert table[2].mean == pytest.approx(0.35)
    assert non_default_best(rows, "default") == 2
    assert split_style("M1#rubric") == ("M1", "rubric")
    assert split_style("geval") == ("", "geval")


def test_simulated_ranges_share_items_and_human_scores():
    cells = range_cells()
    assert len(cells) == 4 * 5
    first = [cell for cell in cells if cell.dataset == cells[0].dataset]
    assert {cell.scale for cell in first} == {"1-3", "1-5", "1-7", "1-10", "1-100"}
    assert all(np.array_equal(cell.targets, first[0].targets) for cell in first)
    assert {len(cell.labels) for cell in first} == {3, 5, 7, 10, 100}
    found = ranges(cells)
    assert sum(found["best_range"].values()) == 24
    # Finer ranges and no single winner, as in the paper's study.
    assert sum(count > 0 for count in found["best_range"].values()) >= 3
    assert found["selectors"]["validation"]["pairs"] == 24
    assert found["selectors"]["test"]["equal_cell"] >= found["selectors"]["validation"]["equal_cell"]


def test_simulated_styles_are_two_models_with_three_wordings():
    cells = style_cells()
    assert len(cells) == 6
    assert {split_style(judge) for judge in cells[0].judges} == {
        (m, s) for m in ("M1", "M2") for s in ("default", "rubric", "critical")
    }
