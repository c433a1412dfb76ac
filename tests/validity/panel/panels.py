"""Many panels of one design judged at once: confusion counts of every panel and method side by side, one resampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion, confusion_by_group
from analysis.metrics.kappa import kappa
from analysis.statistics.bootstrap import N_DRAWS, resample
from tests.validity.panel.population import Design, Population

#: Panels resampled together; bounds the memory.
_BATCH = 50


@dataclass(frozen=True)
class Judged:
    """Kappas of one method on every panel: on the sample (p,) and on the draws (b, p)."""

    sample: Floats
    draws: Floats


def judge(
    population: Population,
    design: Design,
    methods: Callable[[Floats, int], Mapping[str, Floats]],
    n_panels: int,
    seed: int,
    score: Callable[[Confusion], Floats] = kappa,
) -> Iterator[dict[str, Judged]]:
    """Scores of all methods, in batches of panels.

    ``methods`` maps a panel's votes (n, k) and its number to verdicts (n,) by name. Gold and clusters are the design's
    in every panel, so that one set of draws serves all of them, as it serves all methods of one.
    """
    for start in range(0, n_panels, _BATCH):
        panels = []
        for number in range(start, min(start + _BATCH, n_panels)):
            votes = population.votes(design, np.random.default_rng([seed, number]))
            panels.append(methods(votes, number))
        names = list(panels[0])
        columns = np.column_stack([verdicts[name] for verdicts in panels for name in names])
        counts = confusion_by_group(columns, design.gold, design.cluster, design.n_clusters)
        sample, draws = score(counts.sum()), score(resample(counts, N_DRAWS))
        yield {
            name: Judged(sample[offset :: len(names)], draws[:, offset :: len(names)])
            for offset, name in enumerate(names)
        }


def covered(draws: Floats, truth: Floats | float) -> Floats:
    """(p,) whether the 95% percentile interval of draws (b, p) holds the truth."""
    low, high = np.nanpercentile(draws, [2.5, 97.5], axis=0)
    return (low <= truth) & (truth <= high)
