"""Time the alternative annotator test and its simulation beside the plain way of doing them: ``make bench``.

The plain way is the published notebook's: dictionaries, one item at a time, scipy's t-test, and for the simulation the
whole test for every sample and epsilon. Both ways must give the same numbers. Times are CPU seconds of one thread.
Published sets that lie beside the checkout (``../shared/data/alt_test`` or ``$RAIM_SHARED_DATA``) are read as they are;
in place of the others stand made-up annotations of the same shape.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_1samp

from analysis.alt_test.files import read_annotations
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.scores import EmbeddingSimilarity, ScoreLike
from analysis.alt_test.setup import Setup
from analysis.alt_test.simulation.annotations import Noise, simulate_sets
from analysis.alt_test.simulation.curves import Design, draw_samples, simulate_curves
from analysis.alt_test.simulation.grids import FIGURE_4, FIGURE_5, panel_rng

DATA = Path(os.environ.get("RAIM_SHARED_DATA", "../shared/data")) / "alt_test"
#: The ten published sets: items, annotators, labels an item, judges, score, epsilon, number of labels.
SETS: dict[str, tuple[int, int, int, int, str, float, int]] = {
    "wax": (246, 8, 6, 6, "accuracy", 0.1, 16),
    "lgbteen": (880, 4, 3, 6, "accuracy", 0.2, 4),
    "mtbench": (120, 5, 3, 6, "accuracy", 0.2, 3),
    "framing": (2552, 4, 3, 6, "accuracy", 0.15, 2),
    "cebab_aspects": (1008, 10, 4, 6, "accuracy", 0.1, 3),
    "summeval": (6400, 3, 3, 6, "neg_rmse", 0.2, 5),
    "10k_prompts": (1698, 13, 2, 6, "neg_rmse", 0.15, 5),
    "cebab_stars": (711, 10, 4, 6, "neg_rmse", 0.1, 5),
    "lesion": (500, 6, 6, 4, "neg_rmse", 0.15, 7),
    "kilogram": (993, 50, 6, 4, "embeddings", 0.1, 400),
}
Annotations = Mapping[str, Mapping[Any, Any]]
PlainScore = Callable[[Any, list[Any]], float]


def made_up(
    n_items: int, m: int, per_item: int, n_judges: int, n_labels: int
) -> tuple[Annotations, Annotations]:
    """Humans and judges over one gold, a third of the labels noise."""
    rng = np.random.default_rng(0)
    gold = rng.integers(1, n_labels + 1, n_items)

    def labels(items: Any) -> dict[str, int]:
        noisy = np.where(
            rng.random(len(items)) < 0.33, rng.integers(1, n_labels + 1, len(items)), gold[items]
        )
        return {f"i{i}": int(label) for i, label in zip(items, noisy, strict=True)}

    chosen = np.argsort(rng.random((n_items, m)), axis=1)[:, :per_item]
    humans = {f"h{j}": labels(np.flatnonzero((chosen == j).any(axis=1))) for j in range(m)}
    return humans, {f"f{j}": labels(np.arange(n_items)) for j in range(n_judges)}


def plain_accuracy(label: Any, others: list[Any]) -> float:
    """Share of equal labels."""
    return float(np.mean([label == other for other in others]))


def plain_neg_rmse(label: Any, others: list[Any]) -> float:
    """Negative root mean squared error."""
    return -math.sqrt(float(np.mean([(label - other) ** 2 for other in others])))


def plain_alt_test(
    judge: Mapping[Any, Any], humans: Annotations, score: PlainScore, epsilon: float, min_items: int = 30
) -> tuple[float, float]:
    """Omega and rho, one item at a time."""
    labelled: dict[Any, list[str]] = {}
    for name, labels in humans.items():
        for item in labels:
            labelled.setdefault(item, []).append(name)
    kept = {item for item, names in labelled.items() if len(names) >= 2 and item in judge}
    p_values, advantages = [], []
    for left_out, labels in humans.items():
        items = [item for item in labels if item in kept]
        if len(items) < min_items:
            continue
        w_f, w_h = [], []
        for item in items:
            others = [humans[name][item] for name in labelled[item] if name != left_out]
            of_human, of_judge = score(labels[item], others), score(judge[item], others)
            w_f.append(int(of_judge >= of_human))
            w_h.append(int(of_human >= of_judge))
        d = [h - f for h, f in zip(w_h, w_f, strict=True)]
        p_values.append(float(ttest_1samp(d, epsilon, alternative="less").pvalue))
        advantages.append(float(np.mean(w_f)))
    ranked = sorted(p_values)
    m = len(ranked)
    harmonic = sum(1 / k for k in range(1, m + 1))
    rejected = max((i + 1 for i, p in enumerate(ranked) if p <= (i + 1) / m * 0.05 / harmonic), default=0)
    return rejected / m, float(np.mean(advantages))


def plain_judges(
    judges: Annotations, humans: Annotations, score: PlainScore, epsilon: float
) -> dict[str, tuple[float, float]]:
    """Omega and rho of every judge."""
    return {name: plain_alt_test(judge, humans, score, epsilon) for name, judge in judges.items()}


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of this process (one thread) and the result."""
    started = time.process_time()
    result = run()
    return time.process_time() - started, result


