"""Which sets of annotations there are, and the digest of their files: ``derived/overview.json``."""

import json
from pathlib import Path

from snakemake.iocontainers import Snakemake

from analysis.alt_test.study.overview import overview
from analysis.output import write_json
from raim.steps import step

snakemake: Snakemake

with step(snakemake.log[0]):
    files = zip(snakemake.params.names, map(Path, snakemake.input.tests), strict=True)
    tests = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in files}
    write_json(Path(snakemake.output[0]), overview(tests))
