"""What stands between a prompt and a request: may it still be paid for, and has the service given up?

Every answer is booked here before it is used, and checked to come from the model that was asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TypeVar

from raim.safe_text import printable
from verdicts.engines.api.client import CallError
from verdicts.engines.api.ledger import Ledger
from verdicts.engines.api.messages import Answer
from verdicts.engines.api.prices import Prices, most_tokens
from verdicts.engines.base import Failed, Reply

#: So many failures in a row, each after all its retries, and the service is taken to be out of reach.
_ROW = 10

Result = TypeVar("Result")


class EndedError(Exception):
    """The run has ended: nothing more is sent."""


class Till:
    """Reserves, books, and ends the run where no other request would fare better.

    ``end`` is None until then. An engine has one, which its threads share.
    """

    def __init__(self, ledger: Ledger, prices: Prices, model: str, *, batch: bool) -> None:
        self.ledger = ledger
        self._prices = prices
        self._model = model
        self._batch = batch
        self._lock = threading.Lock()
        self._row = 0
        self._answered = False
        self.end: Failed | None = None

    def at_most(self, prompt: str, max_tokens: int, *, cached: bool = False) -> float:
        """USD that a request cannot exceed."""
        return self._prices.at_most(most_tokens(prompt), max_tokens, cached=cached, batch=self._batch)

    @contextmanager
    def reserved(self, usd: float) -> Iterator[None]:
        """So much is set aside for what is sent inside. Raises EndedError where the cap leaves no room for it."""
        if not self.ledger.reserve(usd):
            self.end_at_cap()
            raise EndedError
        try:
            if self.end is not None:
                raise EndedError
            yield
        finally:
            self.ledger.release(usd)

    def end_at_cap(self) -> Failed:
        """End the run: the cap is reached."""
        ledger = self.ledger
        return self.finish(
            f"the spending cap of {ledger.cap or 0.0:.2f} USD leaves no room for another request "
            f"({ledger.total:.4f} USD are booked in {ledger.path}); to go on, raise `max_usd` and run this again"
        )

    def finish(self, reason: str) -> Failed:
        """End the run; the first reason stands."""
        with self._lock:
            self.end = self.end or Failed(f"{self._model}: {reason}", ends_run=True)
            return self.end

    def book(self, name: str, answer: Answer, batch: str | None = None) -> None:
        """Enter an answer to the prompt of a name in the ledger."""
        about = {**self._about(name), "id": answer.id, "batch": batch}
        self.ledger.book(about, answer.usage, self._prices.of(answer.usage, batch=self._batch))

    def book_lost(self, name: str, usd: float) -> None:
        """Enter a request that broke off, at the most that it can have cost."""
        self.ledger.book_lost(self._about(name), usd)

    def accept(self, answer: Answer) -> Reply | Failed:
        """The reply of an answer, which has to be the model's that was asked for."""
        with self._lock:
            self._row, self._answered = 0, True
        if answer.model != self._model:
            other = printable(answer.model)[:60]
            return self.finish(
                f"was asked for, and {other} has answered: nothing of it is recorded; give the roster entry the "
                f"model's full, dated name"
            )
        return answer.reply

    def guarded(self, ask: Callable[[], Result]) -> Result | Failed:
        """What ``ask`` gives, or its failure. Where the failure is everybody's, the run ends with it."""
        if self.end is not None:
            return self.end
        try:
            return ask()
        except EndedError:
            return self.finish("the run has ended")
        except CallError as error:
            if error.hopeless:
                return self.finish(f"{error.reason}; mend that and run this again")
            with self._lock:
                # One prompt that is refused says nothing of the next, unless none was ever answered.
                self._row += error.again or not self._answered
                row = self._row
            if row >= _ROW:
                return self.finish(
                    f"{row} requests in a row have failed, the last with: {error.reason}; run this again when the "
                    f"service answers"
                )
            return Failed(error.reason)

    def _about(self, name: str) -> dict[str, str]:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return {"time": now, "model": self._model, "prompt": name}
