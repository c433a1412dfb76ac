"""Table A2: what inverse probability weighting changes."""

from __future__ import annotations

from analysis.alt_test.study.pools import TITLES
from analysis.alt_test.tables.parts import PASSED_NOTE, omega, optional, rho, tests
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Heading, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = "A2", "Inverse probability weighting", "this project; after alt-test, appendix D.1"
READS = ("test", "weighted")


def build(derived: Derived) -> Table:
    """By set and judge: plain and weighted, on all items; and the number of aspects passed either way."""
    rows: list[Row] = []
    for name, one in tests(derived).items():
        values = derived.read(name, "weighted")
        plain, weighted = values["plain"], values["weighted"]
        rows.append(Heading(f"{one['set']['title']} (ε = {one['set']['epsilon']:g})"))
        for judge in plain["all"]:
            cells: list[Cell] = [
                TITLES.get(judge, "always the most frequent label" if judge == "constant" else judge)
            ]
            for side in (plain, weighted):
                passed = [side[aspect][judge]["passes"] for aspect in side if aspect != "all"]
                cells += [
                    omega(side["all"][judge]),
                    rho(side["all"][judge]),
                    f"{sum(map(bool, passed))} of {len(passed)}",
                ]
            smallest = min(weighted["all"][judge]["n_effective"], default=None)
            rows.append([*cells, optional(smallest, "no annotator was tested", decimals=0)])
    header = ("judge", "ω", "ρ", "aspects passed", "ω", "ρ", "aspects passed", "effective items")
    caption = "The test on all items, and with every label of the humans' majority given the same weight."
    return Table(
        f"Table {NUMBER}",
        caption,
        header,
        rows,
        derived.stamp,
        groups=[("", 1), ("plain", 3), ("weighted", 4)],
        footnotes=[
            PASSED_NOTE,
            "Effective items: the fewest of any annotator. The few items of a very rare label carry its whole weight.",
        ],
    )
