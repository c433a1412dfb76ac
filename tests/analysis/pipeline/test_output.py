from __future__ import annotations

import json
import os

import pytest

from analysis.output import require_writable, write_json
from raim.errors import InputError


def test_json_is_whole_or_not_at_all(tmp_path):
    out = tmp_path / "out.json"
    write_json(out, {"é": [1, None]})
    assert json.loads(out.read_text(encoding="utf-8")) == {"é": [1, None]}
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(out, {"bad": float("nan")})
    assert json.loads(out.read_text(encoding="utf-8")) == {"é": [1, None]}
    assert os.listdir(tmp_path) == ["out.json"]  # noqa: PTH208


def test_a_failed_rename_leaves_nothing(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    with pytest.raises(InputError, match="cannot write"):
        write_json(target, {})
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("out", "message"),
    [("none/out.json", "create it first"), (".", "it is a folder"), ("file/out.json", "create")],
)
def test_places_that_are_refused(out, message, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=message):
        require_writable(tmp_path / out)


def test_a_plain_name_is_in_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    from pathlib import Path

    require_writable(Path("out.json"))
    write_json(Path("out.json"), 1)
    assert (tmp_path / "out.json").read_text() == "1\n"


def test_links_stay_and_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "real").mkdir()
    link, target = tmp_path / "link.json", tmp_path / "real" / "out.json"
    for _ in range(2):  # First dangling, then to a file.
        if not link.is_symlink():
            link.symlink_to(target)
        require_writable(link)
        write_json(link, 1)
        assert link.is_symlink()
        assert target.read_text() == "1\n"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for write in (require_writable, lambda path: write_json(path, 1)):
        with pytest.raises(InputError, match="a device or a pipe; name a file"):
            write(pipe)
    assert pipe.is_fifo()
    assert [p.name for p in (tmp_path / "real").iterdir()] == ["out.json"]
