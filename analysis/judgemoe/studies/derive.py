"""All studies of a suite, as the values of its derived files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analysis.judgemoe.studies.access import access
from analysis.judgemoe.studies.architectures import architectures
from analysis.judgemoe.studies.behaviour import cell_behaviour, closer_summary
from analysis.judgemoe.studies.comparison import compare_cell, summarise, weighted_subsets
from analysis.judgemoe.studies.data import cell_data
from analysis.judgemoe.studies.efficiency import efficiency
from analysis.judgemoe.studies.evaluators import evaluators
from analysis.judgemoe.studies.experts import follow_up
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.pairwise import pairwise
from analysis.judgemoe.studies.predictions import compact_pool, predict_test
from analysis.judgemoe.studies.protocols import diversity, ranges, styles
from analysis.judgemoe.studies.selection import select_cell, strategies
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.theory import cell_theory


def derive(suite: PoolSuite, gates: GateBook) -> dict[str, dict[str, Any]]:
    """Values by derived file. A study that a suite has no input for is ``{"skipped": reason}``."""
    compact = compact_pool(suite)
    comparisons, behaviours, selections = {}, {}, {}
    for cell in suite.cells:
        found = predict_test(suite, cell, gates, compact)
        comparisons[cell.name] = compare_cell(found)
        behaviours[cell.name] = cell_behaviour(found)
        selections[cell.name] = select_cell(suite, cell, gates, compact)
    original = [behaviours[cell.name] for cell in suite.original]
    studies: dict[str, Callable[[], dict[str, Any]]] = {
        "architectures": lambda: architectures(suite, gates, compact),
        "access": lambda: access(suite, gates),
        "efficiency": lambda: efficiency(suite, gates),
        "experts": lambda: {study.name: follow_up(suite, study, gates) for study in suite.followups},
        "pairwise": lambda: pairwise(suite, gates, compact),
        "protocol": lambda: ranges(suite.protocol),
        "styles": lambda: styles(suite),
        "diversity": lambda: diversity(suite, gates) or {"skipped": "the default style has a single judge"},
    }
    skipped = dict(suite.skipped)
    return {
        "overview": {
            "suite": suite.name,
            "title": suite.title,
            "label": suite.label,
            "records": suite.records,
            "original": [cell.name for cell in suite.original],
            "additional": [cell.name for cell in suite.cells if cell.name in suite.additional],
            "compact": list(compact),
        },
        "data": {cell.name: cell_data(cell) for cell in (*suite.cells, *suite.preferences)},
        "comparison": {
            "cells": comparisons,
            "summary": summarise(suite, comparisons),
            "weighted_subsets": weighted_subsets(suite, comparisons),
            **({"evaluators": evaluators(suite, gates, compact)} if suite.evaluators else {}),
        },
        "behaviour": {"cells": behaviours, "closer": closer_summary(original)},
        "selection": {"cells": selections, **strategies(suite, selections)},
        "theory": {cell.name: cell_theory(cell) for cell in suite.cells},
        **{
            name: {"skipped": skipped.pop(name)} if name in skipped else study()
            for name, study in studies.items()
        },
        # Studies that only other suites make.
        **{name: {"skipped": reason} for name, reason in skipped.items()},
    }
