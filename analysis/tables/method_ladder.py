"""The full method ladder under one metric: Tables 15 and 16."""

from __future__ import annotations

from typing import Any

from analysis.estimators.evaluation import Metric
from analysis.panel.roster import benchmark_title, panel_notes
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, score
from analysis.tables.render import Table

#: Methods in the order of the tables; Dawid-Skene, which the paper has in Table 17, after the label-free majority.
METHODS = {
    "unweighted": "unweighted panel",
    "dawid_skene": "Dawid–Skene",
    "accuracy_weighted": "accuracy-weighted",
    "log_odds_weighted": "log-odds-weighted",
    "average_member": "average member",
    "best_on_average": "best-on-average single",
    "best_cv": "best single (CV)",
    "oracle": "oracle single",
    "stacked": "stacked panel",
}


def method_ladder(derived: Derived, label: str, caption: str, metric: Metric, **style: Any) -> Table:
    """Rows are methods, columns benchmarks; means over the bootstrap draws."""
    ladders, _ = derived.read_each("ladder")
    made = [method for method in METHODS if any(method in one["methods"] for one in ladders.values())]
    rows: list[list[Cell]] = [
        [METHODS[method], *(score(one["methods"][method][metric], **style) for one in ladders.values())]
        for method in made
    ]
    absent = [METHODS[method] for method in METHODS if method not in made]
    return Table(
        label,
        caption,
        ("method", *(benchmark_title(derived, name) for name in ladders)),
        rows,
        derived.stamp,
        footnotes=[
            "Means over 2000 cluster-bootstrap draws; the CSV has the 95% intervals and the sample estimates.",
            *(
                f"No {method}: no member has a defined κ on every benchmark of the suite."
                for method in absent
            ),
            *panel_notes(derived, list(ladders)),
        ],
    )
