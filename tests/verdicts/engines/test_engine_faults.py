"""Memory that runs out, logits that are no numbers, replies without text."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")
pytest.importorskip("transformers", reason="needs the judge environment")

from raim.errors import InputError  # noqa: E402
from tests.verdicts.making import CHAT, JUDGE  # noqa: E402
from verdicts.engines.base import LabelLogprobs, Reply  # noqa: E402
from verdicts.engines.transformers_engine import TransformersEngine  # noqa: E402
from verdicts.plan import Settings  # noqa: E402
from verdicts.protocols import constrained, generative  # noqa: E402

LABELS = [" SUPPORTED", " HALLUCINATED"]
PROMPTS = [f"# Claim\nThe river is {n} miles long" + " and wide" * n for n in range(9)]
#: Of one length, so that scoring takes them together.
EVEN = [f"# Claim\nThe river is {n} miles long" for n in range(9)]
Make = Callable[..., TransformersEngine]
SCORING = constrained.condition(JUDGE, "claimcheck/1", CHAT, Settings())
GREEDY = generative.condition(JUDGE, "claimcheck/1", CHAT, Settings(max_new_tokens=4))


def limit(judge: TransformersEngine, rows: int, error: Callable[[], Exception]) -> list[int]:
    """Let the model's memory hold no more than so many rows; the sizes that it was asked for."""
    sizes: list[int] = []
    model = judge._model

    def forward(**inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > rows:
            raise error()
        return model(**inputs)

    judge._model = forward
    return sizes


ERRORS = {
    "device": lambda: torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    "cpu": lambda: RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory"
    ),
    "python": MemoryError,
}


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize(
    ("how", "room", "sizes_told"), [("generate", 3, ["4", "2"]), ("score", 1, ["4", "2", "1"])]
)
def test_smaller_batches_where_memory_runs_out(
    kind: str, how: str, room: int, sizes_told: list[str], engine: Make, caplog: pytest.LogCaptureFixture
) -> None:
    def ask(judge: TransformersEngine) -> list[Any]:
        return list(judge.generate(EVEN, 4) if how == "generate" else judge.score(EVEN, "VERDICT:", LABELS))

    expected = ask(engine("llama", batch_size=1))
    judge = engine("llama", batch_size=8)
    sizes = limit(judge, room, ERRORS[kind])
    with caplog.at_level(logging.WARNING):
        found = ask(judge)
    for answer, right in zip(found, expected, strict=True):
        if isinstance(answer, LabelLogprobs):
            for row, other in zip(answer.logprobs, right.logprobs, strict=True):
                assert row == pytest.approx(other, abs=1e-4)
        else:
            assert answer == right
    # Halved until it fits; nothing larger is tried again.
    told = [message.split("with ")[-1] for message in caplog.messages]
    assert told[-len(sizes_told) :] == sizes_told
    assert max(sizes) > room
    last = int(told[-1])
    first_fit = max(i for i, size in enumerate(sizes) if size > room) + 1
    assert max(sizes[first_fit:]) == last <= room
    assert sum(size > room for size in sizes) == len(told)
    assert len(ask(judge)) == len(EVEN)


@pytest.mark.parametrize("kind", ERRORS)
def test_a_prompt_that_does_not_fit_memory_stops_clearly(kind: str, engine: Make) -> None:
    judge = engine("llama", batch_size=4)
    limit(judge, 0, ERRORS[kind])
    with pytest.raises(
        InputError, match=r"a prompt of \d+ tokens does not fit the memory.*what was judged is kept"
    ):
        judge.generate(PROMPTS, 4)


