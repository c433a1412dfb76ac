"""The command line's frame."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import raim
from raim.cli import THREAD_VARIABLES, discover, main

MODULES = discover()
COMMANDS = [module.NAME for module in MODULES]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert f"raim {command}" in out
    # More than the usage line: the module's docstring is there.
    assert len(out.splitlines()) > 6


def test_commands_are_named_for_their_modules() -> None:
    stems = [module.__name__.rsplit(".", 1)[1] for module in MODULES]
    assert stems == [name.replace("-", "_") for name in COMMANDS]


def test_help_loads_no_heavy_package(root: Path) -> None:
    heavy = {"numpy", "scipy", "matplotlib", "torch", "transformers", "datasets", "snakemake"}
    code = "import sys; from raim.cli import build_parser; build_parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())


def test_runs_as_a_module(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "raim", "check", "no-such-suite"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("raim: error: results/no-such-suite/derived: no such folder")


def test_version_is_the_packages() -> None:
    assert raim.__version__.count(".") == 2


@pytest.mark.parametrize(("asked", "threads"), [([], "1"), (["--threads", "3"], "3")])
def test_numbers_take_one_thread_and_judging_what_it_is_given(
    asked: list[str], threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The libraries read the variables when they are loaded: a judge on one core was four times slower on four."""
    for variable in THREAD_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    command = ["judge", "no.yaml", "--judge", "x", *asked] if asked else ["check", "no-such-suite"]
    assert main(command) == 2
    assert {os.environ[variable] for variable in THREAD_VARIABLES} == {threads}


def test_a_spawned_worker_does_not_run_the_command_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["raim", "--version"])
    runpy.run_module("raim.__main__", run_name="__mp_main__")
    with pytest.raises(SystemExit):
        runpy.run_module("raim.__main__", run_name="__main__")
