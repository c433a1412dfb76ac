"""What was made of a suite: ``index.md``, with the reason for whatever was not."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.pipeline.build import read_summary
from analysis.pipeline.derived import Derived
from analysis.pipeline.summary import summary
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    page = Path(snakemake.output[0])
    outputs = {name: read_summary(page.parent / name) for name in ("tables", "figures")}
    page.write_text(summary(Derived(page.parent / "derived").overview, outputs), encoding="utf-8")
