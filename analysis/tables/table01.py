"""Table 1: the comparator ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.panel.roster import benchmark_title, by_tier, frontier_judge, judge_title, of_judge, panel_notes
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Heading, Row, difference, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 1, "Comparator ladder", "RAIM, section 3"
READS = ("ladder", "judges", "frontier")

NOT_APPLICABLE = "n/a"
LABEL_FREE = ("average_member", "unweighted", "dawid_skene")
SINGLE = ("best_on_average", "best_cv", "oracle")
_POINTS: dict[str, Any] = {"decimals": 1, "scale": 100.0}

Values = Mapping[str, Any]


def build(derived: Derived) -> Table:
    """Levels of every comparator and the panel's paired differences, with a count of their readings."""
    ladders, _ = derived.read_each("ladder")
    frontier = frontier_judge(derived)
    levels, paired = (of_judge(derived, step, frontier) for step in ("judges", "frontier"))
    rows: list[Row] = []
    for tier, names in by_tier(derived, list(ladders)).items():
        rows.append(Heading(tier))
        rows += [
            [
                benchmark_title(derived, name),
                ladders[name]["n_items"],
                *_levels(ladders[name]),
                *_judge(levels.get(name)),
                *_deltas(ladders[name], paired.get(name)),
            ]
            for name in names
        ]
    tag = "none" if frontier is None else judge_title(derived, frontier)
    return Table(
        f"Table {NUMBER}",
        "Comparator ladder. Columns are ordered by the labelled information that each comparator consumes; κ as a "
        "decimal, bacc (balanced accuracy) as a percentage.",
        (
            *("dataset", "n", "avg. mem.", "unw.", "D–S", "best (avg)", "best (CV)", "oracle"),
            *("κ", "bacc", "κ", "bacc", "avg. mem. (κ)", "best (CV) (κ)", "frontier (κ)", "frontier (bacc)"),
        ),
        rows,
        derived.stamp,
        groups=(
            ("", 2),
            ("label-free, κ", 3),
            ("single judge, label-selected, κ", 3),
            ("stacked panel", 2),
            (f"frontier ({tag})", 2),
            ("paired Δ (panel − comparator)", 4),
        ),
        foot=[_counts(list(ladders.values()), [paired.get(name) for name in ladders])],
        footnotes=[
            "avg. mem.: average member; unw.: unweighted majority; D–S: Dawid–Skene.",
            "best (avg): best on average over the suite; best (CV): by cross-validation; oracle: on the test set.",
            "Levels and Δ: means over 2000 paired cluster-bootstrap draws; bold: the 95% interval excludes zero.",
            "The CSV has the intervals and the sample estimates.",
            "count: improvements / worsenings, each as clear (unresolved), read before rounding.",
            "‡: beats the oracle too; §: the frontier judge is not clearly ahead.",
            *_missing_notes(derived, frontier, list(ladders), levels),
            *panel_notes(derived, list(ladders)),
        ],
    )


def _levels(ladder: Values) -> list[Cell]:
    methods = ladder["methods"]
    cells: list[Cell] = [
        score(methods[method]["kappa"]) if method in methods else NOT_APPLICABLE
        for method in (*LABEL_FREE, *SINGLE)
    ]
    stacked = methods["stacked"]
    return [*cells, score(stacked["kappa"]), score(stacked["balanced_accuracy"], **_POINTS)]


def _judge(levels: Values | None) -> list[Cell]:
    if levels is None:
        return [NOT_APPLICABLE, NOT_APPLICABLE]
    return [score(levels["kappa"]), score(levels["committed_balanced_accuracy"], **_POINTS)]


def _deltas(ladder: Values, paired: Values | None) -> list[Cell]:
    deltas = ladder["deltas"]
    clean = "‡" if ladder["verdict"] == "clean win" else ""
    cells: list[Cell] = [
        difference(deltas["stacked-average_member"]["kappa"]),
        difference(deltas["stacked-best_cv"]["kappa"], mark=clean),
    ]
    if paired is None or "kappa" not in paired:
        return [*cells, NOT_APPLICABLE, NOT_APPLICABLE]
    level = "" if paired["verdict"] in ("judge ahead", None) else "§"
    return [
        *cells,
        difference(paired["kappa"]["delta"], mark=level),
        difference(paired["balanced_accuracy"]["delta"], decimals=2, scale=100.0),
    ]


def _counts(ladders: Sequence[Values], paired: Sequence[Values | None]) -> list[str]:
    columns = [
        [ladder["deltas"][f"stacked-{other}"]["kappa"] for ladder in ladders]
        for other in ("average_member", "best_cv")
    ]
    columns += [
        [entry[metric]["delta"] for entry in paired if entry is not None and metric in entry]
        for metric in ("kappa", "balanced_accuracy")
    ]
    return [
        "count ↑ / ↓",
        *[""] * 11,
        *(_tally([entry["reading"] for entry in column]) for column in columns),
    ]


def _tally(readings: Sequence[str | None]) -> str:
    def count(reading: str) -> str:
        return str(readings.count(reading)) if reading in readings else "–"

    if not readings:
        return NOT_APPLICABLE
    return " / ".join(
        f"{count(f'clear {direction}')} ({count(f'unresolved {direction}')})"
        for direction in ("improvement", "worsening")
    )


def _missing_notes(
    derived: Derived, frontier: str | None, benchmarks: Sequence[str], levels: Mapping[str, Values]
) -> list[str]:
    notes = []
    if frontier is None:
        notes.append(f"{NOT_APPLICABLE}: the suite has no frontier judge.")
    elif missing := [benchmark_title(derived, name) for name in benchmarks if name not in levels]:
        notes.append(f"{NOT_APPLICABLE}: the frontier judge has not judged {', '.join(missing)}.")
    if derived.overview["best_on_average"] is None:
        notes.append(
            f"best (avg) {NOT_APPLICABLE}: no member has a defined κ on every benchmark of the suite."
        )
    return notes
