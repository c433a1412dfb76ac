"""Which engine asks a judge."""

from __future__ import annotations

import importlib
from dataclasses import replace

import pytest

from raim.errors import InputError
from verdicts.engines import registry
from verdicts.judges.roster import find, roster
from verdicts.plan import Settings

JUDGE = find("smollm2-135m")


def test_a_judges_own_engine_comes_before_the_plans() -> None:
    assert registry.engine_of(JUDGE, Settings()) == "transformers"
    with pytest.raises(
        InputError, match=r"smollm2-135m: there is no engine 'abacus'; choose one of: .*transformers"
    ):
        registry.engine_of(replace(JUDGE, engine="abacus"), Settings())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name="torch")

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(InputError, match="the transformers engine needs the package torch"):
        registry.load(JUDGE, None, None, Settings(), 1)


def test_every_engine_that_the_roster_names_exists() -> None:
    assert {judge.engine for judge in roster().values()} - {""} <= set(registry.ENGINES)
