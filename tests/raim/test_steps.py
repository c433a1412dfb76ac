"""The frame around every script of the workflow."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from raim.errors import InputError
from raim.steps import step


def test_prints_go_to_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with step(tmp_path / "log"):
        print("to stdout")
        print("to stderr", file=sys.stderr)
    assert (tmp_path / "log").read_text() == "to stdout\nto stderr\n"
    assert capsys.readouterr() == ("", "")


def test_bad_input_ends_with_status_2_and_a_message_in_both_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught, step(tmp_path / "log"):
        raise InputError("suites/cpu: no such folder")
    assert caught.value.code == 2
    assert capsys.readouterr().err == "raim: error: suites/cpu: no such folder\n"
    assert (tmp_path / "log").read_text() == "raim: error: suites/cpu: no such folder\n"


def test_other_errors_keep_their_traceback(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), step(tmp_path / "log"):
        _ = 1 / 0
    assert "ZeroDivisionError" in (tmp_path / "log").read_text()
