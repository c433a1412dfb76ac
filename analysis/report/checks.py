"""What a suite's numbers were compared with, and how that went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.pipeline.check import TOLERANCE, compare_folders
from analysis.pipeline.derived import Derived
from analysis.publication.entries import Entry, count
from analysis.publication.headlines import headlines
from analysis.publication.keys import Source
from analysis.publication.printed_tables import compare_tables
from analysis.report.page import Section
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

_PUBLICATION = (
    "A suite with other records than the paper's has other numbers; `raim check --published` lists every difference "
    "with its cause."
)
#: Differences that are listed.
_LISTED = 20


def checks(folder: Path, committed: Path | None, parts: Sequence[str] | None = None) -> Section:
    """The comparison of derived files with the committed ones.

    Parameters
    ----------
    folder : the derived files
    committed : the committed ones; None where the configuration compares with none
    parts : the sub-folders that are compared; None compares everything
    """
    paragraphs, points = _outcome(folder, committed, parts)
    return Section("checks", "Check against the committed numbers", paragraphs, points)


def publication(derived: Derived) -> Section:
    """The comparison with the paper's tables as printed, and its headline numbers beside the suite's."""
    source = Source(derived)
    return Section(
        "publication",
        "Beside the publication",
        paragraphs=(_PUBLICATION,),
        grids=(_printed(derived, compare_tables(source)), _headlines(derived, headlines(source))),
    )


def _outcome(
    folder: Path, committed: Path | None, parts: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if committed is None:
        return ("Not compared with committed numbers: the configuration's `check` does not name it.",), ()
    found = compare_folders(folder, committed, parts=parts)
    counts = f"{found.files} files, {found.floats:,} floats and {found.exact:,} exact values"
    if found.passed:
        within = f"PASS: the numbers are the committed ones within {TOLERANCE:g}"
        return (f"{within} ({counts}; largest deviation {found.largest:.1e}).",), ()
    differences = [str(one) for one in found.differences[:_LISTED]]
    if (rest := len(found.differences) - len(differences)) > 0:
        differences.append(f"and {rest} more")
    failed = f"FAIL: {len(found.differences)} differences from the committed numbers ({counts} compared)."
    return (failed,), tuple(differences)


def _printed(derived: Derived, entries: Sequence[Entry]) -> Table:
    groups = {
        name: [one for one in entries if one.group == name]
        for name in dict.fromkeys(e.group for e in entries)
    }
    rows: list[list[Cell]] = [_counted(name, group) for name, group in groups.items()]
    return Table(
        "",
        "Numbers of the paper's tables as printed, and how many of them are equal in this suite.",
        ("table", "numbers", "equal", "differ", "lacking", "farthest"),
        [*rows, _counted("in all", entries)],
        derived.stamp,
    )


def _counted(title: str, entries: Sequence[Entry]) -> list[Cell]:
    equal, differ, absent = count(entries)
    distances = [abs(entry.distance) for entry in entries if entry.distance is not None]
    reason = "the suite lacks all of these numbers"
    return [title, len(entries), equal, differ, absent, Number(max(distances, default=None), reason=reason)]


def _headlines(derived: Derived, entries: Sequence[Entry]) -> Table:
    return Table(
        "",
        "Headline numbers of the paper beside the suite's own, and where each of these is read.",
        ("where", "number", "printed", "the suite's", "file", "key"),
        [
            [e.group, e.row, e.published, e.ours or f"none: {e.absent}", e.place.file, e.place.key]
            for e in entries
        ],
        derived.stamp,
    )
