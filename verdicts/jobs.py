"""How the judges of a configuration are run as jobs: how many processes each, on how many GPUs and CPU threads.

Read from the validated ``judge`` section of a workflow configuration. None of it enters a record's key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from raim.errors import InputError
from verdicts.judges.roster import find

#: CPU threads beside a GPU, where they prepare prompts and little else.
_BESIDE_A_GPU = 4


@dataclass(frozen=True)
class Job:
    """What each of a judge's ``slices`` processes takes. ``threads`` is None where it takes all the cores there are."""

    judge: str
    slices: int
    gpus: int
    threads: int | None
    behind_api: bool

    @property
    def parts(self) -> list[str]:
        """The processes by name: ``1of2``, ``2of2``."""
        return [f"{part}of{self.slices}" for part in range(1, self.slices + 1)]


def jobs_of(section: Mapping[str, Any]) -> dict[str, Job]:
    """Each judge's job, by the judge's name, in the order of the plans' members; it is the same in each plan.

    Raises InputError where ``slices`` or ``gpus`` name a judge that is not among the members, or the roster lacks one.
    """
    judges = list(dict.fromkeys(member["judge"] for plan in section["plans"] for member in plan["members"]))
    for option in ("slices", "gpus"):
        value = section.get(option)
        unknown = sorted(set(value) - {*judges, "default"}) if isinstance(value, Mapping) else []
        if unknown:
            raise InputError(
                f"judge: {option}: {', '.join(unknown)} is not among the members' judges: {', '.join(judges)}"
            )
    return {judge: _job(section, judge) for judge in judges}


def _job(section: Mapping[str, Any], judge: str) -> Job:
    if find(judge).weights.kind == "api":
        # One process: it sends its requests at once by itself, under one rate limit and one spending cap.
        return Job(judge, _own(section, "slices", judge, 1), 0, 1, True)
    gpus = _stated(section, "gpus", judge, 0)
    threads = section.get("threads", _BESIDE_A_GPU if gpus else None)
    return Job(judge, _stated(section, "slices", judge, 1), gpus, threads, False)


def _stated(section: Mapping[str, Any], option: str, judge: str, absent: int) -> int:
    """An option that is one number for all judges, or a number for each with a ``default``."""
    value = section.get(option, absent)
    number: int = value.get(judge, value.get("default", absent)) if isinstance(value, Mapping) else value
    return number


def _own(section: Mapping[str, Any], option: str, judge: str, absent: int) -> int:
    """What an option says of this very judge."""
    value = section.get(option)
    number: int = value.get(judge, absent) if isinstance(value, Mapping) else absent
    return number
