"""The SLURM profile on a real SLURM of one node: two shards of a real judge at once, into one store.

`make test-slurm` runs it: it needs root, Debian's packages slurm-wlm and munge, the executor plugin, and the judge
environment, whose Python ``$RAIM_JUDGE_PYTHON`` names.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.workflow.planning import snakemake
from verdicts.records.schema import Distribution, Record
from verdicts.store import Store

pytestmark = pytest.mark.slow

ONE_NODE = Path(__file__).with_name("one_node_slurm.sh")
CLUSTERS, PROTOCOLS, SHARDS = 4, ("constrained", "generative"), 2


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a running SLURM."""
    missing = [name for name in ("slurmctld", "slurmd", "munged", "sbatch") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs SLURM: {', '.join(missing)} not found (apt-get install slurm-wlm munge)")
    if os.getuid() != 0:
        pytest.skip("needs root, to start SLURM's daemons")
    if find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("needs snakemake-executor-plugin-slurm (make cluster-env)")
    folder = tmp_path / "slurm"
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    monkeypatch.setenv("PATH", str(folder / "bin"), prepend=os.pathsep)
    subprocess.run([ONE_NODE, "start", folder], check=True)
    yield folder
    subprocess.run([ONE_NODE, "stop", folder], check=True)


@pytest.fixture
def judge_python(root: Path) -> str:
    """The judge environment's Python."""
    path = Path(os.environ.get("RAIM_JUDGE_PYTHON", root / ".venv-judge" / "bin" / "python"))
    if not path.exists():
        pytest.skip(f"needs the judge environment (make judge-env); there is no {path}")
    return str(path)


def jobs() -> list[dict[str, str]]:
    """SLURM's jobs, finished ones too."""
    shown = subprocess.run(
        ["scontrol", "show", "job", "--oneliner"], capture_output=True, text=True, check=True
    )
    return [dict(re.findall(r"(\S+?)=(\S*)", line)) for line in shown.stdout.splitlines() if "JobId=" in line]


def records(root: Path) -> dict[tuple[str, str], Record]:
    """All records of a store, by their condition's kind and their item."""
    shards = Store(root).shards()
    return {(shard.condition.kind, made.item): made for shard in shards for made in shard.records()}


def test_two_shards_as_slurm_jobs_into_one_store(
    clone: Path, slurm: Path, judge_python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAIM_WEIGHTS", os.environ.get("RAIM_WEIGHTS", str(Path.cwd() / "weights")))
    folder = Path(shutil.copytree(clone, tmp_path / "raim"))
    plan = {
        "suite": "mini",
        "benchmarks": {"minipairs": {"clusters": CLUSTERS}},
        "members": [{"judge": "smollm2-135m", "protocol": protocol} for protocol in PROTOCOLS],
        "settings": {"batch_size": 2, "max_new_tokens": 12},
    }
    section = {
        "plans": [plan],
        "python": judge_python,
        "store": "store",
        "weights": "weights",
        "slices": SHARDS,
        "gpus": 1,
    }
    config = {"suites": ["mini"], "check": [], "studies": [], "judge": section}
    (folder / "mine.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(
        folder,
        *(
            "results/mini/suite/LOCK.json",
            "--workflow-profile",
            "profiles/slurm",
            "--configfile",
            "mine.yaml",
        ),
        *("--slurm-no-account", "--slurm-status-command", "squeue", "--latency-wait", "10"),
        *("--slurm-init-seconds-before-status-checks", "5", "--set-threads", "judge=1", "--retries", "0"),
        *("--default-resources", "mem_mb=4000", "runtime=30", "slurm_partition=test"),
        *("--set-resources", "judge:mem_mb=4000", "judge:runtime=30"),
    )
    assert done.returncode == 0, done.stdout + done.stderr

    # Two jobs of SLURM, at once, each with a GPU of its own.
    judging = [job for job in jobs() if job["Comment"].startswith("rule_judge_")]
    assert len(judging) == SHARDS
    spans = sorted((job["StartTime"], job["EndTime"]) for job in judging)
    assert all(datetime.fromisoformat(end) > datetime.fromisoformat(start) for start, end in spans)
    assert spans[1][0] < spans[0][1]
    logs = [path.read_text() for path in (folder / "results" / "mini" / "logs" / "judge").rglob("*.log")]
    assert sorted(log.split("takes the GPUs ")[1][0] for log in logs) == ["0", "1"]

    # No record lost, none twice, nothing left open; each condition has what both processes wrote.
    shards = list(Store(folder / "store").shards())
    assert len(shards) == len(PROTOCOLS)
    for shard in shards:
        lines = (shard.folder / "sealed.jsonl").read_text().splitlines()
        assert len({json.loads(line)["key"] for line in lines}) == len(lines) == 2 * CLUSTERS
        assert not list((shard.folder / "open").iterdir())
        assert len(shard.runs()) == SHARDS
        made_by = [record.run for record in shard.records()]
        assert {made_by.count(run.run) for run in shard.runs()} == {2 * CLUSTERS // SHARDS}

    # The same as one process makes.
    command = [
        "judge",
        "results/mini/plan.yaml",
        "--judge",
        "smollm2-135m",
        "--store",
        "alone",
        "--threads",
        "1",
    ]
    subprocess.run([judge_python, "-m", "raim", *command], cwd=folder, check=True)
    together, alone = records(folder / "store"), records(folder / "alone")
    assert len(together) == len(PROTOCOLS) * 2 * CLUSTERS
    assert together.keys() == alone.keys()
    for key, record in together.items():
        other = alone[key]
        assert (record.key, record.prompt) == (other.key, other.prompt)
        if isinstance(record.value, Distribution) and isinstance(other.value, Distribution):
            # Other neighbours in a batch move the last digits.
            assert record.value.probabilities == pytest.approx(other.value.probabilities, abs=1e-5)
            assert record.value.off_label_mass == pytest.approx(other.value.off_label_mass, abs=1e-5)
        else:
            assert record.value == other.value
    assert (folder / "results" / "mini" / "suite" / "LOCK.json").exists()
