"""All estimators of one benchmark of a suite: ``derived/<benchmark>/ladder.json``."""

from __future__ import annotations

import json
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.ladder import ladder
from analysis.output import write_json
from analysis.suites import load_votes
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    votes = load_votes(Path(snakemake.params.suite), snakemake.wildcards.benchmark)
    overview = json.loads(Path(snakemake.input.overview).read_text(encoding="utf-8"))
    write_json(Path(snakemake.output[0]), ladder(votes, best_on_average=overview["best_on_average"]))
