"""Score methods on the same items and bootstrap draws, and read their paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.metrics.balanced_accuracy import balanced_accuracy
from analysis.metrics.confusion import Confusion, confusion_by_group
from analysis.metrics.kappa import kappa, why_undefined
from analysis.statistics.bootstrap import N_DRAWS, resample
from analysis.statistics.intervals import Interval, interval, mean_of_defined, one_sided_p, p_in_words
from analysis.statistics.readings import reading
from analysis.values import plain

Metric = Literal["kappa", "balanced_accuracy"]
METRICS: tuple[Metric, ...] = ("kappa", "balanced_accuracy")


@dataclass(frozen=True)
class Evaluation:
    """Scores of m methods on a sample and on every draw. Build it with :func:`evaluate`.

    Attributes
    ----------
    columns : each method's column
    counts : (m,) confusion counts on the sample; an average's are those of its first part
    parts : for an average over methods, the columns it averages
    sample : by metric, (m,) scores on the sample
    draws : by metric, (n_draws, m) scores on the draws, NaN = undefined
    """

    columns: Mapping[str, int]
    counts: Confusion
    parts: Mapping[str, Ints]
    sample: Mapping[Metric, Floats]
    draws: Mapping[Metric, Floats]

    def interval(self, name: str, metric: Metric) -> Interval:
        """Summary of a method's draws."""
        return interval(self.draws[metric][:, self.columns[name]])

    def difference(self, first: str, second: str, metric: Metric) -> Interval:
        """Summary of the paired difference first - second."""
        return interval(self._differences(first, second, metric))

    def committed(self, name: str) -> int:
        """Items a method has a verdict on; for an average, all items (its parts commit on different ones)."""
        column = self.columns[name]
        return int(self.counts.total[0] if name in self.parts else self.counts.committed[column])

    def score(self, name: str, metric: Metric) -> dict[str, Any]:
        """A method's score as plain values, beside its denominators; a reason if undefined."""
        summary = self.interval(name, metric)
        total = int(self.counts.total[0])
        value = plain(self.sample[metric][self.columns[name]])
        result = {
            "estimate": value,
            **asdict(summary),
            # Balanced accuracy charges abstentions, so that all items are scored.
            "n_scored": self.committed(name) if metric == "kappa" else total,
            "n_total": total,
        }
        if value is None:
            result["reason"] = self._reason(name)
        return result

    def delta(self, first: str, second: str, metric: Metric) -> dict[str, Any]:
        """The paired difference first - second as plain values, with its p and its reading in words."""
        summary = self.difference(first, second, metric)
        differences = self._differences(first, second, metric)
        p = one_sided_p(differences)
        sample = self.sample[metric]
        value = plain(sample[self.columns[first]] - sample[self.columns[second]])
        result = {
            "estimate": value,
            **asdict(summary),
            "p_one_sided": p,
            "p_text": p_in_words(p, len(differences) - summary.undefined_draws),
            "reading": reading(summary),
        }
        if value is None:
            sides = [side for side in (first, second) if np.isnan(sample[self.columns[side]])]
            result["reason"] = "; ".join(f"{side}: {self._reason(side)}" for side in sides)
        return result

    def _differences(self, first: str, second: str, metric: Metric) -> Floats:
        draws = self.draws[metric]
        difference: Floats = draws[:, self.columns[first]] - draws[:, self.columns[second]]
        return difference

    def _reason(self, name: str) -> str:
        if name in self.parts:
            return "no member has a defined score"
        column = self.columns[name]
        fields = (np.asarray(field[column if len(field) > 1 else 0]) for field in self.counts.fields())
        return why_undefined(Confusion(*fields)) or "undefined"


def evaluate(
    predictions: Mapping[str, Floats],
    gold: Ints,
    cluster: Ints,
    *,
    averages: Mapping[str, Sequence[str]] | None = None,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    skip_single_class: bool = False,
) -> Evaluation:
    """Score methods on a sample and on one set of paired cluster-bootstrap draws.

    Parameters
    ----------
    predictions : by name, (n,) verdicts, NaN = abstained; fixed, never refitted in a draw
    gold, cluster : (n,) labels and cluster codes 0..R-1, ascending by cluster id, each in use
    averages : further methods, each the mean of named ones in every draw (the average member); an undefined
        part is left out of a draw's mean
    skip_single_class : leave draws with one gold class undefined for balanced accuracy too (comparison with a
        frontier judge), not only for kappa
    """
    names = list(predictions)
    columns = {name: column for column, name in enumerate(names)}
    parts = {
        name: np.array([columns[part] for part in members], dtype=np.int64)
        for name, members in (averages or {}).items()
    }
    n_clusters = int(cluster.max()) + 1
    by_cluster = confusion_by_group(
        np.column_stack([predictions[name] for name in names]), gold, cluster, n_clusters
    )
    counts = by_cluster.sum()
    drawn = resample(by_cluster, n_draws, seed)
    sample: dict[Metric, Floats] = {"kappa": kappa(counts), "balanced_accuracy": balanced_accuracy(counts)}
    draws: dict[Metric, Floats] = {"kappa": kappa(drawn), "balanced_accuracy": balanced_accuracy(drawn)}
    if skip_single_class:
        single = (drawn.positives == 0) | (drawn.negatives == 0)
        draws["balanced_accuracy"] = np.where(single, np.nan, draws["balanced_accuracy"])
    for metric in METRICS:
        means = [mean_of_defined(draws[metric][:, part]) for part in parts.values()]
        draws[metric] = np.column_stack([draws[metric], *means])
        ends = [mean_of_defined(sample[metric][None, part]) for part in parts.values()]
        sample[metric] = np.concatenate([sample[metric], *ends])
    for name in parts:
        columns[name] = len(columns)
    return Evaluation(columns, counts, parts, sample, draws)
