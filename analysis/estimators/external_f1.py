"""F1 of the hallucinated class, the metric of published MedHallu and RAGTruth results (appendix F, Table 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.metrics.confusion import confusion_by_group
from analysis.metrics.coverage import coverage
from analysis.metrics.f1 import f1_at_prevalence, hallucinated_f1
from analysis.statistics.bootstrap import N_DRAWS, resample
from analysis.statistics.intervals import described
from analysis.values import plain

_UNDEFINED = "neither gold nor verdicts have a hallucinated item"


def external_f1(
    predictions: Mapping[str, Floats],
    gold: Ints,
    cluster: Ints,
    prevalence: float | None = None,
    n_draws: int = N_DRAWS,
) -> dict[str, Any]:
    """Each method's F1 with its interval and coverage, an abstention being a missed detection, as plain values.

    Parameters
    ----------
    predictions : by name, (n,) verdicts, NaN = abstained
    gold, cluster : (n,) labels and cluster codes 0..R-1
    prevalence : a published slice's share of hallucinated items; F1 is then given there too, recall and false-positive
        rate held fixed
    """
    by_cluster = confusion_by_group(
        np.column_stack(list(predictions.values())), gold, cluster, int(cluster.max()) + 1
    )
    counts = by_cluster.sum()
    sample, draws = hallucinated_f1(counts), hallucinated_f1(resample(by_cluster, n_draws))
    moved = None if prevalence is None else f1_at_prevalence(counts, prevalence)
    return {
        name: {
            **described(float(sample[column]), draws[:, column], _UNDEFINED),
            "coverage": float(coverage(counts)[column]),
            "n_committed": int(counts.committed[column]),
            "n_scored": len(gold),
            "n_total": len(gold),
            **({} if moved is None else {"at_published_prevalence": plain(moved[column])}),
        }
        for column, name in enumerate(predictions)
    }
