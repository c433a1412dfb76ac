"""How far the humans agree: to be reported beside every test (appendix A, "How should I report")."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from analysis.alt_test.agreement.cohen import cohen_kappa
from analysis.alt_test.agreement.correlation import pearson, spearman
from analysis.alt_test.agreement.fleiss import fleiss_kappa
from analysis.alt_test.agreement.krippendorff import interval_alpha, nominal_alpha, ordinal_alpha
from analysis.alt_test.agreement.pairs import JointLabels, joint_labels
from analysis.alt_test.agreement.slots import paired
from analysis.alt_test.annotations import HumanPanel


@dataclass(frozen=True)
class PairMean:
    """Mean of a measure over the pairs of annotators where it is defined; None where it is so for none."""

    mean: float | None
    n_defined: int


@dataclass(frozen=True)
class Agreement:
    """Agreement among the humans.

    Attributes
    ----------
    n_items : items with two labels or more
    n_annotators : all annotators
    n_pairs : pairs of annotators with a joint item
    percent : mean over pairs of the share of joint items with equal labels
    cohen_kappa : mean over pairs
    fleiss_kappa, alpha_nominal : over items; None where undefined (one label throughout)
    alpha_ordinal, alpha_interval : None also where labels are not numbers
    pearson, spearman : mean over pairs; None where labels are not numbers
    """

    n_items: int
    n_annotators: int
    n_pairs: int
    percent: PairMean
    cohen_kappa: PairMean
    fleiss_kappa: float | None
    alpha_nominal: float | None
    alpha_ordinal: float | None
    alpha_interval: float | None
    pearson: PairMean | None
    spearman: PairMean | None


def agreement(panel: HumanPanel) -> Agreement:
    """Agreement measures of a panel's labels; those for numbers only where the labels are numbers."""
    pairs = list(joint_labels(panel))
    values = panel.vocabulary.values

    def correlated(measure: Callable[..., float | None]) -> PairMean | None:
        return None if values is None else _mean(measure(values[pair.a], values[pair.b]) for pair in pairs)

    return Agreement(
        n_items=len(paired(panel.codes)),
        n_annotators=len(panel.annotators),
        n_pairs=len(pairs),
        percent=_mean(float((pair.a == pair.b).mean()) for pair in pairs),
        cohen_kappa=_mean(cohen_kappa(pair.a, pair.b) for pair in pairs),
        fleiss_kappa=fleiss_kappa(panel.codes),
        alpha_nominal=nominal_alpha(panel.codes),
        alpha_ordinal=None if values is None else ordinal_alpha(panel.codes),
        alpha_interval=None if values is None else interval_alpha(panel.codes, values),
        pearson=correlated(pearson),
        spearman=correlated(spearman),
    )


def _mean(values: Iterable[float | None]) -> PairMean:
    defined = [value for value in values if value is not None]
    return PairMean(float(np.mean(defined)) if defined else None, len(defined))


__all__ = ["Agreement", "JointLabels", "PairMean", "agreement", "cohen_kappa", "joint_labels"]
