"""The panels that a set's judges make, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from analysis.alt_test.annotations import Annotations, Judge, Labels, encode_humans
from analysis.alt_test.optimal import majority_judge
from analysis.alt_test.panels.binary import binary_panel, stacked_judge, unweighted_judge
from analysis.alt_test.panels.scores import calibrated_judge, mean_pool, median_pool, score_panel
from analysis.alt_test.study.sets import AnnotationSet
from raim.errors import InputError

#: Titles of the panels in tables.
TITLES: Final = {
    "stacked": "stacked panel",
    "stacked_told": "stacked panel, told the annotator's labels",
    "unweighted": "unweighted majority",
    "mean": "mean of the judges",
    "mean_rounded": "mean, rounded",
    "median": "median of the judges",
    "median_rounded": "median, rounded",
    "calibrated": "calibrated pool",
    "calibrated_rounded": "calibrated pool, rounded",
    "plurality": "plurality of the judges",
}


def panels_of(one: AnnotationSet, humans: Annotations, judges: Mapping[str, Labels]) -> dict[str, Judge]:
    """The set's panels as judges."""
    if one.panel == "binary":
        if one.positive is None or one.negative is None:
            raise InputError(f"set {one.name!r}: a binary panel needs its `positive` and `negative` labels")
        panel = binary_panel(humans, judges, one.positive, one.negative)
        return {
            "stacked": stacked_judge(panel, one.document_of),
            "stacked_told": stacked_judge(panel, one.document_of, leave_out=False),
            "unweighted": unweighted_judge(panel),
        }
    if one.panel == "scores":
        pool = score_panel(humans, judges)
        mean, median = mean_pool(pool), median_pool(pool)
        return {
            "mean": pool.judge(mean),
            "mean_rounded": pool.judge(mean, rounded=True),
            "median": pool.judge(median),
            "median_rounded": pool.judge(median, rounded=True),
            "calibrated": calibrated_judge(pool, one.document_of, one.aspect_of, rounded=False),
            "calibrated_rounded": calibrated_judge(pool, one.document_of, one.aspect_of, rounded=True),
        }
    return {"plurality": majority_judge(judges)}


def constant_judge(humans: Annotations) -> dict[object, object]:
    """The humans' most frequent label on every item: the judge that label imbalance rewards (B.3, D.1)."""
    panel = encode_humans(humans)
    codes = panel.codes[panel.codes >= 0]
    most = max(range(len(panel.vocabulary)), key=lambda code: int((codes == code).sum()))
    return dict.fromkeys(panel.items, panel.vocabulary.labels[most])
