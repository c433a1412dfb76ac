"""The report of one suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import raim
from analysis.pipeline.build import Output
from analysis.pipeline.derived import Derived
from analysis.report.checks import checks, publication
from analysis.report.class_shares import class_shares
from analysis.report.outputs import shown_figures, shown_tables
from analysis.report.page import Page, Section
from analysis.report.panels import panels
from analysis.report.plane import plane
from analysis.report.readings import readings

_PLANE = "figure-3a"


def suite_page(
    derived: Derived, outputs: Mapping[str, Sequence[Output]], figures: Path, committed: Path | None
) -> Page:
    """The page of a suite.

    Parameters
    ----------
    derived : the suite's derived files
    outputs : what was made of it, by ``tables`` and ``figures``
    figures : the folder that the figures were drawn into
    committed : the committed derived tier to compare with; None where the configuration compares with none
    """
    overview = derived.overview
    drawn = shown_figures(outputs["figures"], derived, figures)
    in_plane = tuple(one for one in drawn if one.anchor == _PLANE and one.content is not None)
    elsewhere = [
        replace(one, anchor=f"{_PLANE}-place", content=None, elsewhere=_PLANE) if one in in_plane else one
        for one in drawn
    ]
    return Page(
        overview["title"],
        overview["label"],
        facts(derived),
        (
            checks(derived.folder, committed),
            readings(derived),
            replace(plane(derived), shown=in_plane),
            panels(derived),
            class_shares(derived),
            Section("tables", "Tables", shown=shown_tables(outputs["tables"], derived)),
            Section("figures", "Figures", shown=tuple(elsewhere)),
            publication(derived),
        ),
    )


def facts(derived: Derived) -> tuple[tuple[str, str], ...]:
    """The stamp of a suite, in full."""
    overview = derived.overview
    return (
        ("Suite", overview["suite"]),
        ("Label", overview["label"] or "none"),
        ("Digest of the records", overview["records"]),
        ("Made by", f"raim {raim.__version__}"),
    )
