"""The report of a suite: ``report.html``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.output import write_text
from analysis.pipeline.build import read_summary
from analysis.pipeline.derived import Derived
from analysis.report.page import render
from analysis.report.suite import suite_page
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    page = Path(snakemake.output[0])
    outputs = {name: read_summary(page.parent / name) for name in ("tables", "figures")}
    committed = snakemake.params.committed
    made = suite_page(
        Derived(page.parent / "derived"), outputs, page.parent / "figures", committed and Path(committed)
    )
    write_text(page, render(made))
