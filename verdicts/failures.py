"""Requests that got no answer: what a run keeps of them, and how it ends."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from raim.errors import InputError
from verdicts.engines.base import Failed
from verdicts.records.schema import Distribution, Verdict

log = logging.getLogger(__name__)


class Named(Protocol):
    """A request."""

    @property
    def uid(self) -> str:
        """The item's name."""

    @property
    def key(self) -> str:
        """The record's key."""


Asked = TypeVar("Asked", bound=Named)


@dataclass(frozen=True)
class Failure:
    """A request without an answer. ``label`` names benchmark and member."""

    label: str
    uid: str
    key: str
    reason: str


class Failures:
    """Every request of a run that got no answer. None is recorded, so the next run asks for them again."""

    def __init__(self) -> None:
        self._failures: list[Failure] = []
        #: Why the engine asks no more; None while it does.
        self.end: str | None = None

    def answered(
        self, label: str, requests: Sequence[Asked], answers: Sequence[Verdict | Distribution | Failed]
    ) -> list[tuple[Asked, Verdict | Distribution]]:
        """The requests that have an answer, with it; the others are kept here."""
        found = []
        for request, answer in zip(requests, answers, strict=True):
            if not isinstance(answer, Failed):
                found.append((request, answer))
            elif answer.ends_run:
                self.end = answer.reason
            else:
                self._failures.append(Failure(label, request.uid, request.key, answer.reason))
        return found

    def tell(self) -> None:
        """List them, each with its reason."""
        for failure in self._failures:
            log.error(
                "%s: %s (key %s): no answer: %s", failure.label, failure.uid, failure.key, failure.reason
            )

    def refuse(self, made: int) -> None:
        """Raise InputError where the run did not get everything; ``made`` is how many records it made all the same."""
        if self.end is not None:
            raise InputError(f"{self.end} ({made} records were made by this run, and are kept)")
        if self._failures:
            count = len(self._failures)
            raise InputError(
                f"{count} {'item' if count == 1 else 'items'} got no answer, as listed above, and no record: run this "
                f"again to ask for them ({made} records were made)"
            )
