"""One table of a suite: ``tables/<table>.csv``, ``.md`` and ``.tex``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derived import Derived
from analysis.tables.render import to_csv, to_latex, to_markdown
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    module = import_module(f"analysis.tables.{snakemake.wildcards.table}")
    table = module.build(Derived(Path(snakemake.params.derived)))
    for path, render in (
        (snakemake.output.csv, to_csv),
        (snakemake.output.md, to_markdown),
        (snakemake.output.tex, to_latex),
    ):
        Path(path).write_text(render(table), encoding="utf-8")
