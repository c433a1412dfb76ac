"""Derived files say what they are of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.pipeline.derived import ORIGIN, Derived
from verdicts.records.suite import read_suite


@pytest.mark.parametrize("name", ["cpu", "sim"])
def test_each_released_file_names_its_suite_and_label(root: Path, name: str) -> None:
    suite = read_suite(root / "suites" / name)
    files = sorted((root / "derived" / name).rglob("*.json"))
    assert files
    for path in files:
        values = json.loads(path.read_text(encoding="utf-8"))
        assert values[ORIGIN] == {"suite": name, "label": suite.label}, path


def test_the_origin_is_no_value_of_a_step(root: Path) -> None:
    derived = Derived(root / "derived" / "sim")
    assert ORIGIN not in derived.read("wice", "ladder")
    assert ORIGIN not in derived.read_suite("routes")
