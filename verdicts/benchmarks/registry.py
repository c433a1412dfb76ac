"""Finding benchmarks: every module of this package that exports ``BENCHMARK``, and files named from outside.

A new benchmark is one new file. Nothing registers it.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable
from pathlib import Path

import verdicts.benchmarks
from raim.errors import InputError
from verdicts.benchmarks.spec import Benchmark


def discover(extra: Iterable[Path] = ()) -> dict[str, Benchmark]:
    """All benchmarks by name, in alphabetical order. ``extra`` names further Python files, each with one
    benchmark.

    Raises InputError where a file cannot be imported, exports no benchmark, or repeats a name.
    """
    found: dict[str, tuple[Benchmark, str]] = {}
    for module in pkgutil.iter_modules(verdicts.benchmarks.__path__):
        name = f"{verdicts.benchmarks.__name__}.{module.name}"
        benchmark = getattr(importlib.import_module(name), "BENCHMARK", None)
        if isinstance(benchmark, Benchmark):
            _add(found, benchmark, name)
    for path in extra:
        _add(found, _from_file(path), str(path))
    return {name: found[name][0] for name in sorted(found)}


def find(name: str, extra: Iterable[Path] = ()) -> Benchmark:
    """One benchmark by name. Raises InputError that lists the known ones."""
    known = discover(extra)
    if name not in known:
        raise InputError(f"unknown benchmark {name!r}; choose one of: {', '.join(known)}")
    return known[name]


def _add(found: dict[str, tuple[Benchmark, str]], benchmark: Benchmark, where: str) -> None:
    if benchmark.name in found:
        raise InputError(
            f"{where}: a benchmark named {benchmark.name!r} is in {found[benchmark.name][1]} already"
        )
    found[benchmark.name] = (benchmark, where)


def _from_file(path: Path) -> Benchmark:
    spec = importlib.util.spec_from_file_location(f"_benchmark_{path.stem}", path)
    if path.suffix != ".py" or spec is None or spec.loader is None or not path.is_file():
        raise InputError(f"{path}: not a Python file; name the file that exports BENCHMARK")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    # Whatever a user's file raises while it is imported is the user's to mend.
    except Exception as error:
        raise InputError(f"{path}: cannot be imported ({type(error).__name__}: {error})") from error
    benchmark = getattr(module, "BENCHMARK", None)
    if not isinstance(benchmark, Benchmark):
        raise InputError(f"{path}: exports no BENCHMARK (a verdicts.benchmarks.spec.Benchmark)")
    return benchmark
