"""All figures of a suite: ``figures/`` with ``summary.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.figures.files import write_figure
from analysis.pipeline.build import build
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    folder = Path(snakemake.output[0]).parent
    params = snakemake.params
    made = build("Figure", params.modules, Path(params.derived), folder, write_figure, snakemake.rule)
    for output in made:
        print(output.title, f"skipped, {output.skipped}" if output.skipped else "made", sep=": ")
