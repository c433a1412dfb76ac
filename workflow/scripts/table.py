"""One table of a suite: ``tables/<table>.csv``, ``.md`` and ``.tex``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import to_csv, to_latex, to_markdown
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    module = import_module(f"analysis.tables.{snakemake.wildcards.table}")
    try:
        table = module.build(Derived(Path(snakemake.params.derived)))
        texts = {"csv": to_csv(table), "md": to_markdown(table), "tex": to_latex(table)}
    except Skip as skip:
        line = f"Table {module.NUMBER} ({module.NAME}) is not made for this suite: {skip}"
        texts = {"csv": f"# {line}\n", "md": f"{line}\n", "tex": f"% {line}\n"}
    for kind, text in texts.items():
        Path(snakemake.output[kind]).write_text(text, encoding="utf-8")
