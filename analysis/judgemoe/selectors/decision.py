"""The decision matrix as advice (paper, Tables 4, 24 and 25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.judgemoe.selectors.rule import Family, Rule, Signals, best_family


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
    lead: Mapping[Family, float],
    rule: Rule | None = None,
) -> Decision:
    """Apply the thresholded rule; a single judge stands alone where it is ahead of the chosen family beyond doubt.

    Parameters
    ----------
    single : the validation-selected judge
    fixed : the stronger fixed pool on validation, ``uniform_log`` or ``cov_log``
    sparse : judges of the retrained subset
    lead : by family, the lower end of the paired interval of the single judge's Spearman less the family's; NaN where
        there is none. The paper's rule has no such clause for a judge of the pool itself, and its matrix leaves a
        strong evaluator standalone; the interval keeps small validation sets from deciding by chance.
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
    if choice == "single":
        reason = f"the {picked} family has no defined score, and no other is ahead of judge {single} alone"
        return Decision("single", "soft_best_single", (single,), reason, described)
    if lead[choice] > 0.0:
        reason = (
            f"judge {single} alone reaches {scores['single']:.3f}, above {scores[choice]:.3f} of the {choice} family, "
            f"and the interval of the difference starts at {lead[choice]:+.3f}: pooling loses here"
        )
        return Decision("single", "soft_best_single", (single,), reason, described)
    if undefined:
        reason = f"the {picked} family has no defined score; {choice} has the highest of the others"
    else:
        reason = _reason(choice, signals, rule, fixed, sparse)
    methods: dict[Family, str] = {"sparse": "judgemoe", "fixed": fixed, "full": "judgemoe"}
    return Decision(choice, methods[choice], tuple(sparse) if choice == "sparse" else (), reason, described)


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
