"""Time the estimators on simulated panels of the papers' sizes: ``make bench``.

Each row is the best of three runs, in seconds, in this process with one BLAS thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from analysis.combine import combine
from analysis.ladder import ladder
from analysis.votes import VoteMatrix, vote_matrix

#: Items, clusters and members: the smallest benchmark, the largest, the eight pooled, and a large panel.
SIZES = ((114, 109, 10), (2000, 1000, 10), (7670, 4825, 10), (30_000, 6000, 10), (30_000, 6000, 40))


def panel(n_items: int, n_clusters: int, n_members: int) -> VoteMatrix:
    """Members whose errors share a component of each item, 3% of their votes missing."""
    rng = np.random.default_rng(0)
    gold = rng.permutation(n_items) % 2
    cluster = np.concatenate([np.arange(n_clusters), rng.integers(0, n_clusters, n_items - n_clusters)])
    noise = 0.8 * rng.normal(size=(n_items, 1)) + rng.normal(size=(n_items, n_members))
    right = rng.uniform(0.0, 1.2, n_members) + noise > 0
    votes = np.where(right, gold[:, None], 1 - gold[:, None]).astype(float)
    votes[rng.random(votes.shape) < 0.03] = np.nan
    names = [f"judge-{j:02}" for j in range(n_members)]
    return vote_matrix(names, [str(i) for i in range(n_items)], [int(c) for c in cluster], gold, votes)


def best_of_three(run: Callable[[], object]) -> float:
    """Shortest wall time of three runs, in seconds."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print one line a size."""
    print(f"{'items':>7} {'clusters':>8} {'members':>7} {'combiners':>10} {'ladder, B = 2000':>17}")
    for n_items, n_clusters, n_members in SIZES:
        votes = panel(n_items, n_clusters, n_members)
        seconds = [best_of_three(partial(run, votes)) for run in (combine, ladder)]
        print(
            f"{n_items:>7} {n_clusters:>8} {n_members:>7} {seconds[0]:>10.3f} {seconds[1]:>17.3f}", flush=True
        )


if __name__ == "__main__":
    main()
