"""MiniCheck's engine on a tiny encoder-decoder of the same architecture: every answer against the model run plainly."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")

from raim.errors import InputError  # noqa: E402
from tests.verdicts.engines import tiny_readers  # noqa: E402
from verdicts.comparators.minicheck_ft5 import PIECES  # noqa: E402
from verdicts.engines import checkpoints, registry  # noqa: E402
from verdicts.engines.base import LabelLogprobs, Overflow  # noqa: E402
from verdicts.engines.seq2seq_engine import Seq2SeqEngine  # noqa: E402
from verdicts.judges.roster import find  # noqa: E402
from verdicts.plan import Settings  # noqa: E402
from verdicts.protocols import native  # noqa: E402
from verdicts.records.canonical import canonical  # noqa: E402
from verdicts.records.schema import Distribution  # noqa: E402

PROMPTS = [
    "predict: The river is long.</s>It is.",
    "predict: The river rises in the hills and reaches the sea. The boats carry grain.</s>A claim.",
    "predict: </s>A river.",
    "predict: 1 2 3</s>0",
    "predict: The towns along the coast.</s>The towns.",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = tiny_readers.piece_tokenizer()
    model = tiny_readers.t5(len(tokenizer))
    return tiny_readers.save(tmp_path_factory.mktemp("t5"), model, tokenizer)


def engine(folder: Path, context: int = 256, batch_size: int = 4) -> Seq2SeqEngine:
    return Seq2SeqEngine(folder, chat=None, context=context, dtype="float32", batch_size=batch_size)


def test_answers_are_the_models_own(folder: Path) -> None:
    """One prompt at a time, no padding, the decoder's first step read by hand."""
    judge = engine(folder)
    tokenizer = tiny_readers.piece_tokenizer()
    model = tiny_readers.t5(len(tokenizer))
    pieces = tokenizer.convert_tokens_to_ids(list(PIECES))
    for prompt, answer in zip(PROMPTS, judge.score(PROMPTS, "", PIECES), strict=True):
        ids = tokenizer(prompt, return_tensors="pt").input_ids
        assert ids[0, -1] == tokenizer.eos_token_id
        assert (ids == tokenizer.eos_token_id).sum() == 2
        with torch.no_grad():
            logits = model(input_ids=ids, decoder_input_ids=torch.tensor([[0]])).logits[0, 0].double()
        expected = [float(logits[piece] - torch.logsumexp(logits, 0)) for piece in pieces]
        assert isinstance(answer, LabelLogprobs)
        assert [row[0] for row in answer.logprobs] == pytest.approx(expected, abs=1e-5)
        assert answer.tokens == tuple((piece,) for piece in pieces)
        assert answer.prompt_tokens == ids.shape[1]


def test_batches_do_not_change_answers(folder: Path) -> None:
    one = engine(folder, batch_size=1).score(PROMPTS, "", PIECES)
    many = engine(folder, batch_size=8).score(PROMPTS, "", PIECES)
    for a, b in zip(one, many, strict=True):
        assert isinstance(a, LabelLogprobs)
        assert isinstance(b, LabelLogprobs)
        assert [row[0] for row in a.logprobs] == pytest.approx([row[0] for row in b.logprobs], abs=1e-5)


def test_what_does_not_fit_is_an_overflow(folder: Path) -> None:
    lengths = [answer.prompt_tokens for answer in engine(folder).score(PROMPTS, "", PIECES)]
    limit = sorted(lengths)[2]
    found = engine(folder, context=limit).score(PROMPTS, "", PIECES)
    assert [isinstance(answer, Overflow) for answer in found] == [length > limit for length in lengths]
    assert engine(folder).score([], "", PIECES) == []


def test_the_adapter_asks_the_loaded_judge(folder: Path) -> None:
    judge = replace(find("minicheck-flan-t5"), revision="0" * 40)
    loaded = registry.load(judge, folder, None, Settings(batch_size=2, dtype="float32"), 1)
    assert (loaded.name, set(loaded.versions())) == ("seq2seq", {"torch", "transformers"})
    condition = native.condition(judge, "claimcheck/1", None, Settings())
    prompt = canonical(["predict: ", "The river is long.", "</s>It is."])
    (found,) = native.ask(loaded, [prompt], condition)
    (answer,) = engine(folder).score(PROMPTS[:1], "", PIECES)
    assert isinstance(found, Distribution)
    assert isinstance(answer, LabelLogprobs)
    zero, one = (math.exp(row[0]) for row in answer.logprobs)
    assert found.probabilities == pytest.approx((one / (zero + one), zero / (zero + one)))


def test_what_the_engine_cannot_do_is_said(folder: Path, tmp_path: Path) -> None:
    judge = engine(folder)
    with pytest.raises(InputError, match="'supported' is no piece of this checkpoint's vocabulary"):
        judge.score(PROMPTS, "", ["supported"])
    with pytest.raises(InputError, match="opens no answer"):
        judge.score(PROMPTS, "VERDICT:", PIECES)
    with pytest.raises(InputError, match="the seq2seq engine writes no replies"):
        judge.generate(PROMPTS, 5)
    with pytest.raises(InputError, match="draws no replies"):
        judge.sample(PROMPTS, 5, samples=1, temperature=1.0, seed=0)
    with pytest.raises(InputError, match="cannot load the judge"):
        engine(tmp_path)


def test_out_of_memory_halves_the_batch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, expected = engine(folder, batch_size=4), engine(folder).score(PROMPTS, "", PIECES)
    really, sizes = judge._first, []

    def scarce(batch, labels):  # type: ignore[no-untyped-def]
        sizes.append(len(batch))
        if len(batch) > 1:
            raise torch.OutOfMemoryError("full")
        return really(batch, labels)

    monkeypatch.setattr(judge, "_first", scarce)
    found = judge.score(PROMPTS, "", PIECES)
    assert [a.prompt_tokens for a in found] == [a.prompt_tokens for a in expected]
    assert sizes == [4, 2, 1, 1, 1, 1, 1]
    monkeypatch.setattr(checkpoints, "out_of_memory", lambda error: True)
    monkeypatch.setattr(judge, "_first", lambda batch, labels: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        judge.score(PROMPTS, "", PIECES)
