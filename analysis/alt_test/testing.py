"""Which test is run on a comparison, and which comparisons are tested at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from analysis.alt_test.annotations import EncodedTest
from analysis.alt_test.comparison import Comparison
from analysis.alt_test.items import item_weights
from analysis.alt_test.setup import T_TEST_ITEMS, FewItemsMethod, Setup
from analysis.alt_test.significance import (
    FEW_ITEMS,
    Significance,
    cluster_bootstrap_tests,
    cluster_t_test,
    t_test,
    weighted_t_test,
    wilcoxon_test,
)
from analysis.arrays import Floats, Ints


def why_skipped(comparison: Comparison, clusters: Ints | None, setup: Setup) -> str:
    """Why the comparison is not tested, empty where it is."""
    n = len(comparison.rows)
    if n < setup.min_items_per_annotator:
        return f"{n} items, fewer than {setup.min_items_per_annotator}"
    if clusters is not None and len(np.unique(clusters[comparison.rows])) < 2:
        return "all items are of one cluster"
    return ""


def plain_test(d: Floats, weights: Floats | None, epsilon: float, few_items: FewItemsMethod) -> Significance:
    """The t-test, or D.1's with weights; below 30 items ``few_items``'s, flagged (weighted items have only D.1's)."""
    few = len(d) < T_TEST_ITEMS
    if weights is None and few and few_items == "wilcoxon":
        return wilcoxon_test(d, epsilon)
    result = t_test(d, epsilon) if weights is None else weighted_t_test(d, weights, epsilon)
    return replace(result, flags=(FEW_ITEMS, *result.flags)) if few else result


def robust_tests(
    compared: Mapping[str, list[Comparison]], test: EncodedTest, clusters: Ints, setup: Setup
) -> dict[str, dict[int, Significance]]:
    """Cluster-robust tests by judge and annotator; judges compared on the same items share the bootstrap's draws."""
    groups: dict[tuple[int, bytes], list[tuple[str, Comparison]]] = {}
    for name, comparisons in compared.items():
        for comparison in comparisons:
            if not why_skipped(comparison, clusters, setup):
                key = (comparison.annotator, comparison.rows.tobytes())
                groups.setdefault(key, []).append((name, comparison))
    out: dict[str, dict[int, Significance]] = {name: {} for name in compared}
    for group in groups.values():
        first = group[0][1]
        own, weights = clusters[first.rows], item_weights(first, test, setup.weighting)
        d = np.column_stack([comparison.d for _, comparison in group])
        if setup.robust == "bootstrap":
            results = cluster_bootstrap_tests(
                d, own, setup.epsilon, np.random.default_rng(setup.seed), weights
            )
        else:
            results = [cluster_t_test(column, own, setup.epsilon, weights) for column in d.T]
        for (name, comparison), result in zip(group, results, strict=True):
            out[name][comparison.annotator] = result
    return out
