"""How time and memory grow with members and items. Each size runs in a process of its own, whose peak is its memory.

Nothing large is imported before: a process's peak begins with that of the one that started it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from itertools import pairwise

#: Items, clusters and members.
SIZES = (
    (2000, 1000, 10),
    (2000, 1000, 30),
    (2000, 1000, 100),
    (20_000, 10_000, 10),
    (200_000, 100_000, 10),
    (2_000_000, 1_000_000, 10),
)
COLUMNS = ("combiners", "bootstrap", "regime budget", "learning curve", "MiB")


def measure(n_items: int, n_clusters: int, n_members: int) -> dict[str, float]:
    """CPU seconds of each estimator, and the process's peak memory in MiB."""
    from analysis.estimators.combine import combine
    from analysis.estimators.evaluation import evaluate
    from analysis.estimators.learning_curve import learning_curve
    from analysis.estimators.regime.budget import budget_samples
    from benchmarks.panels import panel

    votes = panel(n_items, n_clusters, n_members)
    clock = [time.process_time()]
    combined = combine(votes)
    clock.append(time.process_time())
    evaluate(combined.predictions, votes.gold, votes.cluster)
    clock.append(time.process_time())
    budget_samples(votes.votes, votes.gold, votes.cluster, seed=1)
    clock.append(time.process_time())
    learning_curve(votes, seed=1)
    clock.append(time.process_time())
    seconds = [after - before for before, after in pairwise(clock)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return dict(zip(COLUMNS, [*seconds, peak], strict=True))


def main() -> None:
    """Print one line a size; with three numbers as arguments, measure that size and print JSON."""
    if len(sys.argv) == 4:
        print(json.dumps(measure(*map(int, sys.argv[1:]))))
        return
    print(f"{'items':>9} {'clusters':>9} {'members':>7} " + " ".join(f"{name:>14}" for name in COLUMNS))
    for size in SIZES:
        command = [sys.executable, "-m", "benchmarks.growth", *map(str, size)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        cells = " ".join(f"{found[name]:>14.{0 if name == 'MiB' else 2}f}" for name in COLUMNS)
        print(f"{size[0]:>9} {size[1]:>9} {size[2]:>7} {cells}", flush=True)


if __name__ == "__main__":
    main()
