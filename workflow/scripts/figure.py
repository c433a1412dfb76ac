"""One figure of a suite: ``figures/<figure>.pdf`` and ``.png``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derived import Derived
from analysis.figures.style import save, style
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    module = import_module(f"analysis.figures.{snakemake.wildcards.figure}")
    derived = Derived(Path(snakemake.params.derived))
    with style():
        save(
            module.draw(derived),
            Path(snakemake.output.pdf),
            Path(snakemake.output.png),
            f"Figure {module.NUMBER}. {module.NAME}",
            derived.stamp,
        )
