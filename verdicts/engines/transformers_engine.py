"""Hugging Face transformers: the engine that runs anywhere, on a CPU too.

Prompts that share their start (the frame, the document) share its computation: the key-value cache of the shared part
is kept between batches and only what differs is computed. Greedy throughout; one judge a process.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

from verdicts.engines.architecture import exact_padding, require_known, reuse_is_exact
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.engines.batches import by_length, by_prefix, by_same_length, common_prefix
from verdicts.engines.checkpoints import LocalModel, prepared
from verdicts.engines.encoding import Encoder
from verdicts.engines.loading import loaded, whole
from verdicts.engines.sampling import Choose, Sample, drawing, greedy, samples_of
from verdicts.judges.roster import Judge
from verdicts.plan import Settings

Answer = TypeVar("Answer")


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> TransformersEngine:
    """The engine with a judge's checkpoint, on ``threads`` CPU threads or the first visible GPU."""
    return TransformersEngine(
        prepared(judge, folder, "transformers", threads),
        chat=chat,
        context=settings.context_of(judge),
        dtype=settings.dtype_of(judge),
        batch_size=settings.batch_size,
        trust_remote_code=bool(judge.remote_code),
    )


class TransformersEngine(LocalModel):
    """A causal language model and its tokenizer, loaded from a checkpoint folder.

    ``chat`` is the ``chat`` of the judge's conditions (see :class:`Encoder`). ``dtype`` is a torch dtype's name.
    ``gguf_file`` loads a GGUF file of the folder.

    Raises InputError where the judge cannot be loaded, or cannot be asked exactly by this engine.
    """

    name = "transformers"
    devices = 1

    def __init__(
        self,
        folder: Path,
        *,
        chat: Mapping[str, Any] | None,
        context: int,
        dtype: str,
        batch_size: int,
        gguf_file: str | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        source: dict[str, Any] = {"gguf_file": gguf_file} if gguf_file else {}
        source["trust_remote_code"] = trust_remote_code
        super().__init__(batch_size)
        self._tokenizer, model = loaded(folder, lambda: _load(folder, dtype, self._device, source))
        self._model = model
        require_known(model, str(folder))
        self.encoder = Encoder(self._tokenizer, chat, folder)
        self._context = context
        self._exact_padding = exact_padding(model)
        self._reuse = reuse_is_exact(model)
        self._ends = _end_tokens(model, self._tokenizer)
        self._prefix: list[int] = []
        self._prefix_cache = DynamicCache()

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow]:
        """Greedy replies of at most ``max_new_tokens`` tokens, in the order of the prompts."""
        return self._replies(prompts, max_new_tokens, self._ends)

    def generate_exactly(self, prompts: Sequence[str], new_tokens: int) -> list[Reply | Overflow]:
        """Greedy replies of ``new_tokens`` tokens each, past the tokens that would end them: for timing."""
        return self._replies(prompts, new_tokens, self._ends[:0])

    def _replies(
        self, prompts: Sequence[str], max_new_tokens: int, ends: torch.Tensor
    ) -> list[Reply | Overflow]:
        tokens = [self.encoder.tokens(prompt) for prompt in prompts]
        batching = by_length if self._reuse else by_same_length
        return self._answer(
            tokens, max_new_tokens, batching, lambda batch: self._generate(batch, max_new_tokens, ends)
        )

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        """Log-probabilities of the labels' tokens after each prompt and the prefix, in the order of the prompts."""
        tokens = [self.encoder.tokens(prompt, prefix) for prompt in prompts]
        if not prompts:
            return []
        label_tokens = [self.encoder.label_tokens(prompts[0], prefix, label) for label in labels]
        room = max(map(len, label_tokens))
        return self._answer(tokens, room, by_prefix, lambda batch: self._score(batch, label_tokens))

    def sample(
        self, prompts: Sequence[str], max_new_tokens: int, *, samples: int, temperature: float, seed: int
    ) -> list[list[Reply] | Overflow]:
        """Replies drawn at a temperature, ``samples`` a prompt, in the order of the prompts."""
        return [
            Overflow(len(tokens))
            if len(tokens) + max_new_tokens > self._context
            else self._samples(
                samples_of(prompt, tokens, samples, max_new_tokens, seed), max_new_tokens, temperature
            )
            for prompt in prompts
            for tokens in [self.encoder.tokens(prompt)]
        ]

    def _samples(self, rows: list[Sample], max_new_tokens: int, temperature: float) -> list[Reply]:
        """Samples of one prompt, in batches whose rows share all of it."""

        def ask(batch: list[Sample]) -> list[Reply]:
            choose = drawing(batch, temperature, self._device)
            return self._generate([row.tokens for row in batch], max_new_tokens, self._ends, choose)

        size = self._batch_size
        return [
            reply
            for start in range(0, len(rows), size)
            for reply in self._ask(ask, rows[start : start + size])
        ]

    def _answer(
        self,
        tokens: Sequence[list[int]],
        room: int,
        batching: Callable[[Sequence[list[int]], int], list[list[int]]],
        ask: Callable[[list[list[int]]], list[Answer]],
    ) -> list[Answer | Overflow]:
        """Ask in batches, put the answers back in order; what does not fit the context is an overflow."""
        fits = [i for i, sequence in enumerate(tokens) if len(sequence) + room <= self._context]
        answers: list[Answer | Overflow] = [Overflow(len(sequence)) for sequence in tokens]
        for batch in batching([tokens[i] for i in fits], self._batch_size):
            asked = [fits[i] for i in batch]
            for position, answer in zip(asked, self._ask(ask, [tokens[i] for i in asked]), strict=True):
                answers[position] = answer
        return answers

    def _forget(self) -> None:
        self._prefix, self._prefix_cache = [], DynamicCache()

    def _generate(
        self, batch: list[list[int]], max_new_tokens: int, ends: torch.Tensor, choose: Choose = greedy
    ) -> list[Reply]:
        cache, mask, logits = self._prefill(batch, max_new_tokens)
        positions = torch.tensor([len(row) for row in batch], device=self._device)
        replies: list[list[int]] = [[] for _ in batch]
        running = torch.ones(len(batch), dtype=torch.bool, device=self._device)
        finite = torch.ones_like(running)
        for step in range(max_new_tokens):
            # The largest logit is no number where any is none.
            finite &= torch.isfinite(logits.max(dim=-1).values) | ~running
            running &= finite
            chosen = choose(logits, step)
            for row, token in enumerate(chosen.tolist()):
                if running[row]:
                    replies[row].append(token)
            running &= ~torch.isin(chosen, ends)
            if not running.any() or step + 1 == max_new_tokens:
                break
            mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1)
            out = self._model(
                input_ids=chosen[:, None], attention_mask=mask, position_ids=positions[:, None], cache=cache
            )
            logits = out.logits[:, -1].float()
            positions = positions + 1
        return [
            self._reply(prompt, reply, sound, ends)
            for prompt, reply, sound in zip(batch, replies, finite.tolist(), strict=True)
        ]

    def _reply(self, prompt: list[int], reply: list[int], sound: bool, ends: torch.Tensor) -> Reply:
        text = self.encoder.opening + self._tokenizer.decode(reply, skip_special_tokens=True)
        ended = bool(reply) and reply[-1] in ends.tolist()
        finish: Literal["stop", "length", "not_finite"] = "stop" if ended else "length"
        return Reply(text, finish if sound else "not_finite", len(prompt), len(reply))

    def _score(self, batch: list[list[int]], labels: Sequence[tuple[int, ...]]) -> list[LabelLogprobs]:
        cache, mask, logits = self._prefill(batch, max(map(len, labels)))
        after: dict[tuple[int, ...], torch.Tensor] = {(): torch.log_softmax(logits.double(), dim=-1)}
        length = cache.get_seq_length()
        starts = torch.tensor([len(row) for row in batch], device=self._device)
        for label in sorted(labels, key=len, reverse=True):
            inner = label[:-1]
            if not inner or inner in after:
                continue
            ids = torch.tensor([inner] * len(batch), device=self._device)
            positions = starts[:, None] + torch.arange(len(inner), device=self._device)
            extended = torch.cat([mask, torch.ones_like(ids)], dim=1)
            out = self._model(input_ids=ids, attention_mask=extended, position_ids=positions, cache=cache)
            logprobs = torch.log_softmax(out.logits.double(), dim=-1)
            for depth in range(1, len(inner) + 1):
                after[inner[:depth]] = logprobs[:, depth - 1]
            cache.crop(length - cache.get_seq_length())
        rows = [[after[label[:i]][:, label[i]].tolist() for i in range(len(label))] for label in labels]
        return [
            LabelLogprobs(
                tuple(tuple(step[row] for step in label) for label in rows), tuple(labels), len(prompt)
            )
            for row, prompt in enumerate(batch)
        ]

    def _prefill(self, batch: list[list[int]], room: int) -> tuple[DynamicCache, torch.Tensor, torch.Tensor]:
        """Run the prompts: a cache for the batch, its attention mask, and the logits after each prompt's last token.

        Rows are padded on the left of what they do not share, behind the shared part. Where that would not be exact
        with ``room`` more tokens, nothing is shared and they are padded in front.
        """
        shortest, longest = min(map(len, batch)), max(map(len, batch))
        shared = 0
        if self._reuse and (shortest == longest or longest + room <= self._exact_padding):
            # Each row keeps at least its last token to itself: its logits are what is wanted.
            shared = min(min(common_prefix(batch[0], row) for row in batch), shortest - 1)
        self._keep_prefix(batch[0][:shared])
        cache = copy.deepcopy(self._prefix_cache)
        if shared and len(batch) > 1:
            cache.batch_repeat_interleave(len(batch))
        width = longest - shared
        ids = torch.zeros((len(batch), width), dtype=torch.long)
        mask = torch.ones((len(batch), shared + width), dtype=torch.long)
        for row, sequence in enumerate(batch):
            pad = width - (len(sequence) - shared)
            ids[row, pad:] = torch.tensor(sequence[shared:])
            mask[row, shared : shared + pad] = 0
        ids, mask = ids.to(self._device), mask.to(self._device)
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, shared:]
        out = self._model(
            input_ids=ids, attention_mask=mask, position_ids=positions, cache=cache, logits_to_keep=1
        )
        return cache, mask, out.logits[:, -1].float()

    def _keep_prefix(self, prefix: list[int]) -> None:
        """Bring the kept cache to this prefix, computing only what it does not share with the one before."""
        same = common_prefix(self._prefix, prefix)
        if not same:
            # A cache cut back to nothing would still be one row wide.
            self._prefix_cache = DynamicCache()
        elif same < len(self._prefix):
            self._prefix_cache.crop(same - len(self._prefix))
        if same < len(prefix):
            ids = torch.tensor([prefix[same:]], device=self._device)
            self._model(input_ids=ids, cache=self._prefix_cache, logits_to_keep=1)
        self._prefix = prefix


def _load(folder: Path, dtype: str, device: str, source: Mapping[str, Any]) -> tuple[Any, Any]:
    """The tokenizer, and the model on its device."""
    tokenizer = AutoTokenizer.from_pretrained(folder, **source)
    return tokenizer, whole(AutoModelForCausalLM, folder, dtype, **source).to(device).eval()


def _end_tokens(model: Any, tokenizer: Any) -> torch.Tensor:
    ends = model.generation_config.eos_token_id
    known = {*(ends if isinstance(ends, list) else [ends]), tokenizer.eos_token_id} - {None}
    return torch.tensor(sorted(known), dtype=torch.long, device=model.device)
