"""Which files of this project a Python file depends on, so that the workflow can list them as inputs.

A workflow engine does not see the modules that a script imports: change an estimator and old results stand. The
imports are read from the syntax tree, so a rule cannot forget one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

PACKAGES = ("analysis", "raim", "verdicts")


def first_party_sources(entries: Iterable[Path], root: Path) -> list[Path]:
    """The entries and all files of this project that they import, directly or not, sorted.

    Imports inside functions and under ``TYPE_CHECKING`` count, and a package's YAML files belong to it. Modules named
    at run time only (``import_module``) are not seen: pass them as entries.

    Parameters
    ----------
    entries : Python files below ``root``
    root : the checkout, which holds the packages

    Raises
    ------
    SyntaxError
        If a file cannot be parsed.
    """
    found: set[Path] = set()
    waiting = [path.resolve() for path in entries]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            if path.suffix == ".py":
                waiting.extend(_imported(path, root.resolve()))
    return sorted(found)


def module_constants(path: Path, names: Iterable[str]) -> dict[str, Any]:
    """Module-level literal assignments of a Python file, read without running it. Missing names are left out."""
    wanted, values = set(names), {}
    for node in ast.parse(path.read_text(encoding="utf-8"), str(path)).body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets: list[ast.expr] = [node.target]
            value = node.value
        elif isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and target.id in wanted:
                values[target.id] = ast.literal_eval(value)
    return values


def _imported(path: Path, root: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(alias.name, root)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            yield from _files(node.module, root)
            for alias in node.names:
                # The name may be a module of the package or an attribute; attributes have no file.
                yield from _files(f"{node.module}.{alias.name}", root)


def _files(module: str, root: Path) -> Iterator[Path]:
    """Files that importing ``module`` runs: the packages on the way to it and itself."""
    parts = module.split(".")
    if parts[0] not in PACKAGES:
        return
    for depth in range(1, len(parts) + 1):
        base = root.joinpath(*parts[:depth])
        for path in (base / "__init__.py", base.with_suffix(".py")):
            if path.is_file():
                yield path
        if (base / "__init__.py").is_file():
            # A package's data, which it reads at run time.
            yield from base.glob("*.yaml")
