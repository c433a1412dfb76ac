"""A suite as a whole: ``derived/overview.json``."""

from __future__ import annotations

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.output import write_json
from analysis.overview import overview
from analysis.suites import left_out, load_votes, records_digest
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    suite = Path(snakemake.params.suite)
    benchmarks = snakemake.params.benchmarks
    write_json(
        Path(snakemake.output[0]),
        overview(
            snakemake.wildcards.suite,
            records_digest(suite),
            {name: load_votes(suite, name) for name in benchmarks},
            {name: left_out(suite, name) for name in benchmarks},
        ),
    )
