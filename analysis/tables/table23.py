"""Table 23: abstention encoded as a category."""

from __future__ import annotations

from analysis.panel.roster import benchmark_title, panel_notes
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Number, difference, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 23, "Abstention as a category", "RAIM, appendix K"
READS = ("abstention",)
_PAIR = "categorical-imputed"


def build(derived: Derived) -> Table:
    """Abstentions, the stacked kappa under both encodings, their paired difference and the items it moves."""
    values, _ = derived.read_each("abstention")
    rows: list[list[Cell]] = [
        [
            benchmark_title(derived, name),
            one["n_items"],
            one["abstentions"],
            Number(one["rate"], 1, 100.0),
            score(one["methods"]["imputed"], "estimate"),
            score(one["methods"]["categorical"], "estimate"),
            difference(one["pairs"][_PAIR]["kappa"], interval=True),
            one["pairs"][_PAIR]["moved"],
            one["pairs"]["categorical-indicator"]["moved"],
        ]
        for name, one in values.items()
    ]
    votes, abstained = (sum(one[key] for one in values.values()) for key in ("n_votes", "abstentions"))
    return Table(
        f"Table {NUMBER}",
        "Abstention encoded as a category rather than as the scalar 0.5; the two arms differ in the stacker's features "
        "alone.",
        ("dataset", "n", "count", "rate, %", "0.5", "categ.", "Δκ (categ. − 0.5)", "moved", "moved (flag)"),
        rows,
        derived.stamp,
        groups=(("", 2), ("abstentions", 2), ("stacked κ", 2), ("", 3)),
        footnotes=[
            "κ on the sample; Δκ with its 95% paired cluster-bootstrap interval, bold where it excludes zero.",
            "moved: items whose verdict differs; moved (flag): from the category to a missing flag beside the vote.",
            f"{abstained:,} of {votes:,} votes are abstentions.",
            *panel_notes(derived, list(values)),
        ],
    )
