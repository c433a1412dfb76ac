"""What the study's outputs are stamped with, and the panels of the simulation as plain values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from analysis.alt_test.simulation.annotations import Noise
from analysis.alt_test.simulation.curves import Curves, Design, simulate_curves
from analysis.alt_test.simulation.grids import FIGURE_4, FIGURE_5, panel_rng

#: Name of the study's folder in ``derived/`` and ``results/``.
SUITE = "alt_test"


def overview(tests: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The ``overview`` step from each set's ``test`` step; sets stand in the order of their names."""
    tests = {name: tests[name] for name in sorted(tests)}
    sources = {name: dict(test["sources"]) for name, test in tests.items()}
    text = "".join(
        f"{name} {kind} {digest}\n" for name, one in sources.items() for kind, digest in one.items()
    )
    return {
        "suite": SUITE,
        "title": "Alternative annotator test",
        "label": "Annotations as their publishers released them; Figures 4 and 5: simulated",
        "records": hashlib.sha256(text.encode("utf-8")).hexdigest(),
        "benchmarks": {name: _entry(test) for name, test in tests.items()},
        "sources": sources,
    }


def _entry(test: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": test["set"]["title"],
        "n_items": test["n_items"],
        "n_clusters": test["n_documents"],
        "members": {judge: {} for judge in test["judges"]},
        "left_out": {},
    }


def simulation(seed: int = 0, design: Design | None = None) -> dict[str, Any]:
    """The ``simulation`` step: the panels of Figures 4 and 5, by row and column."""
    design = design or Design()
    noises = dict.fromkeys(noise for figure in (FIGURE_4, FIGURE_5) for row in figure for noise in row)
    curves = {noise: simulate_curves(noise, panel_rng(noise, seed), design) for noise in noises}
    return {
        "design": {**asdict(design), "sizes": list(design.sizes), "epsilons": list(design.epsilons)},
        "seed": seed,
        "figure4": _grid(FIGURE_4, curves),
        "figure5": _grid(FIGURE_5, curves),
    }


def _grid(figure: Sequence[Sequence[Noise]], curves: Mapping[Noise, Curves]) -> list[list[dict[str, Any]]]:
    return [[_panel(curves[noise]) for noise in row] for row in figure]


def _panel(curves: Curves) -> dict[str, Any]:
    return {
        "categories": curves.noise.categories,
        "human_noise": curves.noise.human,
        "judge_noise": curves.noise.judge,
        "kappa": curves.kappa,
        "accuracy": curves.accuracy,
        "winning_rate": curves.winning_rate.tolist(),
        "pass_rate": curves.pass_rate.tolist(),
        "rho": curves.rho.tolist(),
        "rho_low": curves.rho_low.tolist(),
        "rho_high": curves.rho_high.tolist(),
    }
