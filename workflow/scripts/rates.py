"""Measured throughputs as rates: ``rates.yaml``, which ``raim costs --rates`` reads."""

import json
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.estimators.measured_rates import rates_of, write_rates
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    measured = [json.loads(Path(file).read_text(encoding="utf-8")) for file in snakemake.input.measured]
    write_rates(Path(snakemake.output[0]), rates_of(measured))
    for entry in measured:
        print(f"{entry['judge']}: {entry['items_per_second']:.3f} items/s on {entry['hardware']}")
