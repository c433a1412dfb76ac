"""Frame contrast: the same members under two prompt frames, on the same draws (appendix F, Table 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.unweighted import unweighted
from analysis.estimators.admissibility import DECLARED
from analysis.estimators.evaluation import METRICS, Evaluation, evaluate
from analysis.statistics.bootstrap import N_DRAWS

FIRST, SECOND = "def_on", "own"


def frame_contrast(
    arms: Mapping[str, tuple[Floats, Floats]],
    members: Sequence[str],
    gold: Ints,
    cluster: Ints,
    n_draws: int = N_DRAWS,
) -> dict[str, Any]:
    """Scores under either frame and their paired differences, as plain values.

    Parameters
    ----------
    arms : by judge, verdicts (n,) under the question-answering frame and under the benchmark's own, NaN = abstained
    members : the judges among them that make up the panel, whose unweighted majority is taken per frame
    gold, cluster : (n,) labels and cluster codes

    Returns
    -------
    Levels are those of the sample, differences (own - def_on) means of the draws with their intervals. A draw with one
    gold class has no balanced accuracy here, as in the release. ``competent`` counts members at kappa 0.30 and more;
    one with an undefined kappa is not.
    """
    panel = {
        frame: unweighted(np.column_stack([arms[name][side] for name in members]))
        for side, frame in enumerate((FIRST, SECOND))
    }
    predictions = {f"{FIRST}:{name}": first for name, (first, _) in arms.items()}
    predictions |= {f"{SECOND}:{name}": second for name, (_, second) in arms.items()}
    predictions |= {f"{frame} panel": verdicts for frame, verdicts in panel.items()}
    scores = evaluate(predictions, gold, cluster, n_draws=n_draws, skip_single_class=True)
    judges = {name: _contrast(scores, f"{FIRST}:{name}", f"{SECOND}:{name}") for name in arms}
    return {
        "n_items": len(gold),
        "n_clusters": int(cluster.max()) + 1,
        "n_members": len(members),
        "kappa_bar": DECLARED.kappa,
        "panel": _contrast(scores, f"{FIRST} panel", f"{SECOND} panel"),
        "competent": {
            frame: sum(_competent(judges[name][frame]["kappa"]["estimate"]) for name in members)
            for frame in (FIRST, SECOND)
        },
        "members": {name: judges[name] for name in members},
        "comparators": {name: judges[name] for name in arms if name not in members},
    }


def _contrast(scores: Evaluation, first: str, second: str) -> dict[str, Any]:
    return {
        FIRST: _levels(scores, first),
        SECOND: _levels(scores, second),
        "delta": {metric: scores.delta(second, first, metric) for metric in METRICS},
    }


def _levels(scores: Evaluation, name: str) -> dict[str, Any]:
    column = scores.columns[name]
    counts = scores.counts
    positives = float(counts.positives[0])
    return {
        **{metric: scores.score(name, metric) for metric in METRICS},
        "coverage": float(counts.committed[column] / counts.total[0]),
        "hallucinated_recall": float(counts.tp[column]) / positives if positives else None,
    }


def _competent(kappa: float | None) -> bool:
    return kappa is not None and kappa >= DECLARED.kappa
