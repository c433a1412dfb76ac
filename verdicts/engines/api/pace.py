"""When the next request may begin: a steady pace, and a stop for all while the API asks for one."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Pace:
    """Requests begin evenly spaced, so that neither limit of a minute is passed.

    Each caller books the next free moment and sleeps until then, or until ``stopped``. ``clock`` and ``sleep`` are in
    seconds.
    """

    def __init__(
        self,
        requests_per_minute: float,
        tokens_per_minute: float | None,
        clock: Callable[[], float],
        sleep: Callable[[float], object],
        stopped: Callable[[], bool],
    ) -> None:
        self._request = 60.0 / requests_per_minute
        self._token = 60.0 / tokens_per_minute if tokens_per_minute else 0.0
        self._clock = clock
        self._sleep = sleep
        self._stopped = stopped
        self._lock = threading.Lock()
        self._next = clock()
        self._held = self._next

    def wait(self, tokens: int) -> None:
        """Return when a request of so many tokens may begin."""
        with self._lock:
            start = max(self._next, self._held, self._clock())
            self._next = start + max(self._request, tokens * self._token)
        while (left := max(start, self._held) - self._clock()) > 0 and not self._stopped():
            self._sleep(left)

    def hold(self, seconds: float) -> None:
        """Begin nothing for so long: the API has asked for it, and would refuse everybody alike."""
        with self._lock:
            self._held = max(self._held, self._clock() + seconds)
