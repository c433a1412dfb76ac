"""What `make` says at the end of a run."""

from __future__ import annotations

import subprocess
from pathlib import Path


def test_where_names_the_checks_and_the_folders_that_are_there(root: Path, tmp_path: Path) -> None:
    for folder in ("cpu/tables", "cpu/figures", "cpu/logs/tables", "study/pool/tables", "mini/tables"):
        (tmp_path / "results" / folder).mkdir(parents=True)
    for name in ("cpu", "study", "mini"):
        (tmp_path / "results" / name / "index.md").touch()
    for name, outcome in (("cpu", "PASS: 2 files\n"), ("study", "FAIL: 1 differences\n  a: b\n")):
        (tmp_path / "results" / name / "check.txt").write_text(outcome)
    done = subprocess.run(
        ["make", "-s", "-f", str(root / "Makefile"), "where"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [
        "results/cpu/report.html: PASS: 2 files",
        "  results/cpu/figures",
        "  results/cpu/tables",
        "results/mini/report.html: not checked",
        "  results/mini/tables",
        "results/study/report.html: FAIL: 1 differences",
        "  results/study/pool/tables",
    ]
