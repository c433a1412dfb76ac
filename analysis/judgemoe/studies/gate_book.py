"""Trained gates by what they were trained on: read from the released files, or trained when asked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.judgemoe.cell import TRAIN, Cell
from analysis.judgemoe.diagnostics.sample_efficiency import training_fraction
from analysis.judgemoe.gates.parameters import Gate, Training
from analysis.judgemoe.gates.store import load_gates, save_gates
from analysis.judgemoe.gates.train import Pairs, train_gate
from raim.errors import InputError


@dataclass
class GateBook:
    """Gates of a suite in ``folder``, one safetensors file a cell.

    With ``train`` a gate that is not there is trained and kept; :meth:`save` writes the files of the cells that
    changed, with exactly the gates that were asked for. Without, it is an error.
    """

    folder: Path
    train: bool = False
    _gates: dict[str, dict[str, Gate]] = field(default_factory=dict)
    _used: dict[str, set[str]] = field(default_factory=dict)

    def gate(
        self,
        cell: Cell,
        training: Training,
        *,
        judges: Sequence[str] | None = None,
        fraction: float = 1.0,
        pairs: Pairs | None = None,
    ) -> Gate:
        """The gate of some judges (all by default) trained on a share of the cell's training split.

        ``pairs`` must be over the training split of those judges, as the gate is.
        """
        chosen = cell.judges if judges is None else tuple(judges)
        name = gate_name(cell, training, chosen, fraction)
        gates = self._of(cell.name)
        if name not in gates:
            if not self.train:
                raise InputError(
                    f"{self.folder / file_name(cell.name)}: no gate {name!r}; restore the file, or train it anew "
                    "(docs/judgemoe.md; it needs torch)"
                )
            part = training_fraction(cell.split(TRAIN), fraction).with_judges(chosen)
            gates[name] = train_gate(part, training, pairs=pairs)
        self._used.setdefault(cell.name, set()).add(name)
        return gates[name]

    def save(self) -> None:
        """Write the gates in use, a file a cell."""
        for cell_name, used in self._used.items():
            gates = self._gates[cell_name]
            save_gates(self.folder / file_name(cell_name), {name: gates[name] for name in used})

    def _of(self, cell_name: str) -> dict[str, Gate]:
        if cell_name not in self._gates:
            path = self.folder / file_name(cell_name)
            # A book that trains starts from nothing where there is no file; one that does not, says so.
            self._gates[cell_name] = {} if self.train and not path.exists() else load_gates(path)
        return self._gates[cell_name]


def file_name(cell_name: str) -> str:
    """The file of a cell's gates."""
    return f"{cell_name}.safetensors"


def gate_name(cell: Cell, training: Training, judges: Sequence[str], fraction: float) -> str:
    """Readable name of a gate within its cell; every setting that a study varies is part of it."""
    parts = [training.architecture, training.features, training.pool, f"T{training.temperature:g}"]
    parts += [f"e{training.epochs}", f"s{training.seed}"]
    if training.pair_weight > 0.0:
        parts.append(f"{'joint' if training.direct else 'pair'}{training.pair_weight:g}")
    if fraction < 1.0:
        parts.append(f"f{fraction:g}")
    if tuple(judges) != cell.judges:
        parts.append("of:" + "+".join(judges))
    return " ".join(parts)
