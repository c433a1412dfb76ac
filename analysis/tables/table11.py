"""Table 11: the frame contrast."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Number, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 11, "Frame contrast", "RAIM, appendix F"
READS = ("frame_contrast",)


def build(derived: Derived) -> Table:
    """The unweighted panel, the number of competent members and the comparators, under either frame."""
    contrasts, _ = derived.read_each("frame_contrast")
    overview = derived.overview
    judges = list(dict.fromkeys(name for values in contrasts.values() for name in values["comparators"]))
    tags = [overview["roster"][name]["tag"] for name in judges]
    rows: list[list[Cell]] = []
    for name, values in contrasts.items():
        panel = values["panel"]
        delta = panel["delta"]["balanced_accuracy"]
        rows.append(
            [
                overview["benchmarks"][name]["title"],
                _bacc(panel["def_on"]["balanced_accuracy"], "estimate"),
                _bacc(panel["own"]["balanced_accuracy"], "estimate"),
                _bacc(delta, interval=True, signed=True),
                *(f"{values['competent'][frame]}/{values['n_members']}" for frame in ("def_on", "own")),
                *(
                    _kappa(values["comparators"].get(judge), frame)
                    for judge in judges
                    for frame in ("def_on", "own")
                ),
            ]
        )
    return Table(
        f"Table {NUMBER}",
        "Frame contrast: the question-answering rubric (def_on) against the frame that each benchmark is scored under.",
        ("benchmark", "def_on", "own", "Δ", "def_on", "own", *("def_on", "own") * len(judges)),
        rows,
        derived.stamp,
        groups=(
            ("", 1),
            ("unweighted panel, balanced accuracy", 3),
            (f"members at κ ≥ {next(iter(contrasts.values()))['kappa_bar']:.2f}", 2),
            *((f"{tag}, κ", 2) for tag in tags),
        ),
        footnotes=(
            "own: the benchmark's own frame, claim support on the LLM-AggreFact sets.",
            "Δ: paired difference (own − def_on) with its 95% cluster-bootstrap interval, the same resample for both.",
        ),
    )


def _bacc(entry: Mapping[str, Any], value: str = "resample_mean", **style: Any) -> Number:
    return score(entry, value, decimals=1, scale=100.0, **style)


def _kappa(judge: Mapping[str, Any] | None, frame: str) -> Number:
    if judge is None:
        return Number(None, reason="not asked under both frames")
    return score(judge[frame]["kappa"])
