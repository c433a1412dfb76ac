"""One simulated cell with its truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.cell import Cell, build_cell
from analysis.judgemoe.simulation.judges import JudgeModel, judge_distributions, posterior
from analysis.judgemoe.splits import split_by_cluster


@dataclass(frozen=True)
class Scenario:
    """A recipe of a cell.

    ``shared`` is the correlation of judges' errors, ``raters`` the number of human draws whose mean is the target,
    ``missing`` the probability that a judge is absent on an item, ``width`` the range of item widths. ``human_labels``
    is the number of labels of the human scale, None for the judges' own.
    """

    dataset: str
    judges: tuple[JudgeModel, ...]
    items: int
    cluster_size: int = 4
    shared: float = 0.0
    raters: int = 3
    missing: float = 0.0
    types: int = 1
    width: tuple[float, float] = (0.12, 0.3)
    human_labels: int | None = None


@dataclass(frozen=True, eq=False)
class SimulatedCell:
    """A cell with what no real cell has: each item's posterior mean, type, and the judges' models."""

    cell: Cell
    scenario: Scenario
    posterior_mean: Floats
    types: Ints

    def optimal_temperature(self) -> float:
        """T* of equation 21 for the cell's judges."""
        return float(np.mean([1.0 / model.tau for model in self.scenario.judges]))

    def right_judge(self) -> Ints:
        """(n,) position of the judge that understands the item's type; -1 where no judge specialises in it."""
        of_type = {
            model.specialty: j for j, model in enumerate(self.scenario.judges) if model.specialty is not None
        }
        return np.array([of_type.get(kind, -1) for kind in self.types.tolist()], dtype=np.int64)


def simulate_cell(scenario: Scenario, low: int, high: int, rng: np.random.Generator) -> SimulatedCell:
    """Draw a cell at the score range low..high, split by cluster."""
    values = np.arange(low, high + 1, dtype=np.float64)
    labels = (values - low) / (high - low)
    n, m = scenario.items, len(scenario.judges)
    clusters = np.arange(n) // scenario.cluster_size
    # Items of a cluster resemble each other, as summaries of one document do.
    centre = rng.beta(2.0, 2.0, clusters[-1] + 1)[clusters]
    location = np.clip(0.5 * centre + 0.5 * rng.beta(2.0, 2.0, n), 0.0, 1.0)
    location = np.clip((location - 0.5) * 1.6 + 0.5, 0.0, 1.0)
    width = rng.uniform(*scenario.width, n)
    types = rng.integers(0, scenario.types, n)
    human = labels if scenario.human_labels is None else np.linspace(0.0, 1.0, scenario.human_labels)
    truth = posterior(human, location, width)
    probabilities = judge_distributions(scenario.judges, labels, location, width, types, scenario.shared, rng)
    present = rng.random((n, m)) >= scenario.missing
    # The judge drawn here stays, so that no item is left without any.
    present[np.arange(n), rng.integers(0, m, n)] = True
    draws = (rng.random((scenario.raters, n, 1)) > np.cumsum(truth, axis=1)[None]).sum(axis=2)
    cell = build_cell(
        dataset=scenario.dataset,
        scale=f"{low}-{high}",
        label_values=values.tolist(),
        judges=[model.name for model in scenario.judges],
        items=[f"i{i}" for i in range(n)],
        clusters=[f"c{c}" for c in clusters.tolist()],
        targets=human[np.minimum(draws, len(human) - 1)].mean(axis=0),
        probabilities=probabilities,
        present=present,
        splits=split_by_cluster(clusters),
    )
    return SimulatedCell(cell, scenario, truth @ human, types)
