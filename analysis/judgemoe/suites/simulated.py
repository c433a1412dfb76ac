"""The simulated suite with its side studies."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from analysis.judgemoe.simulation import experts, protocols, suite
from analysis.judgemoe.simulation.cells import SimulatedCell
from analysis.judgemoe.studies.suite import PoolSuite

NAME = "sim"
#: Datasets on whose within-cluster pairs the ranking loss is studied.
PAIRWISE = ("tempered", "correlated")


@dataclass(frozen=True, eq=False)
class SimulatedSuite:
    """The suite as the studies see it, and the cells with their truth."""

    pool: PoolSuite
    truth: tuple[SimulatedCell, ...]


def simulated_suite(max_items: int = 100_000) -> SimulatedSuite:
    """Sixteen cells, the protocol study, prompt styles and experts, all drawn from fixed seeds.

    The digest is that of the recipe: drawn numbers agree between machines only to the last digits.
    """
    cells = suite.simulate_suite(max_items=max_items)
    original = 2 * len(suite.ORIGINAL)
    recipe = repr(
        (
            suite.SEED,
            suite.SCALES,
            suite.ORIGINAL,
            suite.ADDITIONAL,
            max_items,
            protocols.SEED,
            experts.SEED,
            experts.STUDIES,
        )
    )
    pool = PoolSuite(
        name=NAME,
        title="JudgeMoE on simulated judges",
        label="SIMULATED.",
        records=hashlib.sha256(recipe.encode()).hexdigest(),
        cells=tuple(found.cell for found in cells),
        additional=frozenset(found.cell.name for found in cells[original:]),
        ablations=frozenset(found.cell.name for found in cells[:original]),
        protocol=tuple(protocols.range_cells()),
        styles=tuple(protocols.style_cells()),
        followups=experts.follow_ups(),
        skipped={"compute": "simulated judges have no parameters"},
        pairwise=frozenset(
            found.cell.name for found in cells[:original] if found.scenario.dataset in PAIRWISE
        ),
    )
    return SimulatedSuite(pool, tuple(cells))
