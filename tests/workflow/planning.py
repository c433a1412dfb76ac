"""Run Snakemake in a folder and read its plan."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path


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
        timeout=120,
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
