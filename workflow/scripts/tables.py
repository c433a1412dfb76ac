"""All tables of a suite: ``tables/`` with ``summary.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.pipeline.build import build
from analysis.tables.files import write_table
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    folder = Path(snakemake.output[0]).parent
    params = snakemake.params
    made = build("Table", params.modules, Path(params.derived), folder, write_table, snakemake.rule)
    for output in made:
        print(output.title, f"skipped, {output.skipped}" if output.skipped else "made", sep=": ")
