"""Tables of the cells that were added after all choices were made (paper, Tables 32, 33 and 47)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number, spearman
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell
from analysis.tables.render import Table


def additional_table(derived: Derived, label: str, position: int) -> Table:
    """The additional dataset at a position, with the means over its cells and the original ones."""
    comparison = derived.read_suite("comparison")
    extended = comparison["summary"]["extended"]
    datasets = list(extended)
    if position >= len(datasets):
        raise Skip(f"the suite has {len(datasets)} additional datasets")
    dataset = datasets[position]
    methods = ("judgemoe", "best_single", "uniform_log", "cov_log", "hard_best_single")
    rows: list[list[Cell]] = []
    for name in derived.overview["additional"]:
        cell = comparison["cells"][name]
        if cell["dataset"] == dataset:
            gaps = [cell["differences"][b]["estimate"] for b in ("best_single", "cov_log")]
            rows.append(
                [name, *(spearman(cell, m) for m in methods), *(number(g, signed=True) for g in gaps)]
            )
    found = extended[dataset]
    reason = "not printed for every cell"
    means: list[Cell] = [number(found["spearman"][m], reason=reason) for m in methods]
    gaps = [found["comparisons"][b]["difference"] for b in ("best_single", "cov_log")]
    rows.append([f"{found['cells']}-cell mean", *means, *(number(g, signed=True) for g in gaps)])
    notes = [
        f"One-sided exact Wilcoxon over the {found['comparisons'][b]['cells']} cells: p = "
        f"{found['comparisons'][b]['p_one_sided']:.4f} against {title}."
        for b, title in (
            ("best_single", "the best single judge"),
            ("cov_log", "covariance-aware log pooling"),
        )
    ]
    header = ("Cell", "JudgeMoE", "Best single", "Uniform log", "Cov-log", "Hard", "Δ single", "Δ cov-log")
    caption = f"Additional cells of {dataset}, which took part in no selection, and the means with the original cells."
    return Table(label, caption, header, rows, derived.stamp, footnotes=notes)
