"""Take GPUs of this host for one process, so that two judges never share one.

A workflow engine limits how many GPU jobs run at once and assigns no device. Each device has a lock file on this host;
who holds its lock may use the device. The kernel frees a lock when its process ends, however it ends, so a killed job
leaves its devices to the next.
"""

from __future__ import annotations

import fcntl
import logging
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from raim.errors import InputError

log = logging.getLogger(__name__)

VISIBLE = "CUDA_VISIBLE_DEVICES"
_POLL_SECONDS = 0.5


@dataclass
class Devices:
    """GPUs that this process holds until it ends or calls :meth:`release`."""

    names: tuple[str, ...]
    handles: list[int]

    def release(self) -> None:
        """Leave the devices to others."""
        while self.handles:
            os.close(self.handles.pop())


def visible_devices(environment: Mapping[str, str]) -> list[str]:
    """The GPUs that this process may choose from: those of ``CUDA_VISIBLE_DEVICES``, else all that nvidia-smi lists.

    Raises InputError where there is neither.
    """
    if VISIBLE in environment:
        return [name.strip() for name in environment[VISIBLE].split(",") if name.strip()]
    try:
        done = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(
            f"cannot tell which GPUs this host has (nvidia-smi: {error}); give them, as in --devices 0,1 or "
            f"`devices: [0, 1]`, set {VISIBLE}, or run on the CPU with --gpus 0 or `gpus: 0`"
        ) from error
    return [str(number) for number, line in enumerate(done.stdout.splitlines()) if line.strip()]


def lock_folder(environment: Mapping[str, str]) -> Path:
    """Where this user's lock files of this host lie.

    SLURM may number the GPUs of each of its jobs from 0: names mean something within one job only, so each job has a
    folder of its own.
    """
    job = environment.get("SLURM_JOB_ID", "")
    return Path(tempfile.gettempdir()) / f"raim-devices-{os.getuid()}{job and '-'}{job}"


def take(names: Sequence[str], count: int, folder: Path) -> Devices:
    """Take ``count`` of the named GPUs, waiting until so many are free.

    One process at a time collects devices and the others wait behind it: a judge that needs several is not overtaken
    for ever by those that need one, and two never wait for each other's.

    Raises InputError where there are fewer than ``count``, and where the lock files cannot be written.
    """
    names = list(dict.fromkeys(names))
    if len(names) < count:
        raise InputError(
            f"{count} GPUs are wanted and there are {len(names)}: {', '.join(names) or 'none'}; lower `gpus`, or name "
            f"more (--devices, `devices`, {VISIBLE})"
        )
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        turn = os.open(folder / "turn.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot keep the GPUs' locks there ({error.strerror}); set TMPDIR to a folder of this host that "
            f"you can write to"
        ) from error
    held: dict[str, int] = {}
    collecting = told = False
    try:
        while True:
            collecting = collecting or _lock(turn)
            for name in names if collecting else ():
                if len(held) < count and name not in held:
                    handle = os.open(folder / f"{name.replace('/', '-')}.lock", os.O_RDWR | os.O_CREAT, 0o600)
                    if _lock(handle):
                        held[name] = handle
                    else:
                        os.close(handle)
            if len(held) == count:
                break
            if not told:
                log.info("waiting for %d of the GPUs %s", count, ", ".join(names))
                told = True
            time.sleep(_POLL_SECONDS)
    except BaseException:
        Devices((), list(held.values())).release()
        raise
    finally:
        os.close(turn)
    taken = tuple(name for name in names if name in held)
    return Devices(taken, [held[name] for name in taken])


def take_for_judge(gpus: int | None, devices: str | None) -> Devices:
    """Set this process's ``CUDA_VISIBLE_DEVICES`` to what a judge may use; call it before torch or vLLM is imported.

    Without ``gpus`` nothing is taken and the variable stays as the user or a scheduler has set it; 0 hides all GPUs;
    a number takes so many of ``devices`` (names with commas between them), by default of :func:`visible_devices`.
    """
    if gpus is None:
        if devices is not None:
            raise InputError(f"--devices {devices}: give --gpus too, the number of them that a judge takes")
        return Devices((), [])
    if gpus < 0:
        raise InputError(f"--gpus {gpus}: give 0 (the CPU) or more")
    if gpus == 0:
        os.environ[VISIBLE] = ""
        return Devices((), [])
    environment = os.environ if devices is None else {VISIBLE: devices}
    taken = take(visible_devices(environment), gpus, lock_folder(os.environ))
    os.environ[VISIBLE] = ",".join(taken.names)
    log.info("takes the GPUs %s", os.environ[VISIBLE])
    return taken


def _lock(handle: int) -> bool:
    """Lock an open file if nobody else has."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
