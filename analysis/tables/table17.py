"""Table 17: the stacked panel against the label-free ways of combining the same votes."""

from __future__ import annotations

from analysis.panel.roster import benchmark_title, panel_notes
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, difference, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 17, "Rescue and unsupervised aggregator", "RAIM, appendix I"
READS = ("ladder",)
_METHODS = ("unweighted", "dawid_skene", "stacked")
_PAIRS = ("stacked-unweighted", "unweighted-best_cv", "stacked-dawid_skene", "dawid_skene-best_cv")


def build(derived: Derived) -> Table:
    """Kappas and the four paired differences of each benchmark."""
    ladders, _ = derived.read_each("ladder")
    rows: list[list[Cell]] = [
        [
            benchmark_title(derived, name),
            *(score(one["methods"][method]["kappa"]) for method in _METHODS),
            *(difference(one["deltas"][pair]["kappa"], interval=True) for pair in _PAIRS),
        ]
        for name, one in ladders.items()
    ]
    unfinished = [
        f"{benchmark_title(derived, name)} ({one['dawid_skene']['iterations']} iterations)"
        for name, one in ladders.items()
        if not one["dawid_skene"]["converged"]
    ]
    return Table(
        f"Table {NUMBER}",
        "The stacked panel against the two label-free ways of combining the same votes: Cohen's κ.",
        ("dataset", "unw.", "D–S", "stk.", "Δ stk−unw", "Δ unw−best", "Δ stk−DS", "Δ DS−best"),
        rows,
        derived.stamp,
        groups=(("", 1), ("Cohen's κ", 3), ("rescue", 2), ("unsupervised aggregator", 2)),
        footnotes=[
            "unw.: unweighted majority; D–S: Dawid–Skene, fitted once without gold in the published setting.",
            "stk.: stacked panel; best: CV-best single.",
            "Δ: paired difference with its 95% cluster-bootstrap interval; bold where it excludes zero.",
            *([f"Dawid–Skene stopped at its cap on {', '.join(unfinished)}."] if unfinished else []),
            *panel_notes(derived, list(ladders)),
        ],
    )
