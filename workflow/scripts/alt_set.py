"""The study on one set of annotations: ``derived/<set>/<step>.json``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.alt_test.study.derive import derive_set
from analysis.alt_test.study.sets import set_from_config
from analysis.output import write_json
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    described = set_from_config(snakemake.wildcards.annotation_set, snakemake.params.entry)
    values = derive_set(described, Path(snakemake.input.humans), Path(snakemake.input.judges))
    for output in map(Path, snakemake.output):
        write_json(output, values[output.stem])
