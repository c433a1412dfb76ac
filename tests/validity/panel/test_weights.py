"""What the stacker's weights say: an echo is discounted, a member that is wrong on purpose is turned round."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.arrays import Floats
from analysis.combiners.stacked import stacked
from analysis.combiners.weighted import accuracy_weighted
from analysis.statistics.folds import N_FOLDS, cluster_folds
from tests.validity.panel.population import MEDHALLU, WICE, Design, Population

pytestmark = pytest.mark.validity

N_PANELS = 200
#: A leader, two weaker members of the same skill as an echo of the leader has, and a member worse than chance.
PANEL = Population(np.array([[1.3, 1.3], [0.7, 0.7], [0.7, 0.7], [-0.8, -0.8]]), 0.4, np.zeros(4))


def with_echo(votes: Floats, rng: np.random.Generator, faithful: float = 0.8) -> Floats:
    """A fifth column: the leader's vote where the echo is faithful, a coin where not."""
    coin = rng.integers(0, 2, len(votes)).astype(np.float64)
    echo = np.where(rng.random(len(votes)) < faithful, votes[:, 0], coin)
    return np.column_stack([votes, echo])


def weights(design: Design, fit: Callable[..., Floats]) -> Floats:
    """(panels, members) weights averaged over folds."""
    folds = cluster_folds(design.n_clusters)[design.cluster]
    found = []
    for seed in range(N_PANELS):
        rng = np.random.default_rng([3, seed])
        votes = with_echo(PANEL.votes(design, rng), rng)
        found.append(fit(votes, design.gold, folds, N_FOLDS).mean(axis=0))
    return np.array(found)


def coefficients(*arguments: object) -> Floats:
    return stacked(*arguments).coefficients  # type: ignore[arg-type]


def accuracies(*arguments: object) -> Floats:
    return accuracy_weighted(*arguments).weights  # type: ignore[arg-type]


@pytest.mark.parametrize("design", [WICE, MEDHALLU], ids=["wice", "medhallu"])
def test_an_echo_is_discounted(design: Design) -> None:
    """The echo is as accurate as two members with votes of their own; its votes add nothing to the leader's.

    On few records the ridge shares the leader's weight with its echo, and discounts it less.
    """
    mine, alone = weights(design, coefficients), weights(design, accuracies)
    honest, echo = mine[:, 1:3].mean(axis=1), mine[:, 4]
    print(np.median(honest), np.median(echo), np.median(alone[:, 1:3]), np.median(alone[:, 4]))
    few = design is WICE
    assert np.median(echo) < (0.7 if few else 0.25) * np.median(honest)
    assert (echo < honest).mean() > (0.85 if few else 0.99)
    # Read one at a time, the echo earns as much as they do and more.
    assert np.median(alone[:, 4]) > 0.95 * np.median(alone[:, 1:3])


@pytest.mark.parametrize("design", [WICE, MEDHALLU], ids=["wice", "medhallu"])
def test_an_anti_correlated_member_has_a_negative_weight(design: Design) -> None:
    mine = weights(design, coefficients)
    print((mine[:, 3] < 0).mean(), np.median(mine[:, 3]))
    assert (mine[:, 3] < 0).mean() > 0.99
    assert (mine[:, 0] > 0).all()
    # The accuracy-weighted vote can only silence it.
    assert (weights(design, accuracies)[:, 3] == 0).mean() > 0.99
