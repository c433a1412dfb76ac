"""The decision matrix as advice (paper, Tables 4, 24 and 25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.selectors.rule import FAMILIES, Family, Rule, Signals, best_family
from analysis.judgemoe.statistics.clusters import interval

#: By two families, the lower end of the interval of the first one's lead.
Leads: TypeAlias = Mapping[Family, Mapping[Family, float]]


@dataclass(frozen=True)
class Decision:
    """What to deploy and why, in words; ``signals`` lists each validation signal beside its threshold."""

    choice: Family
    method: str
    judges: tuple[str, ...]
    reason: str
    signals: tuple[str, ...]


def decide(
    signals: Signals,
    *,
    single: str,
    fixed: str,
    sparse: Sequence[str],
    leads: Leads,
    rule: Rule | None = None,
) -> Decision:
    """Apply the thresholded rule; a family that is ahead of the rule's beyond doubt takes its place.

    Parameters
    ----------
    single : the validation-selected judge
    fixed : the stronger fixed pool on validation, ``uniform_log`` or ``cov_log``
    sparse : judges of the retrained subset
    leads : of :func:`family_leads`. The paper's rule has no such clause, but its matrix takes the fixed pool where that
        is strong and leaves a strong evaluator standalone; the interval keeps small validation sets from deciding
        by chance.
    """
    rule = rule or Rule()
    scores = signals.validation
    picked = rule.choose(signals)
    undefined = not np.isfinite(scores[picked])
    choice = best_family(scores) if undefined else picked
    described = (
        f"leave-one-out gain {_text(signals.gain, '+.3f')} (sparse from {rule.gain:g})",
        f"residual correlation {_text(signals.correlation)} (fixed from {rule.correlation:g})",
        f"fixed pool less full JudgeMoE {_text(signals.margin, '+.3f')} (fixed from {rule.margin:+g})",
        "Spearman by family: " + ", ".join(f"{family} {_text(value)}" for family, value in scores.items()),
    )
    names: dict[Family, str] = {
        "single": f"judge {single} alone",
        "fixed": f"the fixed pool {fixed}",
        "full": "full JudgeMoE",
        "sparse": f"JudgeMoE retrained on {', '.join(sparse)}",
    }
    ahead = [family for family in FAMILIES if family != choice and leads[family][choice] > 0.0]
    if ahead:
        better = max(ahead, key=lambda family: scores[family])
        reason = (
            f"{names[better]} reaches {scores[better]:.3f}, above {scores[choice]:.3f} of {names[choice]}, which the "
            f"rule picks, and the interval of the difference starts at {leads[better][choice]:+.3f}"
        )
        choice = better
    elif undefined:
        reason = f"the {picked} family has no defined score; {names[choice]} has the highest of the others"
    else:
        reason = _reason(choice, signals, rule, fixed, sparse)
    methods: dict[Family, str] = {
        "single": "soft_best_single",
        "sparse": "judgemoe",
        "fixed": fixed,
        "full": "judgemoe",
    }
    judges: dict[Family, Sequence[str]] = {"single": (single,), "sparse": sparse, "fixed": (), "full": ()}
    return Decision(choice, methods[choice], tuple(judges[choice]), reason, described)


def family_leads(draws: Mapping[Family, Floats]) -> Leads:
    """``[a][b]``: lower end of the paired interval of family a's Spearman less b's; NaN where either has none.

    ``draws`` are bootstrap replicates of the families' Spearman on the same resamples.
    """
    nan = float("nan")
    return {
        a: {b: interval(draws[a] - draws[b]).low if a in draws and b in draws else nan for b in FAMILIES}
        for a in FAMILIES
    }


def _text(value: float, style: str = ".3f") -> str:
    return format(value, style) if np.isfinite(value) else "undefined"


def _reason(choice: Family, signals: Signals, rule: Rule, fixed: str, sparse: Sequence[str]) -> str:
    gain, correlation, margin = signals.gain, signals.correlation, signals.margin
    if choice == "sparse":
        return (
            f"dropping one judge lifts the uniform pool by {_text(gain, '+.3f')} ({rule.gain:g} or more): a weak judge "
            f"contaminates it; deploy the aggregator retrained on {', '.join(sparse)}"
        )
    if choice == "fixed":
        return (
            f"judges share their errors (residual correlation {correlation:.3f}, {rule.correlation:g} or more), "
            f"and {fixed} is not behind full JudgeMoE ({_text(margin, '+.3f')}): example-specific weights have nothing "
            "left to add"
        )
    clean = f"no judge contaminates the pool (gain {_text(gain, '+.3f')}, under {rule.gain:g}) and "
    if not correlation >= rule.correlation:
        return (
            clean
            + f"judges err apart (residual correlation {_text(correlation)}, under {rule.correlation:g})"
        )
    return clean + f"example-specific weights are ahead of the fixed pool by {_text(-margin, '+.3f')}"
