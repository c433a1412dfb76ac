"""Panels drawn from a population whose scores are known exactly.

A member is right where its skill plus the cluster's difficulty plus noise of its own is positive. Items of a cluster
share the difficulty, and so do members, which correlates their errors. Whether a member abstains depends on nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.stats import norm

from analysis.arrays import Floats, Ints
from analysis.metrics.balanced_accuracy import balanced_accuracy
from analysis.metrics.confusion import Confusion
from analysis.metrics.kappa import kappa


@dataclass(frozen=True)
class Design:
    """Items and clusters of a benchmark; the gold labels are the same in every panel."""

    gold: Ints
    cluster: Ints

    @property
    def n_clusters(self) -> int:
        return int(self.cluster.max()) + 1


def pairs(n: int) -> Design:
    """n clusters of one supported and one hallucinated item, as on MedHallu."""
    return Design(np.tile([0, 1], n), np.repeat(np.arange(n), 2))


def singles(n_clusters: int, n_pairs: int) -> Design:
    """Clusters of one item of alternating gold, the last few of a pair, as on WiCE."""
    gold = np.arange(n_clusters) % 2
    extra = np.arange(n_clusters - n_pairs, n_clusters)
    return Design(np.concatenate([gold, 1 - gold[extra]]), np.concatenate([np.arange(n_clusters), extra]))


#: The sizes of the two benchmarks: 2,000 items of 1,000 records, 222 items of 221.
MEDHALLU, WICE = pairs(1000), singles(221, 1)


@dataclass(frozen=True)
class Population:
    """k members.

    Attributes
    ----------
    skill : (k, 2) probit of being right on supported and on hallucinated items of middling difficulty
    shared : weight of the difficulty
    missing : (k,) share of abstentions
    """

    skill: Floats
    shared: float
    missing: Floats

    def votes(self, design: Design, rng: np.random.Generator) -> Floats:
        """(n, k) votes of one panel, NaN = abstained."""
        n, k = len(design.gold), len(self.missing)
        difficulty = rng.normal(size=design.n_clusters)[design.cluster]
        right = self.skill[:, design.gold].T + self.shared * difficulty[:, None] + rng.normal(size=(n, k)) > 0
        votes = np.where(right, design.gold[:, None], 1 - design.gold[:, None]).astype(np.float64)
        votes[rng.random((n, k)) < self.missing] = np.nan
        return votes

    def patterns(self) -> tuple[Floats, Floats]:
        """All vote patterns (P, k) and their probabilities (2, P) on supported and on hallucinated items."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(80)
        weights = weights / weights.sum()
        rows = np.array(list(product([0.0, 1.0, np.nan], repeat=len(self.missing))))
        chances = np.empty((2, len(rows)))
        for gold in (0, 1):
            right = norm.cdf(self.skill[:, gold, None] + self.shared * nodes)  # (k, q)
            says_one = right if gold == 1 else 1 - right
            joint = np.ones((len(rows), len(nodes)))
            for member, absent in enumerate(self.missing):
                vote = rows[:, member, None]
                given = np.where(vote == 1, says_one[member], 1 - says_one[member])
                joint *= np.where(np.isnan(vote), absent, (1 - absent) * given)
            chances[gold] = joint @ weights
        return rows, chances


@dataclass(frozen=True)
class Truth:
    """A population's patterns, with the scores of rules that map patterns to verdicts."""

    rows: Floats
    chances: Floats

    def counts(self, verdicts: Sequence[Floats], sizes: Floats) -> Confusion:
        """Expected counts where part f of the items, ``sizes[:, f]`` of either class, is judged by ``verdicts[f]``."""
        tp = fp = fn = tn = 0.0
        for verdict, (negatives, positives) in zip(verdicts, sizes.T, strict=True):
            ones, zeros = verdict == 1, verdict == 0
            tp += positives * self.chances[1, ones].sum()
            fn += positives * self.chances[1, zeros].sum()
            fp += negatives * self.chances[0, ones].sum()
            tn += negatives * self.chances[0, zeros].sum()
        fields = (tp, fp, fn, tn, sizes[1].sum(), sizes[0].sum())
        return Confusion(*(np.array([value]) for value in fields))

    def kappa(self, verdicts: Sequence[Floats], sizes: Floats) -> float:
        return float(kappa(self.counts(verdicts, sizes))[0])

    def balanced_accuracy(self, verdicts: Sequence[Floats], sizes: Floats) -> float:
        return float(balanced_accuracy(self.counts(verdicts, sizes))[0])
