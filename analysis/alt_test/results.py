"""What a test returns: evidence by annotator, then the decision over all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.alt_test.annotations import EncodedTest
from analysis.alt_test.comparison import Comparison, unjudged_items
from analysis.alt_test.significance import Significance
from analysis.arrays import Floats

#: A judge passes where its winning rate is at least this (section 3).
PASSING_RATE = 0.5


@dataclass(frozen=True)
class AnnotatorEvidence:
    """One judge against one annotator, tested, before the correction for several annotators.

    Attributes
    ----------
    annotator : name
    n : items compared
    advantage : rho_j^f, the (weighted) mean of W^f
    human_advantage : rho_j^h, the (weighted) mean of W^h
    plain : the test of section 3 (or D.1's, or Wilcoxon's)
    robust : the cluster-robust test, None where no clusters were given
    n_clusters : clusters that the items fall into, None where no clusters were given
    """

    annotator: str
    n: int
    advantage: float
    human_advantage: float
    plain: Significance
    robust: Significance | None
    n_clusters: int | None


@dataclass(frozen=True)
class Skipped:
    """An annotator that a judge could not be tested against, and why."""

    annotator: str
    n: int
    reason: str


@dataclass(frozen=True)
class JudgeEvidence:
    """A judge against all annotators."""

    judge: str
    annotators: tuple[AnnotatorEvidence, ...]
    skipped: tuple[Skipped, ...]
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True)
class Evidence:
    """Every judge's evidence, with what it was made from."""

    test: EncodedTest
    epsilon: float
    quality: Floats | None
    judges: Mapping[str, JudgeEvidence]


@dataclass(frozen=True)
class Decision:
    """Rejections of one family of tests.

    Attributes
    ----------
    winning_rate : omega, the (quality-weighted) share of annotators whose H0 is rejected; None where none was tested
    passes : whether omega is at least 0.5; None where omega is
    rejected : by annotator
    p_adjusted : by annotator, Benjamini-Yekutieli
    """

    winning_rate: float | None
    passes: bool | None
    rejected: Mapping[str, bool]
    p_adjusted: Mapping[str, float]


@dataclass(frozen=True)
class JudgeResult:
    """A judge's result.

    Attributes
    ----------
    evidence : by annotator, and who was skipped
    advantage_probability : rho, the mean of the annotators' rho_j^f; None where none was tested
    plain, robust : decisions; ``robust`` is None where no clusters were given
    reason : why the result is undefined, else empty
    """

    evidence: JudgeEvidence
    advantage_probability: float | None
    plain: Decision
    robust: Decision | None
    reason: str

    @property
    def winning_rate(self) -> float | None:
        """Omega of the plain test."""
        return self.plain.winning_rate

    @property
    def passes(self) -> bool | None:
        """Whether the plain test is passed."""
        return self.plain.passes


@dataclass(frozen=True)
class AltTestResult:
    """The alternative annotator test of several judges against one set of humans.

    Attributes
    ----------
    evidence : what it was made from
    q : false discovery rate
    judges : by name
    warnings : what a reader must know before trusting the result
    """

    evidence: Evidence
    q: float
    judges: Mapping[str, JudgeResult]
    warnings: tuple[str, ...]

    @property
    def n_unjudged(self) -> int:
        """Number of items that humans labelled and no judge did."""
        return unjudged_items(self.evidence.test.humans, self.evidence.test.judges)
