"""Sampled replies: drawn from the judge's own distribution, the same whatever they are asked beside."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")

from tests.verdicts.engines.conftest import Make  # noqa: E402
from verdicts.engines.base import Overflow, Reply  # noqa: E402
from verdicts.engines.sampling import drawing, greedy, samples_of  # noqa: E402

PROMPTS = ["The river is long.", "Score: 1 2 3", "Determine whether the claim holds."]


def texts(answers: list[list[Reply] | Overflow]) -> list[list[str]]:
    return [[] if isinstance(answer, Overflow) else [reply.text for reply in answer] for answer in answers]


@pytest.mark.parametrize("name", ["llama", "llama-base", "gemma"])
def test_draws_depend_on_neither_batch_nor_order(engine: Make, name: str) -> None:
    options = {"samples": 7, "temperature": 1.0, "seed": 3}
    together = texts(engine(name).sample(PROMPTS, 6, **options))
    alone = [texts(engine(name, batch_size=1).sample([prompt], 6, **options))[0] for prompt in PROMPTS[::-1]]
    assert together == alone[::-1]
    assert len(set(together[0])) > 1


def test_another_seed_draws_otherwise(engine: Make) -> None:
    judge = engine("llama")
    first, second = (texts(judge.sample(PROMPTS, 6, samples=4, temperature=1.0, seed=s)) for s in (0, 1))
    assert first != second


def test_a_temperature_near_zero_is_greedy(engine: Make) -> None:
    judge = engine("llama")
    sampled = texts(judge.sample(PROMPTS, 6, samples=2, temperature=1e-6, seed=0))
    decoded = [reply.text for reply in judge.generate(PROMPTS, 6) if isinstance(reply, Reply)]
    assert sampled == [[text, text] for text in decoded]


def test_what_does_not_fit_is_an_overflow(engine: Make) -> None:
    short, long = engine("llama", context=40).sample(
        ["a", "a b " * 60], 8, samples=2, temperature=1.0, seed=0
    )
    assert isinstance(long, Overflow)
    assert not isinstance(short, Overflow)
    assert all(reply.reply_tokens <= 8 for reply in short)


def test_tokens_are_drawn_as_their_probabilities_say() -> None:
    logits = torch.tensor([[0.0, 1.0, 2.0, -1.0]])
    batch = samples_of("prompt", [1], 4_000, 1, seed=5)
    drawn = drawing(batch, 2.0, "cpu")(logits.expand(4_000, -1), 0)
    expected = torch.softmax(logits[0].double() / 2.0, dim=-1)
    counts = Counter(drawn.tolist())
    for token, share in enumerate(expected.tolist()):
        # Five standard errors.
        assert abs(counts[token] / 4_000 - share) < 5 * np.sqrt(share * (1 - share) / 4_000)
    assert greedy(logits, 0).tolist() == [2]
