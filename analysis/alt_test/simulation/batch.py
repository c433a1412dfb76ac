"""Many alternative annotator tests at once: accuracy, complete labels, the t-test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtr

from analysis.alt_test.fdr import by_thresholds
from analysis.arrays import Bools, Floats, Ints


def wins(humans: Ints, judge: Ints) -> tuple[Ints, Ints]:
    """Differences and the judge's wins for every annotator left out, scored by accuracy.

    Parameters
    ----------
    humans : (B, n, m) labels
    judge : (B, n) labels

    Returns
    -------
    (B, n, m) d = W^h - W^f and W^f, by annotator left out.
    """
    with_judge = humans == judge[:, :, None]
    # Score sums against the others: the common denominator m - 1 does not matter to who is better.
    of_judge = with_judge.sum(axis=2, keepdims=True, dtype=np.int8) - with_judge
    of_human = np.zeros(humans.shape, dtype=np.int8)
    m = humans.shape[2]
    for j in range(m):
        for k in range(j + 1, m):
            same = humans[:, :, j] == humans[:, :, k]
            of_human[:, :, j] += same
            of_human[:, :, k] += same
    d = np.sign(of_human - of_judge)
    return d, (d <= 0).astype(np.int8)


def p_values(sums: Floats, squares: Floats, n: Floats, epsilon: float) -> Floats:
    """One-sided t-test p-values from sums of d and of d^2 over n items, elementwise; constant d at the limit 0 or 1."""
    mean = sums / n
    variance = (squares - sums * mean) / (n - 1.0)
    constant = (np.abs(sums) == n) | (squares == 0.0)
    error = np.sqrt(np.where(constant, 1.0, variance) / n)
    t = (mean - epsilon) / error
    return np.where(constant, np.where(mean < epsilon, 0.0, 1.0), stdtr(n - 1.0, t))


def by_rejections_last_axis(p: Floats, q: float, family: int | None = None) -> Bools:
    """The Benjamini-Yekutieli procedure over the last axis; with ``family`` the others of it are infinite."""
    family = family or p.shape[-1]
    order = np.sort(p, axis=-1)[..., :family]
    # The largest sorted p-value below its threshold; everything up to it is rejected.
    last = np.where(order <= by_thresholds(family, q), order, -1.0).max(axis=-1, keepdims=True)
    rejected: Bools = p <= last
    return rejected


def nested_sums(values: Ints, sizes: Sequence[int]) -> Floats:
    """(B, s, m) sums over the first ``sizes`` items of (B, n, m) values."""
    totals = np.cumsum(values, axis=1, dtype=np.int32)
    taken: Floats = totals[:, np.asarray(sizes) - 1].astype(np.float64)
    return taken
