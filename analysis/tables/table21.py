"""Table 21: the roster."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.tables.cells import UNDEFINED, Cell, Heading, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 21, "The roster of judges", "RAIM, appendix K"
READS = ()
_ROLES = {
    "member": "members of the panel",
    "larger": "larger open judges",
    "frontier": "frontier judges",
    "purpose_trained": "purpose-trained judges",
    "def_on": "second arms under the question-answering frame",
    "probe_base": "base checkpoints of the probe",
    "probe_instruct": "instruction-tuned checkpoints of the probe",
}
#: Characters of a revision that are printed; the CSV's would not be shorter for more.
_REVISION = 16


def build(derived: Derived) -> Table:
    """Every judge of the suite under its protocol, by role, with its position in the roster."""
    roster = derived.overview["roster"]
    roles = dict.fromkeys([*_ROLES, *(entry["role"] for entry in roster.values())])
    rows: list[Row] = []
    for role in roles:
        found: list[Row] = []
        for position, entry in enumerate(roster.values()):
            if entry["role"] == role:
                row: list[Cell] = [
                    f"{position:02d}",
                    entry["tag"],
                    entry["judge"],
                    entry["revision"][:_REVISION] or UNDEFINED,
                    entry["protocol"],
                    *(entry[field] or UNDEFINED for field in ("developer", "parameters", "licence")),
                ]
                found.append(row)
        rows += [Heading(_ROLES.get(role, role)), *found] if found else []
    return Table(
        f"Table {NUMBER}",
        "The suite's judges: one checkpoint under one protocol each.",
        ("#", "tag", "checkpoint", "revision", "protocol", "developer", "size", "licence"),
        rows,
        derived.stamp,
        footnotes=[
            f"#: position in the roster. revision: its first {_REVISION} characters; {UNDEFINED}: not recorded."
        ],
    )