def bench_sets() -> None:
    """All judges of ten sets, from annotations in memory to omega and rho; the numbers of both ways must agree."""
    print(
        f"{'set':<14}{'items':>7}{'annot.':>8}{'judges':>8}{'plain s':>10}{'ours s':>10}{'ratio':>8}  annotations"
    )
    totals = [0.0, 0.0]
    for name, (n_items, m, per_item, n_judges, kind, epsilon, n_labels) in SETS.items():
        folder = DATA / name
        real = (folder / "human_annotations.json").exists()
        if real:
            humans: Annotations = read_annotations(folder / "human_annotations.json")
            judges: Annotations = read_annotations(folder / "llm_annotations.json")
        else:
            humans, judges = made_up(n_items, m, per_item, n_judges, n_labels)
        score: ScoreLike = kind
        plain_score = plain_accuracy if kind == "accuracy" else plain_neg_rmse
        if kind == "embeddings":
            vectors = {k: np.random.default_rng(k).normal(size=64) for k in range(1, n_labels + 1)}
            unit = {k: v / np.linalg.norm(v) for k, v in vectors.items()}
            score = EmbeddingSimilarity(vectors)

            def plain_score(label: Any, others: list[Any], unit: dict[int, Any] = unit) -> float:
                return float(np.mean([unit[label] @ unit[other] for other in others]))

        setup = Setup(score=score, epsilon=epsilon)
        ours, result = timed(partial(alt_test, humans, judges, setup))
        plain, expected = timed(partial(plain_judges, judges, humans, plain_score, epsilon))
        for judge, (omega, rho) in expected.items():
            found = result.judges[judge]
            if abs(found.winning_rate - omega) > 1e-9 or abs(found.advantage_probability - rho) > 1e-9:
                print(f"  {judge}: {found.winning_rate, found.advantage_probability} against {omega, rho}")
        totals = [totals[0] + plain, totals[1] + ours]
        sizes = f"{n_items:>7}{m:>8}{len(judges):>8}"
        print(
            f"{name:<14}{sizes}{plain:>10.3f}{ours:>10.3f}{plain / ours:>8.0f}  {'published' if real else 'made up'}"
        )
    print(f"{'all ten':<37}{totals[0]:>10.3f}{totals[1]:>10.3f}{totals[0] / totals[1]:>8.0f}")


def bench_simulation() -> None:
    """The full grids of Figures 4 and 5; the plain way on one part in 2,500 of one panel, scaled up."""
    noises = list(dict.fromkeys(noise for figure in (FIGURE_4, FIGURE_5) for row in figure for noise in row))
    ours, _ = timed(lambda: [simulate_curves(noise, panel_rng(noise)) for noise in noises])
    design = Design(n_sets=1, n_bootstraps=1)
    rng = np.random.default_rng(0)
    sets = simulate_sets(Noise(4, 0.3, 0.3), 1, design.n_items, design.n_humans, rng)
    humans, judge = draw_samples(sets, design, rng)

    def one_sample() -> None:
        for size in design.sizes:
            people = {f"h{j}": dict(enumerate(humans[0, :size, j].tolist())) for j in range(3)}
            answers = dict(enumerate(judge[0, :size].tolist()))
            for epsilon in design.epsilons:
                plain_alt_test(answers, people, plain_accuracy, epsilon)

    part, _ = timed(one_sample)
    plain = part * 2_500 * len(noises)
    print(f"\nsimulation, {len(noises)} panels of 50 x 50 samples, 18 sizes, 4 epsilons:")
    print(
        f"  ours {ours:.1f} s; the plain way {plain:,.0f} s (measured on 1 sample of {2_500 * len(noises):,})"
    )
    print(f"  ratio {plain / ours:,.0f}")


def main() -> None:
    """Print both tables."""
    bench_sets()
    bench_simulation()


if __name__ == "__main__":
    main()
