"""The whole workflow on a small suite: outputs, the check, and what a failure looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from markupsafe import escape

from analysis.pipeline.build import read_summary
from raim.cli import main
from tests.workflow.planning import planned, snakemake

OPTIONS = ("--cores", "1", "--configfile", "toy.yaml")


def test_from_records_to_checked_tables(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = toy / "results" / "toy"
    # What a removed step, benchmark or table has left.
    stale = [
        results / "derived" / "gone.json",
        results / "derived" / "medhallu" / "gone.json",
        results / "derived" / "gone" / "ladder.json",
        results / "tables" / "table99.csv",
    ]
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    made = snakemake(toy, "derive", *OPTIONS)
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.chdir(toy)
    assert main(["accept", "toy"]) == 0

    done = snakemake(toy, *OPTIONS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (toy / "results" / "toy" / "check.txt").read_text().startswith("PASS: ")
    assert not [path for path in stale if path.exists()]
    assert not (results / "derived" / "gone").exists()
    page = (results / "index.md").read_text()
    assert "SIMULATED: no judge was asked" in page
    assert (
        "- medhallu: 80 items, 40 clusters, 4 members; left out: half (not asked about this benchmark)"
        in page
    )
    report = (results / "report.html").read_text()
    assert "PASS: the numbers are the committed ones" in report
    for kind, folder in (("table", "tables"), ("figure", "figures")):
        modules = {path.stem for path in (toy / "analysis" / folder).glob(f"{kind}[0-9]*.py")}
        outputs = read_summary(results / folder)
        assert {output.module.rpartition(".")[2] for output in outputs} >= modules
        files = {name for output in outputs for name in output.files}
        assert {path.name for path in (results / folder).iterdir()} == {*files, "summary.json"}
        assert all((results / folder / name).stat().st_size > 0 for name in files)
        assert all(bool(output.files) != bool(output.skipped) for output in outputs)
        assert all(output.title in page.replace("\\", "") for output in outputs)
        assert all(f">{escape(output.title)}</h3>" in report for output in outputs)
        assert all(output.origin.startswith(f"rule {folder}, analysis/{folder}/") for output in outputs)
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
    message = (
        f"raim: error: suites/toy: changed since it was locked: {path.relative_to(toy / 'suites' / 'toy')};"
    )
    assert message in done.stdout + done.stderr
