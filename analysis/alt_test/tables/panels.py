"""Table A1: panels of the judges as one more judge, by aspect, beside the best single judge."""

from __future__ import annotations

from analysis.alt_test.study.pools import TITLES
from analysis.alt_test.tables.by_aspect import FAMILY_NOTE, row
from analysis.alt_test.tables.parts import PASSED_NOTE, tests
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Heading, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = "A1", "Panels as judges", "this project; after alt-test, Table 2"
READS = ("panels", "test")


def build(derived: Derived) -> Table:
    """By set: the judges, then their panels; as many columns of aspects as the set with the most has."""
    read = tests(derived)
    most = max(len(one["set"]["aspects"]) for one in read.values())
    rows: list[Row] = []
    for name, one in read.items():
        about, panels = one["set"], derived.read(name, "panels")
        aspects = ", ".join(about["aspects"].values())
        rows.append(Heading(f"{about['title']} (ε = {about['epsilon']:g}); aspects: {aspects}"))
        rows += [_padded(row(judge, judge, one, about), most) for judge in one["judges"]]
        rows += [_padded(row(TITLES[panel], panel, panels, about), most) for panel in panels["judges"]]
    header = ("judge", "ω", "ρ", *(["ω", "ρ"] * most), "aspects passed")
    groups = [("", 1), ("all items", 2), *((f"aspect {i + 1}", 2) for i in range(most)), ("", 1)]
    caption = (
        "Single judges and panels of the same judges. Panels that are trained on the humans' labels are trained out of "
        "fold by document and, unless told, without the labels of the annotator under test."
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


def _padded(cells: list[Cell], most: int) -> list[Cell]:
    """Empty cells for the aspects that the set lacks."""
    missing = 2 * most + 4 - len(cells)
    return [*cells[:-1], *([""] * missing), cells[-1]]
