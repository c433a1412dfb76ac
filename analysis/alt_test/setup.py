"""Settings of a test."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from analysis.alt_test.annotations import Labels
from analysis.alt_test.scores import ScoreLike
from analysis.alt_test.weighting import Weighting
from raim.errors import InputError

#: The cluster of an item: a mapping or a function.
Clusters: TypeAlias = Mapping[Hashable, Hashable] | Callable[[Hashable], Hashable]
RobustMethod: TypeAlias = Literal["bootstrap", "t"]
FewItemsMethod: TypeAlias = Literal["wilcoxon", "t"]

#: Items an annotator needs for the t-test; below, the Wilcoxon test (appendix A).
T_TEST_ITEMS: Final = 30


@dataclass(frozen=True)
class Setup:
    """Settings of a test; the defaults are the paper's.

    Attributes
    ----------
    score : alignment score
    epsilon : cost-benefit penalty of the human: 0.2 for experts, 0.15 for skilled annotators, 0.1 for crowd workers
        (B.1), 0 to ask whether the judge outperforms humans (D.5)
    reference : the single expert's labels (D.2) or gold (D.5): scores are taken against it, not against the others
    quality : positive quality of each annotator (D.3)
    quality_in_scores, quality_in_winning_rate : the two points where quality enters
    weighting : item weights (D.1, D.4)
    clusters : cluster of each item; adds the cluster-robust test
    robust : the cluster-robust test: the cluster bootstrap, which holds its level, or the t-test on cluster sums,
        which needs about 100 clusters for that
    few_items : the test below 30 items: the paper's Wilcoxon test or the t-test, both flagged. Where most items are
        ties Wilcoxon's rejects true hypotheses far too often (``docs/alt_test.md``)
    min_humans_per_item : 2; with a reference 1
    min_items_per_annotator : annotators with fewer items are skipped, and reported
    seed : of the cluster bootstrap
    """

    score: ScoreLike = "accuracy"
    epsilon: float = 0.2
    reference: Labels | None = None
    quality: Mapping[str, float] | None = None
    quality_in_scores: bool = True
    quality_in_winning_rate: bool = True
    weighting: Weighting | None = None
    clusters: Clusters | None = None
    robust: RobustMethod = "bootstrap"
    few_items: FewItemsMethod = "wilcoxon"
    min_humans_per_item: int | None = None
    min_items_per_annotator: int = T_TEST_ITEMS
    seed: int = 0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.epsilon) and -1.0 < self.epsilon < 1.0):
            raise InputError(
                f"epsilon must lie between -1 and 1, not {self.epsilon!r}; the paper uses 0 to 0.3"
            )
        if self.min_items_per_annotator < 2:
            raise InputError("an annotator needs 2 items at least: one difference has no variance")

    @property
    def humans_needed(self) -> int:
        """Humans an item needs."""
        if self.min_humans_per_item is not None:
            return self.min_humans_per_item
        return 2 if self.reference is None else 1
