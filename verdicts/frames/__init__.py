"""Prompt frames, word for word as appendix K quotes them; one frame a file, one unit of judgement each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from raim.errors import InputError
from verdicts.benchmarks.items import Item
from verdicts.frames import claimcheck, def_on
from verdicts.frames.task import Task

#: Raised whenever any rendered byte changes; part of a record's condition.
FRAME_VERSION = 1

FRAMES: Mapping[str, Callable[[Task, Item], str]] = {"claimcheck": claimcheck.render, "def_on": def_on.render}

__all__ = ["FRAMES", "FRAME_VERSION", "Task", "render"]


def render(frame: str, task: Task, item: Item) -> str:
    """The prompt of one item under a frame: a single user turn, no system message.

    Raises InputError on a frame that does not exist.
    """
    if frame not in FRAMES:
        raise InputError(f"unknown frame {frame!r}; choose one of: {', '.join(sorted(FRAMES))}")
    return FRAMES[frame](task, item)
