"""The plan of one suite: ``plan.yaml``, the configuration's `judge` section with that plan alone, for the commands.

Refused where a benchmark's rows cannot be had, before weights are fetched for it.
"""

from pathlib import Path

import yaml
from snakemake.iocontainers import Snakemake

from raim.steps import step
from verdicts.drawing import require_sources
from verdicts.plan_file import plans_of

snakemake: Snakemake

with step(snakemake.log[0]):
    suite = snakemake.wildcards.suite
    section = snakemake.params.judge
    judge = {**section, "plans": [plan for plan in section["plans"] if plan["suite"] == suite]}
    if snakemake.params.sources:
        judge["sources"] = snakemake.params.sources
    require_sources(plans_of(judge, Path()).values())
    text = yaml.safe_dump({"suites": [suite], "check": [], "judge": judge}, sort_keys=False)
    Path(snakemake.output[0]).write_text(text, encoding="utf-8")
