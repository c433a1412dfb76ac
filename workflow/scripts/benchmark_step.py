"""One step on one benchmark of a suite: ``derived/<benchmark>/<step>.json``."""

from __future__ import annotations

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derive import derive_benchmark
from analysis.output import write_json
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    values = derive_benchmark(
        snakemake.wildcards.step,
        Path(snakemake.params.suite),
        Path(snakemake.params.derived),
        snakemake.wildcards.benchmark,
    )
    write_json(Path(snakemake.output[0]), values)
