"""Judges beside the panel: the frontier judge, larger open judges and judges trained for evaluation.

A comparator's normals are a mixture of the panel's mean normal and of noise of its own. Its confusion table gives its
kappa; the weight of the panel's mean, how often it errs where the panel errs. That weight is found from the width of
the published paired interval, stacked panel minus frontier judge: the more their errors coincide, the narrower it is.
For larger open judges no such interval is published: they take the frontier judge's weight. Of purpose-trained judges
nothing is published but a kappa: they have none of the panel's mean.
"""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.combiners.stacked import stacked
from analysis.estimators.frontier import against_judge
from analysis.simulation.confusions import Table, admissible, balanced
from analysis.simulation.dependence import solve
from analysis.simulation.drawing import Drawing, draw
from analysis.simulation.items import Items, share_within_clusters
from analysis.simulation.targets import Scores
from analysis.statistics.folds import N_FOLDS, cluster_folds

_LIMIT = 0.99


def comparator_table(scores: Scores, class_sizes: tuple[int, int]) -> Table:
    """The table of a comparator: the one its scores allow, or, where only a kappa is published, equal recalls.

    Raises
    ------
    ValueError
        If the published scores fit no table, or a kappa without counts comes with abstentions.
    """
    if not scores.exact:
        if scores.committed != sum(class_sizes):
            raise ValueError("a mean kappa without counts needs full coverage")
        return balanced(scores.kappa, 0.0, class_sizes[0])
    tables = admissible(scores, class_sizes)
    if not tables:
        raise ValueError("no confusion table has the published scores")
    return tables[0]


def panel_mean(latent: Floats) -> Floats:
    """(n,) mean of the members' normals, standardised."""
    mean = latent.mean(axis=1)
    standardised: Floats = (mean - mean.mean()) / mean.std()
    return standardised


def comparator_drawing(items: Items, table: Table, rng: np.random.Generator) -> Drawing:
    """Noise and abstentions of one comparator."""
    return draw(items, [table], rng)


def comparator_latent(drawing: Drawing, panel: Floats, weight: float, dependence: float) -> Floats:
    """(n,) normals at a weight of the panel's mean normal ``panel`` (n,)."""
    own = share_within_clusters(drawing.noise, drawing.items.cluster, dependence)[:, 0]
    latent: Floats = weight * panel + np.sqrt(1 - weight**2) * own
    return latent


def frontier_weight(
    drawing: Drawing, votes: Floats, panel: Floats, dependence: float, interval: tuple[float, float]
) -> float:
    """Weight at which the interval of stacked panel minus frontier judge is as wide as the published one.

    Parameters
    ----------
    drawing : the frontier judge's
    votes : (n, k) the members'
    panel : (n,) the panel's mean normal
    """
    items = drawing.items
    folds = cluster_folds(int(items.cluster.max()) + 1)[items.cluster]
    combined = stacked(votes, items.gold, folds, N_FOLDS).predictions
    wanted = interval[1] - interval[0]

    def shortfall(weight: float) -> float:
        frontier = drawing.votes(comparator_latent(drawing, panel, weight, dependence)[:, None])[:, 0]
        delta = against_judge(combined, frontier, items.gold, items.cluster)["kappa"]["delta"]
        width: float = delta["high"] - delta["low"]
        return wanted - width

    return solve(shortfall, -_LIMIT, _LIMIT)
