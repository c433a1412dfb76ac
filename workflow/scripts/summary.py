"""What was made of a suite: ``index.md``, with the reason for whatever was not."""

from __future__ import annotations

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.derived import Derived
from analysis.summary import summary
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    folder = Path(snakemake.output[0]).parent
    text = summary(
        Derived(folder / "derived").overview, folder, [Path(path) for path in snakemake.input.outputs]
    )
    Path(snakemake.output[0]).write_text(text, encoding="utf-8")
