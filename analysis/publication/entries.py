"""Published numbers beside a suite's own, and why they differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from analysis.publication.keys import Place

#: Largest deviation of numbers that are equal, as in ``raim check``.
TOLERANCE = 1e-8
SOLVER = "solver: the release stops its stacker about 1e-3 before the optimum, this project solves it"
UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Entry:
    """One published number.

    Attributes
    ----------
    group : ``Table 15``, or what the release calls the number's file
    row, column : where in it
    place : where the suite's number lies
    published : as printed, or at full precision
    ours : the suite's number, scaled and rounded as printed or at full precision; None where there is none
    distance : ours - published, in the units of the published number
    absent : why there is none
    solver : whether the number depends on the fits of the stacker
    equal : whether the two agree, as printed or within the tolerance
    cause : of the difference, empty without one
    """

    group: str
    row: str
    column: str
    place: Place
    published: str
    ours: str | None
    distance: float | None = None
    absent: str = ""
    solver: bool = False
    equal: bool = False
    cause: str = ""


def with_causes(entries: Sequence[Entry], label: str) -> list[Entry]:
    """The entries with the cause of each difference.

    A suite whose label says SIMULATED has other votes. So has a row (a benchmark, mostly) on which at least half of the
    scores that need no solver differ: on the same votes they are the same. Elsewhere what depends on the solver may
    differ by it, and the rest is unexplained. Numbers of items decide nothing: other votes can share them.
    """
    simulated = "other votes: the suite is simulated" if "SIMULATED" in label else ""
    plain: dict[str, list[bool]] = defaultdict(list)
    for entry in entries:
        if entry.ours is not None and not entry.solver and "." in entry.published:
            plain[entry.row].append(entry.equal)
    other = {
        row: f"other votes: {len(equal) - sum(equal)} of {len(equal)} scores without a solver differ too"
        for row, equal in plain.items()
        if 2 * sum(equal) <= len(equal)
    }
    found = []
    for entry in entries:
        if entry.ours is None or entry.equal:
            found.append(entry)
        else:
            votes = simulated or other.get(entry.row, "")
            found.append(replace(entry, cause=votes or (SOLVER if entry.solver else UNEXPLAINED)))
    return found


def count(entries: Iterable[Entry]) -> tuple[int, int, int]:
    """Numbers that are equal, that differ, and that the suite lacks."""
    listed = list(entries)
    equal = sum(entry.equal for entry in listed)
    absent = sum(entry.ours is None for entry in listed)
    return equal, len(listed) - equal - absent, absent
