"""From annotations to p-values: compare, weight, test each annotator; no decision yet.

The decision is apart (:mod:`analysis.alt_test.decision`), because several domains share one family of tests.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.alt_test.annotations import Annotations, EncodedTest, Judge, encode_test
from analysis.alt_test.comparison import Comparison, compare
from analysis.alt_test.items import cluster_codes, item_weights
from analysis.alt_test.results import AnnotatorEvidence, Evidence, JudgeEvidence, Skipped
from analysis.alt_test.scores import resolve_score
from analysis.alt_test.scores.ranks import rank_annotations
from analysis.alt_test.setup import Setup
from analysis.alt_test.significance import Significance
from analysis.alt_test.testing import plain_test, robust_tests, why_skipped
from analysis.arrays import Floats, Ints
from raim.errors import InputError


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
    robust = {} if clusters is None else robust_tests(compared, test, clusters, setup)
    tested = {
        name: _judge_evidence(name, parts, test, clusters, robust.get(name, {}), setup)
        for name, parts in compared.items()
    }
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


def _judge_evidence(
    name: str,
    comparisons: list[Comparison],
    test: EncodedTest,
    clusters: Ints | None,
    robust: Mapping[int, Significance],
    setup: Setup,
) -> JudgeEvidence:
    tested, skipped = [], []
    for comparison in comparisons:
        annotator, n = test.humans.annotators[comparison.annotator], len(comparison.rows)
        reason = why_skipped(comparison, clusters, setup)
        if reason:
            skipped.append(Skipped(annotator, n, reason))
            continue
        weights = item_weights(comparison, test, setup.weighting)
        tested.append(
            AnnotatorEvidence(
                annotator=annotator,
                n=n,
                advantage=float(np.average(comparison.judge_wins, weights=weights)),
                human_advantage=float(np.average(comparison.human_wins, weights=weights)),
                plain=plain_test(comparison.d, weights, setup.epsilon, setup.few_items),
                robust=robust.get(comparison.annotator),
                n_clusters=None if clusters is None else len(np.unique(clusters[comparison.rows])),
            )
        )
    return JudgeEvidence(name, tuple(tested), tuple(skipped), tuple(comparisons))
