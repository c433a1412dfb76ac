"""GPUs of a host: never two judges on one, waiting where there are too few, freed when a process is killed.

No GPU is needed: what is tested is who is told which device.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from raim.errors import InputError
from tests.processes import forked
from verdicts.devices import VISIBLE, lock_folder, take, take_for_judge, visible_devices


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the lock files, and quick looks at it."""
    monkeypatch.setattr("verdicts.devices._POLL_SECONDS", 0.01)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    return lock_folder({})


def judge_with(gpus: int, devices: str, notes: Path, seconds: float = 0.05) -> None:
    """Stands for a judge: notes from when to when it had the GPUs that its environment names."""
    take_for_judge(gpus, devices)
    started = time.monotonic()
    time.sleep(seconds)
    with notes.open("a") as out:
        out.write(f"{os.environ[VISIBLE]} {started} {time.monotonic()}\n")


@pytest.mark.parametrize("wanted", [(1, 1, 1, 1, 1, 1), (2, 1, 2, 1, 1, 2), (2, 2, 2)], ids=str)
def test_two_at_once_never_share(locks: Path, tmp_path: Path, wanted: tuple[int, ...]) -> None:
    """More processes than devices; some need two at once."""
    notes = tmp_path / "notes"
    children = [forked(lambda gpus=gpus: judge_with(gpus, "0,GPU-5f", notes)) for gpus in wanted]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * len(wanted)
    lines = [line.split() for line in notes.read_text().splitlines()]
    assert sorted(line[0].count(",") + 1 for line in lines) == sorted(wanted)
    had = defaultdict(list)
    for names, started, ended in lines:
        for name in names.split(","):
            had[name].append((float(started), float(ended)))
    assert set(had) == {"0", "GPU-5f"}
    for spans in had.values():
        spans.sort()
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_killed_process_leaves_its_devices(locks: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    child = forked(lambda: judge_with(2, "0,1", notes, 60))
    while len(list(locks.glob("*.lock"))) < 3:
        time.sleep(0.01)
    time.sleep(0.05)
    waiting = forked(lambda: judge_with(1, "0,1", notes))
    time.sleep(0.1)
    assert not notes.exists()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(os.waitpid(waiting, 0)[1]) == 0
    assert notes.read_text().startswith("0 ")


def test_what_was_waited_for_is_told(
    locks: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = take(["0", "1"], 1, locks)
    assert first.names == ("0",)
    with caplog.at_level(logging.INFO), monkeypatch.context() as patched:
        patched.setattr(time, "sleep", lambda seconds: first.release())
        second = take(["0", "1"], 2, locks)
    assert caplog.messages == ["waiting for 2 of the GPUs 0, 1"]
    assert second.names == ("0", "1")
    second.release()
    take(["1"], 1, locks).release()


def test_too_few_devices(locks: Path) -> None:
    with pytest.raises(InputError, match="2 GPUs are wanted and there are 1: 0; lower `gpus`"):
        take(["0", "0"], 2, locks)
    with pytest.raises(InputError, match="1 GPUs are wanted and there are 0: none"):
        take([], 1, locks)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="set TMPDIR to a folder"):
        take(["0"], 1, tmp_path / "file" / "locks")


def test_the_users_own_choice_is_kept(locks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "2,3")
    take_for_judge(None, None)
    assert os.environ[VISIBLE] == "2,3"
    taken = take_for_judge(1, None)
    assert os.environ[VISIBLE] == "2"
    taken.release()
    monkeypatch.setenv(VISIBLE, "2,3")
    taken = take_for_judge(1, "7, 8")
    assert os.environ[VISIBLE] == "7"
    taken.release()


def test_the_cpu_sees_no_gpu(locks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "0")
    take_for_judge(0, None)
    assert os.environ[VISIBLE] == ""


@pytest.mark.parametrize(("gpus", "devices"), [(None, "0"), (-1, None)], ids=["no number", "negative"])
def test_options_that_say_nothing(gpus: int | None, devices: str | None) -> None:
    with pytest.raises(InputError, match="--gpus"):
        take_for_judge(gpus, devices)


def test_devices_are_those_that_the_driver_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = tmp_path / "nvidia-smi"
    command.write_text(
        "#!/bin/sh\necho 'GPU 0: NVIDIA H100 (UUID: GPU-1)'\necho 'GPU 1: NVIDIA H100 (UUID: GPU-2)'\n"
    )
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert visible_devices({}) == ["0", "1"]
    assert visible_devices({VISIBLE: " 3, GPU-1,"}) == ["3", "GPU-1"]
    assert visible_devices({VISIBLE: ""}) == []
    command.write_text("#!/bin/sh\nexit 9\n")
    with pytest.raises(InputError, match=r"cannot tell which GPUs this host has.*devices"):
        visible_devices({})
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(InputError, match=r"cannot tell which GPUs this host has.*devices"):
        visible_devices({})


def test_each_slurm_job_numbers_its_own_devices() -> None:
    assert lock_folder({"SLURM_JOB_ID": "7"}) != lock_folder({"SLURM_JOB_ID": "8"})
    assert lock_folder({}) == lock_folder({})
