"""The alternative annotator test in plain loops: what the arrays are checked against.

Written from the definitions of section 3 and appendix D, one item at a time, with scipy's and statsmodels' tests.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
from scipy.stats import t as student
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests


def accuracy(label, others):
    return sum(label == other for other in others) / len(others)


def neg_rmse(label, others):
    return -math.sqrt(sum((label - other) ** 2 for other in others) / len(others))


def indicators(humans, judge, score, left_out, min_humans=2):
    """``[(item, others, W^f, W^h)]`` on the items compared."""
    rows = []
    for item, own in humans[left_out].items():
        labelled = [name for name in humans if item in humans[name]]
        if len(labelled) < min_humans or item not in judge:
            continue
        others = [humans[name][item] for name in labelled if name != left_out]
        of_judge, of_human = score(judge[item], others), score(own, others)
        rows.append((item, others, int(of_judge >= of_human), int(of_human >= of_judge)))
    return rows


def alt_test(humans, judge, score, epsilon, q=0.05, min_items=30):
    """Winning rate, advantage probability, and p and n by annotator."""
    p_values, advantages, sizes = {}, {}, {}
    for name in humans:
        rows = indicators(humans, judge, score, name)
        if len(rows) < min_items:
            continue
        d = [w_h - w_f for _, _, w_f, w_h in rows]
        p_values[name] = float(ttest_1samp(d, epsilon, alternative="less").pvalue)
        advantages[name] = float(np.mean([w_f for _, _, w_f, _ in rows]))
        sizes[name] = len(rows)
    rejected = multipletests(list(p_values.values()), alpha=q, method="fdr_by")[0]
    return float(np.mean(rejected)), float(np.mean(list(advantages.values()))), p_values, sizes


def inverse_probability_t(rows, epsilon):
    """D.1 item by item: weighted advantage, t, p and effective n. Majorities must not be tied."""
    majority = {}
    for item, others, _, _ in rows:
        (label, votes), *rest = Counter(others).most_common()
        if rest and rest[0][1] == votes:
            raise AssertionError("tied")
        majority[item] = label
    of_class = Counter(majority.values())
    pi = [len(rows) / of_class[majority[item]] for item, *_ in rows]
    total = sum(pi)
    d = [w_h - w_f for _, _, w_f, w_h in rows]
    mean = sum(p * x for p, x in zip(pi, d, strict=True)) / total
    s = math.sqrt(sum(p * (x - mean) ** 2 for p, x in zip(pi, d, strict=True)) / total)
    n = total**2 / sum(p * p for p in pi)
    t = (mean - epsilon) / (s / math.sqrt(n))
    advantage = sum(p * w_f for p, (_, _, w_f, _) in zip(pi, rows, strict=True)) / total
    return advantage, t, float(student.cdf(t, n - 1)), n


def krippendorff_alpha(units, difference):
    """Alpha from the coincidence matrix, label pair by label pair. ``units`` are lists of labels."""
    coincidences = Counter()
    for labels in units:
        if len(labels) < 2:
            continue
        for a in range(len(labels)):
            for b in range(len(labels)):
                if a != b:
                    coincidences[labels[a], labels[b]] += 1 / (len(labels) - 1)
    totals = Counter()
    for (a, _), count in coincidences.items():
        totals[a] += count
    n = sum(totals.values())
    observed = sum(count * difference(a, b, totals) for (a, b), count in coincidences.items()) / n
    expected = sum(
        totals[a] * (totals[b] - (a == b)) * difference(a, b, totals) for a in totals for b in totals
    ) / (n * (n - 1))
    return 1 - observed / expected


def nominal(a, b, _):
    return float(a != b)


def interval(a, b, _):
    return (a - b) ** 2


def ordinal(a, b, totals):
    low, high = min(a, b), max(a, b)
    between = sum(count for label, count in totals.items() if low <= label <= high)
    return (between - (totals[low] + totals[high]) / 2) ** 2


def pairs(humans):
    """``(first, second, labels, labels)`` on joint items."""
    for first, second in combinations(humans, 2):
        joint = [item for item in humans[first] if item in humans[second]]
        if joint:
            yield first, second, [humans[first][i] for i in joint], [humans[second][i] for i in joint]
