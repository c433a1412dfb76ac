"""Encoder-decoder models of transformers: label probabilities at the decoder's first step (MiniCheck-Flan-T5-L)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from raim.errors import InputError
from verdicts.engines.base import LabelLogprobs, Overflow
from verdicts.engines.checkpoints import OnePass, prepared
from verdicts.engines.encoding import Encoder
from verdicts.engines.loading import loaded, whole
from verdicts.judges.roster import Judge
from verdicts.plan import Settings


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> Seq2SeqEngine:
    """The engine with a judge's checkpoint, on ``threads`` CPU threads or the first visible GPU."""
    folder = prepared(judge, folder, "seq2seq", threads)
    return Seq2SeqEngine(
        folder,
        chat=chat,
        context=settings.context_of(judge),
        dtype=settings.dtype_of(judge),
        batch_size=settings.batch_size,
    )


class Seq2SeqEngine(OnePass):
    """An encoder-decoder and its tokenizer, loaded from a checkpoint folder.

    ``context`` is the longest input of the encoder in tokens. Raises InputError where the judge cannot be loaded.
    """

    name = "seq2seq"

    def __init__(
        self, folder: Path, *, chat: Mapping[str, Any] | None, context: int, dtype: str, batch_size: int
    ) -> None:
        super().__init__(batch_size)
        self._tokenizer = loaded(folder, lambda: AutoTokenizer.from_pretrained(folder))
        self._model = loaded(
            folder,
            lambda: whole(AutoModelForSeq2SeqLM, folder, dtype).to(self._device).eval(),
        )
        self.encoder = Encoder(self._tokenizer, chat, folder)
        self._context = context

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        """Log-probabilities of the labels, each a piece of the vocabulary, as the decoder's first token.

        Raises InputError on a label that is no piece, and on a prefix: the decoder's answer has none.
        """
        if prefix:
            raise InputError(
                "the seq2seq engine opens no answer; give its judge the protocol native, its own interface"
            )
        ids = [self._piece(label) for label in labels]
        tokens = [self.encoder.tokens(prompt) for prompt in prompts]
        answers: list[LabelLogprobs | Overflow] = [Overflow(len(row)) for row in tokens]
        fits = [i for i, row in enumerate(tokens) if len(row) <= self._context]
        for i, answer in zip(
            fits,
            self.in_batches([tokens[i] for i in fits], lambda batch: self._first(batch, ids)),
            strict=True,
        ):
            answers[i] = answer
        return answers

    def _first(self, batch: list[list[int]], labels: Sequence[int]) -> list[LabelLogprobs]:
        ids, mask = self.padded(batch, self._tokenizer.pad_token_id)
        start = torch.full((len(batch), 1), self._model.config.decoder_start_token_id, device=self._device)
        logits = self._model(input_ids=ids, attention_mask=mask, decoder_input_ids=start).logits[:, 0]
        logprobs = torch.log_softmax(logits.double(), dim=-1)[:, list(labels)].tolist()
        return [
            LabelLogprobs(tuple((value,) for value in row), tuple((label,) for label in labels), len(prompt))
            for row, prompt in zip(logprobs, batch, strict=True)
        ]

    def _piece(self, label: str) -> int:
        found = self._tokenizer.convert_tokens_to_ids(label)
        if found is None or found == self._tokenizer.unk_token_id:
            raise InputError(
                f"{label!r} is no piece of this checkpoint's vocabulary; it is not the judge that was meant"
            )
        return int(found)
