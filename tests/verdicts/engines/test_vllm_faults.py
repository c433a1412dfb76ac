"""What vLLM does not do on demand, with a stand-in for its ``LLM``: full memory, logits that are no numbers."""

from __future__ import annotations

import logging
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import JUDGE
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.engines.memory import out_of_memory
from verdicts.engines.vllm_engine import VllmEngine
from verdicts.engines.vllm_start import Starter, options, prepare
from verdicts.plan import Settings, VllmSettings

#: A judge over letters: what it says after a text, and the token that ends its replies.
END = ord(".")
NAN = float("nan")


class Letters:
    """A tokenizer whose tokens are characters; its template opens no reply."""

    opening = ""

    def tokens(self, prompt: str, prefix: str = "") -> list[int]:
        return [ord(letter) for letter in prompt + prefix]

    def label_tokens(self, prompt: str, prefix: str, label: str) -> tuple[int, ...]:
        return tuple(self.tokens(label))

    def decode(self, tokens: Sequence[int], skip_special_tokens: bool) -> str:
        assert skip_special_tokens
        return "".join(map(chr, tokens)).rstrip(".")


@dataclass(frozen=True)
class Params:
    """The parameters that the engine gives, by vLLM's names; any other is refused."""

    temperature: float
    max_tokens: int
    detokenize: bool
    ignore_eos: bool = False
    logprobs: int | None = None
    logprob_token_ids: Sequence[int] | None = None
    seed: int | None = None


def logprob(tokens: Sequence[int], token: int) -> float:
    """The judge's log-probability: any function of the text will do."""
    return -1.0 - ((sum(tokens) * 31 + token * 17 + len(tokens)) % 97) / 50


class Llm:
    """Stands in for vLLM's ``LLM``: says a fixed reply, scores by :func:`logprob`, holds so many prompts."""

    def __init__(
        self, reply: str, fits: Callable[[int], Exception | None], size: int, broken_at: int | None
    ) -> None:
        self.reply, self.fits, self.size, self.broken_at = reply, fits, size, broken_at
        self.asked: list[list[int]] = []

    def generate(
        self, prompts: Sequence[Mapping[str, list[int]]], params: Params | list[Params], use_tqdm: bool
    ) -> list[SimpleNamespace]:
        assert not use_tqdm
        each = params if isinstance(params, list) else [params] * len(prompts)
        assert not any(one.detokenize for one in each)
        if (error := self.fits(self.size)) is not None:
            raise error
        return [self._one(prompt["prompt_token_ids"], one) for prompt, one in zip(prompts, each, strict=True)]

    def _one(self, tokens: list[int], params: Params) -> SimpleNamespace:
        self.asked.append(tokens)
        assert (params.temperature == 0.0) == (params.seed is None)
        reply = self.reply if params.seed is None else f"{params.temperature} {params.seed}"
        said = [ord(letter) for letter in reply][: params.max_tokens]
        if params.ignore_eos:
            said = (said * params.max_tokens)[: params.max_tokens]
        values = [
            NAN if self.broken_at is not None and step >= self.broken_at else -0.1
            for step in range(len(said))
        ]
        positions = [
            {token: SimpleNamespace(logprob=value)} for token, value in zip(said, values, strict=True)
        ]
        for token in params.logprob_token_ids or ():
            found = NAN if self.broken_at is not None else logprob(tokens, token)
            positions[0][token] = SimpleNamespace(logprob=found)
        ended = said[-1] == END and not params.ignore_eos
        out = SimpleNamespace(token_ids=said, logprobs=positions, finish_reason="stop" if ended else "length")
        return SimpleNamespace(prompt_token_ids=tokens, outputs=[out])


class Start:
    """Stands in for the loading of a judge; keeps every ``LLM`` that it made."""

    device = "cpu"
    devices = 1
    hardware = "letters"

    def __init__(
        self,
        reply: str = "VERDICT: SUPPORTED.",
        fits: Callable[[int], Exception | None] = lambda size: None,
        broken_at: int | None = None,
    ) -> None:
        self.reply, self.fits, self.broken_at = reply, fits, broken_at
        self.made: list[Llm] = []

    def __call__(self, batch_size: int) -> Llm:
        self.made.append(Llm(self.reply, self.fits, batch_size, self.broken_at))
        return self.made[-1]

    def versions(self) -> dict[str, str]:
        return {"vllm": "0"}


