"""The project's statistics on the paper's published per-cell numbers give the paper's published aggregates."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.judgemoe.published.aggregate import (
    SUBSETS,
    aggregate,
    power_from_cells,
    power_from_moments,
    weighted_subset,
)
from analysis.judgemoe.published.cells import column, differences, published
from analysis.judgemoe.suites.published import published_derived

#: Half of the third decimal, and the rounding of the ten inputs on either side.
TO_THREE = 0.5e-3 + 1e-4


@pytest.mark.parametrize(
    ("baseline", "difference", "one_sided", "two_sided", "low", "high"),
    [
        ("uniform_log", 0.079, 0.005, 0.010, 0.039, 0.119),
        ("cov_log", 0.043, 0.053, 0.105, -0.001, 0.085),
        ("best_single", 0.042, 0.053, 0.105, -0.007, 0.088),
    ],
)
def test_table_2(baseline, difference, one_sided, two_sided, low, high):
    found = aggregate(baseline)
    assert found.cells == 10
    assert found.difference == pytest.approx(difference, abs=TO_THREE)
    assert round(found.p_one_sided, 3) == one_sided
    assert found.p_two_sided == pytest.approx(two_sided, abs=0.0005 + 1e-9)
    # The paper's bootstrap has its own seed and an unstated number of draws.
    assert found.interval.low == pytest.approx(low, abs=0.003)
    assert found.interval.high == pytest.approx(high, abs=0.003)


def test_sixteen_cells():
    found = aggregate("best_single", "all")
    assert (found.cells, found.positive) == (16, 12)
    assert found.difference == pytest.approx(0.0393, abs=0.5e-4 + 1e-4)
    assert round(found.p_one_sided, 4) == 0.0091
    assert round(found.p_two_sided, 4) == 0.0182
    cov = aggregate("cov_log", "all")
    assert (cov.cells, cov.positive) == (16, 9)
    assert cov.difference == pytest.approx(0.0250, abs=1.5e-4)
    assert round(cov.p_one_sided, 4) == 0.0964


@pytest.mark.parametrize(
    ("group", "baseline", "p"),
    [
        ("with HelpSteer2 val.", "best_single", 0.0212),
        ("with HelpSteer2 val.", "cov_log", 0.0461),
        ("with FLASK", "best_single", 0.0261),
        ("with FLASK", "cov_log", 0.1018),
    ],
)
def test_tables_32_and_33(group, baseline, p):
    found = aggregate(baseline, group)
    assert found.cells == 12
    assert round(found.p_one_sided, 4) == p


@pytest.mark.parametrize("row", published()["power"], ids=lambda row: row["baseline"])
def test_table_30_from_its_own_moments(row):
    found = power_from_moments(row["baseline"])
    assert round(found["power"], 2) == row["power"]
    assert found["cells"] == row["cells"]


@pytest.mark.parametrize("row", published()["power"], ids=lambda row: row["baseline"])
def test_table_30_from_table_11_within_the_rounding_of_its_inputs(row):
    """Mean and deviation come from another checkpoint than Table 11 (mean 0.3832 against 0.3825): three decimals."""
    found = power_from_cells(row["baseline"])
    assert found["mean"] == pytest.approx(row["mean"], abs=5e-4)
    assert found["deviation"] == pytest.approx(row["deviation"], abs=5e-4)
    assert found["power"] == pytest.approx(row["power"], abs=0.011)
    assert abs(found["cells"] - row["cells"]) <= 1


@pytest.mark.parametrize(
    ("name", "spearman", "single", "cov"),
    [
        ("All 10 cells", 0.3052, 0.0413, 0.0549),
        ("Exclude ROSCOE", 0.3052, 0.0413, 0.0548),
        ("Exclude WMT", 0.5393, 0.1346, 0.0961),
        ("Non-HelpSteer", 0.1549, -0.0241, 0.0236),
    ],
)
def test_table_26(name, spearman, single, cov):
    found = weighted_subset(SUBSETS[name])
    assert found["spearman"] == pytest.approx(spearman, abs=1e-4)
    assert found["best_single"]["difference"] == pytest.approx(single, abs=1.5e-4)
    assert found["cov_log"]["difference"] == pytest.approx(cov, abs=1.5e-4)


def test_tables_11_and_27_agree():
    cells = published()["original"]
    printed = column(cells, "difference")
    assert column(cells, "judgemoe") - column(cells, "best_single") == pytest.approx(printed, abs=1.5e-4)
    assert (printed > 0).sum() == 7
    significant = [c for c in cells if c["p_value"] < 0.05 and c["interval"][0] > 0]
    assert len(significant) == 5


def test_a_printed_difference_breaks_a_tie_of_four_decimals():
    cells = published()["additional"]
    gaps = dict(zip((c["cell"] for c in cells), differences(cells, "cov_log"), strict=True))
    assert gaps["FLASK@1-5"] == -0.0001
    assert gaps["FLASK@1-10"] == pytest.approx(-0.0085)
    assert np.isnan(differences(cells, "uniform_log")[0])


def test_derived_files_of_the_published_suite():
    values = published_derived()
    assert values["comparison"]["summary"]["original"]["comparisons"]["best_single"]["positive"] == 7
    rows = {row["system"]: row for row in values["compute"]["rows"]}
    assert round(rows["All judges (6)"]["relative"], 2) == 1.43
    assert round(rows["Compact pool (3)"]["petaflops"], 1) == 26.5
    assert all("skipped" in values[name] for name in ("selection", "behaviour", "protocol"))
