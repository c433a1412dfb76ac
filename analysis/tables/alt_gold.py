"""The panel as one more judge: does it represent gold better than its members do?"""

from __future__ import annotations

from analysis.alt_test.tables.against import against_table
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = (
    "A3",
    "The panel against its members, by gold",
    "this project; after alt-test, appendix D.5",
)
READS = ("alt_test",)


def build(derived: Derived) -> Table:
    """Methods, comparators and members against the members."""
    read, _ = derived.read_each("alt_test")
    caption = "The alternative annotator test against gold, the members being the annotators."
    return against_table(
        derived, f"Table {NUMBER}", caption, {name: one["gold"] for name, one in read.items()}, []
    )
