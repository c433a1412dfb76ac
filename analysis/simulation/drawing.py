"""One draw of a panel's votes with given confusion tables, as a function of the latent correlations.

Every member has a standard normal for every item, correlated between members and, within a cluster, between items. Of a
class's committed items a member errs on those with its smallest normals, as many as its table says: kappas, recalls and
coverage are those of the tables to the last vote, whatever the correlations. The underlying independent normals and the
places of the abstentions are drawn once, so that votes are a function of the correlations and can be fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.simulation.confusions import Table
from analysis.simulation.correlation import symmetric_root
from analysis.simulation.items import Items, share_within_clusters


@dataclass(frozen=True)
class Drawing:
    """What is drawn once.

    Attributes
    ----------
    items : the benchmark's items
    tables : by member
    committed : (n, k) where members commit: anywhere within a class, independently of all else
    noise : (n, k) independent standard normals
    """

    items: Items
    tables: tuple[Table, ...]
    committed: Bools
    noise: Floats

    @property
    def rates(self) -> Floats:
        """(2, k) error rates on supported and hallucinated items, kept half an item off 0 and 1."""
        rates = np.array(
            [[table.false_alarm_rate for table in self.tables], [table.miss_rate for table in self.tables]]
        )
        sizes = np.array(self.items.class_sizes, dtype=np.float64)[:, None]
        kept: Floats = np.clip(rates, 0.5 / sizes, 1 - 0.5 / sizes)
        return kept

    def latent(self, correlation: Floats, dependence: float) -> Floats:
        """(n, k) normals with these correlations between members and within clusters."""
        shared = share_within_clusters(self.noise, self.items.cluster, dependence)
        return shared @ symmetric_root(correlation)

    def votes(self, latent: Floats) -> Floats:
        """(n, k) votes, NaN = abstained."""
        gold = self.items.gold
        wrong = np.zeros(latent.shape, dtype=np.bool_)
        for label in (0, 1):
            rows = np.flatnonzero(gold == label)
            errors = np.array([table.fn if label else table.fp for table in self.tables])
            values = np.where(self.committed[rows], latent[rows], np.inf)
            order = np.argsort(values, axis=0, kind="stable")
            rank = np.empty_like(order)
            np.put_along_axis(rank, order, np.arange(len(rows))[:, None], axis=0)
            wrong[rows] = rank < errors
        votes = np.where(wrong, 1 - gold[:, None], gold[:, None]).astype(np.float64)
        votes[~self.committed] = np.nan
        return votes


def draw(items: Items, tables: Sequence[Table], rng: np.random.Generator) -> Drawing:
    """Draw the normals and the places of the abstentions."""
    noise = rng.standard_normal((len(items.gold), len(tables)))
    committed = np.zeros(noise.shape, dtype=np.bool_)
    for label in (0, 1):
        rows = np.flatnonzero(items.gold == label)
        for column, table in enumerate(tables):
            answered = table.tp + table.fn if label else table.fp + table.tn
            committed[rng.permutation(rows)[:answered], column] = True
    return Drawing(items, tuple(tables), committed, noise)
