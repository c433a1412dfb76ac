"""The stacked panel against one other judge on the items that both have a verdict on (section 4, Tables 1 and 13)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.evaluation import METRICS, evaluate
from analysis.statistics.bootstrap import N_DRAWS

Verdict = Literal["panel ahead", "judge ahead", "unresolved"]


def against_judge(
    panel: Floats, judge: Floats, gold: Ints, cluster: Ints, n_draws: int = N_DRAWS
) -> dict[str, Any]:
    """Scores of both and their paired difference (panel - judge), as plain values.

    Clusters are those of the shared items; a draw with one gold class is undefined for every series, as in the
    release. Neither side abstains on a shared item, so that both metrics are scored on the same ones.

    Parameters
    ----------
    panel, judge : (n,) verdicts, NaN = abstained
    gold, cluster : (n,) labels and cluster codes, ascending by cluster id

    Returns
    -------
    Per metric ``panel``, ``judge`` and ``delta``, and the verdict on kappa; counts and a ``reason`` where no item
    is shared.
    """
    shared = ~(np.isnan(panel) | np.isnan(judge))
    counts = {"n_shared": int(shared.sum()), "n_total": len(gold)}
    if not shared.any():
        return {**counts, "n_clusters": 0, "reason": "no item has a verdict of both"}
    codes, own = np.unique(cluster[shared], return_inverse=True)
    scores = evaluate(
        {"panel": panel[shared], "judge": judge[shared]},
        gold[shared],
        own,
        n_draws=n_draws,
        skip_single_class=True,
    )
    deltas = {metric: scores.delta("panel", "judge", metric) for metric in METRICS}
    return {
        **counts,
        "n_clusters": len(codes),
        **{
            metric: {
                **{side: scores.score(side, metric) for side in ("panel", "judge")},
                "delta": deltas[metric],
            }
            for metric in METRICS
        },
        "verdict": _verdict(deltas["kappa"]),
    }


def _verdict(delta: dict[str, Any]) -> Verdict | None:
    if delta["reading"] is None:
        return None
    if delta["reading"].startswith("clear"):
        return "panel ahead" if delta["reading"] == "clear improvement" else "judge ahead"
    return "unresolved"
