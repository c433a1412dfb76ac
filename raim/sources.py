"""Which files of this project a Python file depends on, so that the workflow can list them as inputs.

A workflow engine does not see the modules that a script imports: change an estimator and old results stand. The
imports are read from the syntax tree, so a rule cannot forget one.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

PACKAGES = ("analysis", "raim", "verdicts")
#: Endings of the data files that belong to a package.
DATA = (".yaml", ".json", ".html", ".css")


def first_party_sources(entries: Iterable[Path], root: Path) -> list[Path]:
    """The entries and all files of this project that they import, directly or not, sorted.

    Imports inside functions and under ``TYPE_CHECKING`` count, and a package's data files belong to it. Modules named
    at run time only (``import_module``) are not seen: pass them as entries. A file is read once in a process.

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


def note(sources: Iterable[Path], root: Path, path: Path) -> None:
    """Write the sources (files below ``root``) with their sha256 into ``path``, one a line, where it says otherwise.

    A rule takes that one file as input in place of hundreds: its modification time is that of the last change of
    their content, whatever times a checkout gives them.
    """
    text = "".join(f"{_sha256(source)}  {source.relative_to(root)}\n" for source in sources)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


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


@cache
def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _imported(path: Path, root: Path) -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.update(dict.fromkeys(_files(alias.name, root)))
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            found.update(dict.fromkeys(_files(node.module, root)))
            for alias in node.names:
                # The name may be a module of the package or an attribute; attributes have no file.
                found.update(dict.fromkeys(_files(f"{node.module}.{alias.name}", root)))
    return tuple(found)


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
            yield from (path for path in base.iterdir() if path.suffix in DATA)
