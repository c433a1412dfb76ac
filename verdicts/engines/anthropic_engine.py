"""Anthropic's API: judges that are asked over the network and paid by the token.

Replies only: the API exposes no log-probabilities. Prompts go out at once under a rate limit, or as batches; what fails
is tried again where the user sees it, and what fails for good comes back as ``Failed``, never as an answer.
"""

from __future__ import annotations

import importlib.metadata
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.engines.api.batches_api import MOST_REQUESTS, Batches
from verdicts.engines.api.client import Client
from verdicts.engines.api.in_flight import InFlight
from verdicts.engines.api.ledger import Ledger
from verdicts.engines.api.live import Live
from verdicts.engines.api.messages import Sampling
from verdicts.engines.api.pace import Pace
from verdicts.engines.api.prices import KINDS, Prices, most_tokens
from verdicts.engines.api.queued import Queued
from verdicts.engines.api.retry import Retries
from verdicts.engines.api.settings import ApiSettings
from verdicts.engines.api.till import Till
from verdicts.engines.base import Failed, LabelLogprobs, Overflow, Reply
from verdicts.judges.roster import Judge, Service
from verdicts.plan import Settings

log = logging.getLogger(__name__)

#: Calls of the engine are this many times what is under way at once, so that stragglers hold up little.
_ROUNDS_A_CALL = 8


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> AnthropicEngine:
    """The engine for a judge of the roster; it has no checkpoint and no chat template, and takes no CPU threads.

    Raises InputError where the key is missing, or the roster does not say what the judge costs.
    """
    if judge.service is None:
        raise InputError(f"{judge.name}: the roster has no `service` for it, so that nothing could be billed")
    # Its line for every request would drown the command's own, unless the user has asked for them (ANTHROPIC_LOG).
    requests = logging.getLogger("httpx2")
    if requests.level == logging.NOTSET:
        requests.setLevel(logging.WARNING)
    return AnthropicEngine(judge.judge, judge.name, judge.service, settings.context_of(judge), settings.api)


class AnthropicEngine:
    """A model of Anthropic's behind its Messages API.

    ``model`` is asked for, and has to be the one that answers; ``name`` names the ledger's file. ``clock`` and
    ``sleep`` are in seconds.
    """

    name = "anthropic"

    def __init__(
        self,
        model: str,
        judge: str,
        service: Service,
        context: int,
        settings: ApiSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self._model = model
        self._service = service
        self._stop = threading.Event()
        rest = sleep or self._stop.wait
        self._client = Client(service.version)
        stopped = self._stop.is_set
        pace = Pace(settings.requests_per_minute, settings.tokens_per_minute, clock, rest, stopped)
        self._retries = Retries(pace, rest, stopped)
        prices = Prices({**service.usd_per_million, **settings.usd_per_million}, service.batch_share)
        self._ledger = Ledger(settings.folder / f"{judge}.ledger.jsonl", settings.max_usd)
        self._till = Till(self._ledger, prices, model, batch=settings.batch)
        self._batch = settings.batch
        self._ask: Queued | Live
        batches = Batches(self._client, self._retries, InFlight(settings.folder / "batches" / judge), rest)
        if settings.batch:
            self._ask = Queued(batches, self._till, service.version)
            self.call_size = MOST_REQUESTS
        else:
            if batches.under_way():
                log.warning("%s: an earlier run has batches under way; `batch: true` collects them", model)
            minimum = service.cache_minimum if settings.cache else None
            self._ask = Live(
                self._client, self._retries, pace, self._till, settings.concurrency, minimum, self._stop
            )
            self.call_size = _ROUNDS_A_CALL * settings.concurrency
        self._context = context

    @property
    def hardware(self) -> str:
        """The server and the service asked."""
        return f"{self._client.host}, {'Message Batches' if self._batch else 'Messages'}"

    def versions(self) -> Mapping[str, str]:
        """The client's version, the API's, and the model: every recorded answer names this very one."""
        return {
            "anthropic": importlib.metadata.version("anthropic"),
            "anthropic-version": self._service.version,
            "model": self._model,
        }

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow | Failed]:
        """Replies at temperature 0, in the order of the prompts."""
        return self._answers(prompts, Sampling(self._model, max_new_tokens, 0.0))

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow | Failed]:
        """Raises InputError: there are no log-probabilities to be had."""
        raise InputError(f"{self._model}: its API exposes no log-probabilities")

    def sample(
        self, prompts: Sequence[str], max_new_tokens: int, *, samples: int, temperature: float, seed: int
    ) -> list[list[Reply] | Overflow | Failed]:
        """``samples`` replies a prompt, each a request of its own.

        The API takes no seed: it draws anew whenever it is asked, and ``seed`` does no more than name the question.
        Raises InputError on a temperature above 1, which the API does not take.
        """
        if temperature > 1.0:
            raise InputError(f"{self._model}: a temperature of {temperature} is above 1, the API's highest")
        repeated = [prompt for prompt in prompts for _ in range(samples)]
        answers = self._answers(repeated, Sampling(self._model, max_new_tokens, temperature))
        return [_drawn(answers[start : start + samples]) for start in range(0, len(answers), samples)]

    def close(self) -> None:
        """Close the connections, and say what was used and what it cost."""
        self._stop.set()
        self._client.close()
        ledger = self._ledger
        tokens = ", ".join(f"{kind.replace('_', ' ')} {ledger.tokens[kind]:,}" for kind in KINDS)
        log.info("%s: %d responses; tokens: %s", self._model, ledger.responses, tokens)
        for reason, count in self._retries.counts.most_common():
            log.info("%s: tried again %d times after: %s", self._model, count, reason)
        lost = f", and at most {ledger.estimated:.4f} for requests that broke off" if ledger.estimated else ""
        log.info(
            "%s: %.4f USD in this run%s; %.4f USD in all (%s)",
            self._model,
            ledger.spent,
            lost,
            ledger.total,
            ledger.path,
        )

    def _answers(self, prompts: Sequence[str], sampling: Sampling) -> list[Reply | Overflow | Failed]:
        answers: list[Reply | Overflow | Failed | None] = [self._overflow(p, sampling) for p in prompts]
        asked = [position for position, answer in enumerate(answers) if answer is None]
        for position, answer in zip(
            asked, self._ask([prompts[position] for position in asked], sampling), strict=True
        ):
            answers[position] = answer
        return [answer for answer in answers if answer is not None]

    def _overflow(self, prompt: str, sampling: Sampling) -> Overflow | Failed | None:
        """Whether a prompt fits the context beside the reply; its tokens are counted only where it could fail to."""
        room = self._context - sampling.max_tokens
        if most_tokens(prompt) <= room:
            return None
        return self._till.guarded(lambda: self._counted(prompt, sampling, room))

    def _counted(self, prompt: str, sampling: Sampling, room: int) -> Overflow | None:
        tokens = self._retries.call(
            "counting tokens", lambda: self._client.count_tokens(sampling.params(prompt, 0))
        )
        return Overflow(tokens) if tokens > room else None


def _drawn(answers: Sequence[Reply | Overflow | Failed]) -> list[Reply] | Overflow | Failed:
    """The samples of one prompt: all of them, or why there are none."""
    for answer in answers:
        if not isinstance(answer, Reply):
            return answer
    return [answer for answer in answers if isinstance(answer, Reply)]
