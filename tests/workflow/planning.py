"""Run Snakemake in a folder and read its plan."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

from tests.synthetic import PANEL, Judge, make_suite

#: A Python program that stands for the judge environment's Python.
FAKE_JUDGE = '''#!{python}
"""Stands for the judge environment's Python: notes its arguments, and exports a synthetic suite."""
import json, os, sys
from pathlib import Path

with open("calls.jsonl", "a") as calls:
    print(json.dumps([sys.argv[1:], os.environ.get("RAIM_WEIGHTS", "")]), file=calls)
if sys.argv[3] == "judge" and os.path.exists("fail"):
    sys.exit("raim: error: no such judge")
if sys.argv[3] == "export":
    sys.path[:0] = [os.getcwd(), {root!r}]
    import yaml
    from tests.synthetic import Judge, make_suite

    (plan,) = yaml.safe_load(Path(sys.argv[4]).read_text())["judge"]["plans"]
    judges = [Judge(f"{{m['judge']}}.{{m['protocol']}}", 0.5) for m in plan["members"]]
    make_suite(Path(sys.argv[-1]), judges, {{name: 30 for name in plan["benchmarks"]}})
'''


def toy_clone(clone: Path, folder: Path) -> Path:
    """Copy a clone and add a small suite ``toy``, with a committed derived tier that says nothing, and ``toy.yaml``.

    One of the suite's members is asked about one of its benchmarks only.
    """
    shutil.copytree(clone, folder)
    make_suite(folder / "suites" / "toy", [*PANEL, Judge("half", 0.6, only=("factscore",))])
    committed = folder / "derived" / "toy" / "overview.json"
    committed.parent.mkdir(parents=True)
    committed.write_text("{}\n", encoding="utf-8")
    (folder / "toy.yaml").write_text("suites: [toy]\ncheck: [toy]\nstudies: []\n", encoding="utf-8")
    scramble(folder, random.Random(1))
    return folder


def scramble(folder: Path, rng: random.Random) -> None:
    """Give all files arbitrary modification times in the past, as ``git clone`` and copying do."""
    for path in folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            then = path.stat().st_mtime - rng.uniform(1e3, 1e7)
            os.utime(path, (then, then))


def snakemake(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this environment's Snakemake in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / ".cache")}
    return subprocess.run(
        [sys.executable, "-m", "snakemake", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )


def planned(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    """Jobs that a dry run would start, by rule, from its table of job statistics."""
    assert done.returncode == 0, done.stdout + done.stderr
    text = done.stdout + done.stderr
    if "Job stats:" not in text:
        assert "Nothing to be done" in text, text
        return {}
    table = text.split("Job stats:")[1].splitlines()[3:]
    rows = [line.split() for line in table]
    end = next(i for i, row in enumerate(rows) if row[:1] == ["total"])
    return {rule: int(count) for rule, count in rows[:end]}
