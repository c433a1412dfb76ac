"""The whole workflow on a small suite: outputs, the check, and what a failure looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raim.cli import main
from tests.workflow.planning import planned, snakemake

OPTIONS = ("--cores", "1", "--configfile", "toy.yaml")


def test_from_records_to_checked_tables(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = snakemake(toy, "derive", *OPTIONS)
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.chdir(toy)
    assert main(["accept", "toy"]) == 0

    done = snakemake(toy, *OPTIONS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (toy / "results" / "toy" / "check.txt").read_text().startswith("PASS: ")
    page = (toy / "results" / "toy" / "index.md").read_text()
    assert "SIMULATED." in page
    assert (
        "- medhallu: 240 items, 90 clusters, 5 members; left out: judge-5 (not asked about this benchmark)"
        in page
    )
    for kind, folder in (("table", "tables"), ("figure", "figures")):
        modules = list((toy / "analysis" / folder).glob(f"{kind}[0-9]*.py"))
        outputs = list((toy / "results" / "toy" / folder).iterdir())
        assert len(outputs) == 3 * len(modules)
        assert all(path.stat().st_size > 0 for path in outputs)
    assert planned(snakemake(toy, "-n", *OPTIONS)) == {}

    committed = toy / "derived" / "toy" / "medhallu" / "ladder.json"
    values = json.loads(committed.read_text())
    values["methods"]["stacked"]["kappa"]["estimate"] += 1e-7
    committed.write_text(json.dumps(values))
    failed = snakemake(toy, *OPTIONS)
    assert failed.returncode != 0
    assert "medhallu/ladder.json: methods.stacked.kappa.estimate: " in failed.stdout + failed.stderr
    assert not (toy / "results" / "toy" / "check.txt").exists()


def test_a_broken_record_file_is_named(toy: Path) -> None:
    path = next((toy / "suites" / "toy" / "records" / "medhallu").glob("*.gz"))
    path.write_bytes(path.read_bytes()[:100])
    done = snakemake(toy, "derive", *OPTIONS)
    assert done.returncode != 0
    assert f"raim: error: {path.relative_to(toy)}: cannot read the record file" in done.stdout + done.stderr
