"""Numbers of newly trained gates against the committed ones; that they differ is no failure."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.pipeline.check import compare_folders
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    found = compare_folders(Path(snakemake.input.derived), Path(snakemake.params.committed))
    Path(snakemake.output[0]).write_text(found.report(limit=200), encoding="utf-8")
