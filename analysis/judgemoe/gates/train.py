"""Training gates: the one module here that needs torch (paper, section 3.3 and Table 10).

float64 on one thread; initial values, batch order and dropout come from a numpy generator, so that a run depends on
torch for arithmetic alone. ``docs/judgemoe.md`` reports what thread counts and BLAS kernels change.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import feature_tensor, hard_scores
from analysis.judgemoe.gates.parameters import Gate, Training, initial_arrays
from analysis.judgemoe.pools.log import log_probabilities
from raim.errors import InputError

#: Dropout compares 16-bit words: its rate is met to 1/65536.
_WORDS = 1 << 16


@dataclass(frozen=True, eq=False)
class Pairs:
    """Preferences over the items of a cell: ``first`` against ``second`` (positions), ``preferred`` 1 or -1."""

    cell: Cell
    first: Ints
    second: Ints
    preferred: Ints


def require_torch() -> Any:
    """The torch module. Raises InputError that says how to install it."""
    try:
        import torch
    except ImportError as error:
        raise InputError(
            "training a gate needs torch, which is not installed; pip install 'raim[judge]' (applying a gate does not)"
        ) from error
    return torch


def train_gate(cell: Cell, training: Training, *, pairs: Pairs | None = None, threads: int = 1) -> Gate:
    """Train a gate on all items of a cell (pass its training split); see :func:`trained_arrays`.

    The gate is what is trained in float64, rounded to float32: half the bytes to release, and what another machine's
    arithmetic changes in the last digits is rounded away.
    """
    return released(cell, training, trained_arrays(cell, training, pairs=pairs, threads=threads))


def released(cell: Cell, training: Training, arrays: Mapping[str, Floats]) -> Gate:
    """The gate that is kept of trained parameters."""
    rounded = {name: array.astype(np.float32).astype(np.float64) for name, array in arrays.items()}
    return Gate(cell.judges, tuple(cell.labels.tolist()), training, rounded)


def trained_arrays(
    cell: Cell, training: Training, *, pairs: Pairs | None = None, threads: int = 1
) -> dict[str, Floats]:
    """Parameters after training with Adam on the Huber loss of the pooled score, in float64.

    With ``training.pair_weight`` > 0 each step adds the margin-ranking loss of one batch of ``pairs``, whose cell has
    the same judges and labels.

    Raises InputError without torch, without items, or with a pair weight and no pairs.
    """
    torch = require_torch()
    if len(cell.items) == 0:
        raise InputError(f"{cell.name}: no items to train a gate on; the training split is empty")
    if training.pair_weight > 0.0 and (pairs is None or len(pairs.first) == 0):
        raise InputError(
            f"{cell.name}: a pair weight of {training.pair_weight} needs pairs, and there are none"
        )
    rng = np.random.default_rng(training.seed)
    start = initial_arrays(training, len(cell.judges), len(cell.labels), rng)
    with _threads(torch, threads):
        arrays = {name: torch.tensor(value, requires_grad=True) for name, value in start.items()}
        optimiser = torch.optim.Adam(list(arrays.values()), lr=training.learning_rate)
        direct = _Scorer(torch, cell, training, rng)
        ranked = (
            None
            if pairs is None or training.pair_weight == 0.0
            else _Scorer(torch, pairs.cell, training, rng)
        )
        targets = torch.tensor(cell.targets)
        preferences = None if pairs is None else torch.tensor(pairs.preferred.astype(np.float64))
        pair_stream = iter(()) if pairs is None else _cycle(len(pairs.first), training.batch, rng)
        for rows in _epochs(len(cell.items), training, rng):
            loss: Any = 0.0
            if training.direct:
                chosen = torch.from_numpy(rows)
                loss = torch.nn.functional.huber_loss(direct.score(arrays, chosen), targets[chosen])
            if ranked is not None and pairs is not None and preferences is not None:
                batch = next(pair_stream)
                first = ranked.score(arrays, torch.from_numpy(pairs.first[batch]))
                second = ranked.score(arrays, torch.from_numpy(pairs.second[batch]))
                slack = training.margin - preferences[torch.from_numpy(batch)] * (first - second)
                loss = loss + training.pair_weight * torch.relu(slack).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        return {name: value.detach().numpy().copy() for name, value in arrays.items()}


class _Scorer:
    """Final scores of rows of a cell under the gate being trained, with dropout."""

    def __init__(self, torch: Any, cell: Cell, training: Training, rng: np.random.Generator) -> None:
        self.torch, self.training, self.rng = torch, training, rng
        self.scale = 1.0 / (1.0 - training.dropout)
        self.features = torch.from_numpy(feature_tensor(cell, training.features))
        self.absent = None if cell.complete else torch.from_numpy(~cell.present)
        self.labels = torch.from_numpy(cell.labels)
        if training.pool == "hard":
            self.evidence = torch.from_numpy(np.where(cell.present, hard_scores(cell), 0.0))
        elif training.pool == "linear":
            self.evidence = torch.from_numpy(cell.probabilities @ cell.labels)
        else:
            self.evidence = torch.from_numpy(log_probabilities(cell.probabilities))

    def score(self, arrays: dict[str, Any], rows: Any) -> Any:
        logits = self._logits(arrays, self.features[rows])
        if self.absent is not None:
            logits = logits.masked_fill(self.absent[rows], -self.torch.inf)
        weights = self.torch.softmax(logits, dim=1)
        if self.training.pool != "log":
            return (weights * self.evidence[rows]).sum(dim=1)
        pooled = self.torch.bmm(weights.unsqueeze(1), self.evidence[rows]).squeeze(1)
        return self.torch.softmax(pooled / self.training.temperature, dim=1) @ self.labels

    def _logits(self, arrays: dict[str, Any], x: Any) -> Any:
        n, m, d = x.shape
        kind = self.training.architecture
        if kind == "deepsets":
            hidden = self._hidden(arrays, x.view(n * m, d))
            return (hidden @ arrays["score"]).view(n, m) * self.scale
        flat = x.view(n, m * d)
        if kind == "linear":
            return self.torch.addmm(arrays["bias"], flat, arrays["weight"])
        if kind == "low_rank":
            return self.torch.addmm(arrays["bias"], flat @ arrays["left"], arrays["right"])
        return self.torch.addmm(
            arrays["out_bias"], self._hidden(arrays, flat), arrays["out"], alpha=self.scale
        )

    def _hidden(self, arrays: dict[str, Any], flat: Any) -> Any:
        before = self.torch.addmm(arrays["bias"], flat, arrays["weight"])
        # ReLU and dropout as one 0-1 factor, in place: the layer's time goes into passes over memory. The scale of
        # what dropout keeps is put on the next layer's product.
        active = before.detach().numpy() > 0.0
        kept = active & self._kept(before.shape) if self.training.dropout > 0.0 else active
        return before.mul_(self.torch.from_numpy(kept.astype(np.float64)))

    def _kept(self, shape: tuple[int, int]) -> Bools:
        # Raw 64-bit words, four units each: drawing uniform doubles would take longer than the layer itself.
        units = shape[0] * shape[1]
        raw = np.asarray(self.rng.bit_generator.random_raw(-(-units // 4)), dtype="<u8")
        return raw.view("<u2")[:units].reshape(shape) >= round(self.training.dropout * _WORDS)


def _epochs(n: int, training: Training, rng: np.random.Generator) -> Iterator[Ints]:
    for _ in range(training.epochs):
        order = rng.permutation(n)
        for start in range(0, n, training.batch):
            yield order[start : start + training.batch]


def _cycle(n: int, batch: int, rng: np.random.Generator) -> Iterator[Ints]:
    while True:
        order = rng.permutation(n)
        for start in range(0, n, batch):
            yield order[start : start + batch]


@contextlib.contextmanager
def _threads(torch: Any, count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
