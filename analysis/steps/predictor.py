"""Cross-dataset predictor: Table 5."""

from __future__ import annotations

from typing import Any

from analysis.estimators.predictor import Coordinates, predictor
from analysis.skip import Skip
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("ladder",)
#: Held back from the primary tally for want of power and of headroom (section 2); dropped in turn.
HELD_BACK = ("cnn", "expertqa")


def derive(context: SuiteContext) -> dict[str, Any]:
    """Rank correlations over the suite's benchmarks, and without those that the paper holds back."""
    points: dict[str, Coordinates] = {}
    undefined: dict[str, str] = {}
    for name in context.benchmarks:
        ladder = context.derived.read(name, "ladder")
        gain = ladder["deltas"]["stacked-best_cv"]["kappa"]["resample_mean"]
        level = ladder["methods"]["stacked"]["kappa"]["resample_mean"]
        call = ladder["admissibility"]
        if call["phi_bar"] is None or gain is None or level is None:
            undefined[name] = call.get("reason") or "the gain over the CV-best single member is undefined"
        else:
            points[name] = Coordinates(call["phi_bar"], call["competent"], gain, level)
    names = list(points)
    if len(names) < 2:
        raise Skip("fewer than two benchmarks have both coordinates")
    subsets = [(f"all {len(names)}", names)]
    for position, dropped in enumerate(HELD_BACK):
        gone = [name for name in HELD_BACK[: position + 1] if name in names]
        if dropped in names:
            titles = [context.suite.benchmarks[name].title for name in gone]
            subsets.append((f"without {' and '.join(titles)}", [n for n in names if n not in gone]))
    result = predictor(
        list(points.values()), [(title, [names.index(n) for n in kept]) for title, kept in subsets]
    )
    return {
        "benchmarks": {
            name: {
                "phi_bar": point.phi_bar,
                "competent": point.competent,
                "composite": (1 - point.phi_bar) * point.competent,
                "gain": point.gain,
                "stacked": point.stacked,
            }
            for name, point in points.items()
        },
        "left_out": undefined,
        **result,
    }
