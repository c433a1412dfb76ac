"""The causal judges' adapters over real engines: tiny models of their architectures with random weights."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")

from transformers import MistralConfig, MistralForCausalLM  # noqa: E402

from tests.verdicts.engines import tiny  # noqa: E402
from verdicts.comparators import bespoke_minicheck  # noqa: E402
from verdicts.comparators.grader import Grader  # noqa: E402
from verdicts.comparators.registry import find as adapter  # noqa: E402
from verdicts.engines import registry  # noqa: E402
from verdicts.engines.base import LabelLogprobs, Reply  # noqa: E402
from verdicts.engines.labels import label_masses  # noqa: E402
from verdicts.engines.truncation import MARK  # noqa: E402
from verdicts.judges.roster import Judge, find  # noqa: E402
from verdicts.plan import Settings  # noqa: E402
from verdicts.protocols import native  # noqa: E402
from verdicts.records.canonical import canonical, sha256_text  # noqa: E402
from verdicts.records.schema import Distribution, Verdict  # noqa: E402

SETTINGS = Settings(batch_size=2, dtype="float32")
#: Small windows and answers: the judges' own would take a CPU long.
CONTEXT, ANSWER = 400, 6


def mistral(vocabulary: int) -> MistralForCausalLM:
    config = MistralConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        sliding_window=None,
        initializer_range=0.3,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    torch.manual_seed(0)
    return MistralForCausalLM(config).eval()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    size, root = len(tiny.tokenizer(None)), tmp_path_factory.mktemp("judges")
    models: dict[str, Any] = {"mistral": mistral(size), "llama": tiny.llama(size)}
    return {name: tiny.save(root / name, model, None) for name, model in models.items()}


def small(name: str, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """The roster's grader in a small window and with a short answer."""
    judge = replace(find(name), revision="0" * 40, context=CONTEXT)
    made = adapter(judge.adapter)
    assert isinstance(made, Grader)
    short = replace(made, max_new_tokens=ANSWER)
    monkeypatch.setattr(native, "find", {judge.adapter: short}.__getitem__)
    monkeypatch.setattr(native, "adapter_of", lambda frame: short)
    return judge


@pytest.mark.parametrize(
    ("name", "architecture"),
    [("prometheus-2-7b", "mistral"), ("judgelm-7b", "llama"), ("auto-j-13b", "llama")],
)
def test_graders_are_asked_by_the_loaded_engine(
    name: str, architecture: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = small(name, monkeypatch)
    engine = registry.load(judge, folders[architecture], None, SETTINGS, 1)
    condition = native.condition(judge, "claimcheck/1", None, SETTINGS)
    asked: list[str] = []
    really = engine.generate
    monkeypatch.setattr(
        engine, "generate", lambda prompts, new: (asked.extend(prompts), really(prompts, new))[1]
    )
    prompts = ["[INST] short [/INST]", "first " * 300 + "last " * 300]
    short, long = native.ask(engine, prompts, condition)
    assert isinstance(short, Verdict)
    assert isinstance(long, Verdict)
    assert asked[0] == prompts[0]
    assert (short.truncated, long.truncated > 0) == (0, True)
    # Cut to the budget, the long prompt fits; its answer is the engine's to the letter.
    head, tail = asked[1].split(MARK)
    assert prompts[1].startswith(head)
    assert prompts[1].endswith(tail)
    assert long.finish != "overflow"
    assert long.prompt_tokens + ANSWER <= CONTEXT
    for value, prompt in zip((short, long), asked, strict=True):
        (reply,) = really([prompt], ANSWER)
        assert isinstance(reply, Reply)
        assert value.reply == reply.text
        assert value.reply_sha256 == sha256_text(value.reply or "")
        assert value.reply_tokens <= ANSWER


def test_bespoke_reads_the_answers_token_probabilities(folders: dict[str, Path]) -> None:
    judge = replace(find("bespoke-minicheck-7b"), revision="0" * 40, context=2048, engine="transformers")
    engine = registry.load(judge, folders["llama"], None, SETTINGS, 1)
    condition = native.condition(judge, "claimcheck/1", None, SETTINGS)
    before, after = bespoke_minicheck.wrap("The river is long.")
    (found,) = native.ask(engine, [canonical([before, "The river is long.", after])], condition)
    (answer,) = engine.score([before + "The river is long." + after], "", bespoke_minicheck.ANSWERS)
    assert isinstance(found, Distribution)
    assert isinstance(answer, LabelLogprobs)
    masses = label_masses(answer.logprobs, answer.tokens)
    assert found.probabilities == pytest.approx((masses[0] + masses[1], 1 - masses[0] - masses[1]))
    assert found.off_label_mass == pytest.approx(1 - math.fsum(masses))
    assert found.prompt_tokens == answer.prompt_tokens
