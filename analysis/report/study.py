"""The report of a study beside the suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import raim
from analysis.pipeline.build import Output
from analysis.pipeline.derived import Derived
from analysis.report.checks import checks
from analysis.report.outputs import shown_figures, shown_tables
from analysis.report.page import Page, Section

#: Of one part of a study: its derived files, what was made of them by ``tables`` and ``figures``, the figures' folder.
Part = tuple[Derived, Mapping[str, Sequence[Output]], Path]


def study_page(
    title: str,
    folder: Path,
    parts: Mapping[str, Part],
    committed: Path | None,
    compared: Sequence[str] | None = None,
) -> Page:
    """The page of a study.

    Parameters
    ----------
    title : of the study
    folder : its derived files
    parts : by the name that sets the anchors of a part's outputs apart; empty for a study of one part
    committed : the committed derived tier to compare with; None where there is none
    compared : the parts that have committed numbers; None where all have
    """
    overviews = [derived.overview for derived, _, _ in parts.values()]
    records = "Digest of the records"
    return Page(
        title,
        overviews[0]["label"] if len(overviews) == 1 else "",
        (
            *((f"{records}: {overview['title']}", overview["records"]) for overview in overviews),
            ("Made by", f"raim {raim.__version__}"),
        ),
        (
            checks(folder, committed, compared),
            *(_section(name, *part) for name, part in parts.items()),
        ),
    )


def _section(name: str, derived: Derived, outputs: Mapping[str, Sequence[Output]], figures: Path) -> Section:
    overview = derived.overview
    return Section(
        name or "outputs",
        overview["title"],
        paragraphs=(f"{overview['label'].rstrip('.')}.",),
        points=_about(overview),
        shown=(
            *shown_tables(outputs["tables"], derived, name),
            *shown_figures(outputs["figures"], derived, figures, name),
        ),
    )


def _about(overview: Mapping[str, Any]) -> tuple[str, ...]:
    """The sets of annotations, or the cells of a pool."""
    if "benchmarks" in overview:
        return tuple(
            f"{entry['title']}: {entry['n_items']:,} items in {entry['n_clusters']:,} documents, "
            f"{len(entry['members'])} judges."
            for entry in overview["benchmarks"].values()
        )
    cells = {kind: overview[kind] for kind in ("original", "additional") if overview[kind]}
    return tuple(f"{len(names)} {kind} cells: {', '.join(names)}." for kind, names in cells.items())
