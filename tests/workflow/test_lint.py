"""Snakemake's own linter finds nothing, with and without the inference rules."""

from __future__ import annotations

from pathlib import Path

from tests.workflow.planning import snakemake


def test_lint_is_clean(toy: Path) -> None:
    done = snakemake(toy, "--lint", "--configfile", "toy.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Congratulations" in done.stdout + done.stderr
