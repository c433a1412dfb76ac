"""Which steps there are, and in which order a suite needs them. Read from the source, without running it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from raim.errors import InputError
from raim.sources import module_constants

SCOPES = ("suite", "benchmark")


@dataclass(frozen=True)
class Passes:
    """Four passes over a suite, each in the order in which its steps need each other.

    Attributes
    ----------
    before : suite steps that steps of the benchmarks read, such as the overview
    benchmarks : steps of each benchmark
    alongside : suite steps that read no benchmark's files, and that no benchmark reads
    after : suite steps that read the benchmarks' files
    """

    before: tuple[str, ...]
    benchmarks: tuple[str, ...]
    alongside: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def suite(self) -> tuple[str, ...]:
        """All suite steps."""
        return (*self.before, *self.alongside, *self.after)


def order_steps(folder: Path = Path(__file__).parent) -> Passes:
    """The passes over the modules of a folder that state a ``SCOPE``.

    Raises
    ------
    InputError
        If a scope is unknown, ``READS`` names a step that is not there, steps read each other in a circle, or a
        benchmark's step reads a suite step that reads benchmarks.
    """
    scopes: dict[str, str] = {}
    reads: dict[str, tuple[str, ...]] = {}
    for path in sorted(folder.glob("*.py")):
        constants = module_constants(path, ("SCOPE", "READS"))
        if "SCOPE" in constants:
            if constants["SCOPE"] not in SCOPES:
                raise InputError(f"{path}: SCOPE is {constants['SCOPE']!r}; write one of {', '.join(SCOPES)}")
            scopes[path.stem], reads[path.stem] = constants["SCOPE"], tuple(constants.get("READS", ()))
    ordered: list[str] = []
    for name in scopes:
        _visit(folder, name, reads, ordered, ())
    passes: dict[str, list[str]] = {"before": [], "benchmarks": [], "alongside": [], "after": []}
    late: set[str] = set()
    for name in ordered:
        wrong = sorted(late.intersection(reads[name]))
        if scopes[name] == "benchmark" and wrong:
            raise InputError(
                f"{folder / name}.py: READS names {wrong[0]!r}, a suite step that is made after the benchmarks; "
                "make this a suite step"
            )
        if scopes[name] == "suite" and (wrong or any(scopes[step] == "benchmark" for step in reads[name])):
            late.add(name)
    needed = {step for name in ordered if scopes[name] == "benchmark" for step in _all_reads(name, reads)}
    for name in ordered:
        if scopes[name] == "benchmark":
            passes["benchmarks"].append(name)
        elif name in late:
            passes["after"].append(name)
        else:
            passes["before" if name in needed else "alongside"].append(name)
    return Passes(**{name: tuple(steps) for name, steps in passes.items()})


def _all_reads(name: str, reads: dict[str, tuple[str, ...]]) -> set[str]:
    """What a step reads, and what that reads."""
    return {found for step in reads[name] for found in (step, *_all_reads(step, reads))}


def _visit(
    folder: Path, name: str, reads: dict[str, tuple[str, ...]], ordered: list[str], above: tuple[str, ...]
) -> None:
    """Append a step after those that it reads."""
    if name in ordered:
        return
    if name in above:
        raise InputError(f"{folder}: these steps read each other in a circle: {', '.join([*above, name])}")
    for step in reads[name]:
        if step not in reads:
            raise InputError(
                f"{folder / name}.py: READS names {step!r}, which is no step; steps here: {', '.join(reads)}"
            )
        _visit(folder, step, reads, ordered, (*above, name))
    ordered.append(name)
