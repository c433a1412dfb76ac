"""The throughput rules, with a judge environment that only writes down how it was called and a measurement."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from analysis.estimators.costs import read_rates
from tests.workflow.planning import snakemake

TIMER = '''#!{python}
"""Stands for the judge environment's Python: notes its arguments, and writes what a measurement says."""
import json, sys

with open("timed.jsonl", "a") as calls:
    print(json.dumps(sys.argv[1:]), file=calls)
if sys.argv[3] == "throughput":
    judge = sys.argv[sys.argv.index("--judge") + 1]
    devices = 2 if "qwen" in judge else 1
    load = {{"batch": 4, "items": 8, "input_tokens": 500, "new_tokens": 68}}
    speed = {{"judge": judge, "checkpoint": "lab/" + judge, "items_per_second": 10.0, "devices": devices, "load": load}}
    speed["hardware"] = "2 x abacus" if devices == 2 else "abacus"
    open(sys.argv[sys.argv.index("--json") + 1], "w").write(json.dumps(speed))
'''


def test_judges_are_timed_on_their_devices_and_become_rates(panel: Path) -> None:
    (panel / "judge-python").write_text(TIMER.format(python=sys.executable))
    done = snakemake(panel, "throughput", "--cores", "1", "--configfile", "plans/mine.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    made = [json.loads(line) for line in (panel / "timed.jsonl").read_text().splitlines()]
    timed = {call[5]: call[6:] for call in made if call[2] == "throughput"}
    load = ["--batch", "4", "--input-tokens", "500", "--items", "8", "--new-tokens", "68", "--threads", "1"]
    out = "results/mini/throughput/{}.json"
    assert timed["smollm2-135m"] == [*load, "--gpus", "0", "--json", out.format("smollm2-135m")]
    on = ["--gpus", "2", "--devices", "0,1,GPU-7"]
    assert timed["qwen2.5-coder-0.5b"] == [*load, *on, "--json", out.format("qwen2.5-coder-0.5b")]
    assert {call[2] for call in made} == {"fetch", "throughput"}
    rates = read_rates(panel / "results" / "mini" / "throughput" / "rates.yaml")
    assert rates.items_per_second == {"lab/smollm2-135m": 10.0, "lab/qwen2.5-coder-0.5b": 5.0}
