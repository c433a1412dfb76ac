"""What only a whole suite knows: its members' scores side by side, and the member that is best on average."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.combiners.best_single import best_on_average
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.votes import VoteMatrix


def overview(
    suite: str, records: str, panels: Mapping[str, VoteMatrix], left_out: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Overview of a suite as JSON-able values.

    Parameters
    ----------
    suite : its name
    records : digest of its released records
    panels : the votes of each benchmark
    left_out : per benchmark, members that are not in its panel, each with the reason
    """
    kappas = {name: _kappas(panel) for name, panel in panels.items()}
    return {
        "suite": suite,
        "records": records,
        "best_on_average": best_on_average(kappas),
        "members": sorted({member for panel in panels.values() for member in panel.members}),
        "benchmarks": {
            name: {
                "n_items": panel.n_items,
                "n_clusters": panel.n_clusters,
                "prevalence": panel.prevalence,
                "members": {
                    member: {"kappa": kappas[name][member], "n_scored": int(n), "n_total": panel.n_items}
                    for member, n in zip(
                        panel.members, confusion(panel.votes, panel.gold).committed, strict=True
                    )
                },
                "left_out": dict(sorted(left_out.get(name, {}).items())),
            }
            for name, panel in panels.items()
        },
    }


def _kappas(panel: VoteMatrix) -> dict[str, float | None]:
    values = kappa(confusion(panel.votes, panel.gold))
    return {
        member: None if np.isnan(value) else float(value)
        for member, value in zip(panel.members, values, strict=True)
    }
