"""What an engine is: prompts in, replies or label masses out, in the order given.

Engines know nothing of records, benchmarks or parsing. A prompt that does not fit the context is never truncated in
silence: it comes back as :class:`Overflow`. Who wants it cut (``truncation: middle_out``) cuts it beforehand, with the
``encoder`` of a local engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from raim.errors import InputError
from verdicts.engines.encoding import Encoder


@dataclass(frozen=True)
class Overflow:
    """The prompt and the answer do not fit the context together; nothing was asked."""

    prompt_tokens: int


@dataclass(frozen=True)
class Reply:
    """A generated reply.

    ``finish`` is ``stop`` (the judge ended it) or ``length`` (the budget of new tokens did); otherwise the text is no
    answer, and not read: ``not_finite`` (the judge's logits were no numbers from there on), ``refusal`` (the judge's
    service withheld an answer) or ``unknown`` (it ended in a way that this version does not know).
    """

    text: str
    finish: Literal["stop", "length", "not_finite", "refusal", "unknown"]
    prompt_tokens: int
    reply_tokens: int


#: Finishes of a reply that is an answer.
ANSWERED = ("stop", "length")


@dataclass(frozen=True)
class Failed:
    """No answer could be had, for a reason outside the judge: nothing is recorded, and the next run asks again.

    ``ends_run`` where no further prompt would fare better (a spending cap, a key that is refused): the run keeps what
    it has and stops, giving ``reason`` to its user.
    """

    reason: str
    ends_run: bool = False


@dataclass(frozen=True)
class LabelLogprobs:
    """Log-probabilities of each label's tokens after the prompt, one tuple a label, in nats.

    ``tokens`` are the labels' token ids, by which :func:`verdicts.engines.labels.label_masses` tells that a label
    begins another one.
    """

    logprobs: tuple[tuple[float, ...], ...]
    tokens: tuple[tuple[int, ...], ...]
    prompt_tokens: int


class Engine(Protocol):
    """One loaded judge."""

    @property
    def name(self) -> str:
        """The engine's name, for provenance."""

    @property
    def hardware(self) -> str:
        """What the answers are computed on, for provenance."""

    def versions(self) -> Mapping[str, str]:
        """Versions of the packages that compute the answers."""

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> Sequence[Reply | Overflow | Failed]:
        """Greedy replies. ``prompts`` are the user's messages; the chat template is the engine's to apply."""

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> Sequence[LabelLogprobs | Overflow | Failed]:
        """Log-probabilities of the labels at the answer position: after the prompt and the answer's ``prefix``."""

    def sample(
        self, prompts: Sequence[str], max_new_tokens: int, *, samples: int, temperature: float, seed: int
    ) -> Sequence[Sequence[Reply] | Overflow | Failed]:
        """``samples`` replies a prompt at a temperature, drawn without any other cut (no top-k, no top-p).

        Draws depend on ``seed``, the prompt and the sample's number, never on the batch or the order of the prompts.
        An engine that cannot sample so raises InputError that says so.
        """


@dataclass(frozen=True)
class Rating:
    """One number of a model that rates texts: on its own scale. ``removed`` counts the tokens that were cut off."""

    score: float
    prompt_tokens: int
    removed: int = 0


@runtime_checkable
class RatingEngine(Protocol):
    """An engine whose model rates texts and answers no prompt (:mod:`verdicts.experts`)."""

    def rate(self, requests: Sequence[Mapping[str, str]]) -> Sequence[Rating | Overflow]:
        """One rating a request, in order. Which texts a request names is the engine's to say."""


@runtime_checkable
class LocalEngine(Protocol):
    """An engine that has its judge's tokenizer."""

    @property
    def encoder(self) -> Encoder:
        """The tokenizer, as the engine applies it."""


@runtime_checkable
class ServedEngine(Protocol):
    """An engine whose judge is run by somebody else."""

    @property
    def call_size(self) -> int:
        """How many prompts one call is best given; what a call answers is written at once."""

    def close(self) -> None:
        """Free connections and tell the user what was used. Called once, however the run ends."""


def encoder_of(engine: Engine) -> Encoder:
    """The engine's encoder. Raises InputError where the engine has no tokenizer at hand."""
    if isinstance(engine, LocalEngine):
        return engine.encoder
    raise InputError(
        f"the {engine.name} engine has no tokenizer to count a prompt's tokens with; use a local engine, such as "
        f"transformers"
    )
