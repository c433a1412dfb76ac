"""Table 1: the sets of annotations, and how far their annotators agree."""

from __future__ import annotations

from analysis.alt_test.tables.parts import optional, sources_note, tests
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 1, "Sets of annotations", "alt-test, section 4 and appendix F"
READS = ("test",)


def build(derived: Derived) -> Table:
    """One row a set."""
    read = tests(derived)
    rows: list[list[Cell]] = []
    for one in read.values():
        items = list(one["items_by_annotator"].values())
        about, agreement = one["set"], one["agreement"]
        rows.append(
            [
                about["title"],
                one["n_items"],
                one["n_documents"],
                one["n_annotators"],
                Number(sum(items) / len(items), decimals=0),
                Number(sum(items) / one["n_items"], decimals=1),
                about["score"],
                Number(about["epsilon"], decimals=2),
                optional(agreement["cohen_kappa"]["mean"], "no pair of annotators with two labels"),
                optional(agreement["fleiss_kappa"], "one label throughout"),
                optional(agreement["krippendorff_alpha"]["nominal"], "one label throughout"),
                optional((agreement["spearman"] or {}).get("mean"), "labels are no numbers"),
            ]
        )
    header = (
        "set",
        "items",
        "documents",
        "annotators",
        "items an annotator",
        "labels an item",
        "score",
        "ε",
        "Cohen's κ",
        "Fleiss' κ",
        "Krippendorff's α",
        "Spearman's r",
    )
    caption = "Sets of annotations and how far their annotators agree; Cohen's κ and r are means over pairs."
    notes = [
        *(
            f"{one['set']['title']}: ε = {one['set']['epsilon']:g}, {one['set']['annotators']}."
            for one in read.values()
        ),
        sources_note(read),
    ]
    return Table(f"Table {NUMBER}", caption, header, rows, derived.stamp, footnotes=notes)
