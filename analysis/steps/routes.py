"""Mean balanced accuracy of each way of judging over nested groups of benchmarks: Table 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.skip import Skip
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("ladder", "judges")
METHODS = ("average_member", "best_cv", "stacked")


def derive(context: SuiteContext) -> dict[str, Any]:
    """Means over the claim sets, the grounded sets and the suite, of the panel's methods and of each single judge.

    Methods charge an abstention as an error; single judges drop it, as the release's summaries do.
    """
    described = context.suite.benchmarks
    scopes = {
        "aggrefact": [name for name in context.benchmarks if described[name].frame == "claimcheck"],
        "grounded": [name for name in context.benchmarks if described[name].tier != "ungrounded"],
        "suite": list(context.benchmarks),
    }
    scopes = {scope: names for scope, names in scopes.items() if names}
    ladders = {name: context.derived.read(name, "ladder") for name in context.benchmarks}
    judges = _judges(context)
    names = dict.fromkeys(judge for here in judges.values() for judge in here)
    return {
        "scopes": scopes,
        "methods": {
            method: _means(
                {name: ladder["methods"][method]["balanced_accuracy"] for name, ladder in ladders.items()},
                scopes,
            )
            for method in METHODS
        },
        "judges": {
            judge: _means(
                {
                    name: here[judge]["committed_balanced_accuracy"]
                    for name, here in judges.items()
                    if judge in here
                },
                scopes,
            )
            for judge in names
        },
    }


def _judges(context: SuiteContext) -> dict[str, Mapping[str, Any]]:
    judges = {}
    for name in context.benchmarks:
        try:
            judges[name] = context.derived.read(name, "judges")
        except Skip:
            continue
    return judges


def _means(scores: Mapping[str, Mapping[str, Any]], scopes: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    means = {}
    for scope, names in scopes.items():
        missing = [name for name in names if name not in scores]
        values = [scores[name]["resample_mean"] for name in names if name in scores]
        if missing:
            means[scope] = {"mean": None, "reason": f"not judged: {', '.join(missing)}"}
        elif None in values:
            means[scope] = {"mean": None, "reason": "undefined on one of these benchmarks"}
        else:
            means[scope] = {"mean": sum(values) / len(values)}
    return means
