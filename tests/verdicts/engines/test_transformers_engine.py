"""The engine against the plainest use of the library: one prompt at a time, no cache, no batches.

Runs in the judge environment on checkpoints with random weights; skipped where torch is not installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the judge environment")
pytest.importorskip("transformers", reason="needs the judge environment")

from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

from raim.errors import InputError  # noqa: E402
from verdicts.engines.base import LabelLogprobs, Overflow, Reply  # noqa: E402
from verdicts.engines.labels import label_masses  # noqa: E402
from verdicts.engines.transformers_engine import TransformersEngine  # noqa: E402

ALL = ["llama", "llama-system", "llama-base", "llama-dynamic", "gemma", "gemma-base", "gemma-wide"]
LABELS = [" SUPPORTED", " HALLUCINATED"]
DOCUMENT = "# Document\nThe river rises in the hills and reaches the sea after forty miles. " * 2
PROMPTS = [
    DOCUMENT + "\n# Claim\nThe river is long.",
    "Short.",
    DOCUMENT + "\n# Claim\nThe river is long and reaches the sea, or so the document says somewhere.",
    DOCUMENT + "\n# Claim\nIt rises.",
    "Another document entirely, 12 miles long.",
    DOCUMENT + "\n# Claim\nThe river is long.",
    "Determine whether the claim below is supported: é 漢字 \U0001f600",
]
Make = Callable[..., TransformersEngine]


def plain(folder: Path) -> tuple[Any, Any]:
    """Model and tokenizer by themselves."""
    return AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32
    ).eval(), AutoTokenizer.from_pretrained(folder)


def prompt_tokens(tokenizer: Any, prompt: str, prefix: str = "") -> list[int]:
    if tokenizer.chat_template is None:
        return list(tokenizer.encode(prompt + prefix))
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
    )
    return list(tokenizer.encode(text + prefix, add_special_tokens=False))


def logprob(model: Any, tokens: Sequence[int], answer: Sequence[int]) -> list[float]:
    """Log-probability of each answer token by one full forward pass."""
    with torch.inference_mode():
        logits = model(torch.tensor([[*tokens, *answer]])).logits[0].double()
    rows = torch.log_softmax(logits, dim=-1)
    return [float(rows[len(tokens) - 1 + i, token]) for i, token in enumerate(answer)]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("batch_size", [1, 3, 16])
def test_replies_are_those_of_generate(
    name: str, batch_size: int, engine: Make, checkpoints: dict[str, Path]
) -> None:
    model, tokenizer = plain(checkpoints[name])
    replies = engine(name, batch_size=batch_size).generate(PROMPTS, 12)
    finishes = set()
    for prompt, reply in zip(PROMPTS, replies, strict=True):
        tokens = torch.tensor([prompt_tokens(tokenizer, prompt)])
        with torch.inference_mode():
            out = model.generate(
                tokens, attention_mask=torch.ones_like(tokens), do_sample=False, max_new_tokens=12
            )
        new = out[0, tokens.shape[1] :].tolist()
        ended = new[-1] in (2, 6)
        expected = Reply(
            tokenizer.decode(new, skip_special_tokens=True),
            "stop" if ended else "length",
            tokens.shape[1],
            len(new),
        )
        assert reply == expected
        finishes.add(reply.finish)
    assert len(set(replies)) > 3


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("batch_size", [1, 3, 16])
@pytest.mark.parametrize("labels", [LABELS, [" 1", " 5", " 10", " 100"], [" yes"]])
def test_scores_are_those_of_full_passes(
    name: str, batch_size: int, labels: list[str], engine: Make, checkpoints: dict[str, Path]
) -> None:
    model, tokenizer = plain(checkpoints[name])
    answers = engine(name, batch_size=batch_size).score(PROMPTS, "VERDICT:", labels)
    for prompt, answer in zip(PROMPTS, answers, strict=True):
        assert isinstance(answer, LabelLogprobs)
        tokens = prompt_tokens(tokenizer, prompt, "VERDICT:")
        assert answer.prompt_tokens == len(tokens)
        for label, own, found in zip(labels, answer.tokens, answer.logprobs, strict=True):
            assert tokenizer.decode(own) == label
            assert found == pytest.approx(logprob(model, tokens, own), abs=1e-4)


def test_labels_of_several_tokens_share_their_start(engine: Make) -> None:
    """In this tokenizer, as in real ones, digits are single tokens and the labels are several."""
    answer = engine("llama").score(PROMPTS[:1], "Score:", [" 1", " 10", " 100", " 12", " 2"])[0]
    assert isinstance(answer, LabelLogprobs)
    lengths = [len(own) for own in answer.tokens]
    assert lengths[1] == lengths[0] + 1
    assert answer.tokens[1][: lengths[0]] == answer.tokens[0]
    assert lengths[2] == lengths[0] + 2


@pytest.mark.parametrize("name", ["llama", "gemma-base"])
def test_one_does_not_count_ten(name: str, engine: Make, checkpoints: dict[str, Path]) -> None:
    """P('1') is that of '1' followed by no digit that makes another label."""
    model, tokenizer = plain(checkpoints[name])
    labels = [" 1", " 10", " 100", " 12"]
    answer = engine(name).score(PROMPTS[:1], "Score:", labels)[0]
    assert isinstance(answer, LabelLogprobs)
    masses = label_masses(answer.logprobs, answer.tokens)
    tokens = prompt_tokens(tokenizer, PROMPTS[0], "Score:")
    paths = [math.exp(sum(logprob(model, tokens, own))) for own in answer.tokens]
    one, ten, hundred, twelve = paths
    assert masses == pytest.approx([one - ten - twelve, ten - hundred, hundred, twelve], rel=1e-4)


def test_what_a_prompt_shares_with_others_changes_nothing(engine: Make) -> None:
    """The kept prefix is cut back, extended and dropped as prompts come; answers stay."""
    judge = engine("llama", batch_size=2)
    alone = [engine("llama").score([prompt], "VERDICT:", LABELS)[0] for prompt in PROMPTS]
    for order in ([0, 1, 2, 3, 4, 5, 6], [6, 3, 0, 4, 2, 1, 5], [5, 5, 5]):
        together = judge.score([PROMPTS[i] for i in order], "VERDICT:", LABELS)
        for i, answer in zip(order, together, strict=True):
            expected = alone[i]
            assert isinstance(answer, LabelLogprobs)
            assert isinstance(expected, LabelLogprobs)
            for found, right in zip(answer.logprobs, expected.logprobs, strict=True):
                assert found == pytest.approx(right, abs=1e-4)
        judge.generate([PROMPTS[order[0]]], 3)


def test_generating_and_scoring_in_turn(engine: Make) -> None:
    judge = engine("llama")
    first = judge.generate(PROMPTS, 6)
    judge.score(PROMPTS, "VERDICT:", LABELS)
    assert judge.generate(PROMPTS, 6) == first


def test_overflow_is_reported_and_asks_nothing(engine: Make) -> None:
    judge = engine("llama", context=60)
    fits = engine("llama").generate(PROMPTS, 10)
    replies = judge.generate(PROMPTS, 10)
    scores = judge.score(PROMPTS, "VERDICT:", LABELS)
    assert {type(reply) for reply in replies} == {Reply, Overflow}
    for reply, expected in zip(replies, fits, strict=True):
        assert reply.prompt_tokens == expected.prompt_tokens
        assert isinstance(reply, Overflow) == (expected.prompt_tokens + 10 > 60)
        assert isinstance(reply, Overflow) or reply == expected
    assert [isinstance(s, Overflow) for s in scores] == [s.prompt_tokens + 7 > 60 for s in scores]


def test_the_longest_prompt_that_fits(engine: Make) -> None:
    length = engine("llama").generate(PROMPTS[:1], 1)[0].prompt_tokens
    assert isinstance(engine("llama", context=length + 5).generate(PROMPTS[:1], 5)[0], Reply)
    assert isinstance(engine("llama", context=length + 4).generate(PROMPTS[:1], 5)[0], Overflow)


def test_a_fixed_number_of_tokens_is_decoded_past_the_end(engine: Make) -> None:
    judge = engine("llama", batch_size=3)
    replies = judge.generate(PROMPTS, 40)
    exact = judge.generate_exactly(PROMPTS, 40)
    assert {"stop"} <= {reply.finish for reply in replies if isinstance(reply, Reply)}
    for reply, longer in zip(replies, exact, strict=True):
        assert isinstance(reply, Reply)
        assert isinstance(longer, Reply)
        assert (longer.finish, longer.reply_tokens) == ("length", 40)
        assert longer.text.startswith(reply.text)


def test_nothing_asked_nothing_answered(engine: Make) -> None:
    assert engine("llama").generate([], 5) == []
    assert engine("llama").score([], "VERDICT:", LABELS) == []


def test_templates_differ_in_what_is_read(engine: Make) -> None:
    lengths = {
        name: engine(name).generate(["Hello"], 1)[0].prompt_tokens
        for name in ("llama", "llama-system", "llama-base")
    }
    assert lengths["llama-system"] > lengths["llama"] > lengths["llama-base"]


def test_the_date_of_a_template_is_the_one_given(engine: Make) -> None:
    ask = [
        engine("llama-dated", kwargs={"strftime_now": day})
        for day in ("2025-04-16", "2025-04-16", "2025-04-17")
    ]
    scores = [judge.score(["Hello"], "VERDICT:", LABELS)[0] for judge in ask]
    assert scores[0] == scores[1] != scores[2]
    written = ask[0]._tokenizer.decode(ask[0].encoder.tokens("Hello"))
    assert "Today is 16 Apr 2025.<|end|>" in written
    with pytest.raises(InputError, match="is no date"):
        engine("llama-dated", kwargs={"strftime_now": "yesterday"})


def test_another_template_than_the_key_says(checkpoints: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="applies another chat template"):
        TransformersEngine(
            checkpoints["llama"],
            chat={"template": "0" * 64, "kwargs": {}},
            context=64,
            dtype="float32",
            batch_size=1,
        )


def test_a_label_joined_to_the_prefix_is_refused(engine: Make, checkpoints: dict[str, Path]) -> None:
    """Cut ``VERDICT:`` inside each of its tokens: no token begins what is left of it."""
    tokenizer = AutoTokenizer.from_pretrained(checkpoints["llama-base"])
    text, refused = "VERDICT:", 0
    starts = {start for start, _ in tokenizer(text, return_offsets_mapping=True)["offset_mapping"]}
    for cut in range(1, len(text)):
        if cut in starts:
            engine("llama-base").score([""], text[:cut], [text[cut:]])
        else:
            with pytest.raises(InputError, match="joins the answer prefix"):
                engine("llama-base").score([""], text[:cut], [text[cut:]])
            refused += 1
    assert refused


def batches_of(judge: TransformersEngine, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[int], int]]:
    """Row lengths of each batch that the judge runs from here on, and the tokens that its rows share."""
    batches: list[tuple[list[int], int]] = []
    really = judge._prefill

    def prefill(batch: list[list[int]], room: int) -> Any:
        prefilled = really(batch, room)
        batches.append(([len(row) for row in batch], len(judge._prefix)))
        return prefilled

    monkeypatch.setattr(judge, "_prefill", prefill)
    return batches


def test_replies_beyond_the_window_are_padded_in_front(engine: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Padding behind a shared part would shift the window of what follows."""
    judge = engine("gemma-wide", batch_size=8)
    batches = batches_of(judge, monkeypatch)
    judge.generate(PROMPTS, 2)
    beyond = [(rows, shared) for rows, shared in batches if max(rows) + 2 > 80]
    assert any(len(set(rows)) > 1 for rows, _ in beyond)
    assert all(shared == 0 for rows, shared in beyond if len(set(rows)) > 1)


def test_layers_that_cannot_be_shared_are_refused(
    checkpoints: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from verdicts.engines import architecture

    monkeypatch.setattr(architecture, "_layers", lambda model: ["full_attention", "linear_attention"])
    with pytest.raises(InputError, match="layers \\(linear_attention\\) whose state cannot be shared"):
        TransformersEngine(checkpoints["llama-base"], chat=None, context=64, dtype="float32", batch_size=1)


def test_a_library_without_the_cache_argument_is_refused() -> None:
    from verdicts.engines.architecture import require_known

    class Old:
        def forward(self, input_ids: Any, past_key_values: Any = None, **kwargs: Any) -> None: ...

    with pytest.raises(InputError, match="upgrade transformers"):
        require_known(Old(), "model")


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_checkpoint_that_cannot_be_loaded(
    missing: str, checkpoints: dict[str, Path], tmp_path: Path
) -> None:
    for path in checkpoints["llama-base"].iterdir():
        if path.name != missing:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match=r"cannot load the judge(?s:.*)fetch its weights again"):
        TransformersEngine(tmp_path, chat=None, context=64, dtype="float32", batch_size=1)
