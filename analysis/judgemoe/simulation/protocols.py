"""Simulated protocol studies: one dataset and judge under five ranges, one model under three wordings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.protocol.ranges import RANGES
from analysis.judgemoe.simulation.cells import Scenario, simulate_cell
from analysis.judgemoe.simulation.judges import JudgeModel

SEED = 20_261
DATASETS = ("protocol-a", "protocol-b", "protocol-c", "protocol-d")
STYLES = ("default", "rubric", "critical")
ITEMS = 400
#: Spread, in logs, of how well a judge takes to a range: which one suits it is drawn, as in the paper's Figure 2.
RANGE_SPREAD = 0.5

_ERRORS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
#: Factors on a model's error under each wording.
_STYLE_ERRORS = {"default": 1.0, "rubric": 1.6, "critical": 1.15}


def range_cells(seed: int = SEED) -> list[Cell]:
    """Four datasets x six judges x five ranges; items and human scores (on 1-5) do not change with the range."""
    cells = []
    for number, dataset in enumerate(DATASETS):
        for place, scale in enumerate(RANGES):
            low, high = (int(end) for end in scale.split("-"))
            suits = np.exp(
                RANGE_SPREAD * np.random.default_rng([seed, number, place]).standard_normal(len(_ERRORS))
            )
            judges = tuple(
                JudgeModel(f"J{j + 1}", tau=0.7 + 0.3 * j, error=error * float(factor))
                for j, (error, factor) in enumerate(zip(_ERRORS, suits, strict=True))
            )
            scenario = Scenario(dataset, judges, ITEMS, human_labels=5, shared=0.4)
            # The same stream for all ranges of a dataset: they then share items, errors and human scores.
            cells.append(simulate_cell(scenario, low, high, np.random.default_rng([seed, number])).cell)
    return cells


def style_cells(seed: int = SEED) -> list[Cell]:
    """Three datasets at two ranges; two models under three wordings, whose errors are largely a model's own."""
    cells = []
    for number, dataset in enumerate(("styles-a", "styles-b", "styles-c")):
        for low, high in ((1, 5), (1, 10)):
            rng = np.random.default_rng([seed, 50 + number, high])
            judges = tuple(
                JudgeModel(
                    f"{model}#{style}", tau=1.2, error=0.3 * _STYLE_ERRORS[style] * float(np.exp(0.25 * draw))
                )
                for model in ("M1", "M2")
                for style, draw in zip(STYLES, rng.standard_normal(len(STYLES)), strict=True)
            )
            scenario = Scenario(dataset, judges, ITEMS, shared=0.7, human_labels=5)
            cells.append(simulate_cell(replace(scenario), low, high, rng).cell)
    return cells
