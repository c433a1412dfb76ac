# Configuration, and the functions that rules take their files from.

import os
import sys
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

ROOT = Path(workflow.basedir)
# Scripts import this checkout's packages, whatever else is installed; sums do not depend on the number of threads.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
    OMP_NUM_THREADS="1",
    OPENBLAS_NUM_THREADS="1",
    MKL_NUM_THREADS="1",
    VECLIB_MAXIMUM_THREADS="1",
)
sys.path.insert(0, str(ROOT))

from raim.config import validate
from raim.errors import InputError
from raim.sources import first_party_sources, module_constants

try:
    validate(config, ROOT / "config" / "schema" / "config.schema.yaml")
except InputError as error:
    raise WorkflowError(str(error)) from None

TABLES = sorted(path.stem for path in (ROOT / "analysis" / "tables").glob("table[0-9]*.py"))
FIGURES = sorted(path.stem for path in (ROOT / "analysis" / "figures").glob("figure[0-9]*.py"))
JUDGED = config.get("judge", {}).get("suite")


wildcard_constraints:
    suite="[a-z0-9_-]+",
    benchmark="[a-z0-9_]+",
    table="table[0-9]+",
    figure="figure[0-9]+",


def library(*files):
    """Files of the checkout, with every first-party module that they import."""
    sources = first_party_sources([ROOT / file for file in files], ROOT)
    return [str(path.relative_to(ROOT)) for path in sources]


def suite_folder(suite):
    """Where a suite's records lie: released under suites/, or judged in this run under results/."""
    return f"results/{suite}/suite" if suite == JUDGED else f"suites/{suite}"


def suite_benchmarks(suite):
    """Benchmarks of a suite: those of its index, or those that are judged in this run."""
    if suite == JUDGED:
        return sorted(config["judge"]["benchmarks"])
    found = sorted(path.stem for path in (ROOT / "suites" / suite / "index").glob("*.tsv"))
    if not found:
        there = sorted(path.parent.name for path in (ROOT / "suites").glob("*/index"))
        raise WorkflowError(
            f"config: suites: there is no suite {suite!r} with an index in suites/{suite}/; "
            f"suites here: {', '.join(there) or 'none'}"
        )
    return found


def record_files(suite, benchmark):
    """Index and records of one benchmark of a suite."""
    if suite == JUDGED:
        return judged_files(benchmark)
    folder = ROOT / "suites" / suite
    files = [folder / "suite.json", folder / "index" / f"{benchmark}.tsv"]
    files += sorted((folder / "records" / benchmark).glob("*.jsonl.gz"))
    return [str(path.relative_to(ROOT)) for path in files]


def suite_files(suite):
    """Everything that a suite consists of."""
    return sorted({file for benchmark in suite_benchmarks(suite) for file in record_files(suite, benchmark)})


def module_inputs(folder, module, suite):
    """Derived files that a table's or figure's module reads, as its READS lists them."""
    reads = module_constants(ROOT / "analysis" / folder / f"{module}.py", ["READS"]).get("READS", ())
    return [
        f"results/{suite}/derived/{pattern.format(benchmark=benchmark)}"
        for pattern in ("overview.json", *reads)
        for benchmark in (suite_benchmarks(suite) if "{benchmark}" in pattern else [""])
    ]


def derived_files():
    """All derived files of the configured suites."""
    return [file for suite in config["suites"] for file in suite_derived(suite)]


def suite_derived(suite):
    """All derived files of one suite."""
    folder = f"results/{suite}/derived"
    return [f"{folder}/overview.json", *(f"{folder}/{name}/ladder.json" for name in suite_benchmarks(suite))]


def table_files():
    """All tables of the configured suites."""
    return expand(
        "results/{suite}/tables/{table}.{format}",
        suite=config["suites"],
        table=TABLES,
        format=["csv", "md", "tex"],
    )


def figure_files():
    """All figures of the configured suites."""
    return expand(
        "results/{suite}/figures/{figure}.{format}", suite=config["suites"], figure=FIGURES, format=["pdf", "png"]
    )


def check_files():
    """Reports of the comparison with the committed numbers, for suites that have any."""
    return expand("results/{suite}/check.txt", suite=config["check"])


def committed_files(suite):
    """The committed derived tier of a suite."""
    folder = ROOT / "derived" / suite
    files = sorted(str(path.relative_to(ROOT)) for path in folder.rglob("*") if path.is_file())
    if not files:
        raise WorkflowError(
            f"config: check: nothing is committed in derived/{suite}/ to compare with; accept the numbers once with "
            f"`raim accept {suite}`, or leave {suite!r} out of `check`"
        )
    return files


def judged_files(benchmark):
    """What a judging run of the configured suite leaves for one benchmark."""
    folder = suite_folder(JUDGED)
    members = [
        f"{member['judge']}.{member['protocol']}"
        for member in config["judge"]["members"]
        if benchmark in member.get("benchmarks", [benchmark])
    ]
    return [
        f"{folder}/suite.json",
        f"{folder}/index/{benchmark}.tsv",
        *(f"{folder}/records/{benchmark}/{member}.jsonl.gz" for member in members),
    ]


def judged_judges():
    """Judges of the configured run, each once: one process each."""
    return sorted({member["judge"] for member in config["judge"]["members"]})


def plan_file():
    """The configuration file with the `judge` section, which the commands read as their plan."""
    for file in reversed(workflow.overwrite_configfiles):
        if "judge" in (yaml.safe_load(Path(file).read_text(encoding="utf-8")) or {}):
            return os.path.relpath(file)
    raise WorkflowError("config: judge: put this section into a file and give that with --configfile")
