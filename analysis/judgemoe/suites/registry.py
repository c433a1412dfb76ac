"""Suites by name, and the derived values of each.

Beside the suites named here, any name stands for a suite of distribution records of one's own, given as ``suite``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.judgemoe.studies.derive import derive
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.truth import cell_truth
from analysis.judgemoe.suites import published, recorded, simulated, summeval, topical_chat
from analysis.output import write_json
from raim.errors import InputError

#: Input files or folders of each suite, by the names that the configuration gives them.
INPUTS: dict[str, tuple[str, ...]] = {
    published.NAME: (),
    simulated.NAME: (),
    topical_chat.NAME: ("distributions", "responses"),
    summeval.NAME: ("annotations",),
    recorded.NAME: ("suite",),
}


def derived_values(name: str, inputs: Mapping[str, Path], gates: GateBook) -> dict[str, dict[str, Any]]:
    """Values by derived file of a suite.

    Raises InputError for an unknown suite, for an input that is not given or not there, and for gates that are neither
    in the book nor to be trained.
    """
    if name not in INPUTS and "suite" not in inputs:
        raise InputError(
            f"no JudgeMoE suite {name!r}; there are {', '.join(INPUTS)}, and those with a `suite` in the sources"
        )
    for needed in INPUTS.get(name, ("suite",)):
        if needed not in inputs:
            raise InputError(f"suite {name}: give its {needed} (judgemoe: sources: {name}: {needed}: PATH)")
        if not inputs[needed].exists():
            raise InputError(f"suite {name}: no {needed} at {inputs[needed]}; give the publishers' file")
    if name == published.NAME:
        return published.published_derived()
    if name == simulated.NAME:
        suite = simulated.simulated_suite()
        values = derive(suite.pool, gates)
        return {**values, "truth": {s.cell.name: cell_truth(suite.pool, s, gates) for s in suite.truth}}
    if name == topical_chat.NAME:
        pool = topical_chat.topical_chat_suite(inputs["distributions"], inputs["responses"])
    elif name == summeval.NAME:
        pool = summeval.summeval_suite(inputs["annotations"])
    else:
        pool = recorded.recorded_suite(inputs["suite"], name)
    return {**derive(pool, gates), "truth": {"skipped": "the truth behind real scores is not known"}}


def write_derived(name: str, inputs: Mapping[str, Path], gates: GateBook, folder: Path) -> None:
    """Write the derived files of a suite into a folder."""
    values = derived_values(name, inputs, gates)
    folder.mkdir(parents=True, exist_ok=True)
    for step, content in values.items():
        write_json(folder / f"{step}.json", content)
