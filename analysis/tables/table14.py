"""Table 14: the benchmarks."""

from __future__ import annotations

from analysis.panel.roster import sample_notes
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 14, "The benchmarks", "RAIM, appendix I"
READS = ()
#: A frame as the table calls it; others by their own name.
_FRAMES = {"def_on": "QA", "claimcheck": "claim"}


def build(derived: Derived) -> Table:
    """Items, tier, frame and content of each benchmark of the suite."""
    entries = derived.overview["benchmarks"]
    rows: list[list[Cell]] = [
        [
            entries[name]["title"],
            entries[name]["n_items"],
            entries[name]["tier"],
            _FRAMES.get(entries[name]["frame"], entries[name]["frame"]),
            entries[name]["content"],
        ]
        for name in derived.benchmarks
    ]
    return Table(
        f"Table {NUMBER}",
        "The benchmarks of the suite.",
        ("dataset", "n", "tier", "frame", "content"),
        rows,
        derived.stamp,
        footnotes=[
            "n: items in the suite. tier: the denominator that each dataset enters (section 2).",
            "frame: QA is the question-evidence-candidate form (def_on), claim the claim-support form (claimcheck).",
            *sample_notes(derived, derived.benchmarks),
        ],
    )
