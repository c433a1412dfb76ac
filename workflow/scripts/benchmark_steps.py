"""All steps of one benchmark of a suite: ``derived/<benchmark>/<step>.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.pipeline.derive import derive_benchmark
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    params = snakemake.params
    for path in derive_benchmark(
        params.steps, Path(params.suite), Path(params.derived), snakemake.wildcards.benchmark
    ):
        print(path, flush=True)
