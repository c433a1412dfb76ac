"""A result as a page for the terminal, from the plain values of :mod:`analysis.alt_test.report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.terminal import table
from raim.safe_text import printable

_SCALES = (
    ("cohen_kappa", "Cohen's kappa"),
    ("pearson", "Pearson"),
    ("spearman", "Spearman"),
)


def render(report: Mapping[str, Any]) -> str:
    """The page: settings, agreement among the humans, judges, annotators, who was skipped, domains, pairings."""
    parts = [_settings(report["settings"]), _agreement(report["agreement"])]
    if "combined" in report:
        parts.append(_combined(report["combined"]))
    else:
        parts += [_judges(report["judges"]), _annotators(report["judges"])]
        parts += [_skipped(report["skipped"])]
    if "claims" in report:
        parts += [_domains(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _settings(settings: Mapping[str, Any]) -> str:
    line = f"score {settings['score']}, epsilon {settings['epsilon']:g}, q {settings['q']:g}"
    reason = settings["epsilon_reason"] or "no reason given; reports should give one, --epsilon-reason"
    line += f" (epsilon: {printable(reason)})"
    if settings["reference"]:
        line += f"; against {printable(settings['reference'])}"
    if settings["weighting"]:
        line += f"; items weighted by {settings['weighting']}"
    return f"Alternative annotator test: {line}"


def _agreement(agreement: Mapping[str, Any]) -> str:
    shown = []
    for key, name in _SCALES:
        if agreement[key] is not None:
            shown.append(f"{name} {_number(agreement[key]['mean'])} ({agreement[key]['n_pairs']} pairs)")
    shown.append(f"Fleiss' kappa {_number(agreement['fleiss_kappa'])}")
    alpha = agreement["krippendorff_alpha"]
    shown += [
        f"Krippendorff's alpha, {scale} {_number(value)}"
        for scale, value in alpha.items()
        if value is not None
    ]
    where = f"{agreement['n_annotators']} annotators, {agreement['n_items']} items with two labels or more"
    return f"Agreement among humans ({where}): " + ", ".join(shown)


def _judges(judges: Mapping[str, Any]) -> str:
    robust = any("cluster_robust" in judge for judge in judges.values())
    header = ["judge", "passes", "winning rate", "advantage prob."]
    header += ["cluster-robust rate"] if robust else []
    header += ["accuracy", "Pearson"]
    rows = [header]
    for name, judge in judges.items():
        measures = judge.get("traditional") or {}
        row = [
            name,
            _verdict(judge["passes"]),
            _number(judge["winning_rate"]),
            _number(judge["advantage_probability"]),
        ]
        if robust:
            row.append(_number((judge.get("cluster_robust") or {}).get("winning_rate")))
        rows.append([*row, _number(measures.get("accuracy")), _number(measures.get("pearson"))])
    return table(rows, left=2)


def _annotators(judges: Mapping[str, Any]) -> str:
    rows = [["judge", "annotator", "n", "advantage", "p", "rejected", "test"]]
    for name, judge in judges.items():
        rows += [
            [
                name,
                annotator,
                str(part["n"]),
                _number(part["advantage"]),
                f"{part['p_value']:.2g}",
                "yes" if part["rejected"] else "no",
                " ".join([part["test"], *part["flags"]]),
            ]
            for annotator, part in judge["annotators"].items()
        ]
    return table(rows, left=2) if len(rows) > 1 else ""


def _skipped(skipped: Mapping[str, Any]) -> str:
    lines = [
        f"skipped: annotator {printable(annotator)} for {printable(judge)}: {entry['reason']}"
        for annotator, by_judge in skipped["annotators"].items()
        for judge, entry in by_judge.items()
    ]
    items = skipped["items"]
    if items["too_few_humans"]:
        lines.append(f"left out: {items['too_few_humans']} items that too few humans labelled")
    if items["no_judge"]:
        lines.append(f"left out: {items['no_judge']} items that no judge labelled")
    return "\n".join(lines)


def _domains(report: Mapping[str, Any]) -> str:
    rows = [["domain", "judge", "passes", "winning rate", "advantage prob."]]
    for domain, one in report["domains"].items():
        rows += [
            [
                domain,
                name,
                _verdict(j["passes"]),
                _number(j["winning_rate"]),
                _number(j["advantage_probability"]),
            ]
            for name, j in one["judges"].items()
        ]
    claims = [printable(claim["claim"]) for claim in report["claims"].values()]
    return "\n".join([table(rows, left=3), "", *claims])


def _combined(combined: Mapping[str, Any]) -> str:
    rows = [["judge", "mean winning rate", "mean advantage prob.", "share of pairings passed"]]
    rows += [
        [name, *(_number(judge[key]) for key in ("winning_rate", "advantage_probability", "share_passed"))]
        for name, judge in combined["judges"].items()
    ]
    return f"Combined annotators, {len(combined['pairings'])} pairings\n" + table(rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _verdict(passes: bool | None) -> str:
    return "undefined" if passes is None else "yes" if passes else "no"
