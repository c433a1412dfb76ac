"""A suite's results in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import benchmark_title, frontier_judge, judge_title, of_judge
from analysis.pipeline.derived import Derived
from analysis.report.page import Section
from analysis.skip import Skip
from analysis.tables.cells import Cell, Number, score
from analysis.tables.render import Table
from analysis.wording import AGAINST, METHODS, VERDICTS, call_in_words, chance_in_words

_COUNTED = (
    "clear_improvement",
    "unresolved_improvement",
    "no_difference",
    "unresolved_worsening",
    "clear_worsening",
    "undefined",
)


def readings(derived: Derived) -> Section:
    """What each benchmark's panel is called against its comparators, its verdict and its admissibility."""
    try:
        ladders, skipped = derived.read_each("ladder")
    except Skip as skip:
        return Section("readings", "Readings in words", paragraphs=(f"There are none: {skip}.",))
    frontier = frontier_judge(derived)
    paired = of_judge(derived, "frontier", frontier)
    beside = () if frontier is None else (f"{judge_title(derived, frontier)} (frontier)",)
    table = Table(
        "",
        "The stacked panel in kappa, and what its paired difference from each comparator is called: clear where the "
        "95% interval of 2,000 paired cluster resamples excludes zero. Levels and differences are their means.",
        ("benchmark", "stacked panel", *(METHODS[other] for other in AGAINST), *beside, "verdict"),
        [
            _row(derived, name, ladder, [] if frontier is None else [paired.get(name)])
            for name, ladder in ladders.items()
        ],
        derived.stamp,
        footnotes=[
            f"{benchmark_title(derived, name)} has no ladder: {reason}." for name, reason in skipped.items()
        ],
        origin="from */ladder.json, */frontier.json" if beside else "from */ladder.json",
    )
    return Section(
        "readings",
        "Readings in words",
        paragraphs=_counts(derived),
        points=tuple(_sentence(derived, name, ladder) for name, ladder in ladders.items()),
        grids=(table,),
    )


def _row(
    derived: Derived, name: str, ladder: Mapping[str, Any], paired: list[Mapping[str, Any] | None]
) -> list[Cell]:
    deltas = [ladder["deltas"][f"stacked-{other}"]["kappa"] for other in AGAINST]
    judged = [None if entry is None else entry.get("kappa", {}).get("delta") for entry in paired]
    return [
        benchmark_title(derived, name),
        score(ladder["methods"]["stacked"]["kappa"], interval=True),
        *(_called(delta) for delta in [*deltas, *judged]),
        ladder["verdict"] or "undefined",
    ]


def _called(delta: Mapping[str, Any] | None) -> str:
    if delta is None:
        return "not judged"
    if delta["reading"] is None:
        return "undefined"
    number = Number(delta["resample_mean"], signed=True, low=delta["low"], high=delta["high"])
    return f"{delta['reading']}: {number.text()} {number.interval_text()}"


def _sentence(derived: Derived, name: str, ladder: Mapping[str, Any]) -> str:
    call = call_in_words(ladder["admissibility"], len(ladder["members"]))
    words = [VERDICTS[ladder["verdict"]], chance_in_words(ladder), f"Admissibility: {call}"]
    return f"{benchmark_title(derived, name)}: {' '.join(filter(None, words))}"


def _counts(derived: Derived) -> tuple[str, ...]:
    """The readings against the CV-best member and the frontier judge, counted over the benchmarks."""
    try:
        counted = derived.read_suite("headlines")
    except Skip:
        return ()
    named = {f"its {METHODS['best_cv']}": counted["panel_against"]["best_cv"]}
    named |= {judge_title(derived, name): counts for name, counts in counted["frontier"].items()}
    sentences = []
    for other, counts in named.items():
        parts = [f"{name.replace('_', ' ')} on {counts[name]}" for name in _COUNTED if counts[name]]
        total = sum(counts[name] for name in _COUNTED)
        sentences.append(f"The stacked panel against {other}: {', '.join(parts)} of {total} benchmarks.")
    return tuple(sentences)
