"""What the engines of transformers' models have in common: threads, the device, batches that memory suffices for."""

from __future__ import annotations

import importlib.metadata
import logging
import platform
from collections.abc import Callable, Mapping, Sequence, Sized
from pathlib import Path
from typing import Any, TypeVar

import torch

from raim.errors import InputError
from verdicts.engines.batches import by_length
from verdicts.engines.loading import device
from verdicts.engines.memory import out_of_memory
from verdicts.judges.roster import Judge

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")
Row = TypeVar("Row", bound=Sized)


def prepared(judge: Judge, folder: Path | None, engine: str, threads: int) -> Path:
    """The judge's checkpoint, with torch on ``threads`` CPU threads. Raises InputError where there is none."""
    if folder is None:
        raise InputError(f"{judge.name} has no checkpoint that the {engine} engine could load")
    torch.set_num_threads(threads)
    return folder


def without_end(ids: list[int], longest: int) -> list[int]:
    """The tokens without their end where they are too many, the last one, which closes the text, kept."""
    return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]


class LocalModel:
    """A model on this machine that is asked in batches of at most ``batch_size``, smaller where memory runs out."""

    def __init__(self, batch_size: int) -> None:
        self._device = device()
        self._batch_size = batch_size

    @property
    def hardware(self) -> str:
        """The device's name, or the processor's kind and the number of threads."""
        if self._device == "cuda":
            return str(torch.cuda.get_device_name())
        return f"{platform.machine()}, {torch.get_num_threads()} threads"

    def versions(self) -> Mapping[str, str]:
        """Versions of torch and transformers."""
        return {name: importlib.metadata.version(name) for name in ("torch", "transformers")}

    def _forget(self) -> None:
        """Drop what is kept from batch to batch, before a smaller one is tried."""

    def _ask(self, ask: Callable[[list[Row]], list[Answer]], batch: list[Row]) -> list[Answer]:
        """Ask a batch; where memory does not suffice, ask its halves, and all later batches in such sizes."""
        if len(batch) <= self._batch_size:
            try:
                with torch.inference_mode():
                    return ask(batch)
            except (RuntimeError, MemoryError) as error:
                if not out_of_memory(error):
                    raise
                self._forget()
                if len(batch) == 1:
                    raise InputError(
                        f"a prompt of {len(batch[0])} tokens does not fit the memory of this {self._device}; use a "
                        f"larger device, a smaller dtype or a smaller context (what was judged is kept)"
                    ) from error
            # Outside the except clause: the error's traceback holds the tensors that filled the memory.
            self._batch_size = len(batch) // 2
            log.warning(
                "out of memory with %d prompts at once; going on with %d", len(batch), self._batch_size
            )
            if self._device == "cuda":
                torch.cuda.empty_cache()
        half = self._batch_size
        return [
            answer
            for start in range(0, len(batch), half)
            for answer in self._ask(ask, batch[start : start + half])
        ]


class OnePass(LocalModel):
    """A model that reads a text in one pass and writes none."""

    name = "one pass"

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> Any:
        """Raises InputError: nothing is generated."""
        raise InputError(f"the {self.name} engine writes no replies; give its judge the protocol native")

    def score(self, prompts: Sequence[str], prefix: str, labels: Sequence[str]) -> Any:
        """Raises InputError where an engine has no labels to score."""
        raise InputError(
            f"the {self.name} engine has no label probabilities; give it a protocol such as expert-1-10"
        )

    def sample(
        self, prompts: Sequence[str], max_new_tokens: int, *, samples: int, temperature: float, seed: int
    ) -> Any:
        """Raises InputError: nothing is sampled."""
        raise InputError(f"the {self.name} engine draws no replies; give its judge the protocol native")

    def in_batches(
        self, sequences: Sequence[list[int]], ask: Callable[[list[list[int]]], list[Answer]]
    ) -> list[Answer]:
        """One answer a sequence of tokens, in their order."""
        answers: dict[int, Answer] = {}
        for batch in by_length(sequences, self._batch_size):
            answers |= zip(batch, self._ask(ask, [sequences[i] for i in batch]), strict=True)
        return [answers[i] for i in range(len(sequences))]

    def padded(self, batch: Sequence[list[int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Token ids and attention mask (rows, longest), padded on the right."""
        width = max(map(len, batch))
        ids = torch.tensor([[*row, *[pad] * (width - len(row))] for row in batch], device=self._device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in batch], device=self._device)
        return ids, mask
