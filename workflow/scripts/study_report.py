"""The report of a study: ``report.html``."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.output import write_text
from analysis.pipeline.build import read_summary
from analysis.pipeline.derived import Derived
from analysis.report.page import render
from analysis.report.study import study_page
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    params = snakemake.params
    page = Path(snakemake.output[0])
    derived = page.parent / "derived"
    parts = {
        name: (
            Derived(derived / name),
            {kind: read_summary(page.parent / name / kind) for kind in ("tables", "figures")},
            page.parent / name / "figures",
        )
        for name in params.parts
    }
    made = study_page(params.title, derived, parts, Path(params.committed), params.get("compared"))
    write_text(page, render(made))
