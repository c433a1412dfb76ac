"""Steps of a suite as a whole: ``derived/<step>.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.pipeline.derive import derive_suite, remove_stale
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    params = snakemake.params
    for path in derive_suite(params.steps, Path(params.suite), Path(params.derived), params.benchmarks):
        print(path, flush=True)
    remove_stale(Path(params.derived), params.all_steps, params.benchmarks)
