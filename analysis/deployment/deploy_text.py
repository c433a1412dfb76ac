"""Models and their verdicts as pages for the terminal and as CSV."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.deployment.deploy import Model, Verdicts
from analysis.terminal import table
from raim.safe_text import csv_data

_PARAGRAPH = 100
_CALLS = {True: "admissible", False: "not admissible", None: "undefined"}


def verdicts_csv(result: Verdicts) -> str:
    """``item,verdict,probability,committed``, a line an item in the order of the votes.

    Ids as they were given, but for an apostrophe before one that a spreadsheet would run as a formula.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("item", "verdict", "probability", "committed"))
    for row in zip(result.uids, result.verdicts, result.probabilities, result.committed, strict=True):
        uid, verdict, probability, committed = row
        writer.writerow((csv_data(uid), int(verdict), f"{probability:.10g}", int(committed)))
    return stream.getvalue()


def render_fit(model: Mapping[str, Any]) -> str:
    """The members with their weights, what the panel is worth out of fold, and the admissibility call."""
    rows = [("member", "weight", "fold mean", "fold sd", "kappa", "coverage", "says 1")]
    for name, member in model["members"].items():
        folds = member["folds"]
        rows.append(
            (
                name,
                _signed(member["weight"]),
                _signed(folds["mean"]),
                _plain(folds["sd"]),
                _plain(member["kappa"]),
                _plain(member["coverage"]),
                f"{member['hallucinated']:.1%}",
            )
        )
    evidence, call = model["out_of_fold"], model["admissibility"]
    delta = evidence["stacked-best_cv"]["kappa"]
    scores = [("out of fold", "kappa", "95% interval")]
    for title, score in (
        ("stacked panel", evidence["stacked"]["kappa"]),
        ("best member (CV)", evidence["best_cv"]["kappa"]),
        ("difference", delta),
    ):
        scores.append((title, _plain(score["resample_mean"]), _range(score)))
    lines = [
        f"{model['n_items']:,} items of {model['n_clusters']:,} records, {model['prevalence']:.1%} hallucinated",
        "",
        table(rows),
        f"intercept {_signed(model['intercept']['value'])}",
        "",
        table(scores),
        f"{delta['reading'] or 'undefined'}; verdict: {evidence['verdict'] or 'undefined'}",
        "",
        f"{_CALLS[call['admissible']]}: {call['competent']} members competent, {call['required']} required",
        f"phi-bar {_plain(call['phi_bar'])}, at most {call['thresholds']['phi']:.2f} admitted",
    ]
    return _page(lines, model["notes"])


def render_apply(model: Model, result: Verdicts) -> str:
    """How many items were called hallucinated, and how each member's habits changed since the fit."""
    n, ones = len(result.uids), int(result.verdicts.sum())
    rows = [("member", "coverage at fit", "now", "says 1 at fit", "now")]
    for column, name in enumerate(model.members):
        now = result.hallucinated[column]
        rows.append(
            (
                name,
                f"{model.coverage[column]:.3f}",
                f"{result.coverage[column]:.3f}",
                f"{model.hallucinated[column]:.1%}",
                "-" if np.isnan(now) else f"{now:.1%}",
            )
        )
    notes = []
    silent = int((result.committed == 0).sum())
    if silent:
        notes.append(
            f"On {silent} of {n} items no member gave a verdict: there the model speaks without evidence."
        )
    return _page([f"{ones:,} of {n:,} items called hallucinated ({ones / n:.1%}).", "", table(rows)], notes)


def _page(lines: list[str], notes: list[str]) -> str:
    wrapped = [textwrap.fill(note, _PARAGRAPH, initial_indent="- ", subsequent_indent="  ") for note in notes]
    return "\n".join([*lines, *(["", "Notes", *wrapped] if notes else []), ""])


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"


def _range(entry: Mapping[str, Any]) -> str:
    return "" if entry["low"] is None else f"[{entry['low']:.3f}, {entry['high']:.3f}]"
