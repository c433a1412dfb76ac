"""Audit a user's panel: the paper's estimators on one file of votes, with notes on how to read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis.estimators.admissibility import DECLARED, Thresholds
from analysis.estimators.ladder import ladder
from analysis.estimators.prevalence import prevalence_notes, prevalence_readings
from analysis.panel.votes_csv import Columns, read_analysable
from analysis.statistics.bootstrap import N_DRAWS
from analysis.wording import chance_in_words
from raim import __version__

#: Shape of the result; raised when a key changes its meaning.
SCHEMA_VERSION = 1
#: Coverage below which the paper flags a member (Table 22).
LOW_COVERAGE = 0.95


def audit(
    path: Path,
    columns: Columns,
    *,
    delimiter: str = ",",
    thresholds: Thresholds = DECLARED,
    deployment_prior: float | None = None,
    n_draws: int = N_DRAWS,
) -> dict[str, Any]:
    """The ladder of one CSV file as plain values, with the file's digest, the version and notes in words.

    Raises
    ------
    InputError
        If the file cannot be read or no estimator is defined on it (:func:`analysis.panel.votes_csv.read_analysable`).
    """
    panel, source = read_analysable(path, columns, delimiter)
    result = ladder(panel, thresholds=thresholds, n_draws=n_draws)
    readings = prevalence_readings(panel, deployment_prior, n_draws)
    return {
        "schema_version": SCHEMA_VERSION,
        "raim_version": __version__,
        "input": source,
        **result,
        "prevalence_readings": readings,
        "notes": [*prevalence_notes(readings), *notes(result)],
    }


def notes(result: dict[str, Any]) -> list[str]:
    """What a reader of a ladder should know before quoting it."""
    found = []
    low = [name for name, member in result["members"].items() if member["coverage"] < LOW_COVERAGE]
    if low:
        found.append(
            f"Coverage below {LOW_COVERAGE}: {', '.join(low)}. Kappa leaves their abstentions out, balanced accuracy "
            "charges them as errors."
        )
    undefined = {
        name: member["reason"] for name, member in result["members"].items() if member["kappa"] is None
    }
    if undefined:
        found.append(
            f"Kappa is undefined for {', '.join(f'{name} ({reason})' for name, reason in undefined.items())} and left "
            "out of the average member's."
        )
    common = result["common_denominator"]["stacked-best_cv"]
    if common["n_common"] < result["n_items"] and common["kappa"]["resample_mean"] is not None:
        delta = common["kappa"]
        found.append(
            f"The CV-best member commits on {common['n_common']} of {result['n_items']} items. On these alone, "
            f"stacked - best_cv is {delta['resample_mean']:+.3f} [{delta['low']:+.3f}, {delta['high']:+.3f}] in kappa: "
            f"{delta['reading']}."
        )
    if chance := chance_in_words(result):
        found.append(chance)
    found += _fit_notes(result)
    return found


def _fit_notes(result: dict[str, Any]) -> list[str]:
    found = []
    fits = result["weights"]["stacked"]["n_fits"]
    if fits < result["n_folds"]:
        found.append(
            f"In {result['n_folds'] - fits} of {result['n_folds']} folds the training records have one class only: "
            "there the stacked panel is the unweighted majority."
        )
    fit = result["dawid_skene"]
    if not fit["converged"]:
        found.append(
            f"Dawid-Skene did not converge in {fit['iterations']} iterations (last change {fit['last_change']:.1e})."
        )
    agreement = result["methods"]["dawid_skene"]["kappa"]["estimate"]
    if agreement is not None and agreement < 0:
        found.append(
            "Dawid-Skene agrees with gold less than chance would. It sees no gold: where most members err "
            "together, its two latent classes change places."
        )
    pairs = result["admissibility"]["pairs"]
    odd = {
        "share fewer than five committed items and are left out of phi-bar": pairs["skipped"],
        "have a side whose errors never vary and count as 0": pairs["constant"],
    }
    if any(odd.values()):
        parts = [f"{count} {what}" for what, count in odd.items() if count]
        found.append(f"Of {pairs['total']} member pairs, {'; '.join(parts)}.")
    undefined = max(method["kappa"].get("undefined_draws", 0) for method in result["methods"].values())
    if undefined:
        found.append(
            f"Up to {undefined} of {result['n_draws']} resamples have no kappa and are left out of the intervals."
        )
    return found
