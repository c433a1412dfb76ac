"""The headline numbers of the paper's text beside the file and key that each is read from."""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from analysis.publication.entries import Entry
from analysis.publication.keys import Absent, Place, Source
from analysis.publication.printed_tables import FOLDER, as_printed
from analysis.terminal import table


def headlines(source: Source) -> list[Entry]:
    """Every headline number as printed, the suite's own rounded alike, and where it lies."""
    values = yaml.safe_load((FOLDER / "headlines.yaml").read_text(encoding="utf-8"))
    entries = []
    for number in values["numbers"]:
        place = Place(number["step"], None, number["key"])
        ours, distance, absent = None, None, ""
        try:
            value = source.number(place) * number.get("scale", 1)
            whole = number.get("round", 1)
            ours = as_printed(value if whole == 1 else round(value / whole) * whole, number["printed"])
            distance = value - float(number["printed"])
        except Absent as reason:
            absent = str(reason)
        printed = number["printed"]
        entries.append(
            Entry(
                number["where"],
                number["says"],
                "",
                place,
                printed,
                ours,
                distance,
                absent,
                equal=ours == printed,
            )
        )
    return entries


def render(entries: Sequence[Entry], folder: str) -> str:
    """One line a number: where the paper says it, file, key, printed, ours; then why some are missing."""
    rows: list[Sequence[str]] = [("where", "number", f"file in {folder}", "key", "printed", "ours")]
    rows += [
        (entry.group, entry.row, entry.place.file, entry.place.key, entry.published, entry.ours or "-")
        for entry in entries
    ]
    missing: dict[str, list[str]] = {}
    for entry in entries:
        if entry.absent:
            missing.setdefault(entry.absent, []).append(entry.row)
    reasons = [f"{', '.join(numbers)}: {reason}" for reason, numbers in missing.items()]
    return "\n".join([table(rows, left=4), *(["", "Missing", *reasons] if reasons else []), ""])
