"""One-sided tests of d against epsilon, one a module."""

from __future__ import annotations

from analysis.alt_test.significance.base import (
    CONSTANT,
    FEW_CLUSTERS,
    FEW_EFFECTIVE,
    FEW_ITEMS,
    Method,
    Significance,
)
from analysis.alt_test.significance.cluster_bootstrap import cluster_bootstrap_tests
from analysis.alt_test.significance.cluster_t import cluster_t_test
from analysis.alt_test.significance.t_test import t_test
from analysis.alt_test.significance.weighted_t import weighted_t_test
from analysis.alt_test.significance.wilcoxon import wilcoxon_test

__all__ = [
    "CONSTANT",
    "FEW_CLUSTERS",
    "FEW_EFFECTIVE",
    "FEW_ITEMS",
    "Method",
    "Significance",
    "cluster_bootstrap_tests",
    "cluster_t_test",
    "t_test",
    "weighted_t_test",
    "wilcoxon_test",
]
