"""The alternative annotator test (section 3): may a judge replace the human annotators?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from analysis.alt_test.annotations import Annotations, Judge
from analysis.alt_test.comparison import unjudged_items
from analysis.alt_test.decision import decide_judges
from analysis.alt_test.evidence import gather_evidence
from analysis.alt_test.results import AltTestResult, Evidence, JudgeResult
from analysis.alt_test.setup import Setup
from analysis.alt_test.significance import CONSTANT, FEW_EFFECTIVE, FEW_ITEMS
from raim.errors import InputError

DEFAULT_Q: Final = 0.05


def alt_test(
    humans: Annotations, judges: Mapping[str, Judge], setup: Setup | None = None, q: float = DEFAULT_Q
) -> AltTestResult:
    """Run the test for every judge.

    For each annotator j the judge and j are scored against the remaining annotators, item by item; a one-sided test
    asks whether the judge's advantage exceeds j's less epsilon; the Benjamini-Yekutieli procedure decides over the
    annotators; omega is the share of rejections and rho the mean advantage.

    Parameters
    ----------
    humans : ``{annotator: {item: label}}``
    judges : ``{judge: {item: label}}``
    setup : settings; the paper's where None
    q : false discovery rate

    Raises
    ------
    InputError
        If no judge can be tested against any annotator, and on bad labels or settings.
    """
    setup = setup or Setup()
    evidence = gather_evidence(humans, judges, setup)
    results = {name: decide_judges([evidence], name, q)[0] for name in evidence.judges}
    require_a_result(results, setup)
    return AltTestResult(evidence, q, results, tuple(warnings_of(evidence, results, setup)))


def require_a_result(results: Mapping[str, JudgeResult], setup: Setup) -> None:
    """Raise InputError where no judge was tested against any annotator."""
    if any(result.evidence.annotators for result in results.values()):
        return
    most = max((skipped.n for result in results.values() for skipped in result.evidence.skipped), default=0)
    if most == 0:
        raise InputError(
            f"no judge labelled an item that {setup.humans_needed} or more humans labelled; "
            "check that humans and judges name the items alike"
        )
    if most >= setup.min_items_per_annotator:
        raise InputError(
            "all items are of one cluster, and the cluster-robust test needs two: check the clusters, or leave them out"
        )
    raise InputError(
        f"no annotator has {setup.min_items_per_annotator} items (the most is {most}); annotate more items, or "
        f"lower the minimum (--min-items) to {most} or less: below 30 items the Wilcoxon test is used"
    )


def warnings_of(evidence: Evidence, results: Mapping[str, JudgeResult], setup: Setup) -> list[str]:
    """What a reader must know before trusting the result."""
    warnings = []
    unjudged_by_all = unjudged_items(evidence.test.humans, evidence.test.judges)
    if unjudged_by_all:
        warnings.append(f"no judge labelled {unjudged_by_all} of the {len(evidence.test.humans.items)} items")
    n_annotators = len(evidence.test.humans.annotators)
    if n_annotators == 2 and setup.reference is None:
        warnings.append(
            "two annotators only: there is no consensus, the test asks whom the judge resembles more; "
            "three or more are recommended"
        )
    for name, result in results.items():
        if result.reason:
            warnings.append(f"{name}: undefined, {result.reason}")
        else:
            warnings.extend(
                f"{name}: annotator {skipped.annotator!r} skipped: {skipped.reason}"
                for skipped in result.evidence.skipped
            )
        few = [part.annotator for part in result.evidence.annotators if FEW_ITEMS in part.plain.flags]
        wilcoxon = any(part.plain.method == "wilcoxon" for part in result.evidence.annotators)
        if few:
            warnings.append(
                f"{name}: fewer than 30 items against {', '.join(map(repr, few))}"
                + (": Wilcoxon's test, which rejects too often where most items are ties" if wilcoxon else "")
            )
        rare = [part.annotator for part in result.evidence.annotators if FEW_EFFECTIVE in part.plain.flags]
        if rare:
            warnings.append(
                f"{name}: fewer than 30 effective items against {', '.join(map(repr, rare))}: "
                "a few items of rare labels carry most of the weight"
            )
        constant = [part.annotator for part in result.evidence.annotators if CONSTANT in part.plain.flags]
        if constant:
            warnings.append(
                f"{name}: every item compares alike against {', '.join(map(repr, constant))}: "
                "no variance, the p-value is the limit 0 or 1"
            )
        unjudged = max((part.n_unjudged for part in result.evidence.comparisons), default=0)
        if unjudged:
            warnings.append(
                f"{name}: gave no label on up to {unjudged} of an annotator's items; they are left out, "
                "which favours a judge that leaves out hard items"
            )
    return warnings