def engine(start: Start, context: int = 100, batch_size: int = 8) -> VllmEngine:
    letters: Any = Letters()
    return VllmEngine(start, Params, letters, letters, context=context, batch_size=batch_size)  # type: ignore[arg-type]


def test_replies_come_in_the_order_of_the_prompts_and_go_in_sorted() -> None:
    start = Start("abc.")
    replies = engine(start).generate(["b2", "a", "b1", "a"], 10)
    assert replies == [Reply("abc", "stop", n, 4) for n in (2, 1, 2, 1)]
    assert start.made[0].asked == [[97], [97], [98, 49], [98, 50]]
    assert engine(Start("abcdef")).generate(["a"], 3) == [Reply("abc", "length", 1, 3)]


def test_a_fixed_number_of_tokens_is_decoded_past_the_end() -> None:
    assert engine(Start("ab.")).generate_exactly(["x"], 7) == [Reply("ab.ab.a", "length", 1, 7)]


def test_draws_depend_on_seed_prompt_and_number_alone() -> None:
    def draw(prompts: list[str], seed: int = 5, samples: int = 3) -> list[Any]:
        return engine(Start()).sample(prompts, 20, samples=samples, temperature=0.7, seed=seed)

    (first, second) = draw(["x", "y"])
    assert [reply.text.split()[0] for reply in first] == ["0.7"] * 3
    assert len({reply.text for reply in [*first, *second]}) == 6
    assert draw(["y", "z", "x"])[2] == first
    assert draw(["x"], samples=2) == [first[:2]]
    assert draw(["x"], seed=6) != [first]
    assert draw(["x" * 90]) == [Overflow(90)]


def test_overflow_asks_nothing() -> None:
    start = Start()
    judge = engine(start, context=10)
    assert [type(reply) for reply in judge.generate(["x" * 5, "x" * 6], 5)] == [Reply, Overflow]
    assert judge.score(["x" * 8], "", ["abc"]) == [Overflow(8)]
    assert len(start.made[0].asked) == 1
    assert judge.generate([], 5) == []
    assert judge.score([], "", ["abc"]) == []


def test_labels_are_scored_along_their_whole_paths() -> None:
    start = Start()
    labels = ["1", "10", "100", "2", "ab"]
    prompts = ["two", "one"]
    answers = engine(start).score(prompts, ":", labels)
    for prompt, answer in zip(prompts, answers, strict=True):
        assert isinstance(answer, LabelLogprobs)
        head = [ord(letter) for letter in prompt + ":"]
        assert answer.prompt_tokens == 4
        for label, own, found in zip(labels, answer.tokens, answer.logprobs, strict=True):
            assert own == tuple(map(ord, label))
            assert found == tuple(logprob([*head, *own[:i]], own[i]) for i in range(len(own)))
    # Each beginning of a label once for each prompt: '', '1', '10' and 'a'.
    assert len(start.made[0].asked) == 8
    assert start.made[0].asked == sorted(start.made[0].asked)


def test_more_label_tokens_than_vllm_reads_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"labels are made of 129 different tokens.*at most 128.*transformers"
    ):
        engine(Start()).score(["x"], "", [chr(200 + i) for i in range(129)])


@pytest.mark.parametrize(("broken_at", "text"), [(0, ""), (3, "VER")])
def test_logits_that_are_no_numbers(broken_at: int, text: str) -> None:
    judge = engine(Start(broken_at=broken_at))
    assert judge.generate(["x"], 30) == [Reply(text, "not_finite", 1, broken_at)]
    answer = judge.score(["x"], "", ["ab", "c"])[0]
    assert isinstance(answer, LabelLogprobs)
    assert all(math.isnan(value) for row in answer.logprobs for value in row)


def test_an_ending_that_is_not_known_is_no_reply() -> None:
    judge = engine(Start())
    out = SimpleNamespace(
        token_ids=[65], logprobs=[{65: SimpleNamespace(logprob=-1.0)}], finish_reason="abort"
    )
    with pytest.raises(RuntimeError, match="ended a request with 'abort'"):
        judge._reply([1], out)


def test_other_token_ids_than_were_sent_are_noticed() -> None:
    start = Start()
    judge = engine(start)
    generate = start.made[0].generate
    start.made[0].generate = lambda prompts, params, use_tqdm: [  # type: ignore[method-assign]
        SimpleNamespace(prompt_token_ids=[0], outputs=out.outputs)
        for out in generate(prompts, params, use_tqdm)
    ]
    with pytest.raises(RuntimeError, match="other token ids"):
        judge.generate(["x"], 5)


