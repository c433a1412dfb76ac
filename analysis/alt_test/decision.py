"""From p-values to winning rates: the FDR correction over annotators, omega, and rho."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analysis.alt_test.fdr import by_adjusted, by_rejections
from analysis.alt_test.results import (
    PASSING_RATE,
    AnnotatorEvidence,
    Decision,
    Evidence,
    JudgeEvidence,
    JudgeResult,
)
from analysis.alt_test.significance import Significance
from analysis.arrays import Bools, Floats
from raim.errors import InputError


def decide_judges(evidence: Sequence[Evidence], judge: str, q: float) -> list[JudgeResult]:
    """Decide one judge's tests of several domains as one family (one domain is the usual test).

    Parameters
    ----------
    evidence : one a domain
    judge : its name, in every domain
    q : false discovery rate

    Returns
    -------
    The judge's result in each domain: rejections in the common family, omega of the domain's own annotators.
    """
    if not 0.0 < q < 1.0:
        raise InputError(f"the false discovery rate q must lie between 0 and 1, not {q!r}")
    parts = [one.judges[judge] for one in evidence]
    plain = _decisions(evidence, parts, q, lambda annotator: annotator.plain)
    has_robust = any(annotator.robust is not None for part in parts for annotator in part.annotators)
    robust = _decisions(evidence, parts, q, _robust) if has_robust else [None] * len(parts)
    return [
        JudgeResult(
            evidence=part,
            advantage_probability=_rho(part),
            plain=plain_decision,
            robust=robust_decision,
            reason="" if part.annotators else _reason(part),
        )
        for part, plain_decision, robust_decision in zip(parts, plain, robust, strict=True)
    ]


def winning_rate(rejected: Bools, quality: Floats | None) -> float:
    """Omega: the share of rejections, weighted by the annotators' quality (D.3)."""
    return float(rejected.mean() if quality is None else quality[rejected].sum() / quality.sum())


def _robust(annotator: AnnotatorEvidence) -> Significance:
    if annotator.robust is None:
        raise ValueError(f"annotator {annotator.annotator!r} has no cluster-robust test")
    return annotator.robust


def _decisions(
    evidence: Sequence[Evidence],
    parts: Sequence[JudgeEvidence],
    q: float,
    test: Callable[[AnnotatorEvidence], Significance],
) -> list[Decision]:
    p_values = np.array([test(annotator).p_value for part in parts for annotator in part.annotators])
    rejected, adjusted = by_rejections(p_values, q), by_adjusted(p_values)
    decisions, start = [], 0
    for one, part in zip(evidence, parts, strict=True):
        names = [annotator.annotator for annotator in part.annotators]
        own = slice(start, start + len(names))
        start += len(names)
        quality = None
        if one.quality is not None:
            quality = one.quality[[one.test.humans.annotators.index(name) for name in names]]
        rate = winning_rate(rejected[own], quality) if names else None
        decisions.append(
            Decision(
                winning_rate=rate,
                passes=None if rate is None else rate >= PASSING_RATE,
                rejected=dict(zip(names, rejected[own].tolist(), strict=True)),
                p_adjusted=dict(zip(names, adjusted[own].tolist(), strict=True)),
            )
        )
    return decisions


def _rho(part: JudgeEvidence) -> float | None:
    return float(np.mean([annotator.advantage for annotator in part.annotators])) if part.annotators else None


def _reason(part: JudgeEvidence) -> str:
    if not any(skipped.n for skipped in part.skipped):
        return "the judge labelled no item that enough humans labelled"
    most = max(skipped.n for skipped in part.skipped)
    return f"every annotator was skipped; the most items compared with one are {most}"
