"""What every response cost, kept in a file beside the store, and the cap on it.

One line of JSON a response, appended as it comes; all runs and processes that share a store share it. It names prompts
by their hash, as records do, and holds nothing of what was asked or answered, and never the key.
"""

from __future__ import annotations

import errno
import io
import logging
import math
import os
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.engines.api.prices import KINDS, Usage
from verdicts.records.canonical import canonical
from verdicts.records.plain import parse
from verdicts.store.disk import lock, write_error

log = logging.getLogger(__name__)


class Ledger:
    """The file at ``path``, and ``cap`` in USD on all it has ever booked (None: no cap).

    Before a request is sent, what it could cost at most is reserved; a reserve that would pass the cap waits for those
    under way, which mostly cost less, and is refused when none is left. So the cap is never passed. Processes that
    share the file see each other's bookings, not each other's reserves.

    Raises InputError where the file cannot be read or written.
    """

    def __init__(self, path: Path, cap: float | None) -> None:
        self.path = path
        self.cap = cap
        self._changed = threading.Condition()
        self._reserved = 0.0
        self._booked: set[str] = set()
        self._offset = 0
        #: USD ever booked, estimates included.
        self.total = 0.0
        #: What this process booked: tokens by kind, and USD of answers and of requests that may have been billed.
        self.tokens: Counter[str] = Counter()
        self.responses = 0
        self.spent = 0.0
        self.estimated = 0.0
        self._read()

    def reserve(self, usd: float, *, wait: bool = True) -> bool:
        """Set ``usd`` aside for a request about to be sent; False where the cap does not allow it."""
        with self._changed:
            while True:
                self._read()
                if self.cap is None or self.total + self._reserved + usd <= self.cap:
                    self._reserved += usd
                    return True
                if not wait or self._reserved <= 0.0:
                    return False
                self._changed.wait()

    def release(self, usd: float) -> None:
        """Give a reserve back: its request has been booked, or was not sent."""
        with self._changed:
            # Sums of floats do not cancel to the last digit.
            left = self._reserved - usd
            self._reserved = left if left > 1e-12 else 0.0
            self._changed.notify_all()

    def left(self) -> float | None:
        """USD that can still be reserved; None without a cap."""
        with self._changed:
            self._read()
            return None if self.cap is None else max(0.0, self.cap - self.total - self._reserved)

    def book(self, about: Mapping[str, Any], usage: Usage, usd: float) -> None:
        """Append a response, which ``about`` names (``id``, ``prompt``, ``model``, ``time``); none is booked twice."""
        with self._changed:
            self._read()
            if about["id"] in self._booked:
                return
            self.responses += 1
            self.spent += usd
            self.tokens.update({kind: getattr(usage, kind) for kind in KINDS})
            counts = {kind: getattr(usage, kind) for kind in KINDS}
            self._append({**about, **counts, "usd": round(usd, 9), "estimated": False})

    def book_lost(self, about: Mapping[str, Any], usd: float) -> None:
        """Append a request that broke off and may have been billed: the most it can have cost counts."""
        with self._changed:
            self.estimated += usd
            self._append({**about, "id": None, "usd": round(usd, 9), "estimated": True})

    def _append(self, line: Mapping[str, Any]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            data = (canonical(dict(line)) + "\n").encode()
            with open(self.path, "a+b", buffering=0) as out:
                # One writer at a time: lines of several processes do not mix, and what is torn can be taken back.
                lock(out.fileno(), self.path, wait=True)
                end = self._whole(out)
                if out.write(data) != len(data):
                    out.truncate(end)
                    raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as error:
            raise write_error(self.path, error, "what was answered before is safe") from error
        self._read()

    def _whole(self, out: io.FileIO) -> int:
        """Where the whole lines end; what a machine that went down has left of a line behind them is cut off."""
        size = end = out.seek(0, os.SEEK_END)
        while end and out.seek(end - 1) >= 0 and out.read(1) != b"\n":
            end -= 1
        if end < size:
            log.warning("%s: its last line was cut off: what one response cost is not counted", self.path)
            out.truncate(end)
        return end

    def _read(self) -> None:
        """Take in what was appended since the last time, by whomever."""
        try:
            with open(self.path, "rb") as handle:
                handle.seek(self._offset)
                data = handle.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror}); make it readable") from error
        whole = data[: data.rfind(b"\n") + 1]
        try:
            for line in whole.splitlines():
                entry = parse(line)
                usd = float(entry["usd"])
                # What is no amount would lift the cap without a word.
                if not 0 <= usd < math.inf:
                    raise ValueError(f"usd is {usd}")
                self.total += usd
                if entry["id"] is not None:
                    self._booked.add(entry["id"])
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise InputError(
                f"{self.path}: a line of the ledger cannot be read ({error}); mend or remove that line, and mind that "
                f"the cap counts what the file says"
            ) from error
        self._offset += len(whole)