class OutOfMemoryError(RuntimeError):
    """Named as torch's is."""


ERRORS: Mapping[str, Callable[[], Exception]] = {
    "device": lambda: OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    "worker": lambda: RuntimeError("Worker failed with error 'CUDA out of memory. Tried to allocate'"),
    "cpu": lambda: RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate"),
    "python": MemoryError,
}


@pytest.mark.parametrize("kind", ERRORS)
def test_a_smaller_batch_where_memory_runs_out(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    start = Start("ab.", fits=lambda size: ERRORS[kind]() if size > 2 else None)
    judge = engine(start, batch_size=8)
    with caplog.at_level(logging.WARNING):
        assert judge.generate(["x", "y"], 5) == [Reply("ab", "stop", 1, 3)] * 2
    assert [llm.size for llm in start.made] == [8, 4, 2]
    assert caplog.messages == [
        f"out of memory with {n} prompts at once; going on with {n // 2}" for n in (8, 4)
    ]
    judge.score(["x"], "", ["ab"])
    assert len(start.made) == 3


@pytest.mark.parametrize("kind", ERRORS)
def test_a_prompt_that_does_not_fit_memory_stops_clearly(kind: str) -> None:
    judge = engine(Start(fits=lambda size: ERRORS[kind]()), batch_size=4)
    with pytest.raises(
        InputError, match=r"a prompt of 3 tokens does not fit the memory of this cpu.*judged is kept"
    ):
        judge.generate(["x", "xyz"], 5)


def test_other_errors_are_not_taken_for_memory() -> None:
    with pytest.raises(RuntimeError, match="shapes"):
        engine(Start(fits=lambda size: RuntimeError("shapes cannot be multiplied"))).generate(["x"], 5)
    assert not out_of_memory(ValueError("anything"))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "does not fit the memory of this gpu .*gpu_memory_utilization"),
        (ValueError("No available memory for the cache blocks. Try"), "does not fit the memory of this gpu"),
        (
            ValueError("Free memory is less than desired GPU memory utilization (0.9)"),
            "does not fit the memory",
        ),
        (ValueError("To serve at least one request, 9 GiB KV cache is needed"), "does not fit the memory"),
        (ValueError("Model architectures ['X'] are not supported"), r"vLLM cannot load the judge .*\['X'\]"),
    ],
    ids=["python", "blocks", "share", "context", "architecture"],
)
def test_why_a_judge_cannot_be_loaded(error: Exception, message: str) -> None:
    starter = object.__new__(Starter)
    starter._folder, starter.device = Path("checkpoint"), "gpu"
    with pytest.raises(InputError, match=message):
        raise InputError(starter._why(error))


def test_options_of_a_gpu_and_of_a_cpu() -> None:
    settings = Settings(dtype="float16", context=400, vllm=VllmSettings(0.5, 1.5))
    gpu, cpu = options(JUDGE, settings, 16, 2), options(JUDGE, settings, 16, None)
    assert (gpu["tensor_parallel_size"], gpu["gpu_memory_utilization"]) == (2, 0.5)
    assert cpu["kv_cache_memory_bytes"] == 3 * 2**29
    for chosen in (gpu, cpu):
        # The quantisation is read from the checkpoint.
        assert "quantization" not in chosen
        assert chosen["enable_prefix_caching"]
        assert not chosen["trust_remote_code"]
        assert (chosen["max_model_len"], chosen["max_num_seqs"], chosen["dtype"]) == (400, 16, "float16")
    assert options(replace(JUDGE, remote_code="its tokenizer"), settings, 1, 1)["trust_remote_code"]


@pytest.mark.parametrize("cuda", [None, "13.0"])
def test_the_users_own_environment_stands(cuda: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(version=SimpleNamespace(cuda=cuda, hip=None)))
    monkeypatch.setattr(os, "environ", {"VLLM_LOGGING_LEVEL": "DEBUG", "OMP_NUM_THREADS": "1"})
    prepare(3)
    assert ("TORCHDYNAMO_DISABLE" in os.environ) == (cuda is None)
    assert os.environ["VLLM_LOGGING_LEVEL"] == "DEBUG"
    assert os.environ["VLLM_NO_USAGE_STATS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "3"
