"""Competence without gold: members against the labels of Dawid and Skene (appendix C's obstruction)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.combiners import dawid_skene as ds
from analysis.estimators.admissibility import DECLARED
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa


@dataclass(frozen=True)
class ApparentCompetence:
    """Competence against the latent consensus in place of gold.

    Attributes
    ----------
    kappas : (k,) kappa of each member with the consensus, NaN where undefined
    competent : members whose kappa reaches the bar
    fit : the expectation-maximisation
    """

    kappas: Floats
    competent: int
    fit: ds.DawidSkene


def apparent_competence(
    votes: Floats, setting: ds.Setting, bar: float = DECLARED.kappa
) -> ApparentCompetence:
    """Fit Dawid-Skene on all votes (n, k) and score each member on the items it committed on; an undefined kappa
    counts as 0."""
    fit = ds.dawid_skene(votes, setting)
    kappas = kappa(confusion(votes, fit.predictions.astype(np.int64)), constant_undefined=True)
    scored = np.nan_to_num(kappas, nan=0.0)
    return ApparentCompetence(kappas, int((scored >= bar).sum()), fit)
