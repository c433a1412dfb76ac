"""From annotations to p-values: compare, weight, test each annotator; no decision yet.

The decision is apart (:mod:`analysis.alt_test.decision`), because several domains share one family of tests.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np

from analysis.alt_test.annotations import Annotations, EncodedTest, Judge, Labels, encode_test
from analysis.alt_test.comparison import Comparison, compare
from analysis.alt_test.results import AnnotatorEvidence, Evidence, JudgeEvidence, Skipped
from analysis.alt_test.scores import ScoreLike, resolve_score
from analysis.alt_test.scores.ranks import rank_annotations
from analysis.alt_test.significance import (
    FEW_ITEMS,
    Significance,
    cluster_bootstrap_test,
    cluster_t_test,
    t_test,
    weighted_t_test,
    wilcoxon_test,
)
from analysis.alt_test.weighting import Weighting
from analysis.arrays import Floats, Ints
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


def gather_evidence(humans: Annotations, judges: Mapping[str, Judge], setup: Setup) -> Evidence:
    """Test every judge against every annotator.

    Parameters
    ----------
    humans : ``{annotator: {item: label}}``
    judges : ``{judge: {item: label}}``, or judges made without the annotator under test
    setup : settings

    Raises
    ------
    InputError
        On labels that do not suit the score, a setting out of range, a single annotator without a reference, or
        clusters that lack an item.
    """
    if setup.reference is None and len(humans) == 1:
        raise InputError(
            "one annotator alone cannot be left out: recruit others, or take the annotator as the single expert "
            "and test who represents that expert better (D.2)"
        )
    score = resolve_score(setup.score)
    reference = setup.reference
    if score.on_ranks:
        humans, judges, reference = rank_annotations(humans, judges, reference)
    test = encode_test(humans, judges, reference)
    quality = quality_vector(test.humans.annotators, setup.quality)
    compared = compare(test, score, setup.humans_needed, quality if setup.quality_in_scores else None)
    clusters = None if setup.clusters is None else cluster_codes(test.humans.items, setup.clusters)
    tested = {name: _judge_evidence(name, parts, test, clusters, setup) for name, parts in compared.items()}
    return Evidence(test, setup.epsilon, quality if setup.quality_in_winning_rate else None, tested)


def quality_vector(annotators: tuple[str, ...], quality: Mapping[str, float] | None) -> Floats | None:
    """(m,) quality in the annotators' order. Raises InputError where one lacks it or has none that is positive."""
    if quality is None:
        return None
    for name in annotators:
        if name not in quality:
            raise InputError(f"annotator {name!r} has no quality score; give one for each annotator")
        if not (np.isfinite(quality[name]) and quality[name] > 0):
            raise InputError(
                f"the quality of annotator {name!r} must be positive, not {quality[name]!r}; "
                "leave an annotator out who is not to count"
            )
    unknown = sorted(set(quality) - set(annotators))
    if unknown:
        raise InputError(f"quality names annotator {unknown[0]!r}, who labelled nothing; check the spelling")
    return np.array([quality[name] for name in annotators], dtype=np.float64)


def cluster_codes(items: tuple[Hashable, ...], clusters: Clusters) -> Ints:
    """(n,) code of each item's cluster. Raises InputError where an item has none."""
    codes: dict[Hashable, int] = {}
    out = np.empty(len(items), dtype=np.int64)
    for row, item in enumerate(items):
        try:
            cluster = clusters[item] if isinstance(clusters, Mapping) else clusters(item)
        except KeyError:
            raise InputError(f"item {item!r} has no cluster; give the cluster of every item") from None
        out[row] = codes.setdefault(cluster, len(codes))
    return out


def _judge_evidence(
    name: str, comparisons: list[Comparison], test: EncodedTest, clusters: Ints | None, setup: Setup
) -> JudgeEvidence:
    tested, skipped = [], []
    for comparison in comparisons:
        annotator = test.humans.annotators[comparison.annotator]
        n = len(comparison.rows)
        own_clusters = None if clusters is None else clusters[comparison.rows]
        if n < setup.min_items_per_annotator:
            skipped.append(Skipped(annotator, n, f"{n} items, fewer than {setup.min_items_per_annotator}"))
        elif own_clusters is not None and len(np.unique(own_clusters)) < 2:
            skipped.append(Skipped(annotator, n, "all items are of one cluster"))
        else:
            tested.append(_annotator_evidence(annotator, comparison, test, own_clusters, setup))
    return JudgeEvidence(name, tuple(tested), tuple(skipped), tuple(comparisons))


def _annotator_evidence(
    annotator: str, comparison: Comparison, test: EncodedTest, clusters: Ints | None, setup: Setup
) -> AnnotatorEvidence:
    weights = item_weights(comparison, test, setup.weighting)
    robust = None if clusters is None else _robust(comparison.d, clusters, weights, setup)
    return AnnotatorEvidence(
        annotator=annotator,
        n=len(comparison.rows),
        advantage=float(np.average(comparison.judge_wins, weights=weights)),
        human_advantage=float(np.average(comparison.human_wins, weights=weights)),
        plain=plain_test(comparison.d, weights, setup.epsilon, setup.few_items),
        robust=robust,
        n_clusters=None if clusters is None else len(np.unique(clusters)),
    )


def item_weights(comparison: Comparison, test: EncodedTest, weighting: Weighting | None) -> Floats | None:
    """(n,) weights of the compared items, None where all weigh the same."""
    if weighting is None:
        return None
    if test.reference is None:
        codes, counted = test.humans.remaining(comparison.annotator, comparison.rows)
    else:
        codes = test.reference[comparison.rows][:, None]
        counted = np.ones_like(codes, dtype=bool)
    return weighting.weights(codes, counted, test.humans.vocabulary)


def plain_test(d: Floats, weights: Floats | None, epsilon: float, few_items: FewItemsMethod) -> Significance:
    """The t-test, or D.1's with weights; below 30 items ``few_items``'s, flagged (weighted items have only D.1's)."""
    few = len(d) < T_TEST_ITEMS
    if weights is None and few and few_items == "wilcoxon":
        return wilcoxon_test(d, epsilon)
    result = t_test(d, epsilon) if weights is None else weighted_t_test(d, weights, epsilon)
    return replace(result, flags=(FEW_ITEMS, *result.flags)) if few else result


def _robust(d: Floats, clusters: Ints, weights: Floats | None, setup: Setup) -> Significance:
    if setup.robust == "t":
        return cluster_t_test(d, clusters, setup.epsilon, weights)
    return cluster_bootstrap_test(d, clusters, setup.epsilon, np.random.default_rng(setup.seed), weights)
