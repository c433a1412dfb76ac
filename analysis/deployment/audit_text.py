"""An audit as a page for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from analysis.terminal import table
from analysis.wording import AGAINST, METHODS, VERDICTS, call_in_words
from raim.safe_text import printable

_PARAGRAPH = 100
_MEMBERS = "Scores on the sample itself. Weight, sd: the stacker's coefficient over the folds; rank 1 is the largest."


def render(result: Mapping[str, Any]) -> str:
    """The members, the ladder, the stacked panel's differences, the admissibility call and the verdict."""
    members, methods = result["members"], result["methods"]
    fits = result["weights"]["stacked"]["members"]
    rows = [("member", "kappa", "bacc %", "coverage", "scored", "weight", "sd", "rank")]
    rows += [
        (
            name,
            _number(member["kappa"]),
            _percent(member["balanced_accuracy"]),
            _number(member["coverage"]),
            f"{member['n_scored']}/{member['n_total']}",
            _number(fits[name]["mean"], signed=True),
            _number(fits[name]["sd"]),
            str(fits[name].get("rank", "-")),
        )
        for name, member in members.items()
    ]
    ladder = [("method", "kappa", "95% interval", "bacc %", "95% interval", "scored")]
    ladder += [
        (
            words,
            _number(methods[key]["kappa"]["resample_mean"]),
            _range(methods[key]["kappa"]),
            _percent(methods[key]["balanced_accuracy"]["resample_mean"]),
            _range(methods[key]["balanced_accuracy"], 100, 1),
            f"{methods[key]['kappa']['n_scored']}/{methods[key]['kappa']['n_total']}",
        )
        for key, words in METHODS.items()
    ]
    parts = [
        _size(result),
        table(rows) + "\n" + _paragraph(_MEMBERS),
        table(ladder) + f"\nMeans and percentiles of {result['n_draws']} cluster resamples.",
        *(_differences(result, metric) for metric in ("kappa", "balanced_accuracy")),
        _paragraph(f"Admissibility: {call_in_words(result['admissibility'], len(members))}"),
        _paragraph(f"Verdict: {VERDICTS[result['verdict']]}"),
    ]
    parts += [_paragraph(f"Note: {printable(note)}") for note in result["notes"]]
    return "\n\n".join(parts) + "\n"


def _paragraph(text: str) -> str:
    return textwrap.fill(text, _PARAGRAPH, break_long_words=False, break_on_hyphens=False)


def _size(result: Mapping[str, Any]) -> str:
    """What was audited, in one line."""
    members = len(result["members"])
    return (
        f"{printable(result['input']['name'])}: {result['n_items']} items in {result['n_clusters']} clusters, "
        f"{members} {'member' if members == 1 else 'members'}, {result['prevalence']:.1%} hallucinated (gold 1)"
    )


def _differences(result: Mapping[str, Any], metric: str) -> str:
    scale, digits = (1, 3) if metric == "kappa" else (100, 2)
    unit = "kappa" if metric == "kappa" else "bacc, points"
    rows = [("stacked panel minus", "reading", unit, "95% interval", "one-sided p")]
    for other in AGAINST:
        delta = result["deltas"][f"stacked-{other}"][metric]
        mean = delta["resample_mean"]
        rows.append(
            (
                METHODS[other],
                delta["reading"] or "undefined",
                "-" if mean is None else f"{mean * scale:+.{digits}f}",
                _range(delta, scale, digits, signed=True),
                delta["p_text"] or "-",
            )
        )
    return table(rows, left=2)


def _number(value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.3f}" if signed else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _range(score: Mapping[str, Any], scale: float = 1, digits: int = 3, *, signed: bool = False) -> str:
    low, high = score["low"], score["high"]
    if low is None or high is None:
        return "-"
    sign = "+" if signed else ""
    return f"[{low * scale:{sign}.{digits}f}, {high * scale:{sign}.{digits}f}]"
