"""What a one-sided test of H0: rho^f <= rho^h - epsilon returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from analysis.arrays import Floats

Method: TypeAlias = Literal["t", "wilcoxon", "weighted_t", "cluster_t", "cluster_bootstrap"]

#: Every d is the same: there is no variance to test with, and the sign of ``d - epsilon`` decides.
CONSTANT: Final = "constant_difference"
#: A spread below this share of the numbers' size is rounding, not variance.
NO_SPREAD: Final = 1e-12
#: Fewer items than the t-test wants; the Wilcoxon test is about the pseudo-median, not the mean.
FEW_ITEMS: Final = "fewer_than_30_items"
#: A few items of rare labels carry most of the weight.
FEW_EFFECTIVE: Final = "fewer_than_30_effective_items"
#: No item differs from epsilon, so that nothing speaks against H0.
ALL_ZERO: Final = "no_difference_from_epsilon"
#: With few clusters the robust tests lean on the normality of the clusters' sums.
FEW_CLUSTERS: Final = "fewer_than_30_clusters"


@dataclass(frozen=True)
class Significance:
    """Outcome of one test.

    Attributes
    ----------
    method : the test
    p_value : one-sided; small values speak for the judge
    statistic : t, t of the weighted means, or the Wilcoxon T+; None where d is constant
    df : degrees of freedom, None where the test has none
    n_effective : number of items (t, Wilcoxon), (sum w)^2 / sum w^2 (weighted), number of clusters (cluster tests)
    flags : what a reader should know
    """

    method: Method
    p_value: float
    statistic: float | None
    df: float | None
    n_effective: float
    flags: tuple[str, ...] = ()


def is_constant(d: Floats) -> bool:
    """Whether all differences are equal."""
    return bool((d == d[0]).all())


def constant_p(difference: float, epsilon: float) -> float:
    """p of a constant difference: the limit of the t-test as the variance vanishes.

    0 where d < epsilon (the published implementation's value), 1 where d > epsilon, and 1 at d = epsilon, where that
    implementation has NaN: the boundary belongs to H0.
    """
    return 0.0 if difference < epsilon else 1.0
