"""Table 10: published anchors without a comparable baseline."""

from __future__ import annotations

from analysis.panel.roster import benchmark_title, frontier_judge, judge_title, of_judge, panel_notes
from analysis.pipeline.derived import Derived
from analysis.published import read_published
from analysis.skip import Skip
from analysis.tables.cells import Cell, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 10, "Published anchors without a comparable baseline", "RAIM, appendix F"
READS = ("ladder", "judges")


def build(derived: Derived) -> Table:
    """The strongest anchor, what blocks a comparison, and the suite's own balanced accuracies."""
    published = read_published("anchors")
    there = [row for row in published["rows"] if row["benchmark"] in derived.benchmarks]
    if not there:
        raise Skip("the suite has neither TruthfulQA nor FActScore")
    frontier = frontier_judge(derived)
    scores = of_judge(derived, "judges", frontier)
    rows: list[list[Cell]] = []
    for row in there:
        name = row["benchmark"]
        panel = derived.read(name, "ladder")["methods"]["stacked"]["balanced_accuracy"]
        ours: list[Cell] = [score(panel, decimals=1, scale=100.0)]
        if scores:
            judged = name in scores
            ours.append(
                score(scores[name]["committed_balanced_accuracy"], decimals=1, scale=100.0)
                if judged
                else "n/a"
            )
        rows.append(
            [benchmark_title(derived, name), row["system"], row["value"], row["metric"], row["blocks"], *ours]
        )
    tags = ["panel", *([judge_title(derived, frontier)] if scores and frontier else [])]
    return Table(
        f"Table {NUMBER}",
        "Published anchors on the benchmarks without a comparable published baseline, and what blocks the comparison.",
        ("dataset", "strongest reported system", "value", "metric", "what blocks a direct comparison", *tags),
        rows,
        derived.stamp,
        groups=(("", 1), ("published anchor", 4), ("this suite, balanced accuracy, %", len(tags))),
        footnotes=[
            f"Published columns: {published['source']}.",
            "This suite: not commensurable with the anchor beside it.",
            *([] if scores else ["The suite has no frontier judge."]),
            *panel_notes(derived, [row["benchmark"] for row in there]),
        ],
    )
