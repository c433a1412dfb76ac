"""The panel in use: a stacker fitted on all labelled items, kept as a file, and read on items without gold."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit

from analysis.arrays import Floats
from analysis.combiners.pooled import fit_all, margins, verdicts
from analysis.deployment.audit import notes
from analysis.estimators.admissibility import DECLARED, Thresholds
from analysis.estimators.ladder import ladder
from analysis.panel.csv_rows import read_bytes
from analysis.panel.votes_csv import Columns, parse_unlabelled_csv, read_analysable
from analysis.statistics.bootstrap import N_DRAWS
from raim import __version__
from raim.errors import InputError

#: Shape of the file; raised when a key changes its meaning.
SCHEMA_VERSION = 1
RIDGE = 1.0


@dataclass(frozen=True)
class Model:
    """The stacker of equation 1: log-odds of hallucinated = intercept + weights . votes, an abstention at 0.5.

    Attributes
    ----------
    members : (k,) names, in the order of the weights
    intercept, weights : (k,) coefficients
    coverage, hallucinated : (k,) of each member on the items of the fit, share of verdicts and of 1s among them
    """

    members: tuple[str, ...]
    intercept: float
    weights: Floats
    coverage: Floats
    hallucinated: Floats


@dataclass(frozen=True)
class Verdicts:
    """What a model says of n items.

    Attributes
    ----------
    uids : (n,) item ids
    verdicts : (n,) 1 = hallucinated, 0 = supported
    probabilities : (n,) of hallucinated, at the prevalence of the fit
    committed : (n,) members that gave a verdict; where none did, the model says what it says of no evidence
    coverage, hallucinated : (k,) of each member on these items; NaN for the latter where a member never committed
    """

    uids: tuple[str, ...]
    verdicts: Floats
    probabilities: Floats
    committed: Floats
    coverage: Floats
    hallucinated: Floats


def fit_model(
    path: Path,
    columns: Columns,
    *,
    delimiter: str = ",",
    thresholds: Thresholds = DECLARED,
    n_draws: int = N_DRAWS,
) -> dict[str, Any]:
    """A model from a file of labelled votes, as the plain values of its JSON file.

    The weights are those of one fit on all items. What they are worth is read out of fold, as in ``raim audit``: the
    scores of the cross-fitted panel, the spread of each weight over the folds, the admissibility test.

    Raises
    ------
    InputError
        If the file cannot be read or no estimator is defined on it.
    """
    panel, source = read_analysable(path, columns, delimiter)
    evidence = ladder(panel, thresholds=thresholds, n_draws=n_draws)
    intercept, weights = fit_all(panel.votes, panel.gold, RIDGE)
    coverage, hallucinated = _habits(panel.votes)
    spread = evidence["weights"]["stacked"]
    return {
        "schema_version": SCHEMA_VERSION,
        "raim_version": __version__,
        "input": source,
        "n_items": panel.n_items,
        "n_clusters": panel.n_clusters,
        "prevalence": panel.prevalence,
        "ridge": RIDGE,
        "abstention": 0.5,
        "intercept": {"value": intercept, "folds": spread["intercept"]},
        "members": {
            name: {
                "weight": float(weights[column]),
                "folds": spread["members"][name],
                "coverage": float(coverage[column]),
                "hallucinated": float(hallucinated[column]),
                "kappa": evidence["members"][name]["kappa"],
            }
            for column, name in enumerate(panel.members)
        },
        "admissibility": evidence["admissibility"],
        "out_of_fold": {
            "stacked": evidence["methods"]["stacked"],
            "best_cv": evidence["methods"]["best_cv"],
            "stacked-best_cv": evidence["deltas"]["stacked-best_cv"],
            "verdict": evidence["verdict"],
        },
        "notes": notes(evidence),
    }


def read_model(path: Path) -> Model:
    """The model in a file that :func:`fit_model` made. Raises InputError where it is not one, or of a newer shape."""
    remedy = "fit it again with `raim fit`"
    try:
        values = json.loads(read_bytes(path))
        if not isinstance(values, dict) or "schema_version" not in values:
            raise TypeError("no schema_version")
        if values["schema_version"] != SCHEMA_VERSION:
            raise InputError(
                f"{path}: a model of shape {values['schema_version']!r}; this version reads {SCHEMA_VERSION}; {remedy}"
            )
        members = values["members"]
        columns = {
            key: np.array([_number(member[key]) for member in members.values()])
            for key in ("weight", "coverage", "hallucinated")
        }
        model = Model(tuple(members), _number(values["intercept"]["value"]), *columns.values())
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not a model of `raim fit` ({error}); {remedy}") from None
    if not model.members:
        raise InputError(f"{path}: a model without members; {remedy}")
    return model


def apply_model(model: Model, path: Path, columns: Columns, delimiter: str = ",") -> Verdicts:
    """Read a model on a file of votes; gold and clusters are not needed.

    A member that abstains counts 0.5, as in the fit; a log-odds of 0 is supported.

    Raises
    ------
    InputError
        If the file's members are not the model's, or it is wrong as :mod:`analysis.panel.votes_csv` says.
    """
    uids, votes = parse_unlabelled_csv(read_bytes(path), str(path), columns, model.members, delimiter)
    log_odds = margins(model.intercept, model.weights, votes)
    coverage, hallucinated = _habits(votes)
    return Verdicts(
        tuple(uids),
        verdicts(log_odds),
        expit(log_odds),
        (~np.isnan(votes)).sum(axis=1).astype(np.float64),
        coverage,
        hallucinated,
    )


def _habits(votes: Floats) -> tuple[Floats, Floats]:
    committed = (~np.isnan(votes)).sum(axis=0)
    ones = (votes == 1).sum(axis=0)
    return committed / len(votes), ones / np.where(committed == 0, np.nan, committed)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{value!r} is not a number")
    return float(value)
