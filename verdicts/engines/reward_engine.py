"""Reward models: a sequence-classification head of one output over a conversation (Skywork and its like)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from transformers import AutoModelForSequenceClassification, AutoTokenizer

from raim.errors import InputError
from verdicts.engines.base import Overflow, Rating
from verdicts.engines.checkpoints import OnePass, prepared
from verdicts.engines.encoding import Encoder
from verdicts.engines.loading import loaded, whole
from verdicts.judges.roster import Judge
from verdicts.plan import Settings


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> RewardEngine:
    """The engine with a reward model's checkpoint, on ``threads`` CPU threads or the first visible GPU."""
    folder = prepared(judge, folder, "reward", threads)
    return RewardEngine(
        folder,
        chat=chat,
        context=settings.context_of(judge),
        dtype=settings.dtype_of(judge),
        batch_size=settings.batch_size,
    )


class RewardEngine(OnePass):
    """A decoder with a reward head. ``chat`` is the ``chat`` of the judge's conditions, without which it has no turns.

    Raises InputError where the model cannot be loaded, gives more than one number, or has no chat template.
    """

    name = "reward"

    def __init__(
        self, folder: Path, *, chat: Mapping[str, Any] | None, context: int, dtype: str, batch_size: int
    ) -> None:
        super().__init__(batch_size)
        self._tokenizer = loaded(folder, lambda: AutoTokenizer.from_pretrained(folder))
        model = loaded(
            folder,
            lambda: whole(AutoModelForSequenceClassification, folder, dtype).to(self._device).eval(),
        )
        if model.config.num_labels != 1:
            raise InputError(
                f"{folder}: gives {model.config.num_labels} numbers, a reward model gives one; choose another"
            )
        if chat is None:
            raise InputError(
                f"{folder}: a reward model reads a conversation; leave `chat: false` out of the roster"
            )
        self._model = model
        self.encoder = Encoder(self._tokenizer, chat, folder)
        self._context = context

    def rate(self, requests: Sequence[Mapping[str, str]]) -> list[Rating | Overflow]:
        """The reward of each ``response`` to its ``request``; what does not fit the context has none."""
        tokens = [self.encoder.exchange(request["request"], request["response"]) for request in requests]
        fits = [i for i, row in enumerate(tokens) if len(row) <= self._context]
        rewards = self.in_batches([tokens[i] for i in fits], self._rewards)
        found = dict(zip(fits, rewards, strict=True))
        return [
            Rating(found[i], len(row)) if i in found else Overflow(len(row)) for i, row in enumerate(tokens)
        ]

    def _rewards(self, batch: list[list[int]]) -> list[float]:
        # The head reads the last token that is no padding, which it tells by the id: one that no row has.
        seen = {token for row in batch for token in row}
        pad = next(token for token in range(self._model.config.vocab_size) if token not in seen)
        self._model.config.pad_token_id = pad
        ids, mask = self.padded(batch, pad)
        rewards: list[float] = self._model(input_ids=ids, attention_mask=mask).logits[:, 0].float().tolist()
        return rewards
