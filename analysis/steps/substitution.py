"""What the panel keeps of the frontier judge's quality over the suite: the headline numbers of section 4."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.skip import Skip
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("frontier",)


def derive(context: SuiteContext) -> dict[str, Any]:
    """By judge: the median share of its kappa that the panel keeps, and the mean difference in balanced accuracy.

    Both are over the benchmarks where they are defined, whose number stands beside them; a share needs a judge with a
    positive kappa.
    """
    values, _ = context.derived.read_each("frontier")
    judges = dict.fromkeys(name for by_judge in values.values() for name in by_judge)
    if not judges:
        raise Skip("the suite has neither a frontier judge nor a larger open judge")
    return {
        name: _substitution({b: by_judge[name] for b, by_judge in values.items() if name in by_judge})
        for name in judges
    }


def _substitution(benchmarks: dict[str, Any]) -> dict[str, Any]:
    shares: dict[str, float] = {}
    differences: dict[str, float] = {}
    for benchmark, entry in benchmarks.items():
        if "kappa" not in entry:
            continue
        panel, judge = (entry["kappa"][side]["resample_mean"] for side in ("panel", "judge"))
        if panel is not None and judge is not None and judge > 0:
            shares[benchmark] = panel / judge
        delta = entry["balanced_accuracy"]["delta"]["resample_mean"]
        if delta is not None:
            differences[benchmark] = delta
    first = next(iter(benchmarks.values()))
    return {
        "role": first["role"],
        "tag": first["tag"],
        "n_benchmarks": len(benchmarks),
        "kappa_kept": {
            "median": float(np.median(list(shares.values()))) if shares else None,
            "shares": shares,
        },
        "balanced_accuracy_difference": {
            "mean": float(np.mean(list(differences.values()))) if differences else None,
            "differences": differences,
        },
        **({} if shares and differences else {"reason": "no benchmark has a defined comparison"}),
    }
