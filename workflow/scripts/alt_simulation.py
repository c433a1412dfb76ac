"""The simulation of appendix C: ``derived/simulation.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.alt_test.study.overview import simulation
from analysis.output import write_json
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    write_json(Path(snakemake.output[0]), simulation())
