"""One page for all JudgeMoE pools: ``index.md``, with the reason for whatever was not made."""

from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.judgemoe.summary import summary
from analysis.pipeline.build import read_summary
from analysis.pipeline.derived import Derived
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    page = Path(snakemake.output[0])
    pools = {
        pool: (
            Derived(page.parent / "derived" / pool).overview,
            {kind: read_summary(page.parent / pool / kind) for kind in ("tables", "figures")},
        )
        for pool in snakemake.params.pools
    }
    page.write_text(summary(pools), encoding="utf-8")
