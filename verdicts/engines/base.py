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

    ``finish`` is ``stop`` (the judge ended it), ``length`` (the budget of new tokens did) or ``not_finite`` (the
    judge's logits were no numbers from there on).
    """

    text: str
    finish: Literal["stop", "length", "not_finite"]
    prompt_tokens: int
    reply_tokens: int


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

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow]:
        """Greedy replies. ``prompts`` are the user's messages; the chat template is the engine's to apply."""

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        """Log-probabilities of the labels at the answer position: after the prompt and the answer's ``prefix``."""


@runtime_checkable
class LocalEngine(Protocol):
    """An engine that has its judge's tokenizer."""

    @property
    def encoder(self) -> Encoder:
        """The tokenizer, as the engine applies it."""


def encoder_of(engine: Engine) -> Encoder:
    """The engine's encoder. Raises InputError where the engine has no tokenizer at hand."""
    if isinstance(engine, LocalEngine):
        return engine.encoder
    raise InputError(
        f"the {engine.name} engine has no tokenizer to count a prompt's tokens with; use a local engine, such as "
        f"transformers"
    )
