"""BERTScore (Zhang et al., 2020) over an encoder of transformers: greedy matching on cosines, no idf.

As the package has it (https://github.com/Tiiiger/bert_score): the embeddings of one layer, the tokens that open and
close a text to be matched with but not to be counted, a text that is too long without its end. The F1 is returned as it
is; the roster's ``baseline`` is for its mapping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel, AutoTokenizer

from raim.errors import InputError
from verdicts.engines.base import Rating
from verdicts.engines.checkpoints import OnePass, prepared, without_end
from verdicts.engines.loading import loaded, whole
from verdicts.judges.roster import Judge
from verdicts.plan import Settings


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> BertScoreEngine:
    """The engine with an encoder's checkpoint; the roster's options give its ``layer`` and ``prefix_space``."""
    folder = prepared(judge, folder, "bertscore", threads)
    return BertScoreEngine(
        folder,
        layer=judge.options["layer"],
        prefix_space=judge.options.get("prefix_space", False),
        context=settings.context_of(judge),
        dtype=settings.dtype_of(judge),
        batch_size=settings.batch_size,
    )


class BertScoreEngine(OnePass):
    """An encoder. ``layer`` counts from 1, 0 being the embeddings; ``prefix_space`` is what RoBERTa's texts begin with.

    Raises InputError where the encoder cannot be loaded or has no such layer.
    """

    name = "bertscore"

    def __init__(
        self,
        folder: Path,
        *,
        layer: int,
        context: int,
        dtype: str,
        batch_size: int,
        prefix_space: bool = False,
    ) -> None:
        super().__init__(batch_size)
        self._tokenizer = loaded(folder, lambda: AutoTokenizer.from_pretrained(folder))
        model = loaded(
            folder,
            # A pooler reads the last layer, and checkpoints of encoders often have none.
            lambda: whole(AutoModel, folder, dtype, unused=("pooler",)).to(self._device).eval(),
        )
        if not 0 <= layer <= model.config.num_hidden_layers:
            raise InputError(
                f"{folder}: has {model.config.num_hidden_layers} layers, and none numbered {layer}; change the `layer`"
            )
        self._model = model
        self._layer = layer
        self._prefix = " " * prefix_space
        self._context = context
        ends = {self._tokenizer.cls_token_id, self._tokenizer.sep_token_id} - {None}
        self._ends = torch.tensor(sorted(ends), dtype=torch.long)

    def rate(self, requests: Sequence[Mapping[str, str]]) -> list[Rating]:
        """The F1 of each ``candidate`` with its ``reference``; tokens of both are counted."""
        texts = sorted({request[name] for request in requests for name in ("candidate", "reference")})
        tokens = {text: self._tokenizer.encode(self._prefix + text.strip()) for text in texts}
        kept = {text: without_end(ids, self._context) for text, ids in tokens.items()}
        vectors = dict(zip(texts, self.in_batches([kept[text] for text in texts], self._embed), strict=True))
        counted = {text: ~torch.isin(torch.tensor(ids), self._ends) for text, ids in kept.items()}
        ratings = []
        for request in requests:
            pair = (request["candidate"], request["reference"])
            *_, f1 = greedy_match(*(vectors[text] for text in pair), *(counted[text] for text in pair))
            removed = sum(len(tokens[text]) - len(kept[text]) for text in pair)
            ratings.append(Rating(f1, sum(len(kept[text]) for text in pair), removed))
        return ratings

    def _embed(self, batch: list[list[int]]) -> list[torch.Tensor]:
        pad = self._tokenizer.pad_token_id
        ids, mask = self.padded(batch, 0 if pad is None else pad)
        out = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
        states = out.hidden_states[self._layer].float()
        unit = torch.nn.functional.normalize(states, dim=-1).cpu()
        return [unit[row, : len(ids)] for row, ids in enumerate(batch)]


def greedy_match(
    candidate: torch.Tensor, reference: torch.Tensor, in_candidate: torch.Tensor, in_reference: torch.Tensor
) -> tuple[float, float, float]:
    """Precision, recall and F1 of unit vectors (n, d) and (m, d), counting the tokens of the masks (n,) and (m,).

    Each counted token takes its best cosine on the other side, where all tokens may be matched. A side without a
    counted token has no score: NaN.
    """
    cosines = candidate @ reference.T
    precision = float(cosines.max(dim=1).values[in_candidate].mean())
    recall = float(cosines.max(dim=0).values[in_reference].mean())
    total = precision + recall
    return precision, recall, 2.0 * precision * recall / total if total else 0.0
