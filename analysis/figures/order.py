"""The order of the benchmarks in figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.pipeline.derived import Derived


def by_competence(derived: Derived, among: Iterable[str] | None = None) -> list[str]:
    """Benchmarks (those of ``among``, by default all) by descending mean kappa of their members, as the paper's
    figures have them."""
    entries = derived.overview["benchmarks"]
    names = [name for name in derived.benchmarks if among is None or name in set(among)]
    return sorted(names, key=lambda name: -_mean_kappa(entries[name]["members"]))


def _mean_kappa(members: Mapping[str, Any]) -> float:
    kappas = [entry["kappa"] for entry in members.values() if entry["kappa"] is not None]
    return sum(kappas) / len(kappas) if kappas else -1.0
