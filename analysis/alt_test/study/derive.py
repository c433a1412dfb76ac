"""Every number of the study on one set, as plain values by step."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.alt_test.annotations import Annotations, Judge, Labels, encode_humans
from analysis.alt_test.domains import alt_test_over_domains, split_domains
from analysis.alt_test.files import read_annotations
from analysis.alt_test.full_report import Request, full_report
from analysis.alt_test.labels import is_missing
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.results import AltTestResult
from analysis.alt_test.setup import Setup
from analysis.alt_test.study.pools import constant_judge, panels_of
from analysis.alt_test.study.sets import AnnotationSet
from analysis.alt_test.weighting import InverseProbability, majority_shares


def derive_set(one: AnnotationSet, humans_file: Path, judges_file: Path) -> dict[str, dict[str, Any]]:
    """Steps ``test``, ``panels``, ``weighted`` and ``labels`` of a set.

    Annotations are the publishers'; what is kept are aggregates, and the digests of the files they were made from.
    """
    humans, judges = read_annotations(humans_file), read_annotations(judges_file)
    setup = Setup(score=one.score, epsilon=one.epsilon, clusters=one.document_of)
    request = Request(setup, epsilon_reason=one.annotators, domains=one.aspect_of, sweep=True)
    panels = panels_of(one, humans, judges)
    about = {
        "set": one.as_json(),
        "sources": {"humans": _digest(humans_file), "judges": _digest(judges_file)},
        "items_by_annotator": {name: len(labels) for name, labels in humans.items()},
        "n_documents": len({one.document_of(item) for labels in humans.values() for item in labels}),
    }
    everybody: dict[str, Judge] = {**judges, **panels, "constant": constant_judge(humans)}
    weighted = replace(setup, weighting=InverseProbability(), clusters=None)
    return {
        "test": {**about, **_report(humans, judges, request)},
        "panels": _report(humans, panels, request),
        "weighted": {
            "plain": _summary(humans, everybody, replace(setup, clusters=None), one),
            "weighted": _summary(humans, everybody, weighted, one),
        },
        "labels": label_shares(one, humans, judges),
    }


def _report(humans: Annotations, judges: Mapping[str, Judge], request: Request) -> dict[str, Any]:
    """The full report; in the derived tier ``skipped`` at the top means that a whole step was skipped."""
    report = full_report(humans, judges, request)
    return {("left_out" if key == "skipped" else key): value for key, value in report.items()}


def label_shares(one: AnnotationSet, humans: Annotations, judges: Mapping[str, Labels]) -> dict[str, Any]:
    """By aspect, the share of each label among the humans' labels, their majorities, and each judge's labels (Table 6).

    Of tied majorities each label has its part.
    """
    panel = encode_humans(humans)
    shares = majority_shares(panel.codes, panel.codes >= 0)
    labels = panel.vocabulary.labels
    rows: dict[str, list[int]] = {aspect: [] for aspect in one.aspects}
    for row, item in enumerate(panel.items):
        rows[one.aspect_of(item)].append(row)
    out: dict[str, Any] = {}
    for aspect, members in rows.items():
        counts = Counter[Hashable]()
        majority = dict.fromkeys(labels, 0.0)
        for row in members:
            for code, share in zip(panel.codes[row], shares[row], strict=True):
                if code >= 0:
                    counts[labels[code]] += 1
                    majority[labels[code]] += float(share)
        items = {panel.items[row] for row in members}
        given = {name: _counts(judge, items) for name, judge in judges.items()}
        out[aspect] = {
            "n_items": len(members),
            "humans": _normalised(counts, labels),
            "majority": _normalised(majority, labels),
            "judges": {
                name: _normalised(count, sorted({*labels, *count}, key=str)) for name, count in given.items()
            },
        }
    return out


def _summary(
    humans: Annotations, judges: Mapping[str, Judge], setup: Setup, one: AnnotationSet
) -> dict[str, dict[str, Any]]:
    """Omega, rho, whether it passes, and the annotators' effective items, over all items and by aspect."""
    by_aspect = alt_test_over_domains(split_domains(humans, judges, setup, one.aspect_of))
    return {
        "all": _judges(alt_test(humans, judges, setup)),
        **{
            aspect: _judges(by_aspect.domains[aspect])
            for aspect in one.aspects
            if aspect in by_aspect.domains
        },
    }


def _judges(result: AltTestResult) -> dict[str, Any]:
    return {
        name: {
            "winning_rate": judge.winning_rate,
            "advantage_probability": judge.advantage_probability,
            "passes": judge.passes,
            "n_effective": [part.plain.n_effective for part in judge.evidence.annotators],
        }
        for name, judge in result.judges.items()
    }


def _counts(judge: Labels, items: set[Hashable]) -> Counter[Hashable]:
    return Counter(label for item, label in judge.items() if item in items and not is_missing(label))


def _normalised(counts: Mapping[Hashable, float], labels: Any) -> dict[str, float]:
    total = sum(counts.values())
    return {str(label): counts.get(label, 0) / total if total else 0.0 for label in labels}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
