"""The comparison of regenerated with committed numbers."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.pipeline.check import compare_folders, deviation
from raim.cli import main
from raim.errors import InputError

VALUES: dict[str, Any] = {
    "n_items": 2000,
    "kappa": 0.7253755,
    "large": 123456.789,
    "verdict": "clean win",
    "admissible": True,
    "missing": None,
    "members": {"gemma": {"kappa": 0.5}, "yi": {"kappa": 0.25}},
    "folds": [0.1, 0.2, 0.3],
}


def folders(
    tmp_path: Path, regenerated: str, committed: str, name: str = "b/ladder.json"
) -> tuple[Path, Path]:
    pair = (tmp_path / "regenerated", tmp_path / "committed")
    for folder, text in zip(pair, (regenerated, committed), strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return pair


def problems(tmp_path: Path, change: dict[str, Any]) -> list[str]:
    pair = folders(tmp_path, json.dumps({**VALUES, **change}), json.dumps(VALUES))
    return [str(difference) for difference in compare_folders(*pair).differences]


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"kappa": 0.7253755 + 9e-9},
        {"large": 123456.789 * (1 + 9e-9)},
        {"kappa": 0.7253755 - 1e-15},
        {"folds": [0.1, 0.2, 0.1 + 0.2]},
        {"n_items": 2000.0},
        dict(reversed(VALUES.items())),
    ],
)
def test_passes_within_the_tolerance(tmp_path: Path, change: dict[str, Any]) -> None:
    assert problems(tmp_path, change) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"kappa": 0.7253755 + 1e-7},
            "committed as 0.7253755 (deviation 1.0e-07)",
        ),
        ({"large": 123456.789 * (1 + 1.1e-8)}, "large: 123456.7903"),
        ({"n_items": 2001}, "n_items: 2001, committed as 2000"),
        ({"n_items": 2000.1}, "n_items: 2000.1, committed as 2000"),
        ({"n_items": 2000.000001}, "n_items: 2000.000001, committed as 2000"),
        ({"n_items": True}, "n_items: true, committed as 2000"),
        ({"n_items": "2000"}, 'n_items: "2000", committed as 2000'),
        ({"verdict": "win"}, 'verdict: "win", committed as "clean win"'),
        ({"admissible": 1}, "admissible: 1, committed as true"),
        ({"admissible": 1.0}, "admissible: 1.0, committed as true"),
        ({"missing": 0.0}, "missing: 0.0, committed as null"),
        ({"kappa": None}, "kappa: null, committed as 0.7253755"),
        ({"kappa": math.nan}, "kappa: nan, committed as 0.7253755"),
        ({"kappa": math.inf}, "kappa: inf, committed as 0.7253755"),
        ({"extra": 1}, "extra: extra, regenerated as 1"),
        ({"members": {"gemma": {"kappa": 0.5}}}, 'members.yi: missing, committed as {"kappa": 0.25}'),
        ({"folds": [0.1, 0.2]}, "folds (length): 2, committed as 3"),
        ({"folds": [0.1, 0.3, 0.3]}, "folds[1]: 0.3, committed as 0.2"),
        ({"members": [1]}, "members: [1], committed as {"),
    ],
)
def test_fails_and_names_the_entry(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    found = problems(tmp_path, change)
    assert len(found) == 1
    assert problem in found[0]


def test_nan_equals_nan_and_an_infinity_fails_even_against_itself(tmp_path: Path) -> None:
    assert compare_folders(*folders(tmp_path / "nan", '{"a": NaN}', '{"a": NaN}')).passed
    assert not compare_folders(*folders(tmp_path / "inf", '{"a": Infinity}', '{"a": Infinity}')).passed
    assert not compare_folders(*folders(tmp_path / "big", '{"a": 1e999}', '{"a": 1e999}')).passed


def test_deviation_is_absolute_below_one_and_relative_above() -> None:
    assert deviation(0.5, 0.25) == 0.25
    assert deviation(0.0, 0.0) == 0.0
    assert deviation(400.0, -100.0) == 500.0 / 400.0
    assert deviation(math.nan, 1.0) == math.inf
    assert deviation(10**300, 1.0) == 1.0


@pytest.mark.parametrize(
    ("regenerated", "committed", "problem"),
    [
        ("m,k\na,0.5\n", "m,k\na,0.5000000001\n", ""),
        ("m,k\na,nan\n", "m,k\na,NaN\n", ""),
        ("m,k\na,0.5\n", "m,k\na,0.5001\n", "line 2, k: 0.5, committed as 0.5001"),
        ("m,k\na,7\n", "m,k\na,8\n", 'line 2, k: "7", committed as "8"'),
        ("m,k\n007,1\n", "m,k\n7,1\n", 'line 2, m: "007", committed as "7"'),
        ("m,k\na,inf\n", "m,k\na,inf\n", "line 2, k: inf"),
        ("m,k\na,1\nb,2\n", "m,k\na,1\n", "number of lines: 3, committed as 2"),
        ("m,k\na,1\n", "m,j\na,1\n", 'line 1, field 2: "k", committed as "j"'),
        ("m,k\na\n", "m,k\na,1\n", "line 2, number of fields: 1, committed as 2"),
    ],
)
def test_csv_files(tmp_path: Path, regenerated: str, committed: str, problem: str) -> None:
    differences = compare_folders(*folders(tmp_path, regenerated, committed, "a.csv")).differences
    assert bool(differences) == bool(problem)
    if problem:
        assert problem in str(differences[0])


def test_missing_and_extra_files_are_named(tmp_path: Path) -> None:
    regenerated, committed = folders(tmp_path, "{}", "{}")
    (regenerated / "new.json").write_text("{}")
    (committed / "old.json").write_text("{}")
    (committed / ".hidden").write_text("")
    found = [str(difference) for difference in compare_folders(regenerated, committed).differences]
    assert found == [
        "new.json: the file is not among the committed ones",
        "old.json: the file was not regenerated",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read as JSON"),
        ('{"a": 1, "a": 2}', "an entry occurs twice"),
        ("\udcff", "cannot be read as JSON"),
    ],
)
def test_unreadable_files_are_an_error_of_their_own(tmp_path: Path, text: str, message: str) -> None:
    regenerated, committed = folders(tmp_path, "{}", "{}")
    (committed / "b" / "ladder.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=message):
        compare_folders(regenerated, committed)


def test_nothing_to_compare_is_not_a_pass(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    regenerated, _ = folders(tmp_path, "{}", "{}")
    with pytest.raises(InputError, match="holds no derived file"):
        compare_folders(regenerated, tmp_path / "empty")
    with pytest.raises(InputError, match="no such folder"):
        compare_folders(tmp_path / "absent", regenerated)


def test_the_command_prints_the_first_differences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, shift in (("results/toy/derived", 1e-3), ("derived/toy", 0.0)):
        Path(folder).mkdir(parents=True)
        values = {f"k{i:02}": i / 7 + shift for i in range(30)}
        Path(folder, "overview.json").write_text(json.dumps(values))
    assert main(["check", "toy", "--limit", "2"]) == 1
    out = capsys.readouterr().out
    assert "FAIL: 30 differences; 1 files, 30 floats and 0 exact values compared" in out
    assert "k01" in out
    assert "k02" not in out
    assert "and 28 more" in out
    assert main(["check", "toy", "--tolerance", "0.01"]) == 0
    assert main(["check", "absent"]) == 2
    for option in (["--tolerance", "inf"], ["--tolerance", "nan"], ["--tolerance", "-1"], ["--limit", "0"]):
        assert main(["check", "toy", *option]) == 2


def test_accepting_makes_the_check_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    regenerated, committed = Path("results/toy/derived"), Path("derived/toy")
    (regenerated / "b").mkdir(parents=True)
    (regenerated / "b" / "ladder.json").write_text('{"kappa": 0.5}')
    assert main(["accept", "absent"]) == 2
    assert main(["accept", "toy"]) == 0
    assert main(["check", "toy"]) == 0
    (committed / "stale.json").write_text("{}")
    assert main(["check", "toy"]) == 1
    assert main(["accept", "toy"]) == 0
    assert sorted(path.name for path in committed.rglob("*.json")) == ["ladder.json"]
    assert [path.name for path in committed.parent.iterdir()] == ["toy"]


_LADDER = """
import json, sys
from analysis.estimators.ladder import ladder
from tests.analysis.simulate import simulate
from pathlib import Path
panel = simulate(seed=3, n_items=2000, n_clusters=900, n_members=10)
Path(sys.argv[1]).mkdir(parents=True)
Path(sys.argv[1], "ladder.json").write_text(json.dumps(ladder(panel)))
"""


def test_passes_under_another_blas_thread_count(tmp_path: Path, root: Path) -> None:
    for threads in ("1", "4"):
        variables = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(variables, threads), "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", _LADDER, str(tmp_path / threads)]
        subprocess.run(command, cwd=root, env=environment, check=True, timeout=120)
    comparison = compare_folders(tmp_path / "1", tmp_path / "4")
    assert comparison.passed, comparison.report()
    assert comparison.floats > 100
