"""The simulated suite: sixteen cells in the paper's proportions, ten original and six additional."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.judgemoe.simulation.cells import Scenario, SimulatedCell, simulate_cell
from analysis.judgemoe.simulation.judges import JudgeModel

SEED = 20_260
SCALES = ((1, 5), (1, 10))

_TAUS = (0.6, 0.8, 1.0, 1.3, 1.7, 2.2)
_NAMES = ("J1", "J2", "J3", "J4", "J5", "J6")


def _judges(*models: JudgeModel) -> tuple[JudgeModel, ...]:
    return tuple(replace(model, name=name) for name, model in zip(_NAMES, models, strict=True))


def _noisy(*errors: float) -> tuple[JudgeModel, ...]:
    return tuple(JudgeModel("", tau=tau, error=error) for tau, error in zip(_TAUS, errors, strict=False))


#: ``tempered`` is equation 19 as it stands, for T*. ``correlated`` has errors that averaging cannot remove.
#: ``diagnostic`` is too small to conclude from. In ``specialists`` each judge understands one type of item.
#: In ``contaminated`` one confident judge reads the scale upside down.
ORIGINAL = (
    Scenario("tempered", _judges(*(JudgeModel("", tau=tau) for tau in _TAUS)), items=6400, raters=1),
    Scenario(
        "correlated",
        _judges(*_noisy(0.2, 0.25, 0.25, 0.3, 0.3, 0.35)),
        items=2160,
        cluster_size=6,
        shared=0.85,
    ),
    Scenario("diagnostic", _judges(*_noisy(0.2, 0.2, 0.3, 0.3, 0.4, 0.4)), items=151, cluster_size=1),
    Scenario(
        "specialists",
        _judges(*(JudgeModel("", tau=1.0, error=0.05, specialty=kind) for kind in range(6))),
        items=8000,
        types=6,
    ),
    Scenario(
        "contaminated",
        _judges(*_noisy(0.3, 0.3, 0.35, 0.35, 0.4), JudgeModel("", tau=0.15, error=0.1, reversed_scale=True)),
        items=8000,
        width=(0.3, 0.6),
    ),
)

#: ``large`` mixes specialists, a flat and a contaminating judge at the size of the paper's largest cells; ``weak`` has
#: three judges that say nearly nothing; in ``gaps`` judges are absent on a fifth of the items.
ADDITIONAL = (
    Scenario(
        "large",
        _judges(
            *(JudgeModel("", tau=1.0, error=0.1, specialty=kind) for kind in range(4)),
            JudgeModel("", tau=12.0, error=0.5),
            JudgeModel("", tau=0.15, error=0.1, reversed_scale=True),
        ),
        items=100_000,
        types=4,
    ),
    Scenario(
        "weak",
        _judges(*_noisy(0.2, 0.25, 0.3), *(JudgeModel("", tau=15.0, error=0.6) for _ in range(3))),
        items=5190,
    ),
    Scenario("gaps", _judges(*_noisy(0.2, 0.25, 0.25, 0.3, 0.3, 0.35)), items=2400, shared=0.3, missing=0.2),
)


def simulate_suite(*, max_items: int = 100_000, seed: int = SEED) -> list[SimulatedCell]:
    """The sixteen cells, the original ten first; no cell has more than ``max_items`` items."""
    cells = []
    for number, scenario in enumerate((*ORIGINAL, *ADDITIONAL)):
        sized = replace(scenario, items=min(scenario.items, max_items))
        for low, high in SCALES:
            cells.append(simulate_cell(sized, low, high, np.random.default_rng([seed, number, high])))
    return cells
