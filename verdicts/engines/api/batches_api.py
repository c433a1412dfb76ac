"""Prompts sent as batches: cheaper, and answered within a day.

Results are joined by identifiers that hold the prompt's hash and everything else that is asked, so that a result is
never taken for another prompt's, whichever run sent it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from verdicts.engines.api.client import CallError, Client
from verdicts.engines.api.in_flight import Batch, InFlight
from verdicts.engines.api.messages import Answer, MalformedError, Sampling, prompt_name, read_message
from verdicts.engines.api.retry import Retries
from verdicts.engines.base import Failed
from verdicts.records.canonical import digest

log = logging.getLogger(__name__)

#: The API's limits are 100,000 requests and 256 MB a batch.
MOST_REQUESTS = 20_000
_MOST_BYTES = 200_000_000
#: The status of what is not there.
_GONE = 404
#: Seconds between looks at a batch.
_POLL = 60.0
#: A clock of this machine and the API's may differ by so much.
_SKEW = timedelta(minutes=10)

Results = dict[str, Answer | Failed]


def request_ids(sampling: Sampling, version: str, prompts: Sequence[str]) -> list[str]:
    """An identifier for each prompt, in their order; equal prompts are numbered."""
    asked = digest({"version": version, **sampling.params("", 0)})[:12]
    seen: Counter[str] = Counter()
    ids = []
    for prompt in prompts:
        text = prompt_name(prompt)
        ids.append(f"{asked}-{text}-{seen[text]}")
        seen[text] += 1
    return ids


def request_prompt(name: str) -> str:
    """The prompt's name in a request's identifier."""
    return name.split("-")[1]


class Batches:
    """Sends, waits and collects. ``booked`` is told of each answer when its batch is collected for the first time."""

    def __init__(
        self,
        client: Client,
        retries: Retries,
        in_flight: InFlight,
        sleep: Callable[[float], object],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._client = client
        self._retries = retries
        self._in_flight = in_flight
        self._sleep = sleep
        self._now = now

    def under_way(self) -> float:
        """USD that batches may cost which no run has collected yet."""
        return sum(batch.reserve for batch in self._in_flight.all(self._now()) if not batch.collected)

    def resume(self, ids: Sequence[str], booked: Callable[[Batch, str, Answer], object]) -> Results:
        """What earlier runs have sent of these requests and left behind; waits for what is still under way."""
        wanted, found = set(ids), {}
        with self._in_flight.sending():
            known = [self._identified(batch) for batch in self._in_flight.all(self._now())]
        for batch in known:
            if batch is None or not wanted.intersection(batch.ids):
                continue
            log.info("batch %s of an earlier run: %d requests", batch.name, len(batch.ids))
            try:
                results = self.wait(batch, booked)
            except CallError as error:
                if error.status != _GONE:
                    raise
                log.warning("batch %s is not there any more: its requests are sent again", batch.name)
                self._in_flight.drop(batch)
            else:
                found.update({name: results[name] for name in wanted.intersection(results)})
        return found

    def send(self, requests: Mapping[str, Mapping[str, Any]], reserve: float) -> Batch:
        """Send requests by identifier. Raises CallError where the API does not take them."""
        sent = [{"custom_id": name, "params": params} for name, params in requests.items()]
        with self._in_flight.sending():
            batch = self._in_flight.begin(list(requests), reserve, self._now())

            def create() -> str:
                # A try that broke off may have arrived: sent twice, it would be paid for twice.
                name = self._lost(batch) if broken else None
                return name or str(self._client.create_batch(sent)["id"])

            broken: list[CallError] = []
            try:
                name = self._retries.call(
                    "sending a batch", create, lambda e: broken.append(e) if e.billed else None
                )
            except CallError:
                # What may have arrived stays on file: the next run looks for it.
                if not broken:
                    self._in_flight.drop(batch)
                raise
            batch = self._in_flight.named(batch, name)
        log.info("batch %s: %d requests sent", batch.name, len(batch.ids))
        return batch

    def wait(self, batch: Batch, booked: Callable[[Batch, str, Answer], object]) -> Results:
        """The results of a batch once it has ended: an answer, or why there is none, for each of its requests."""
        what = f"batch {batch.name}"
        while True:
            state = self._retries.call(what, lambda: self._client.batch(batch.name))
            if state.get("processing_status") == "ended":
                break
            counts = state.get("request_counts")
            log.info("%s: %s, %s", what, state.get("processing_status"), counts)
            self._sleep(_POLL)
        lines = self._retries.call(what, lambda: list(self._client.results(batch.name)))
        results = dict(self._result(line) for line in lines)
        answers = {name: answer for name, answer in results.items() if isinstance(answer, Answer)}
        if not batch.collected:
            for name, answer in answers.items():
                booked(batch, name, answer)
            self._in_flight.done(batch, answers)
        gone = Failed(f"{what} holds no result for it")
        return {name: results.get(name, gone) for name in batch.ids}

    def _identified(self, batch: Batch) -> Batch | None:
        """The batch with its identifier; None, and forgotten, where a killed run never got it sent."""
        if batch.name:
            return batch
        name = self._retries.call("looking for a batch that a killed run sent", lambda: self._lost(batch))
        if name is None:
            self._in_flight.drop(batch)
            return None
        return self._in_flight.named(batch, name)

    def _lost(self, batch: Batch) -> str | None:
        """The identifier of a batch that was sent and whose answer was lost, looked for among the newest.

        It is as large, not older, and no other file's; results are joined by request, so a wrong guess is found out.
        """
        others = {other.name for other in self._in_flight.all(self._now())}
        sent = datetime.fromisoformat(batch.sent)
        for found in self._client.newest_batches():
            counts = found.get("request_counts")
            size = sum(count for count in counts.values() if isinstance(count, int)) if counts else 0
            created = str(found.get("created_at", ""))
            if found["id"] in others or size != len(batch.ids) or not created:
                continue
            if datetime.fromisoformat(created) >= sent - _SKEW:
                return str(found["id"])
        return None

    def _result(self, line: Mapping[str, Any]) -> tuple[str, Answer | Failed]:
        name, result = str(line.get("custom_id")), line.get("result")
        if not isinstance(result, dict) or result.get("type") != "succeeded":
            return name, Failed(self._client.clean(_reason(result)))
        try:
            return name, read_message(result.get("message"))
        except MalformedError as error:
            return name, Failed(f"malformed answer: {error}")


def parts(sizes: Sequence[int], reserves: Sequence[float], allowed: float | None) -> int:
    """How many requests, from the first, one batch can take: by number, bytes, and what they may cost (USD)."""
    size, cost = 0, 0.0
    for count, (more, usd) in enumerate(zip(sizes, reserves, strict=True)):
        size, cost = size + more, cost + usd
        full = count == MOST_REQUESTS or (count > 0 and size > _MOST_BYTES)
        if full or (allowed is not None and cost > allowed):
            return count
    return len(sizes)


def _reason(result: Any) -> str:
    """Why a request of a batch has no answer."""
    if not isinstance(result, dict):
        return "malformed answer: no result"
    kind = result.get("type")
    outer = result.get("error")
    error = outer.get("error") if isinstance(outer, dict) else None
    why = f": {error.get('type')}: {error.get('message')}" if isinstance(error, dict) else ""
    return f"{kind} in its batch{why}"
