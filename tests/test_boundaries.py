"""The analysis tier needs nothing of the inference tier but its record format."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

_IMPORT_ALL = """
import importlib, pkgutil, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"torch", "transformers", "vllm", "datasets", "anthropic"}:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
        return None

sys.meta_path.insert(0, Blocked())
import analysis
names = [m.name for m in pkgutil.walk_packages(analysis.__path__, "analysis.", onerror=lambda name: None)]
for name in names:
    importlib.import_module(name)
foreign = sorted(m for m in sys.modules if m.startswith("verdicts.") and not m.startswith("verdicts.records"))
print(len(names), *foreign)
"""


def test_analysis_imports_without_the_inference_packages(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_ALL],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    count, *foreign = done.stdout.split()
    assert int(count) == len(list((root / "analysis").rglob("*.py"))) - 1
    assert foreign == []


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def allowed(name: str) -> bool:
    return name == "verdicts.records" or name.startswith("verdicts.records.")


def test_analysis_names_nothing_of_verdicts_but_the_records(root: Path) -> None:
    for path in sorted((root / "analysis").rglob("*.py")):
        foreign = {name for name in imports(path) if name.split(".")[0] == "verdicts" and not allowed(name)}
        # `from verdicts import records` names the package too, and nothing else of it.
        foreign -= {"verdicts"} if any(allowed(name) for name in imports(path)) else set()
        assert not foreign, f"{path.relative_to(root)} imports {sorted(foreign)}"


@pytest.mark.parametrize("folder", ["verdicts/records", "raim"])
def test_the_shared_ground_needs_little(root: Path, folder: str) -> None:
    """Records and the tool's frame load with the standard library, and what the configuration needs, alone."""
    permitted = set(sys.stdlib_module_names) | {"raim", "verdicts", "numpy"}
    permitted |= {"yaml", "jsonschema"} if folder == "raim" else set()
    for path in sorted((root / folder).glob("*.py")):
        foreign = {name.split(".")[0] for name in imports(path)} - permitted
        assert not foreign, f"{path.relative_to(root)} imports {sorted(foreign)}"
