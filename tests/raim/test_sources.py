"""First-party imports found in the syntax tree."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from raim.sources import first_party_sources, module_constants, note


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_follows_every_form_of_import(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "script.py": "import numpy\nimport analysis.a\nfrom analysis.sub import b, VALUE\n",
            "analysis/__init__.py": "",
            "analysis/a.py": "def f():\n    from raim.errors import InputError\n",
            "analysis/sub/__init__.py": "from analysis.sub.base import VALUE\n",
            "analysis/sub/base.py": "VALUE = 1\n",
            "analysis/sub/data.yaml": "not: [Python\n",
            "analysis/unread/data.yaml": "",
            "analysis/sub/b.py": "import analysis.a as other, analysis.cycle\n",
            "analysis/cycle.py": "import analysis.sub.b\n",
            "analysis/unused.py": "",
            "raim/__init__.py": "",
            "raim/errors.py": "",
            "numpy.py": "",
        },
    )
    found = first_party_sources([tmp_path / "script.py"], tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "analysis/__init__.py",
        "analysis/a.py",
        "analysis/cycle.py",
        "analysis/sub/__init__.py",
        "analysis/sub/b.py",
        "analysis/sub/base.py",
        "analysis/sub/data.yaml",
        "raim/__init__.py",
        "raim/errors.py",
        "script.py",
    ]


_LOADED = """
import sys
import analysis.estimators.ladder
root = sys.argv[1]
files = (getattr(m, "__file__", None) for m in sys.modules.values())
print("\\n".join(f for f in files if f and f.startswith(root) and "/.venv" not in f))
"""


def test_covers_what_python_loads(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, str(root)], cwd=root, capture_output=True, text=True, check=True
    )
    loaded = {Path(line) for line in done.stdout.splitlines()}
    found = set(first_party_sources([root / "analysis" / "estimators" / "ladder.py"], root))
    assert loaded
    assert loaded <= found


def test_a_listing_changes_with_the_content_alone(tmp_path: Path) -> None:
    write(tmp_path, {"analysis/a.py": "VALUE = 1\n", "analysis/b.py": "VALUE = 1\n"})
    first, second = tmp_path / "analysis" / "a.py", tmp_path / "analysis" / "b.py"
    listing = tmp_path / "kept" / "library.txt"
    note([first], tmp_path, listing)
    digest, name = listing.read_text().split()
    assert (digest, name) == (hashlib.sha256(b"VALUE = 1\n").hexdigest(), "analysis/a.py")
    os.utime(listing, (1, 1))
    # A checkout gives files new times; nothing was edited.
    os.utime(first)
    note([first], tmp_path, listing)
    assert listing.stat().st_mtime == 1
    note([first, second], tmp_path, listing)
    assert listing.stat().st_mtime > 1
    assert len(listing.read_text().splitlines()) == 2
    assert [path.name for path in listing.parent.iterdir()] == ["library.txt"]


def test_constants_are_read_without_running_the_module(tmp_path: Path) -> None:
    path = tmp_path / "table01.py"
    path.write_text(
        'raise SystemExit\nREADS: tuple[str, ...] = ("a.json", "b.json")\nNUMBER = 1\nOTHER = f()\n'
    )
    assert module_constants(path, ["READS", "NUMBER", "ABSENT"]) == {
        "READS": ("a.json", "b.json"),
        "NUMBER": 1,
    }


def test_a_constant_that_is_no_literal_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "table01.py"
    path.write_text("READS = make()\n")
    with pytest.raises(ValueError, match="malformed"):
        module_constants(path, ["READS"])
