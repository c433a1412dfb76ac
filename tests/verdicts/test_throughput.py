"""The throughput benchmark: what the judge is given, and what is made of the seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import JUDGE
from verdicts.engines.base import Overflow, Reply
from verdicts.throughput import WARM_UP, Load, filler, measure, render


class Words:
    """A tokenizer whose tokens are words, under a template of five."""

    def tokens(self, prompt: str, prefix: str = "") -> list[int]:
        return [hash(word) for word in f"<s> user {prompt} </s> assistant :".split()]


class Timed:
    """Answers a prompt in two seconds of its own clock."""

    name = "timed"
    hardware = "2 x abacus"
    devices = 2

    def __init__(self, context: int = 10_000, short: int = 0) -> None:
        self.encoder: Any = Words()
        self.context, self.short = context, short
        self.now = 100.0
        self.calls: list[list[str]] = []

    def versions(self) -> dict[str, str]:
        return {"abacus": "1"}

    def generate_exactly(self, prompts: Sequence[str], new_tokens: int) -> list[Reply | Overflow]:
        self.calls.append(list(prompts))
        self.now += 2.0 * len(prompts)
        read = [len(self.encoder.tokens(prompt)) for prompt in prompts]
        return [
            Overflow(n) if n + new_tokens > self.context else Reply("", "length", n, new_tokens - self.short)
            for n in read
        ]


@pytest.mark.parametrize("tokens", [6, 7, 50, 500])
def test_filler_has_the_length_asked_for_and_no_common_start(tokens: int) -> None:
    prompts = [filler(Words(), tokens, number) for number in range(9)]  # type: ignore[arg-type]
    assert {len(Words().tokens(prompt)) for prompt in prompts} == {tokens}
    assert len({prompt.split()[0] for prompt in prompts}) == 9


def test_filler_that_does_not_fit_the_template() -> None:
    with pytest.raises(InputError, match="--input-tokens 5: the chat template alone takes more"):
        filler(Words(), 5, 0)  # type: ignore[arg-type]


def test_rates_by_hand() -> None:
    engine = Timed()
    result = measure(
        engine, JUDGE, "float32", Load(batch=3, items=10, input_tokens=50, new_tokens=6), lambda: engine.now
    )
    assert result.seconds == 20.0
    assert result.items_per_second == 0.5
    # 20 seconds on two devices for ten items.
    assert result.device_seconds_per_1000_items == 4000.0
    assert result.input_tokens == 50
    assert result.tokens_per_second == 10 * (50 + 6) / 20
    assert result.decoded_per_second == 3.0
    assert (result.engine, result.versions, result.hardware) == ("timed", {"abacus": "1"}, "2 x abacus")
    warm_up, timed = engine.calls
    assert (len(warm_up), len(timed)) == (WARM_UP, 10)
    assert not set(warm_up) & set(timed)
    shown = render(result)
    assert "0.500 items/s, 4000.0 device-seconds per 1,000 items, 28.0 tokens/s (3.0 decoded)" in shown
    assert result.as_json()["load"] == {"batch": 3, "items": 10, "input_tokens": 50, "new_tokens": 6}


def test_what_cannot_be_timed() -> None:
    load = Load(batch=2, items=2, input_tokens=50, new_tokens=6)
    with pytest.raises(
        InputError, match=r"50 and 6 tokens do not fit its context; give fewer --input-tokens"
    ):
        measure(Timed(context=55), JUDGE, "float32", load, lambda: 0.0)
    with pytest.raises(InputError, match="its logits are no numbers"):
        measure(Timed(short=1), JUDGE, "float32", load, lambda: 0.0)
