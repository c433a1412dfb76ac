"""Table 8: the LLM-AggreFact sets in the shape of the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import benchmark_title, judge_title, judges, of_judge, panel_notes
from analysis.pipeline.derived import Derived
from analysis.published import read_published
from analysis.skip import Skip
from analysis.tables.cells import UNDEFINED, Cell, Heading, Number, Row, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 8, "LLM-AggreFact sets in leaderboard shape", "RAIM, appendix F"
READS = ("ladder", "judges")
_PERCENT: dict[str, Any] = {"decimals": 1, "scale": 100.0}
_PANEL = {
    "average_member": "average member",
    "best_cv": "best single member (CV)",
    "stacked": "stacked panel",
}


def build(derived: Derived) -> Table:
    """Balanced accuracy of the published systems, then of the suite's panel and single judges, with the plain mean."""
    published = read_published("leaderboard")
    titles = published["benchmarks"]
    names = list(titles)
    there = [name for name in derived.benchmarks if name in names]
    if not there:
        raise Skip("the suite has none of the LLM-AggreFact sets (CNN, XSum, WiCE, ExpertQA)")
    ladders, _ = derived.read_each("ladder")
    rows: list[Row] = [Heading("published")]
    rows += [
        [
            row["system"],
            row["size"],
            *(Number(value, 1) for value in row["scores"]),
            Number(row["mean"], 1),
            row["source"],
        ]
        for row in published["rows"]
    ]
    rows.append(Heading("measured on this suite"))
    for role in ("purpose_trained", "larger"):
        rows += [_judge(derived, name, names) for name in judges(derived, (role,))]
    for method, title in _PANEL.items():
        scores = {name: ladders[name]["methods"][method]["balanced_accuracy"] for name in there}
        rows.append(_row(title, UNDEFINED, scores, names))
    rows += [_judge(derived, name, names) for name in judges(derived, ("frontier",))]
    return Table(
        f"Table {NUMBER}",
        "The LLM-AggreFact sets in leaderboard shape: balanced accuracy in percent.",
        (
            *("system", "size"),
            *(benchmark_title(derived, name) if name in there else titles[name] for name in names),
            *("mean", "source"),
        ),
        rows,
        derived.stamp,
        footnotes=[
            f"Published rows: {published['source']}. Gaps under three points between the blocks are not informative.",
            "Measured rows: means over the bootstrap draws.",
            "An abstention is an error in the panel's rows and dropped in those of single judges, as in the release.",
            *panel_notes(derived, there),
        ],
    )


def _judge(derived: Derived, judge: str, names: list[str]) -> list[Cell]:
    scores = {
        name: entry["committed_balanced_accuracy"]
        for name, entry in of_judge(derived, "judges", judge).items()
    }
    size = derived.overview["roster"][judge]["parameters"] or UNDEFINED
    return _row(judge_title(derived, judge), size, scores, names)


def _row(title: str, size: str, scores: Mapping[str, Mapping[str, Any]], names: list[str]) -> list[Cell]:
    cells: list[Cell] = [
        score(scores[name], **_PERCENT) if name in scores else Number(None, reason="not judged in this suite")
        for name in names
    ]
    values = [scores[name]["resample_mean"] for name in names if name in scores]
    whole = len(values) == len(names) and None not in values
    mean = (
        Number(sum(values) / len(values), **_PERCENT)
        if whole
        else Number(None, reason="a mean needs all four sets")
    )
    return [title, size, *cells, mean, "this suite"]
