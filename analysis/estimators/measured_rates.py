"""Measured throughputs in the form that the cost model reads (appendix H)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from analysis.estimators.costs import PUBLISHED_RATES
from analysis.output import write_text
from raim.errors import InputError

#: Prices that no benchmark measures: the user's to change.
_NOTE = """\
# Throughputs measured here; every price is the paper's. Change gpu_usd_per_hour to the rent of your device (a GPU, or
# the machine where there is none), and the other prices to yours; then: raim costs --rates THIS_FILE
"""


def rates_of(measured: Sequence[Mapping[str, Any]], prices: Path = PUBLISHED_RATES) -> dict[str, Any]:
    """Rates whose items per second, panel and tokens are measured and whose prices are those of a rates file.

    Parameters
    ----------
    measured : measurements of ``raim throughput``, one a judge; their judges are the panel
    prices : a file in the form of ``analysis/published/rates.yaml``

    Notes
    -----
    The cost model rents one device by the hour, so a judge on several counts with its items per second and device.

    Raises
    ------
    InputError
        If there is no measurement, or they are of different loads or hardware: their rates would not compare.
    """
    if not measured:
        raise InputError("there is no measured throughput; judges behind an API have none")
    loads = {", ".join(f"{name} {number}" for name, number in entry["load"].items()) for entry in measured}
    devices = {entry["hardware"].removeprefix(f"{entry['devices']} x ") for entry in measured}
    for what, found in (("loads", loads), ("hardware", devices)):
        if len(found) > 1:
            raise InputError(
                f"the throughputs are of different {what}: {'; '.join(sorted(found))}; measure them alike"
            )
    load, (device,) = measured[0]["load"], devices
    rates: dict[str, Any] = yaml.safe_load(prices.read_text(encoding="utf-8"))
    speeds = {entry["checkpoint"]: entry["items_per_second"] / entry["devices"] for entry in measured}
    return rates | {
        "source": (
            f"throughputs measured on {device}, batch {load['batch']} with about {load['input_tokens']} input "
            f"tokens and {load['new_tokens']} decoded; prices of the paper (appendix H)"
        ),
        "items_per_second": speeds,
        "panel": list(speeds),
        "tokens_per_item": {"input": load["input_tokens"], "output": load["new_tokens"]},
    }


def write_rates(path: Path, rates: Mapping[str, Any]) -> None:
    """Write rates with a note on what to change in them. Raises InputError if the place cannot be written to."""
    write_text(path, _NOTE + yaml.safe_dump(dict(rates), sort_keys=False, width=120))
