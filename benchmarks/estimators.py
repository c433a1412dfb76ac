"""Time the estimators against the plain way on the same votes: ``make bench``.

The plain way (``benchmarks/plain.py``) does a stated fraction of the work and its time is scaled by it; the package
does all of it. Both give the same numbers, and the largest difference is printed. Times are CPU seconds of one
process with one BLAS thread, of the package the best of three runs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.combiners.dawid_skene import Setting
from analysis.combiners.dawid_skene import dawid_skene as fit_dawid_skene
from analysis.combiners.stacked import stacked as fit_stacked
from analysis.estimators.combine import combine
from analysis.estimators.evaluation import evaluate
from analysis.estimators.learning_curve import BUDGETS as CURVE_BUDGETS
from analysis.estimators.learning_curve import N_REPLICATES, learning_curve
from analysis.estimators.regime.budget import BUDGETS, N_SAMPLES, budget_samples
from analysis.estimators.thresholds.subpanels import draw_subpanels, score_subpanels
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.votes import VoteMatrix
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds
from benchmarks import plain
from benchmarks.panels import panel

#: Items, clusters and members of the largest benchmark of the paper.
SIZE = (2000, 1000, 10)
_SEED = 1
#: As crowd-kit regularises, and never stopping before.
_HUNDRED_STEPS = Setting(floor=1e-12, smoothing=0.0, tolerance=-1.0, max_iterations=100, min_iterations=1)


@dataclass(frozen=True)
class Comparison:
    """One estimator both ways.

    Attributes
    ----------
    name : what is estimated
    work, part : units of the whole work and of the plain way's part of it, such as draws
    ours, plain : seconds for the whole work
    difference : largest absolute difference on the part
    """

    name: str
    work: int
    part: int
    ours: float
    plain: float
    difference: float


def compare(
    name: str,
    work: int,
    part: int,
    ours: Callable[[], Any],
    plainly: Callable[[], Any],
    read: Callable[[Any], Any],
) -> Comparison:
    """Time both; ``read`` picks the part's numbers out of what the package returns."""
    times = []
    for _ in range(3):
        started = time.process_time()
        result = ours()
        times.append(time.process_time() - started)
    started = time.process_time()
    expected = np.asarray(plainly(), dtype=np.float64)
    seconds = (time.process_time() - started) * work / part
    found = np.asarray(read(result), dtype=np.float64)
    if (np.isnan(found) != np.isnan(expected)).any():
        raise ArithmeticError(f"{name}: the two ways differ in what is undefined")
    return Comparison(name, work, part, min(times), seconds, float(np.nanmax(np.abs(found - expected))))


def comparisons(votes: VoteMatrix) -> list[Comparison]:
    """Every estimator on one panel."""
    everyone = list(range(votes.n_members))
    folds = cluster_folds(votes.n_clusters)[votes.cluster]
    predictions = combine(votes).predictions
    verdicts = list(predictions.values())
    subpanels = draw_subpanels([votes.n_members])[0]
    some = np.arange(0, len(subpanels), 40)
    # Every budget of either sweep, with few of its samples each.
    few_samples, few_replicates = 4, 2
    pools = [b for b in CURVE_BUDGETS if b < votes.n_clusters * 4 // 5]
    return [
        compare(
            "stacker, 5 folds",
            N_FOLDS,
            N_FOLDS,
            lambda: fit_stacked(votes.votes, votes.gold, folds, N_FOLDS).predictions,
            lambda: plain.stacked(votes, everyone),
            lambda found: found,
        ),
        compare(
            "Dawid-Skene, 100 steps",
            1,
            1,
            lambda: fit_dawid_skene(votes.votes, _HUNDRED_STEPS).posteriors,
            lambda: plain.dawid_skene(votes, 100),
            lambda found: found,
        ),
        compare(
            f"bootstrap of {len(verdicts)} methods",
            N_DRAWS,
            40,
            lambda: evaluate(predictions, votes.gold, votes.cluster),
            lambda: plain.bootstrap(votes, verdicts, 40),
            lambda found: found.draws["kappa"][:40],
        ),
        compare(
            "regime budget",
            N_SAMPLES * len(BUDGETS),
            few_samples * len(BUDGETS),
            lambda: budget_samples(votes.votes, votes.gold, votes.cluster, _SEED),
            lambda: np.vstack([plain.coordinates(votes, _SEED, b, few_samples) for b in BUDGETS]),
            lambda found: _first_samples(found, few_samples),
        ),
        compare(
            "learning curve",
            N_REPLICATES * len(pools),
            few_replicates * len(pools),
            lambda: learning_curve(votes, _SEED),
            lambda: np.vstack([plain.learning_curve(votes, _SEED, b, few_replicates) for b in pools]),
            lambda found: _first_replicates(found, few_replicates),
        ),
        compare(
            "sub-panels",
            len(subpanels),
            len(some),
            lambda: score_subpanels(votes.votes, votes.gold, folds, subpanels),
            lambda: _plain_subpanels(votes, [np.flatnonzero(subpanels[row]).tolist() for row in some]),
            lambda found: found.stacked[some],
        ),
    ]


def _first_samples(found: Any, few: int) -> Floats:
    parts = [sample.coordinates for sample in found]
    return np.vstack([np.column_stack([part.phi_bar, part.competent])[:few] for part in parts])


def _first_replicates(found: Any, few: int) -> Floats:
    points = [point for point in found.points if not point.full]
    if any(point.degenerate for point in points):
        raise ArithmeticError("a replicate is degenerate; its place is unknown")
    return np.vstack([np.column_stack([point.stacked, point.best_single])[:few] for point in points])


def _plain_subpanels(votes: VoteMatrix, subsets: list[list[int]]) -> list[float]:
    return [float(kappa(confusion(plain.stacked(votes, s)[:, None], votes.gold))[0]) for s in subsets]


def main() -> None:
    """Print the ratio of each estimator and of all together, then how time and memory grow."""
    votes = panel(*SIZE)
    print(f"{votes.n_items} items, {votes.n_clusters} clusters, {votes.n_members} members; CPU seconds\n")
    print(f"{'estimator':<26} {'plain did':>12} {'plain':>10} {'ours':>9} {'ratio':>7} {'difference':>11}")
    rows = comparisons(votes)
    for row in rows:
        done = f"{row.part}/{row.work}"
        print(
            f"{row.name:<26} {done:>12} {row.plain:>10.2f} {row.ours:>9.3f} {row.plain / row.ours:>6.0f}x "
            f"{row.difference:>11.1e}",
            flush=True,
        )
    slow, fast = sum(row.plain for row in rows), sum(row.ours for row in rows)
    print(f"{'all':<26} {'':>12} {slow:>10.2f} {fast:>9.3f} {slow / fast:>6.0f}x\n")
    print("Growth, CPU seconds; memory is the process's peak\n", flush=True)
    subprocess.run([sys.executable, "-m", "benchmarks.growth"], check=True)


if __name__ == "__main__":
    main()
