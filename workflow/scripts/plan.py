"""The plan of a judging run: ``plan.yaml``, the configuration's `judge` section as the commands read it."""

from pathlib import Path

import yaml
from snakemake.iocontainers import Snakemake

from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    judge = snakemake.params.judge
    if snakemake.params.sources:
        judge = {**judge, "sources": snakemake.params.sources}
    text = yaml.safe_dump({"suites": [judge["suite"]], "check": [], "judge": judge}, sort_keys=False)
    Path(snakemake.output[0]).write_text(text, encoding="utf-8")
