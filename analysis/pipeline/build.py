"""Make all tables or figures of a suite from its derived files, and say which were not made and why.

A table or figure whose module raises :class:`analysis.skip.Skip`, or reads a step that was skipped, is left out with
that reason; nothing stands in for it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from types import ModuleType
from typing import Any

from analysis.output import write_json
from analysis.pipeline.derived import Derived
from analysis.skip import Skip

SUMMARY = "summary.json"


@dataclass(frozen=True)
class Output:
    """A table or figure of a suite.

    Attributes
    ----------
    module : its module, ``analysis.tables.table15``
    title : such as ``Table 15. Full method ladder: Cohen's κ``
    source : where in the paper
    reads : the steps whose files it is made from
    files : names of the files made; none where ``skipped`` says why
    origin : the rule, module and derived files that it comes from
    shows : what is to be seen, as the docstring of a figure's ``draw`` says; empty for a table
    """

    module: str
    title: str
    source: str
    reads: tuple[str, ...]
    files: tuple[str, ...]
    skipped: str | None
    origin: str = ""
    shows: str = ""


#: Writes what a module makes into a folder under a stem, with its origin; returns the names of the files.
Write = Callable[[ModuleType, Derived, Path, str, str], tuple[str, ...]]


def build(
    kind: str, modules: Mapping[str, str], derived: Path, folder: Path, write: Write, rule: str = ""
) -> list[Output]:
    """Write the outputs of all modules, with ``summary.json``; what lay in the folder before is gone.

    Parameters
    ----------
    kind : ``Table`` or ``Figure``
    modules : the modules' names by the stem of their files, ``{"table15": "analysis.tables.table15"}``
    derived : folder of the suite's derived files
    folder : where the outputs will lie
    write : :func:`analysis.tables.files.write_table` or :func:`analysis.figures.files.write_figure`
    rule : the rule of the workflow that makes them, to be named; empty outside the workflow
    """
    # Made beside and swapped in: an interruption leaves the old outputs or the new ones.
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        outputs = [_output(kind, name, stem, derived, fresh, write, rule) for stem, name in modules.items()]
        write_json(fresh / SUMMARY, [_plain(output) for output in outputs])
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return outputs


def read_summary(folder: Path) -> list[Output]:
    """What :func:`build` left in a folder."""
    entries = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    return [
        Output(**{**entry, "reads": tuple(entry["reads"]), "files": tuple(entry["files"])})
        for entry in entries
    ]


def origin(module: ModuleType, derived: Path, rule: str = "") -> str:
    """The rule, the module and the derived files behind an output; ``*`` stands for each benchmark."""
    steps = dict.fromkeys(("overview", *module.READS))
    files = [f"{step}.json" if (derived / f"{step}.json").is_file() else f"*/{step}.json" for step in steps]
    made_by = f"rule {rule}, " if rule else ""
    return f"{made_by}{module.__name__.replace('.', '/')}.py, from {', '.join(files)}"


def _output(kind: str, name: str, stem: str, derived: Path, folder: Path, write: Write, rule: str) -> Output:
    module = import_module(name)
    source = origin(module, derived, rule)
    files: tuple[str, ...] = ()
    skipped = None
    try:
        files = write(module, Derived(derived, frozenset(module.READS)), folder, stem, source)
    except Skip as skip:
        skipped = str(skip)
    title = f"{kind} {module.NUMBER}. {module.NAME}"
    shows = " ".join((getdoc(module.draw) or "").split()) if hasattr(module, "draw") else ""
    return Output(name, title, module.SOURCE, tuple(module.READS), files, skipped, source, shows)


def _plain(output: Output) -> dict[str, Any]:
    entry = asdict(output)
    return {**entry, "reads": list(output.reads), "files": list(output.files)}
