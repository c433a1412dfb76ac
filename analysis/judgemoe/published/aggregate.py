"""The paper's aggregate statistics from its published per-cell numbers: the project's own tests on its inputs."""

from __future__ import annotations

from typing import Any

from analysis.judgemoe.published.cells import column, differences, published
from analysis.judgemoe.statistics.cells import (
    CellComparison,
    cell_bootstrap,
    compare_cells,
    sample_weighted_mean,
)
from analysis.judgemoe.statistics.power import cells_needed, power
from analysis.judgemoe.studies.comparison import power_note

#: Cells of the aggregates: the ten original ones, those with one pair of additional ones, and all sixteen.
GROUPS: dict[str, tuple[str, ...]] = {
    "original": (),
    "with HelpSteer2 val.": ("HelpSteer2 val.",),
    "with FLASK": ("FLASK",),
    "with WildBench": ("WildBench",),
    "all": ("HelpSteer2 val.", "FLASK", "WildBench"),
}
#: Rows of Table 26, as the datasets that each leaves out.
SUBSETS = {
    "All 10 cells": "",
    "Exclude ROSCOE": "ROSCOE",
    "Exclude WMT": "WMT MQM",
    "Non-HelpSteer": "HelpSteer2",
}


def group_cells(group: str) -> list[dict[str, Any]]:
    """The published cells of a group."""
    added = GROUPS[group]
    extra = published()["additional"]
    return [*published()["original"], *(cell for cell in extra if cell["cell"].rsplit("@", 1)[0] in added)]


def aggregate(baseline: str, group: str = "original") -> CellComparison:
    """JudgeMoE against a baseline over the published cells of a group that print both (Table 2, section 5.2)."""
    cells = group_cells(group)
    return compare_cells(column(cells, "judgemoe"), column(cells, baseline), differences(cells, baseline))


def weighted_subset(left_out: str) -> dict[str, Any]:
    """A row of Table 26: sample-weighted Spearman and differences without one dataset, with intervals over cells."""
    cells = [
        cell for cell in published()["original"] if not left_out or not cell["cell"].startswith(left_out)
    ]
    sizes = column(cells, "n")
    out: dict[str, Any] = {
        "cells": len(cells),
        "spearman": sample_weighted_mean(column(cells, "judgemoe"), sizes),
    }
    for baseline in ("best_single", "cov_log"):
        gaps = differences(cells, baseline)
        bounds = cell_bootstrap(gaps, sizes)
        out[baseline] = {
            "difference": sample_weighted_mean(gaps, sizes),
            "low": bounds.low,
            "high": bounds.high,
        }
    return out


def power_from_cells(baseline: str) -> dict[str, Any]:
    """A row of Table 30 from the per-cell numbers of Table 11."""
    return power_note(differences(published()["original"], baseline).tolist())


def power_from_moments(baseline: str) -> dict[str, Any]:
    """A row of Table 30 from the mean and deviation that it prints itself."""
    row = next(row for row in published()["power"] if row["baseline"] == baseline)
    mean, deviation, cells = row["mean"], row["deviation"], len(published()["original"])
    return {
        "mean": mean,
        "deviation": deviation,
        "power": power(mean, deviation, cells),
        "cells": cells_needed(mean, deviation),
    }
