"""All numbers of one JudgeMoE pool from its inputs and released gates: ``derived/<pool>/*.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.suites.registry import write_derived
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    sources = {name: Path(path) for name, path in snakemake.params.sources.items()}
    book = GateBook(Path(snakemake.params.gates))
    write_derived(snakemake.wildcards.pool, sources, book, Path(snakemake.output[0]).parent)
