"""Trying again, where the user sees it: each failure, what it was, and how long the wait is."""

from __future__ import annotations

import logging
import random
import threading
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from verdicts.engines.api.client import CallError
from verdicts.engines.api.pace import Pace

log = logging.getLogger(__name__)
Result = TypeVar("Result")

#: Tries in all: with the waits below, an outage of some two minutes is sat out.
TRIES = 8
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0


class Retries:
    """Calls tried up to ``TRIES`` times, with waits that double; what the API asks to wait comes before.

    ``jitter`` gives a factor from 0.5 to 1 for each wait: requests that failed together do not return together.
    """

    def __init__(
        self,
        pace: Pace,
        sleep: Callable[[float], object],
        stopped: Callable[[], bool],
        jitter: Callable[[], float] = lambda: random.uniform(0.5, 1.0),
    ) -> None:
        self._pace = pace
        self._sleep = sleep
        self._stopped = stopped
        self._jitter = jitter
        self._lock = threading.Lock()
        #: Reason -> how often it was met and tried again.
        self.counts: Counter[str] = Counter()

    def call(
        self,
        what: str,
        send: Callable[[], Result],
        failed: Callable[[CallError], object] = lambda error: None,
    ) -> Result:
        """The result of ``send``. ``failed`` is told of every failure. Raises the CallError of the last try."""
        for number in range(1, TRIES + 1):
            try:
                return send()
            except CallError as error:
                failed(error)
                if not error.again or number == TRIES or self._stopped():
                    raise
                wait = error.after
                if wait is None:
                    wait = min(_FIRST_WAIT * 2 ** (number - 1), _LONGEST_WAIT) * self._jitter()
                else:
                    self._pace.hold(wait)
                with self._lock:
                    self.counts[error.reason] += 1
                log.warning("%s: %s; try %d of %d in %.1f s", what, error.reason, number + 1, TRIES, wait)
                self._sleep(wait)
        raise AssertionError("unreachable")
