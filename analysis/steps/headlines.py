"""The counts and gaps that the paper's abstract, contributions and conclusion state in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.estimators.admissibility import DECLARED
from analysis.published import read_published
from analysis.skip import Skip
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("ladder", "frontier", "learning_curve", "routes")
#: A clear worsening of more kappa than this is material (the margin of appendix C).
MATERIAL = 0.10
#: A budget's stacker is near full supervision within this share of its kappa (appendix C).
NEAR = 0.05
_AGAINST = ("best_cv", "oracle", "average_member", "unweighted", "dawid_skene")


def derive(context: SuiteContext) -> dict[str, Any]:
    """Readings of the panel's differences counted over the suite, budgets that suffice, gaps to published systems."""
    ladders = {name: context.derived.read(name, "ladder") for name in context.benchmarks}
    return {
        "n_benchmarks": len(ladders),
        "panel_against": {
            method: readings(ladder["deltas"][f"stacked-{method}"]["kappa"] for ladder in ladders.values())
            for method in _AGAINST
        },
        "frontier": _frontier(context),
        "members": _members(ladders),
        "records": _records(context),
        "balanced_accuracy_behind": _behind(context),
    }


def readings(deltas: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many differences are called what; ``material`` are clear worsenings of more than 0.10."""
    counts = dict.fromkeys(
        ("clear_improvement", "unresolved_improvement", "unresolved_worsening", "clear_worsening"), 0
    )
    counts |= {"material_worsening": 0, "no_difference": 0, "undefined": 0}
    for delta in deltas:
        name = "undefined" if delta["reading"] is None else delta["reading"].replace(" ", "_")
        counts[name] += 1
        if name == "clear_worsening" and delta["resample_mean"] < -MATERIAL:
            counts["material_worsening"] += 1
    return {**counts, "unresolved": counts["unresolved_improvement"] + counts["unresolved_worsening"]}


def _frontier(context: SuiteContext) -> dict[str, Any]:
    try:
        values, _ = context.derived.read_each("frontier")
    except Skip:
        return {}
    names = dict.fromkeys(
        name for here in values.values() for name in here if here[name]["role"] == "frontier"
    )
    return {
        name: readings(
            here[name]["kappa"]["delta"] for here in values.values() if name in here and "kappa" in here[name]
        )
        for name in names
    }


def _members(ladders: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Members of every benchmark's panel, and how many of them clear the competence bar on all benchmarks."""
    everywhere = set.intersection(*(set(ladder["members"]) for ladder in ladders.values()))
    bar = DECLARED.kappa
    return {
        "on_all_benchmarks": len(everywhere),
        "competent_on_all_benchmarks": sum(
            all((ladder["members"][name]["kappa"] or 0.0) >= bar for ladder in ladders.values())
            for name in everywhere
        ),
    }


def _records(context: SuiteContext) -> dict[str, Any]:
    """By budget: benchmarks that have it, those whose stacker beats the majority, those near its full supervision."""
    counts: dict[str, dict[str, int]] = {}
    for name in context.benchmarks:
        try:
            curve = context.derived.read(name, "learning_curve")
        except Skip:
            continue
        full = curve["full_pool"]["kappa"]
        for budget, entry in curve["budgets"].items():
            mean = entry["stacked"]["mean"]
            if entry["full"] or mean is None or full is None or curve["unweighted"] is None:
                continue
            count = counts.setdefault(budget, {"n": 0, "above_majority": 0, "near_full_supervision": 0})
            count["n"] += 1
            count["above_majority"] += mean > curve["unweighted"]
            count["near_full_supervision"] += mean >= (1 - NEAR) * full
    return counts


def _behind(context: SuiteContext) -> dict[str, Any]:
    """Points of balanced accuracy that the panel is behind published systems and the best specialist run here."""
    routes = context.derived.read_suite("routes")
    panel = routes["methods"]["stacked"]
    rows = read_published("leaderboard")["rows"]
    best = max(row["mean"] for row in rows if "leaderboard" in row["source"])
    result: dict[str, Any] = {}
    if "aggrefact" in panel and (mean := panel["aggrefact"]["mean"]) is not None:
        named = {row["system"]: row["mean"] for row in rows}
        result |= {"gpt_4o": named["GPT-4o"] - 100 * mean, "leaderboard": best - 100 * mean}
    specialists = [
        means["grounded"]["mean"]
        for name, means in routes["judges"].items()
        if context.suite.members[name].role == "purpose_trained" and "grounded" in means
    ]
    defined = [mean for mean in specialists if mean is not None]
    if defined and panel.get("grounded", {}).get("mean") is not None:
        result["best_specialist"] = 100 * (max(defined) - panel["grounded"]["mean"])
    return result
