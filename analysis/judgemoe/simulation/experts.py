"""Simulated heterogeneous experts: one that adds, one that needs a repair, one that hurts, one better alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.selectors.experts import scalar_as_distribution
from analysis.judgemoe.simulation.cells import Scenario, SimulatedCell, simulate_cell
from analysis.judgemoe.simulation.judges import JudgeModel, posterior
from analysis.judgemoe.studies.suite import FollowUp

SEED = 20_262
ITEMS = 3000
EXPERT = "expert"


def _judge(name: str, error: float, tau: float = 1.2) -> JudgeModel:
    return JudgeModel(name, tau=tau, error=error)


_UPSIDE_DOWN = JudgeModel("J3", tau=0.15, error=0.1, reversed_scale=True)


@dataclass(frozen=True)
class ExpertStudy:
    """Judges whose errors correlate by ``shared``, and an expert.

    ``error`` is the expert's own, None where it says nothing about the item. ``spread`` is the width of the
    distribution that its score becomes; None keeps the two labels around the score.
    """

    name: str
    judges: tuple[JudgeModel, ...]
    shared: float
    error: float | None
    spread: float | None = None


STUDIES = (
    ExpertStudy("complementary", tuple(_judge(f"J{j}", 0.35) for j in (1, 2, 3)), 0.8, 0.3, spread=0.3),
    ExpertStudy("contaminated base", (_judge("J1", 0.3), _judge("J2", 0.3), _UPSIDE_DOWN), 0.3, 0.3),
    ExpertStudy("noise", tuple(_judge(f"J{j}", 0.2) for j in (1, 2, 3)), 0.2, None),
    ExpertStudy("strong alone", tuple(_judge(f"J{j}", 0.8, 6.0) for j in (1, 2, 3)), 0.9, 0.03),
)


def follow_ups(seed: int = SEED) -> tuple[FollowUp, ...]:
    """The four studies at 1-10."""
    found = []
    for number, study in enumerate(STUDIES):
        rng = np.random.default_rng([seed, number])
        simulated = simulate_cell(
            Scenario(f"expert-{number + 1}", study.judges, ITEMS, shared=study.shared), 1, 10, rng
        )
        found.append(FollowUp(study.name, _with_expert(simulated, study, rng), simulated.cell.judges, EXPERT))
    return tuple(found)


def _with_expert(simulated: SimulatedCell, study: ExpertStudy, rng: np.random.Generator) -> Cell:
    cell = simulated.cell
    n = len(cell.items)
    noise = rng.standard_normal(n)
    scores = rng.random(n) if study.error is None else simulated.posterior_mean + study.error * noise
    if study.spread is None:
        column = scalar_as_distribution(scores, cell.labels)
    else:
        column = posterior(cell.labels, scores, np.full(n, study.spread))
    return replace(
        cell,
        judges=(*cell.judges, EXPERT),
        probabilities=np.concatenate([cell.probabilities, column[:, None, :]], axis=1),
        present=np.concatenate([cell.present, np.ones((n, 1), dtype=np.bool_)], axis=1),
    )
