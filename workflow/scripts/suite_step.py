"""One step on a suite as a whole: ``derived/<step>.json``."""

from __future__ import annotations

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derive import derive_suite
from analysis.output import write_json
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    values = derive_suite(
        snakemake.wildcards.step,
        Path(snakemake.params.suite),
        Path(snakemake.params.derived),
        snakemake.params.benchmarks,
    )
    write_json(Path(snakemake.output[0]), values)
