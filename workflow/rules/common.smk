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

JUDGED = config.get("judge", {}).get("suite")


wildcard_constraints:
    suite="[a-z0-9_-]+",
    benchmark="[a-z0-9_]+",
    step="[a-z0-9_]+",
    table="table[0-9]+",
    figure="figure[0-9]+",


def modules(folder, names):
    """Modules of a folder of analysis/ whose file names match."""
    return sorted(path.stem for path in (ROOT / "analysis" / folder).glob(f"{names}.py"))


TABLES, FIGURES = modules("tables", "table[0-9]*"), modules("figures", "figure[0-9]*")
# A step is a module that states its scope.
STEPS = {
    name: constants["SCOPE"]
    for name in modules("steps", "*")
    if "SCOPE" in (constants := module_constants(ROOT / "analysis" / "steps" / f"{name}.py", ["SCOPE"]))
}


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
    files = [folder / "suite.json", folder / "LOCK.json", folder / "index" / f"{benchmark}.tsv"]
    files += sorted((folder / "records" / benchmark).glob("*.jsonl.gz"))
    return [str(path.relative_to(ROOT)) for path in files]


def suite_files(suite):
    """Everything that a suite consists of."""
    return sorted({file for benchmark in suite_benchmarks(suite) for file in record_files(suite, benchmark)})


def step_files(step, suite, benchmarks=None):
    """Derived files of a step: one for the suite, or one for each of the benchmarks (by default all of the suite's)."""
    folder = f"results/{suite}/derived"
    if step not in STEPS:
        raise WorkflowError(f"there is no step {step!r} in analysis/steps/; READS may name: {', '.join(STEPS)}")
    if STEPS[step] == "suite":
        return [f"{folder}/{step}.json"]
    return [f"{folder}/{benchmark}/{step}.json" for benchmark in benchmarks or suite_benchmarks(suite)]


def files_read(folder, module, suite, benchmarks=None):
    """Derived files that a step, table or figure reads, as its READS lists them; outputs read the overview's stamp."""
    reads = module_constants(ROOT / "analysis" / folder / f"{module}.py", ["READS"]).get("READS", ())
    steps = reads if folder == "steps" else sorted({"overview", *reads})
    return [file for step in steps for file in step_files(step, suite, benchmarks)]


def suite_derived(suite):
    """All derived files of one suite."""
    return [file for step in STEPS for file in step_files(step, suite)]


def suite_outputs(suite):
    """All tables and figures of one suite."""
    return [
        *expand(f"results/{suite}/tables/{{table}}.{{kind}}", table=TABLES, kind=["csv", "md", "tex"]),
        *expand(f"results/{suite}/figures/{{figure}}.{{kind}}", figure=FIGURES, kind=["pdf", "png", "md"]),
    ]


def all_suites(files):
    """What a function lists for a suite, over the configured suites."""
    return [file for suite in config["suites"] for file in files(suite)]


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
        f"{folder}/LOCK.json",
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
