"""Run steps of ``analysis.steps`` on a suite's released records and write their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from analysis.output import write_json
from analysis.panel.suites import load_panel, records_digest
from analysis.panel.votes import require_analysable
from analysis.pipeline.derived import ORIGIN, Derived, table_order
from analysis.skip import Skip
from analysis.statistics.folds import N_FOLDS
from analysis.steps.context import BenchmarkContext, SuiteContext
from raim.errors import InputError
from verdicts.records.suite import read_suite


def derive_benchmark(steps: Sequence[str], suite: Path, derived: Path, benchmark: str) -> Iterator[Path]:
    """Write ``<derived>/<benchmark>/<step>.json`` for each step, in their order; yields each file when it is there.

    Each file begins with the suite's name and label, so that none is taken for another suite's. A step that the suite
    lacks something for leaves ``skipped`` with the reason. What other steps left in the folder is removed.

    Parameters
    ----------
    steps : modules of scope ``benchmark``, each after those it reads
    suite : folder of the released records
    derived : folder of the suite's derived files, which hold those of earlier passes that the steps read

    Raises
    ------
    InputError
        If the suite's files are missing or wrong, or no estimator is defined on the benchmark's panel.
    """
    description, panel = read_suite(suite), load_panel(suite, benchmark)
    try:
        require_analysable(panel.votes, N_FOLDS)
    except InputError as error:
        raise InputError(
            f"{suite}: {benchmark} cannot be analysed: {error}, or leave the benchmark out"
        ) from None
    folder = derived / benchmark
    _keep_only(folder, steps)
    for module in _modules(steps):
        context = BenchmarkContext(description, benchmark, panel, _readable(derived, module))
        yield _write(folder, module, context)


def derive_suite(
    steps: Sequence[str], suite: Path, derived: Path, benchmarks: Sequence[str]
) -> Iterator[Path]:
    """Write ``<derived>/<step>.json`` for each step of scope ``suite``; see :func:`derive_benchmark`."""
    description, digest = read_suite(suite), records_digest(suite)
    panels = {name: load_panel(suite, name) for name in table_order(benchmarks)} if steps else {}
    for module in _modules(steps):
        files = _readable(derived, module)
        contexts = {name: BenchmarkContext(description, name, panel, files) for name, panel in panels.items()}
        yield _write(derived, module, SuiteContext(description, digest, contexts, files))


def remove_stale(derived: Path, steps: Iterable[str], benchmarks: Iterable[str]) -> None:
    """Remove files of suite steps and folders of benchmarks that are no longer there."""
    _keep_only(derived, steps)
    gone = {path for path in derived.iterdir() if path.is_dir()} - {derived / name for name in benchmarks}
    for folder in gone:
        _keep_only(folder, ())
        folder.rmdir()


def _keep_only(folder: Path, steps: Iterable[str]) -> None:
    for path in set(folder.glob("*.json")) - {folder / f"{step}.json" for step in steps}:
        path.unlink()


def _modules(steps: Sequence[str]) -> list[ModuleType]:
    return [import_module(f"analysis.steps.{step}") for step in steps]


def _readable(derived: Path, module: ModuleType) -> Derived:
    return Derived(derived, frozenset(module.READS))


def _write(folder: Path, module: ModuleType, context: BenchmarkContext | SuiteContext) -> Path:
    try:
        values = module.derive(context)
    except Skip as skip:
        values = {"skipped": str(skip)}
    path = folder / f"{module.__name__.rpartition('.')[2]}.json"
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, {ORIGIN: {"suite": context.suite.suite, "label": context.suite.label}, **values})
    return path
