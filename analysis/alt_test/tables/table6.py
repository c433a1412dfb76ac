"""Table 6: which labels SummEval's humans and judges give, by aspect."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Heading, Number, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 6, "SummEval's label distributions", "alt-test, appendices B.3 and D.1"
READS = ("labels", "test")
SET = "summeval"


def build(derived: Derived) -> Table:
    """Shares of each label by aspect: humans, their majority, judges."""
    if SET not in derived.overview["benchmarks"]:
        raise Skip("the study has no set summeval")
    shares, about = derived.read(SET, "labels"), derived.read(SET, "test")["set"]
    labels = sorted({label for one in shares.values() for label in one["humans"]})
    rows: list[Row] = []
    for aspect, title in about["aspects"].items():
        one = shares[aspect]
        rows.append(Heading(f"{title} ({one['n_items']} items)"))
        given = {"humans": one["humans"], "humans' majority": one["majority"], **one["judges"]}
        for name, counts in given.items():
            rows.append([name, *(Number(counts.get(label, 0.0), decimals=2) for label in labels)])
    caption = "Share of each score in the labels of humans and judges on SummEval, by aspect."
    notes = ["Of tied majorities each score has its part."]
    return Table(f"Table {NUMBER}", caption, ("labels of", *labels), rows, derived.stamp, footnotes=notes)
