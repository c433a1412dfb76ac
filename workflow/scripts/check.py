"""Regenerated numbers against the committed ones: ``check.txt`` if they agree, a failed step if not."""

import sys
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.pipeline.check import compare_folders
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    params = snakemake.params
    comparison = compare_folders(Path(params.regenerated), Path(params.committed), parts=params.get("parts"))
    print(comparison.report(), end="")
    if not comparison.passed:
        sys.exit(1)
    Path(snakemake.output[0]).write_text(comparison.report(), encoding="utf-8")
