"""Annotations of documents: the judge does well on some documents and badly on others, the humans err item by item."""

from __future__ import annotations

import numpy as np

from analysis.alt_test.simulation.batch import wins

#: Humans err on a share of the items; the judge on few items of most documents and on many of the others.
HUMAN_ERROR = 0.15
JUDGE_ERROR = (0.05, 0.55)
BAD_DOCUMENTS = 0.3


def differences(rng, n_sets, n_documents, n_items, judge_error=JUDGE_ERROR):
    """(sets, documents * items) d = W^h - W^f against the first of three humans, scored by accuracy, two labels."""
    shape = (n_sets, n_documents, n_items)
    gold = rng.integers(0, 2, shape)
    humans = gold[..., None] ^ (rng.random((*shape, 3)) < HUMAN_ERROR)
    bad = rng.random((n_sets, n_documents, 1)) < BAD_DOCUMENTS
    error = np.where(bad, judge_error[1], judge_error[0])
    judge = gold ^ (rng.random(shape) < error)
    flat = humans.reshape(n_sets, -1, 3).astype(np.int8), judge.reshape(n_sets, -1).astype(np.int8)
    return wins(*flat)[0][:, :, 0].astype(np.float64)


def true_mean(judge_error=JUDGE_ERROR):
    """E[d] in closed form: the judge against h, two others, all independent given gold."""
    share = BAD_DOCUMENTS * judge_error[1] + (1 - BAD_DOCUMENTS) * judge_error[0]
    # d is not 0 only where exactly one of judge and human is right, and the other two agree or split: with two labels
    # and two others, the one who agrees with more of them wins; a split gives both 1 of 2, a tie.
    both_right, both_wrong = (1 - HUMAN_ERROR) ** 2, HUMAN_ERROR**2
    human_only = (1 - HUMAN_ERROR) * share
    judge_only = HUMAN_ERROR * (1 - share)
    return (human_only - judge_only) * (both_right - both_wrong)
