"""A panel as a population, from parameters or from a pilot's votes, and samples of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

from analysis.arrays import Floats, Ints
from analysis.estimators.error_correlation import error_correlation
from analysis.metrics.confusion import Confusion
from analysis.metrics.kappa import kappa
from analysis.panel.votes import VoteMatrix
from analysis.simulation.correlation import nearest_correlation, symmetric_root
from analysis.simulation.items import share_within_clusters
from analysis.simulation.normal import both_below, error_phi, latent_correlation
from raim.errors import InputError

_LIMIT = 0.95


@dataclass(frozen=True)
class PanelModel:
    """A population of records, and members who judge their items under a Gaussian copula.

    Attributes
    ----------
    members : names
    rates : (2, k) error rates on committed supported (row 0) and hallucinated items (row 1), strictly within 0 and 1
    coverage : (2, k) probability of committing, by class, independent of all else
    correlation : (k, k) correlation of the normals whose lower tails are the errors, the same in both classes
    dependence : correlation of a member's normals between two items of a record
    compositions : (supported, hallucinated) items of the kinds of records
    weights : share of each kind
    """

    members: tuple[str, ...]
    rates: Floats
    coverage: Floats
    correlation: Floats
    dependence: float
    compositions: tuple[tuple[int, int], ...]
    weights: Floats

    @property
    def items_per_record(self) -> float:
        """Mean number of items of a record."""
        return float(self.weights @ np.array(self.compositions).sum(axis=1))

    @property
    def prevalence(self) -> float:
        """Share of hallucinated items."""
        return float(self.weights @ np.array(self.compositions)[:, 1]) / self.items_per_record

    def kappas(self) -> Floats:
        """(k,) kappas of the population."""
        share = np.array([1 - self.prevalence, self.prevalence])[:, None] * self.coverage
        wrong, right = share * self.rates, share * (1 - self.rates)
        return kappa(Confusion(right[1], wrong[0], wrong[1], right[0], share[1], share[0]))

    def phi_bar(self) -> float:
        """Mean error correlation of the population's pairs, two members or more.

        Coverage that differs between the classes reweights them for each pair; the population's prevalence stands for
        all pairs.
        """
        phi = error_phi(self.rates, self.correlation, self.prevalence)
        return float(phi[np.triu_indices(len(self.members), 1)].mean())


@dataclass(frozen=True)
class Sample:
    """Records drawn from a population: votes (n, k), gold (n,), record (n,) 0, 1, ... ascending."""

    votes: Floats
    gold: Ints
    record: Ints


def draw_records(model: PanelModel, n_records: int, rng: np.random.Generator) -> Sample:
    """Draw records with their items and the members' votes on them."""
    kinds = np.array(model.compositions)[rng.choice(len(model.compositions), n_records, p=model.weights)]
    record = np.repeat(np.arange(n_records), kinds.sum(axis=1))
    # Within a record the supported items come first.
    start = np.concatenate([[0], np.cumsum(kinds.sum(axis=1))[:-1]])
    gold = (np.arange(len(record)) - start[record] >= kinds[record, 0]).astype(np.int64)
    noise = rng.standard_normal((len(record), len(model.members)))
    latent = share_within_clusters(noise, record, model.dependence) @ symmetric_root(model.correlation)
    wrong = latent <= ndtri(model.rates)[gold]
    votes = np.where(wrong, 1 - gold[:, None], gold[:, None]).astype(np.float64)
    votes[rng.random(votes.shape) >= model.coverage[gold]] = np.nan
    return Sample(votes, gold, record)


