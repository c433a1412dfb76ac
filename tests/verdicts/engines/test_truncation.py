"""The published truncation rule: what is kept, what is counted, and that nothing is cut without being asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine
from verdicts.engines.encoding import Encoder
from verdicts.engines.truncation import MARK, SLACK, Shortened, middle_out, prompt_budget
from verdicts.judges.roster import Weights
from verdicts.plan import Settings
from verdicts.protocols import PROTOCOLS, constrained, generative

LAW = settings(derandomize=True, max_examples=200, deadline=None)
#: Prompted as it is: a judge that all protocols may ask.
BARE = replace(JUDGE, chat=False)
CUT = Settings(context=300, max_new_tokens=20, truncation="middle_out")


class Characters:
    """A tokenizer whose tokens are characters, with a special token before a text."""

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        return [0] * add_special_tokens + [ord(character) for character in text]

    def decode(
        self, ids: Sequence[int], skip_special_tokens: bool, clean_up_tokenization_spaces: bool
    ) -> str:
        assert not skip_special_tokens
        assert not clean_up_tokenization_spaces
        return "".join(map(chr, ids))


TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=60)


@LAW
@given(text=TEXT, budget=st.integers(2, 40))
def test_the_rule(text: str, budget: int) -> None:
    found = middle_out(Characters(), text, budget)
    if len(text) <= budget:
        assert found == Shortened(text, 0)
        return
    head, tail = budget // 2, budget - budget // 2
    assert found.text == text[:head] + MARK + text[len(text) - tail :]
    assert found.removed == len(text) - budget > 0
    # What is kept and what was removed are the whole; the second half is the longer one of an odd budget.
    assert len(found.text) - len(MARK) + found.removed == len(text)
    assert 0 <= tail - head <= 1


@LAW
@given(text=TEXT, budget=st.integers(2, 40))
def test_a_longer_budget_keeps_more(text: str, budget: int) -> None:
    fewer, more = (middle_out(Characters(), text, size) for size in (budget, budget + 1))
    assert more.removed == max(0, fewer.removed - 1)


def test_the_mark_stands_on_a_line_of_its_own() -> None:
    assert MARK.startswith("\n")
    assert MARK.endswith("\n")
    assert MARK.strip().count("\n") == 0


@pytest.mark.parametrize(
    ("context", "reserve", "budget"),
    [(8192, 384, 7680), (4096, 8, 3960), (8192, 512, 7552), (2048, 200, 1720), (4096, 1024, 2944)],
    ids=["panel", "scorer", "prometheus", "judgelm", "auto-j"],
)
def test_the_published_budgets(context: int, reserve: int, budget: int) -> None:
    assert prompt_budget(context, reserve) == budget


def test_a_context_without_room_is_refused() -> None:
    assert prompt_budget(SLACK + 12, 10) == 2
    with pytest.raises(InputError, match=r"context of 139 tokens has no room.*truncation: none"):
        prompt_budget(SLACK + 11, 10)


class Local(FakeEngine):
    """An engine with a tokenizer."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder(Characters(), None, Path())


def test_nothing_is_cut_unless_the_condition_says_so() -> None:
    """No rule, no tokenizer needed, the prompt untouched; the key is the one that released records have."""
    for make, ask in PROTOCOLS.values():
        engine, condition = FakeEngine(), make(BARE, "def_on/1", None, Settings())
        assert condition.decoding["truncation"] == "none"
        (value,) = ask(engine, ["x" * 1000], condition)
        assert engine.asked == ["x" * 1000]
        assert value.truncated == 0


@pytest.mark.parametrize(
    ("protocol", "budget"), [(generative, 300 - 20 - SLACK), (constrained, 300 - 8 - SLACK)]
)
def test_a_long_prompt_is_cut_and_counted(protocol: Any, budget: int) -> None:
    condition = protocol.condition(JUDGE, "def_on/1", CHAT, CUT)
    assert condition.decoding["truncation"] == "middle_out"
    engine = Local()
    short, long = protocol.ask(engine, ["y" * budget, "a" * 200 + "b" * 200], condition)
    assert (short.truncated, long.truncated) == (0, 400 - budget)
    assert engine.asked == ["y" * budget, "a" * (budget // 2) + MARK + "b" * (budget - budget // 2)]


def test_truncation_changes_the_key() -> None:
    for make, _ in PROTOCOLS.values():
        plain, cut = (
            make(BARE, "def_on/1", None, replace(CUT, truncation=rule)) for rule in ("none", "middle_out")
        )
        assert plain.digest != cut.digest


def test_a_judge_behind_an_api_is_never_truncated() -> None:
    remote = replace(JUDGE, weights=Weights("api"))
    assert generative.condition(remote, "f/1", None, CUT).decoding["truncation"] == "none"


def test_an_engine_without_a_tokenizer_says_so() -> None:
    condition = generative.condition(JUDGE, "f/1", CHAT, CUT)
    with pytest.raises(InputError, match="the fake engine has no tokenizer"):
        generative.ask(FakeEngine(), ["x"], condition)


def test_a_real_tokenizer_keeps_both_ends() -> None:
    pytest.importorskip("torch", reason="needs the judge environment")
    from tests.verdicts.engines import tiny

    tokenizer = tiny.tokenizer(tiny.PLAIN)
    prompt = "".join(f"{number} rivers reach the sea, <|end|>ünder it.\n" for number in range(40))
    found = middle_out(tokenizer, prompt, 101)
    head, tail = found.text.split(MARK)
    assert prompt.startswith(head.rstrip("�"))
    assert prompt.endswith(tail.lstrip("�"))
    ids = tokenizer.encode(prompt, add_special_tokens=False)
    assert (tokenizer.decode(ids[:50]), tokenizer.decode(ids[-51:])) == (head, tail)
    assert found.removed == len(ids) - 101
