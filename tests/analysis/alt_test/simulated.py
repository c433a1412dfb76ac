"""Small made-up annotations for the tests."""

from __future__ import annotations

import numpy as np


def crowd(rng, n_items=60, n_annotators=4, labels=("a", "b", "c"), noise=0.3, missing=0.2):
    """Humans and one judge over one gold; each human leaves out a share of the items, but never all of them."""
    gold = rng.integers(0, len(labels), n_items)

    def noisy(level):
        wrong = rng.random(n_items) < level
        return np.where(wrong, rng.integers(0, len(labels), n_items), gold)

    humans = {}
    for j in range(n_annotators):
        given, kept = noisy(noise), rng.random(n_items) >= missing
        kept[j] = True
        humans[f"h{j}"] = {f"i{i}": labels[given[i]] for i in range(n_items) if kept[i]}
    answers = noisy(noise / 2)
    judge = {f"i{i}": labels[answers[i]] for i in range(n_items)}
    return humans, judge
