"""Table 4: item-level recovery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.tables.cells import Heading, Number, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 4, "Item-level recovery of the leader's errors", "RAIM, appendix B"
READS = ("recovery",)


def build(derived: Derived) -> Table:
    """Recovery by the number of members that are right, then by benchmark, then pooled."""
    values = derived.read_suite("recovery")
    rows: list[Row] = [Heading("by the number of members that are correct")]
    rows += [
        [
            str(row["members_correct"]),
            row["n"],
            row["recovered"],
            Number(row["share"], reason=row.get("reason", "")),
            "",
        ]
        for row in values["by_correct"]
    ]
    rows.append(Heading("by benchmark"))
    titles = {name: entry["title"] for name, entry in derived.overview["benchmarks"].items()}
    for name, entry in values["benchmarks"].items():
        share = Number(entry["share"], reason=entry.get("reason", ""))
        rows.append([titles[name], entry["n"], entry["recovered"], share, _correlation(entry)])
    n, recovered = values["n_items"], values["n_recovered"]
    rows.append(["all benchmarks", n, recovered, Number(recovered / n), _correlation(values["correlation"])])
    return Table(
        f"Table {NUMBER}",
        f"Item-level mechanism test on the {n:,} items on which the CV-best single judge is wrong.",
        ("", "n", "recovered", "P(recovers)", "r"),
        rows,
        derived.stamp,
        footnotes=(
            "members correct: of those that returned a verdict on the item.",
            "r: correlation between recovery and the share of the members that are correct on the item.",
            f"Logistic coefficient on that share, a constant for each benchmark: {_coefficient(values['regression'])}.",
            f"The same under the published value's ridge penalty: {_coefficient(values['penalised'])}.",
        ),
    )


def _correlation(entry: Mapping[str, Any]) -> Number:
    return Number(entry["r"], 2, signed=True, reason=entry.get("reason", ""))


def _coefficient(fit: Mapping[str, Any]) -> str:
    value = Number(
        fit["coefficient"],
        2,
        signed=True,
        low=fit.get("low"),
        high=fit.get("high"),
        reason=fit.get("reason", ""),
    )
    return (
        f"{value.text()} {value.interval_text()}".strip()
        if value.value is not None
        else f"undefined ({value.reason})"
    )