def test_other_errors_are_not_taken_for_memory(engine: Make) -> None:
    judge = engine("llama")
    limit(judge, 0, lambda: RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    with pytest.raises(RuntimeError, match="shapes"):
        judge.generate(PROMPTS, 4)


@pytest.mark.parametrize("kind", ["device", "cpu"])
def test_a_judge_that_does_not_fit_memory(
    kind: str, checkpoints: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import AutoModelForCausalLM

    def load(*args: Any, **kwargs: Any) -> Any:
        raise ERRORS[kind]()

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", load)
    with pytest.raises(InputError, match="does not fit the memory of this"):
        TransformersEngine(checkpoints["llama-base"], chat=None, context=64, dtype="float32", batch_size=1)


def break_after(judge: TransformersEngine, calls: int, value: float, row: int = 0) -> None:
    """From the n-th forward pass on, a row's logits hold a value that is no number."""
    model = judge._model
    seen: list[int] = []

    def forward(**inputs: Any) -> Any:
        out = model(**inputs)
        seen.append(len(inputs["input_ids"]))
        if len(seen) > calls and seen[-1] > row:
            out.logits[row, :, 7] = value
        return out

    judge._model = forward


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_logits_that_are_no_numbers_abstain(value: float, engine: Make) -> None:
    judge = engine("llama", batch_size=1)
    break_after(judge, 0, value)
    distributions = constrained.ask(judge, PROMPTS, SCORING)
    assert {(d.probabilities, d.off_label_mass, d.rule) for d in distributions} == {
        (None, None, "not_finite")
    }
    verdicts = generative.ask(judge, PROMPTS, GREEDY)
    assert {(v.verdict, v.rule, v.finish, v.reply) for v in verdicts} == {
        (None, "not_finite", "not_finite", "")
    }


def test_one_broken_row_leaves_the_others(engine: Make) -> None:
    expected = engine("llama", batch_size=4).generate(PROMPTS[:4], 6)
    judge = engine("llama", batch_size=4)
    # The first pass computes what the prompts share; the third gives the second token of each reply.
    break_after(judge, 3, float("nan"), row=2)
    found = judge.generate(PROMPTS[:4], 6)
    broken = [i for i, reply in enumerate(found) if isinstance(reply, Reply) and reply.finish == "not_finite"]
    assert len(broken) == 1
    assert [reply for i, reply in enumerate(found) if i not in broken] == [
        reply for i, reply in enumerate(expected) if i not in broken
    ]
    cut, whole = found[broken[0]], expected[broken[0]]
    assert isinstance(cut, Reply)
    assert isinstance(whole, Reply)
    assert 0 < cut.reply_tokens < whole.reply_tokens
    assert whole.text.startswith(cut.text)


def test_logits_that_rule_a_token_out_are_numbers(engine: Make) -> None:
    judge = engine("llama", batch_size=1)
    break_after(judge, 0, -float("inf"))
    assert {d.rule for d in constrained.ask(judge, PROMPTS, SCORING)} == {"scored"}
    assert "not_finite" not in {v.rule for v in generative.ask(judge, PROMPTS, GREEDY)}


def say(judge: TransformersEngine, token: int) -> None:
    """Make the judge say one token, for ever."""
    model = judge._model

    def forward(**inputs: Any) -> Any:
        out = model(**inputs)
        out.logits[:] = 0.0
        out.logits[:, :, token] = 1.0
        return out

    judge._model = forward


@pytest.mark.parametrize("token", [2, 6])
def test_a_judge_that_ends_at_once_abstains(token: int, engine: Make) -> None:
    """Either of the model's end tokens ends a reply; nothing was said."""
    judge = engine("llama")
    say(judge, token)
    verdicts = generative.ask(judge, PROMPTS, GREEDY)
    assert {(v.verdict, v.rule, v.finish, v.reply, v.reply_tokens) for v in verdicts} == {
        (None, "empty", "stop", "", 1)
    }


def test_a_judge_that_never_ends_is_cut(engine: Make) -> None:
    judge = engine("llama")
    say(judge, 40)
    assert {(r.finish, r.reply_tokens) for r in judge.generate(PROMPTS, 5) if isinstance(r, Reply)} == {
        ("length", 5)
    }
