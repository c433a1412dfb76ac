"""Table 2: every judge's traditional measure, winning rate and advantage probability."""

from __future__ import annotations

from analysis.alt_test.tables.parts import PASSED_NOTE, omega, optional, rho, sources_note, tests
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Heading, Number, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 2, "Judges and the test", "alt-test, section 5"
READS = ("test",)


def build(derived: Derived) -> Table:
    """Rows are judges under each set; the cluster-robust test stands beside the plain one."""
    read = tests(derived)
    rows: list[Row] = []
    for one in read.values():
        about = one["set"]
        rows.append(Heading(f"{about['title']} (ε = {about['epsilon']:g})"))
        for name, judge in one["judges"].items():
            measures = judge["traditional"]
            robust = judge["cluster_robust"]
            rows.append(
                [
                    name,
                    Number(measures["accuracy"], decimals=2),
                    optional(measures["pearson"], "labels are no numbers"),
                    omega(judge),
                    rho(judge),
                    Number(robust["winning_rate"], decimals=2, bold=bool(robust["passes"])),
                    optional(one["sweep"][name]["smallest_passing"], "at no ε up to 0.4"),
                ]
            )
    header = ("judge", "accuracy", "Pearson's r", "ω", "ρ", "ω, cluster-robust", "smallest ε passed")
    caption = (
        "Agreement with the humans' majority (accuracy) or mean (Pearson's r), winning rate ω, and advantage "
        "probability ρ of every judge."
    )
    notes = [
        PASSED_NOTE,
        "Cluster-robust: cluster bootstrap of the differences over documents, in place of the t-test over items.",
        sources_note(read),
    ]
    return Table(f"Table {NUMBER}", caption, header, rows, derived.stamp, footnotes=notes)
