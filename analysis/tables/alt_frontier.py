"""The panel as one more judge: does it represent the frontier judge better than its members do?"""

from __future__ import annotations

from analysis.alt_test.tables.against import against_table
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import Table

NUMBER, NAME = "A4", "The panel against its members, by the frontier judge"
SOURCE = "this project; after alt-test, appendix D.2"
READS = ("alt_test",)


def build(derived: Derived) -> Table:
    """Methods and members against the members, with the frontier judge as the single expert."""
    read, _ = derived.read_each("alt_test")
    results = {name: next(iter(one["frontier"].values())) for name, one in read.items() if one["frontier"]}
    if not results:
        raise Skip("the suite has no frontier judge")
    caption = "The test with the frontier judge as the single expert, the members being the annotators."
    notes = [
        "The stacked and accuracy-weighted panels are trained on gold, not on the frontier judge's verdicts."
    ]
    return against_table(derived, f"Table {NUMBER}", caption, results, notes)
