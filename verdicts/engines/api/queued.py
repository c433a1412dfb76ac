"""Prompts sent as batches, in parts that the spending cap allows."""

from __future__ import annotations

from collections.abc import Sequence

from verdicts.engines.api.batches_api import Batches, Results, parts, request_ids, request_prompt
from verdicts.engines.api.client import CallError
from verdicts.engines.api.in_flight import Batch
from verdicts.engines.api.messages import Answer, Sampling
from verdicts.engines.api.prices import most_tokens
from verdicts.engines.api.till import Till
from verdicts.engines.base import Failed, Reply


class Queued:
    """First what earlier runs have sent and left behind, then what is missing of it."""

    def __init__(self, batches: Batches, till: Till, version: str) -> None:
        self._batches = batches
        self._till = till
        self._version = version

    def __call__(self, prompts: Sequence[str], sampling: Sampling) -> list[Reply | Failed]:
        """A reply to each prompt, in order, or why there is none."""
        ids = request_ids(sampling, self._version, prompts)
        found: Results = {}
        try:
            found.update(self._batches.resume(ids, self._booked))
            texts = {name: text for name, text in zip(ids, prompts, strict=True) if name not in found}
            while texts and self._till.end is None:
                part = self._part(texts, sampling)
                found.update(part)
                texts = {name: text for name, text in texts.items() if name not in part}
        except CallError as error:
            self._till.finish(
                f"{error.reason}; batches that are under way are kept: run this again to collect them"
            )
        unasked = self._till.end or Failed("was not sent")
        answers = [found.get(name, unasked) for name in ids]
        return [answer if isinstance(answer, Failed) else self._till.accept(answer) for answer in answers]

    def _part(self, texts: dict[str, str], sampling: Sampling) -> Results:
        """Send as many requests as one batch and the cap take, and wait for their results."""
        till = self._till
        left = till.ledger.left()
        # What a killed run has sent is paid for and not booked yet.
        allowed = None if left is None else left - self._batches.under_way()
        reserves = [till.at_most(text, sampling.max_tokens) for text in texts.values()]
        count = parts([most_tokens(text) for text in texts.values()], reserves, allowed)
        usd = sum(reserves[:count])
        if count == 0 or not till.ledger.reserve(usd, wait=False):
            till.end_at_cap()
            return {}
        try:
            requests = {name: sampling.params(texts[name], 0) for name in list(texts)[:count]}
            return self._batches.wait(self._batches.send(requests, usd), self._booked)
        finally:
            till.ledger.release(usd)

    def _booked(self, batch: Batch, name: str, answer: Answer) -> None:
        self._till.book(request_prompt(name), answer, batch.name)
