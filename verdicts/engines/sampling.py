"""Which token comes next: the likeliest, or one drawn from the whole distribution at a temperature."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

#: From logits (rows x vocabulary) and the number of the step (from 0) to the token of each row.
Choose = Callable[[torch.Tensor, int], torch.Tensor]


@dataclass(frozen=True, eq=False)
class Sample:
    """One sample of a prompt: its tokens, and a uniform number for each step, which decides the token drawn there."""

    tokens: list[int]
    uniforms: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.tokens)


def samples_of(prompt: str, tokens: list[int], samples: int, steps: int, seed: int) -> list[Sample]:
    """The samples of a prompt. Their numbers follow from the seed, the prompt and the sample's place alone."""
    words = np.frombuffer(hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).digest(), dtype="<u4")
    generator = np.random.default_rng([seed, *map(int, words)])
    return [Sample(tokens, row) for row in generator.random((samples, steps))]


def greedy(logits: torch.Tensor, step: int) -> torch.Tensor:
    """The likeliest token of each row."""
    return logits.argmax(dim=-1)


def drawing(batch: Sequence[Sample], temperature: float, device: str) -> Choose:
    """A token of each row by its sample's uniform number: where that falls in the cumulated distribution."""
    uniforms = torch.tensor(np.stack([sample.uniforms for sample in batch]), device=device)

    def choose(logits: torch.Tensor, step: int) -> torch.Tensor:
        mass = torch.softmax(logits.double() / temperature, dim=-1).cumsum(dim=-1)
        # The sums end a rounding away from 1.
        points = uniforms[:, step : step + 1] * mass[:, -1:]
        return torch.searchsorted(mass, points, right=True)[:, 0].clamp(max=mass.shape[1] - 1)

    return choose
