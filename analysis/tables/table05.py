"""Table 5: the cross-dataset predictor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.tables.cells import Number
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 5, "Cross-dataset predictor of the panel's gain", "RAIM, appendix B"
READS = ("predictor",)
_COORDINATES = {
    "phi_bar": "mean error correlation φ",
    "competent": "members at κ ≥ 0.30",
    "composite": "(1 − φ) × members",
}


def build(derived: Derived) -> Table:
    """Rank correlation of each coordinate with the gain, per subset of the benchmarks."""
    values = derived.read_suite("predictor")
    header, groups = ["subset", "n"], [("", 2)]
    for title in _COORDINATES.values():
        header += ["Spearman's ρ", "p"]
        groups.append((title, 2))
    rows = [
        [row["title"], row["n"], *(cell for name in _COORDINATES for cell in _cells(row[name]))]
        for row in values["subsets"]
    ]
    against = values["against_stacked_kappa"]
    levels = "; ".join(f"{title} {_cells(against[name])[0].text()}" for name, title in _COORDINATES.items())
    left_out = "; ".join(f"{name}: {reason}" for name, reason in values["left_out"].items())
    return Table(
        f"Table {NUMBER}",
        "Cross-dataset predictor of the panel's gain (stacked − CV-best single, κ) over its best single judge.",
        tuple(header),
        rows,
        derived.stamp,
        groups=groups,
        footnotes=(
            "n: benchmarks left in the subset; p: two-sided.",
            f"Against the stacked panel's own κ instead of its gain, ρ over all: {levels}.",
            *((f"Left out: {left_out}.",) if left_out else ()),
        ),
    )


def _cells(entry: Mapping[str, Any]) -> tuple[Number, Number]:
    reason = entry.get("reason", "")
    return Number(entry["rho"], 2, signed=True, reason=reason), Number(entry["p"], 2, reason=reason)
