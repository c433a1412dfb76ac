"""The decision matrix as advice (paper, Tables 4, 24 and 25)."""

from __future__ import annotations

from collections.abc import Sequence
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
    signals: Signals, *, single: str, fixed: str, sparse: Sequence[str], rule: Rule | None = None
) -> Decision:
    """Apply the thresholded rule, then let a single judge that beats the chosen family on validation stand alone.

    Parameters
    ----------
    single : the validation-selected judge
    fixed : the stronger fixed pool on validation, ``uniform_log`` or ``cov_log``
    sparse : judges of the retrained subset
    """
    rule = rule or Rule()
    choice = rule.choose(signals)
    if not np.isfinite(signals.validation[choice]):
        choice = best_family(signals.validation)
    scores = signals.validation
    alone = np.isfinite(scores["single"]) and round(scores["single"], 10) > round(scores[choice], 10)
    described = (
        f"leave-one-out gain {signals.gain:+.3f} (sparse from {rule.gain:g})",
        f"residual correlation {signals.correlation:.3f} (fixed from {rule.correlation:g})",
        f"fixed pool ahead of full JudgeMoE by {signals.margin:+.3f} (fixed from {rule.margin:+g})",
        "validation Spearman: " + ", ".join(f"{family} {value:.3f}" for family, value in scores.items()),
    )
    if alone:
        reason = (
            f"judge {single} alone reaches {scores['single']:.3f} on validation, above {scores[choice]:.3f} of the "
            f"{choice} family: pooling adds nothing here"
        )
        return Decision("single", "soft_best_single", (single,), reason, described)
    reasons: dict[Family, str] = {
        "sparse": (
            f"dropping one judge lifts the uniform pool by {signals.gain:+.3f} (at least {rule.gain:g}): a weak judge "
            f"contaminates the pool; deploy the aggregator retrained on {', '.join(sparse)}"
        ),
        "fixed": (
            f"judges share their errors (residual correlation {signals.correlation:.3f}, {rule.correlation:g} or more) "
            f"and {fixed} is not behind full JudgeMoE on validation ({signals.margin:+.3f}): example-specific weights "
            "have nothing left to add"
        ),
        "full": (
            f"no judge contaminates the pool (gain {signals.gain:+.3f}, under {rule.gain:g}) and example-specific "
            f"weights are ahead of the fixed pool on validation by {-signals.margin:+.3f}, or errors are diverse "
            f"(residual correlation {signals.correlation:.3f})"
        ),
        "single": f"no pool has a defined validation score; judge {single} has",
    }
    methods: dict[Family, str] = {
        "sparse": "judgemoe",
        "fixed": fixed,
        "full": "judgemoe",
        "single": "soft_best_single",
    }
    judges = {"sparse": tuple(sparse), "single": (single,)}.get(choice, ())
    return Decision(choice, methods[choice], judges, reasons[choice], described)
