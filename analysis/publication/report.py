"""The comparison with the publication as a page of text and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from analysis.publication.entries import Entry, count
from analysis.terminal import table
from raim.safe_text import printable


def render(entries: Sequence[Entry], limit: int | None = None) -> str:
    """One line a group, then every difference with its cause, then what the suite lacks.

    Parameters
    ----------
    limit : differences to list; None for all
    """
    groups = list(dict.fromkeys(entry.group for entry in entries))
    rows: list[Sequence[str]] = [("", "numbers", "equal", "differ", "lacking", "farthest")]
    rows += [_row(group, [entry for entry in entries if entry.group == group]) for group in groups]
    lines = [table([*rows, _row("in all", entries)]), ""]
    lines += _differences([entry for entry in entries if entry.cause], limit)
    lines += _lacking([entry for entry in entries if entry.ours is None])
    return "\n".join([*lines, ""])


def as_values(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The entries as plain values, each with its file and key."""
    return [
        {
            **{name: value for name, value in asdict(entry).items() if name != "place"},
            "file": entry.place.file,
            "key": entry.place.key,
        }
        for entry in entries
    ]


def _row(title: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    equal, differ, absent = count(entries)
    distances = [abs(entry.distance) for entry in entries if entry.distance is not None]
    farthest = f"{max(distances):.2g}" if distances else "-"
    return title, str(len(entries)), str(equal), str(differ), str(absent), farthest


def _differences(entries: Sequence[Entry], limit: int | None) -> list[str]:
    lines: list[str] = []
    shown = entries if limit is None else entries[:limit]
    for cause in dict.fromkeys(entry.cause for entry in entries):
        mine = [entry for entry in shown if entry.cause == cause]
        lines.append(f"{sum(entry.cause == cause for entry in entries)} differ by {cause}")
        lines += [
            f"  {entry.group}, {entry.row}, {entry.column}: {entry.ours}, published {entry.published}"
            for entry in mine
        ]
    if len(shown) < len(entries):
        lines.append(f"  ... and {len(entries) - len(shown)} more (--limit, --json)")
    return [printable(line) for line in lines]


def _lacking(entries: Sequence[Entry]) -> list[str]:
    lines = []
    for reason in dict.fromkeys(entry.absent for entry in entries):
        groups = dict.fromkeys(entry.group for entry in entries if entry.absent == reason)
        n = sum(entry.absent == reason for entry in entries)
        lines.append(f"{n} lacking ({', '.join(groups)}): {reason}")
    return [printable(line) for line in lines]
