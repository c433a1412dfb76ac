"""Table 18: reduction of each benchmark to balanced binary items."""

from __future__ import annotations

from analysis.panel.roster import benchmark_title, sample_notes
from analysis.pipeline.derived import Derived
from analysis.published import read_published
from analysis.tables.cells import UNDEFINED, Cell, Heading, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 18, "Reduction to balanced binary items", "RAIM, appendix J"
READS = ("construction",)
_BLOCKS = {
    True: "one matched pair per source record: a supported and a hallucinated candidate",
    False: "classes pooled across documents, clusters recovered from the shared document",
}


def build(derived: Derived) -> Table:
    """Source and upstream pool as published; items, clusters and balance as the suite's records have them."""
    values, _ = derived.read_each("construction")
    published = read_published("construction")
    paired = {name: one["matched_pairs"] == one["n_clusters"] for name, one in values.items()}
    rows: list[Row] = []
    for block, title in _BLOCKS.items():
        names = [name for name in values if paired[name] is block]
        rows += [Heading(title)] if names else []
        for name in names:
            one, upstream = values[name], published["rows"].get(name, {})
            low, high = one["smallest_cluster"], one["largest_cluster"]
            row: list[Cell] = [
                benchmark_title(derived, name),
                upstream.get("release", UNDEFINED),
                upstream.get("pool", UNDEFINED),
                one["n_items"],
                one["n_clusters"],
                str(low) if low == high else f"{low}–{high}",
                f"{one['supported']}/{one['hallucinated']}",
            ]
            rows.append(row)
    return Table(
        f"Table {NUMBER}",
        "Reduction of each benchmark to binary items; items, clusters and balance are those of the suite's records.",
        ("dataset", "source", "upstream pool", "items", "clusters", "per cl.", "balance"),
        rows,
        derived.stamp,
        footnotes=[
            f"source, upstream pool: {published['source']}; {UNDEFINED}: not one of the paper's benchmarks.",
            "per cl.: items per cluster; balance: supported/hallucinated.",
            *sample_notes(derived, list(values)),
        ],
    )
