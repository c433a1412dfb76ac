"""The Kubernetes profile with the real executor and a stand-in for the cluster, which runs the pods' commands here.

What is tested: the profile is accepted, what a pod asks for, and that its command works from a pod's empty folder with
what was handed on to it. What is not: images, volumes, GPUs, scheduling.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.workflow.kubernetes_api import serving
from tests.workflow.planning import snakemake

pytestmark = pytest.mark.slow


PLUGINS = ("snakemake_executor_plugin_kubernetes", "snakemake_storage_plugin_fs")


@pytest.mark.skipif(
    not all(map(find_spec, PLUGINS)), reason="needs the executor's plugins (make cluster-env)"
)
@pytest.mark.skipif(shutil.which("rsync") is None, reason="needs rsync, by which files are handed on")
def test_shards_as_kubernetes_jobs(panel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    path = panel / "plans" / "mine.yaml"
    config = yaml.safe_load(path.read_text())
    # A pod sees its own GPUs only: no list of devices.
    del config["judge"]["devices"]
    config["judge"]["python"] = str(panel / "judge-python")
    path.write_text(yaml.safe_dump(config))
    judge, gpus = "qwen2.5-coder-0.5b", 2
    targets = [f"results/mini/judged/{judge}/{part}of2.done" for part in (1, 2)]
    targets.append("results/mini/judged/smollm2-135m/1of1.done")
    with serving(tmp_path / "kubeconfig") as cluster:
        done = snakemake(
            panel,
            *targets,
            *("--workflow-profile", "profiles/kubernetes", "--configfile", "plans/mine.yaml"),
            *("--default-storage-prefix", str(tmp_path / "volume"), "--retries", "0"),
            *("--seconds-between-status-checks", "1", "--latency-wait", "5"),
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert all((tmp_path / "volume" / target).exists() for target in targets)
    assert sorted(cluster.ended.values()) == [0, 0, 0]

    pods = [job["spec"]["template"]["spec"] for job in cluster.jobs.values()]
    asked = [pod["containers"][0]["resources"] for pod in pods]
    with_gpus = [entry for entry in asked if "nvidia.com/gpu" in entry["requests"]]
    assert len(with_gpus) == 2
    for entry in with_gpus:
        # Kubernetes refuses a GPU that is requested without an equal limit.
        assert entry["requests"]["nvidia.com/gpu"] == entry["limits"]["nvidia.com/gpu"] == str(gpus)
    assert {entry["requests"]["memory"] for entry in asked} == {"64000M"}
    for pod in pods:
        (container,) = pod["containers"]
        assert container["image"] == "registry.example/raim-judge:1"
        assert {"name": "raim", "mountPath": "/raim"} in container["volumeMounts"]
        assert {"name": "raim", "persistentVolumeClaim": {"claimName": "raim"}} in pod["volumes"]
    tolerant = [pod for pod in pods if pod.get("tolerations")]
    assert [pod["tolerations"][0]["key"] for pod in tolerant] == ["nvidia.com/gpu"] * 2
