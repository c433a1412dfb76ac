"""What a request costs, and what it could cost at most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Kinds of token that are billed apart, as a response's usage counts them.
KINDS = ("input", "output", "cache_write", "cache_read")
#: Characters a token of English text, on the low side.
CHARACTERS_A_TOKEN = 4
#: Tokens that the API itself puts around a single user message: generously.
_OVERHEAD = 32


@dataclass(frozen=True)
class Usage:
    """Billed tokens of one response. A prompt's tokens are in exactly one of the three kinds that are not output."""

    input: int
    output: int
    cache_write: int = 0
    cache_read: int = 0

    @property
    def prompt(self) -> int:
        """Tokens of the prompt, however they were billed."""
        return self.input + self.cache_write + self.cache_read


@dataclass(frozen=True)
class Prices:
    """USD per million tokens of each kind; batches cost ``batch_share`` of it."""

    usd_per_million: Mapping[str, float]
    batch_share: float

    def of(self, usage: Usage, *, batch: bool) -> float:
        """USD of a response."""
        usd: float = sum(getattr(usage, kind) * self.usd_per_million[kind] for kind in KINDS) / 1e6
        return usd * self.batch_share if batch else usd

    def at_most(self, prompt_tokens: int, max_tokens: int, *, cached: bool, batch: bool) -> float:
        """USD that a request of so many tokens cannot exceed, whatever of it is written to the cache."""
        kind = "cache_write" if cached else "input"
        return self.of(Usage(**{"input": 0, "output": max_tokens, kind: prompt_tokens}), batch=batch)


def most_tokens(prompt: str) -> int:
    """Tokens that a prompt cannot exceed: no token is less than a byte."""
    return len(prompt.encode("utf-8", "surrogatepass")) + _OVERHEAD


def about_tokens(prompt: str) -> int:
    """Tokens that a prompt has, roughly: what a limit a minute is kept with."""
    return len(prompt) // CHARACTERS_A_TOKEN + _OVERHEAD
