"""Table 5: SummEval by aspect."""

from __future__ import annotations

from analysis.alt_test.tables.by_aspect import FAMILY_NOTE, columns, row
from analysis.alt_test.tables.parts import PASSED_NOTE
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 5, "SummEval by aspect", "alt-test, appendices B.3 and G"
READS = ("test",)
SET = "summeval"


def build(derived: Derived) -> Table:
    """One row a judge."""
    if SET not in derived.overview["benchmarks"]:
        raise Skip("the study has no set summeval")
    test = derived.read(SET, "test")
    header, groups = columns(test["set"])
    rows = [row(name, name, test, test["set"]) for name in test["judges"]]
    caption = (
        f"SummEval by aspect: winning rate ω and advantage probability ρ (ε = {test['set']['epsilon']:g})."
    )
    return Table(
        f"Table {NUMBER}",
        caption,
        header,
        rows,
        derived.stamp,
        groups=groups,
        footnotes=[PASSED_NOTE, FAMILY_NOTE],
    )
