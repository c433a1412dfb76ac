"""Prompts sent one by one, several at once, each answered within seconds."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any

from verdicts.engines.api.caching import Group, groups
from verdicts.engines.api.client import CallError, Client
from verdicts.engines.api.messages import Answer, MalformedError, Sampling, prompt_name, read_message
from verdicts.engines.api.pace import Pace
from verdicts.engines.api.prices import about_tokens
from verdicts.engines.api.retry import Retries
from verdicts.engines.api.till import Till
from verdicts.engines.base import Failed, Reply


class Live:
    """At most ``concurrency`` requests at once. ``cache_minimum``: tokens from which a prefix is cached, None: never.

    Of prompts that share a cached document the first is answered before the others are sent.
    """

    def __init__(
        self,
        client: Client,
        retries: Retries,
        pace: Pace,
        till: Till,
        concurrency: int,
        cache_minimum: int | None,
        stop: threading.Event,
    ) -> None:
        self._client = client
        self._retries = retries
        self._pace = pace
        self._till = till
        self._concurrency = concurrency
        self._cache_minimum = cache_minimum
        self._stop = stop

    def __call__(self, prompts: Sequence[str], sampling: Sampling) -> list[Reply | Failed]:
        """A reply to each prompt, in order, or why there is none."""
        minimum = self._cache_minimum
        found = groups(prompts, minimum) if minimum else [Group((i,), 0) for i in range(len(prompts))]
        answers: list[Future[Reply | Failed] | None] = [None] * len(prompts)
        executor = ThreadPoolExecutor(self._concurrency, thread_name_prefix="request")
        try:
            first: dict[Future[Reply | Failed], Group] = {}
            for group in found:
                position = group.positions[0]
                future = executor.submit(self._ask, prompts[position], sampling, group.cached)
                first[future], answers[position] = group, future
            for future in as_completed(list(first)):
                group = first[future]
                for position in group.positions[1:]:
                    answers[position] = executor.submit(self._ask, prompts[position], sampling, group.cached)
            replies = [future.result() for future in answers if future is not None]
        except KeyboardInterrupt:
            # What was answered has been paid for, so it is kept. A second interrupt ends at once.
            interrupted = self._till.finish("interrupted; run this again to go on")
            self._stop.set()
            executor.shutdown(cancel_futures=True)
            return [
                interrupted if future is None or future.cancelled() else future.result() for future in answers
            ]
        except BaseException:
            # What waits is not sent, and what sleeps between tries wakes up.
            self._stop.set()
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        executor.shutdown()
        return replies

    def _ask(self, prompt: str, sampling: Sampling, cached: int) -> Reply | Failed:
        answer = self._till.guarded(
            lambda: self._retries.call(
                f"prompt {prompt_name(prompt)[:12]}", lambda: self._send(prompt, sampling, cached)
            )
        )
        return answer if isinstance(answer, Failed) else self._till.accept(answer)

    def _send(self, prompt: str, sampling: Sampling, cached: int) -> Answer:
        till, name = self._till, prompt_name(prompt)
        if self._stop.is_set():
            raise CallError("interrupted")
        most = till.at_most(prompt, sampling.max_tokens, cached=bool(cached))
        with till.reserved(most):
            self._pace.wait(about_tokens(prompt))
            try:
                answer = _read(self._client.create(sampling.params(prompt, cached)))
            except CallError as error:
                if error.billed:
                    till.book_lost(name, most)
                raise
            till.book(name, answer)
        return answer


def _read(body: Any) -> Answer:
    try:
        return read_message(body)
    except MalformedError as error:
        raise CallError(f"malformed answer: {error}", again=True, billed=True) from None
