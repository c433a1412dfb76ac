"""Measured throughputs as the cost model's input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.estimators.costs import read_rates
from analysis.estimators.measured_rates import rates_of, write_rates
from raim.cli import main
from raim.errors import InputError

LOAD = {"batch": 128, "items": 128, "input_tokens": 480, "new_tokens": 68}


def measurement(name: str, speed: float, devices: int = 1, **changes: Any) -> dict[str, Any]:
    hardware = "NVIDIA A40" if devices == 1 else f"{devices} x NVIDIA A40"
    return {
        "judge": name,
        "checkpoint": f"lab/{name}",
        "items_per_second": speed,
        "devices": devices,
        "hardware": hardware,
        "load": LOAD,
        **changes,
    }


def test_the_cost_model_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rates.yaml"
    write_rates(
        path, rates_of([measurement("a", 20.0), measurement("b", 10.0), measurement("c", 8.0, devices=2)])
    )
    rates = read_rates(path)
    assert rates.panel == ("lab/a", "lab/b", "lab/c")
    # Seconds of one device: 1/20, 1/10, and two devices for 1/8 each.
    expected = 1000 * (1 / 20 + 1 / 10 + 2 / 8) * rates.gpu_usd_per_hour / 3600
    assert rates.sequence(rates.panel) == pytest.approx(expected, rel=1e-12)
    assert (rates.input_tokens, rates.output_tokens) == (480, 68)
    assert rates.api_usd_per_million == read_rates().api_usd_per_million
    assert main(["costs", "--rates", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "throughputs measured on NVIDIA A40, batch 128 with about 480 input tokens and 68 decoded" in shown


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"load": {**LOAD, "batch": 8}}, r"different loads: batch 128.*; batch 8.*measure them alike"),
        ({"hardware": "NVIDIA H200"}, "different hardware: NVIDIA A40; NVIDIA H200"),
    ],
    ids=["load", "hardware"],
)
def test_measurements_that_do_not_compare(other: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rates_of([measurement("a", 20.0), measurement("b", 10.0, **other)])


def test_nothing_measured() -> None:
    with pytest.raises(InputError, match="no measured throughput"):
        rates_of([])
