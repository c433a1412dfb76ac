"""Logistic regression of a binary outcome on one covariate, with a constant for each group (appendix B)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.statistics.logistic import fit_logistic

#: Largest linear predictor of a fit that is taken for finite: beyond it a class is separated.
_SEPARATED = 30.0


def slope(
    covariate: Floats, outcome: Bools, groups: Ints, clusters: Ints, names: Sequence[str]
) -> dict[str, Any]:
    """The maximum-likelihood coefficient (statsmodels), with Wald intervals, as plain values.

    A group whose outcomes are all equal says nothing about the coefficient (its own constant takes any distance) and is
    left out and listed.

    Parameters
    ----------
    covariate, outcome, groups : (m,) covariate, outcome and group code, an index into ``names``
    clusters : (m,) units whose items depend on each other, for the second standard error
    """
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.tools.sm_exceptions import ConvergenceWarning, PerfectSeparationWarning

    mixed = [g for g in range(len(names)) if 0 < outcome[groups == g].sum() < (groups == g).sum()]
    keep = np.isin(groups, mixed)
    result: dict[str, Any] = {
        "n": int(keep.sum()),
        "groups": [names[g] for g in mixed],
        "left_out": {names[g]: "all of its outcomes are equal" for g in range(len(names)) if g not in mixed},
    }
    if not mixed or np.ptp(covariate[keep]) == 0:
        return {
            **result,
            "coefficient": None,
            "reason": "no group with both outcomes and a varying covariate",
        }
    design = np.column_stack([covariate[keep], *((groups[keep] == g).astype(np.float64) for g in mixed)])
    with warnings.catch_warnings():
        # A separated sample is told from its fit below, which is undefined then.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        model = Logit(outcome[keep].astype(np.float64), design)
        try:
            fit = model.fit(method="newton", tol=1e-12, maxiter=100, disp=False)
        except np.linalg.LinAlgError:
            return {**result, "coefficient": None, "reason": "the covariate separates the outcomes"}
    if not fit.mle_retvals["converged"] or np.abs(design @ fit.params).max() > _SEPARATED:
        return {**result, "coefficient": None, "reason": "the covariate separates the outcomes"}
    robust = model.fit(
        start_params=fit.params,
        method="newton",
        disp=False,
        cov_type="cluster",
        cov_kwds={"groups": clusters[keep]},
    )
    low, high = fit.conf_int()[0]
    return {
        **result,
        "coefficient": float(fit.params[0]),
        "standard_error": float(fit.bse[0]),
        "low": float(low),
        "high": float(high),
        "p": float(fit.pvalues[0]),
        "clustered_standard_error": float(robust.bse[0]),
        "log_likelihood": float(fit.llf),
    }


def penalised_slope(covariate: Floats, outcome: Bools, groups: Ints, ridge: float = 1.0) -> dict[str, Any]:
    """The coefficient as the publication has it: covariate and constants penalised alike, the first group's free.

    The paper's text does not say that +4.67 is penalised; its release fits scikit-learn's default, ``C = 1`` on the
    covariate and on one dummy for each group after the first.
    """
    if outcome.all() or not outcome.any():
        return {"ridge": ridge, "coefficient": None, "reason": "all outcomes are equal"}
    dummies = [(groups == g).astype(np.float64) for g in range(1, int(groups.max()) + 1)]
    design = np.column_stack([covariate, *dummies])
    rows, index = np.unique(design, axis=0, return_inverse=True)
    totals = np.bincount(index.ravel(), minlength=len(rows)).astype(np.float64)
    ones = np.bincount(index.ravel()[outcome], minlength=len(rows)).astype(np.float64)
    fit = fit_logistic(rows, ones[None], totals[None], ridge)
    return {"ridge": ridge, "coefficient": float(fit.coefficients[0, 0])}