def model_from_parameters(
    kappas: Sequence[float],
    phi: float,
    *,
    biases: Sequence[float] | None = None,
    coverage: float = 1.0,
    prevalence: float = 0.5,
    matched_pairs: bool = False,
    dependence: float = 0.0,
) -> PanelModel:
    """A population with members of given competence, every pair of which has the same error correlation.

    Parameters
    ----------
    kappas : members' kappas on even classes: the sum of the two recalls minus 1
    phi : error correlation of each pair at ``prevalence``; pairs whose rates or whose company do not allow it come as
        near as they can
    biases : miss rate minus false-alarm rate of each member, default 0: positive leans to supported
    prevalence : share of hallucinated items; 0.5 for matched pairs
    matched_pairs : whether a record is a supported and a hallucinated item; otherwise it is one item
    dependence : latent correlation of a member's errors on the two items of a pair

    Raises
    ------
    InputError
        If a kappa and a bias leave no recalls between 0 and 1, or a parameter is outside its range.
    """
    competence = np.array(kappas, dtype=np.float64)
    lean = np.zeros(len(competence)) if biases is None else np.array(biases, dtype=np.float64)
    if len(lean) != len(competence):
        raise InputError(f"{len(competence)} kappas and {len(lean)} biases: give one bias for each member")
    if not 0 < prevalence < 1 or (matched_pairs and prevalence != 0.5):
        raise InputError(f"prevalence {prevalence}: give a number between 0 and 1, and 0.5 for matched pairs")
    if not 0 < coverage <= 1 or not -1 < phi < 1 or not -1 < dependence < 1:
        raise InputError(
            f"coverage {coverage}, error correlation {phi}, dependence {dependence}: give a coverage above 0 and up "
            "to 1, and correlations between -1 and 1"
        )
    rates = np.array([(1 - competence - lean) / 2, (1 - competence + lean) / 2])
    if (rates <= 0).any() or (rates >= 1).any():
        worst = int(np.argmax(np.abs(rates - 0.5).max(axis=0)))
        raise InputError(
            f"kappa {competence[worst]} with bias {lean[worst]} leaves no recalls between 0 and 1: the bias must be "
            "smaller than 1 - |kappa|"
        )
    size = len(competence)
    target = np.full((size, size), phi)
    np.fill_diagonal(target, 1.0)
    return PanelModel(
        members=tuple(f"member {number}" for number in range(1, size + 1)),
        rates=rates,
        coverage=np.full((2, size), coverage),
        correlation=nearest_correlation(latent_correlation(rates, target, prevalence)),
        dependence=dependence,
        compositions=((1, 1),) if matched_pairs else ((1, 0), (0, 1)),
        weights=np.array([1.0]) if matched_pairs else np.array([1 - prevalence, prevalence]),
    )


def model_from_votes(panel: VoteMatrix) -> PanelModel:
    """The population that a pilot's votes suggest: its rates, coverage, correlations and kinds of records.

    Rates have half an error and half a right verdict added, so that none is 0 or 1. A pair that shares too few items to
    be read has the mean correlation of the others.

    Raises
    ------
    InputError
        If the pilot lacks a class.
    """
    gold, votes = panel.gold, panel.votes
    sizes = np.array([np.sum(gold == 0), np.sum(gold == 1)])
    if (sizes == 0).any():
        raise InputError("the pilot has one class only: add records of the other")
    committed = ~np.isnan(votes)
    wrong = np.where(committed, votes != gold[:, None], False)
    answered = np.array([committed[gold == label].sum(axis=0) for label in (0, 1)])
    errors = np.array([wrong[gold == label].sum(axis=0) for label in (0, 1)])
    rates: Floats = (errors + 0.5) / (answered + 1)
    correlation = error_correlation(votes, gold)
    phi = correlation.phi[0]
    phi = np.where(np.isnan(phi), np.nan_to_num(correlation.mean()[0]), phi)
    kinds = Counter(
        zip(*(np.bincount(panel.cluster, weights=gold == label).astype(int) for label in (0, 1)), strict=True)
    )
    compositions = sorted(kinds)
    return PanelModel(
        members=panel.members,
        rates=rates,
        coverage=answered / sizes[:, None],
        correlation=nearest_correlation(latent_correlation(rates, phi, panel.prevalence)),
        dependence=_dependence(panel, rates),
        compositions=tuple((int(s), int(h)) for s, h in compositions),
        weights=np.array([kinds[kind] for kind in compositions]) / panel.n_clusters,
    )


def _dependence(panel: VoteMatrix, rates: Floats) -> float:
    """The latent correlation within records at which a member's errors on two items of a record have the pilot's
    covariance, summed over members and pairs of items; 0 where no record has two items.
    """
    order = np.argsort(panel.cluster, kind="stable")
    cluster = panel.cluster[order]
    largest = int(np.bincount(cluster).max())
    if largest == 1:
        return 0.0
    gold, votes = panel.gold[order], panel.votes[order]
    excess = np.where(np.isnan(votes), 0.0, (votes != gold[:, None]) - rates[gold])
    observed = 0.0
    pairs = np.zeros((2, 2, len(panel.members)))
    for lag in range(1, largest):
        first = np.flatnonzero(cluster[lag:] == cluster[:-lag])
        second = first + lag
        observed += float((excess[first] * excess[second]).sum())
        both = ~np.isnan(votes[first]) & ~np.isnan(votes[second])
        np.add.at(pairs, (gold[first], gold[second]), both)
    cut = ndtri(rates)
    a, b = cut[:, None, :], cut[None, :, :]
    chance = rates[:, None, :] * rates[None, :, :]

    def missing(dependence: float) -> float:
        joint = both_below(a, b, np.array(dependence))
        return float((pairs * (joint - chance)).sum()) - observed

    low = max(-_LIMIT, -1 / (largest - 1) + 1e-6)
    if missing(low) >= 0:
        return low
    return _LIMIT if missing(_LIMIT) <= 0 else float(brentq(missing, low, _LIMIT, xtol=1e-6))
