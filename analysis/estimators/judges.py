"""Single judges scored on their own, as the release's judge summaries have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.metrics.balanced_accuracy import balanced_accuracy, committed_balanced_accuracy
from analysis.metrics.confusion import Confusion, confusion_by_group
from analysis.metrics.coverage import coverage
from analysis.metrics.kappa import kappa
from analysis.statistics.bootstrap import N_DRAWS, resample
from analysis.statistics.intervals import described

_UNDEFINED = "fewer than two committed items, or one gold class among them"


def score_judges(
    verdicts: Mapping[str, Floats], gold: Ints, cluster: Ints, n_draws: int = N_DRAWS
) -> dict[str, Any]:
    """Coverage, kappa and two balanced accuracies of each judge, as plain values.

    ``balanced_accuracy`` charges abstentions as errors, as the paper's text says. ``committed_balanced_accuracy`` drops
    them, as the release's summaries do, which Tables 2 and 8 print for single judges; it is undefined where kappa is.

    Parameters
    ----------
    verdicts : by judge, (n,) verdicts, NaN = abstained
    gold, cluster : (n,) labels and cluster codes
    """
    by_cluster = confusion_by_group(
        np.column_stack(list(verdicts.values())), gold, cluster, int(cluster.max()) + 1
    )
    sample, draws = _scores(by_cluster.sum()), _scores(resample(by_cluster, n_draws))
    covered, committed = coverage(by_cluster.sum()), by_cluster.sum().committed
    return {
        name: {
            "coverage": float(covered[column]),
            **{
                metric: {
                    **described(float(sample[metric][column]), draws[metric][:, column], _UNDEFINED),
                    "n_scored": len(gold) if metric == "balanced_accuracy" else int(committed[column]),
                    "n_total": len(gold),
                }
                for metric in sample
            },
        }
        for column, name in enumerate(verdicts)
    }


def _scores(counts: Confusion) -> dict[str, Floats]:
    agreement = kappa(counts)
    return {
        "kappa": agreement,
        "balanced_accuracy": balanced_accuracy(counts),
        "committed_balanced_accuracy": np.where(
            np.isnan(agreement), np.nan, committed_balanced_accuracy(counts)
        ),
    }
