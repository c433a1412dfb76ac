# Configuration, and the functions that rules take their files from.

import hashlib
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

from analysis.steps.order import order_steps
from raim.config import validate
from raim.errors import InputError
from raim.sources import first_party_sources, note
from verdicts.plan import judges_of
from verdicts.plan_file import plans_of

try:
    validate(config, ROOT / "config" / "schema" / "config.schema.yaml")
    STEPS = order_steps(ROOT / "analysis" / "steps")
except InputError as error:
    raise WorkflowError(str(error)) from None

# The plans of this configuration, by the suite that each makes.
try:
    PLANS = plans_of(config["judge"], ROOT) if "judge" in config else {}
    # Refused before anything is planned: judges without a pinned revision.
    judges_of(PLANS.values())
except InputError as error:
    raise WorkflowError(str(error)) from None
if wrong := sorted({"alt_test", "judgemoe"} & set(PLANS)):
    raise WorkflowError(
        f"config: judge: plans: {', '.join(wrong)}: a study has that name; give the suite another one"
    )
# Suites of scores are pools of JudgeMoE's study.
SCORED = [suite for suite, plan in PLANS.items() if plan.scored]
if wrong := sorted(set(SCORED) & set(config["suites"])):
    raise WorkflowError(
        f"config: suites: {', '.join(wrong)}: holds scores, which JudgeMoE's study reads; leave it out of `suites` and "
        f"list judgemoe in `studies`"
    )


wildcard_constraints:
    # A study has rules of its own.
    suite="(?!(?:alt_test|judgemoe)/)[a-z0-9_-]+",
    benchmark="[a-z0-9_]+",


def modules(folder, names):
    """Modules of a folder of analysis/ whose file names match, by file stem."""
    found = sorted(path.stem for path in (ROOT / "analysis" / folder).glob(f"{names}.py"))
    return {stem: f"analysis.{folder}.{stem}" for stem in found}


TABLES = modules("tables", "table[0-9]*") | modules("tables", "alt_*")
FIGURES = modules("figures", "figure[0-9]*")


def step_modules(steps):
    """Files of steps, which the scripts import by name."""
    return [f"analysis/steps/{step}.py" for step in steps]


def output_modules(outputs):
    """Files of tables' or figures' modules, which the scripts import by name."""
    return [f"{module.replace('.', '/')}.py" for module in outputs.values()]


def library(*files):
    """One file that lists files of the checkout, and every first-party module that they import, by content."""
    entries = hashlib.sha256("\n".join(files).encode()).hexdigest()[:8]
    listing = Path(".snakemake", "library", f"{Path(files[0]).stem}-{entries}.txt")
    note(first_party_sources([ROOT / file for file in files], ROOT), ROOT, listing)
    # Each process writes its own, whatever storage the rules' other files are in.
    return local(str(listing))


def library_digest(*files):
    """What `library` lists as one digest, a parameter: a rule with a local input would never leave this machine."""
    return hashlib.sha256(Path(library(*files)).read_bytes()).hexdigest()[:16]


def suite_folder(suite):
    """Where a suite's records lie: released under suites/, or judged in this run under results/."""
    return f"results/{suite}/suite" if suite in PLANS else f"suites/{suite}"


def suite_benchmarks(suite):
    """Benchmarks of a suite: those of its index, or those that are judged in this run."""
    if suite in PLANS:
        return sorted(PLANS[suite].benchmarks)
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
    if suite in PLANS:
        return judged_files(suite, benchmark)
    folder = ROOT / "suites" / suite
    files = [folder / "suite.json", folder / "index" / f"{benchmark}.tsv"]
    files += sorted((folder / "records" / benchmark).glob("*.jsonl.gz"))
    return [str(path.relative_to(ROOT)) for path in files]


def suite_files(suite):
    """Everything that a suite consists of."""
    files = {file for benchmark in suite_benchmarks(suite) for file in record_files(suite, benchmark)}
    return sorted({f"{suite_folder(suite)}/LOCK.json", *files})


def suite_step_files(suite, steps):
    """Derived files of suite steps."""
    return [f"results/{suite}/derived/{step}.json" for step in steps]


def benchmark_step_files(suite):
    """Derived files of the steps of each benchmark."""
    return expand(
        f"results/{suite}/derived/{{benchmark}}/{{step}}.json",
        benchmark=suite_benchmarks(suite),
        step=STEPS.benchmarks,
    )


def suite_derived(suite):
    """All derived files of one suite."""
    return [*suite_step_files(suite, STEPS.suite), *benchmark_step_files(suite)]


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


def judged_files(suite, benchmark):
    """What a plan leaves for one benchmark."""
    folder, plan = suite_folder(suite), PLANS[suite]
    members = [member.name for member in plan.members if member.judges(benchmark)]
    return [
        f"{folder}/suite.json",
        f"{folder}/{'scores' if plan.scored else 'index'}/{benchmark}.tsv",
        *(f"{folder}/records/{benchmark}/{member}.jsonl.gz" for member in members),
    ]


def judged_sources():
    """Sources of the plans; a relative path is taken from the folder of the file that states it."""
    sources = {}
    for file in workflow.configfiles:
        stated = yaml.safe_load(Path(file).read_text(encoding="utf-8")) or {}
        for name, path in (stated.get("judge") or {}).get("sources", {}).items():
            sources[name] = str((Path(file).resolve().parent / path).resolve())
    return sources
