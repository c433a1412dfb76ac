"""One figure of a suite: ``figures/<figure>.pdf`` and ``.png``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derived import Derived
from analysis.figures.style import notice, save, style
from analysis.skip import Skip
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    module = import_module(f"analysis.figures.{snakemake.wildcards.figure}")
    derived = Derived(Path(snakemake.params.derived))
    title = f"Figure {module.NUMBER}. {module.NAME}"
    with style():
        try:
            figure, line = module.draw(derived), f"{title}\n"
        except Skip as skip:
            line = f"Figure {module.NUMBER} ({module.NAME}) is not made for this suite: {skip}\n"
            figure = notice(line)
        save(figure, Path(snakemake.output.pdf), Path(snakemake.output.png), title, derived.stamp)
    Path(snakemake.output.md).write_text(line, encoding="utf-8")
