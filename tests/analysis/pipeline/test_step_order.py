"""Passes of steps, read from their sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.steps.order import order_steps
from raim.errors import InputError


def steps(folder: Path, **modules: tuple[str, tuple[str, ...]]) -> Path:
    for name, (scope, reads) in modules.items():
        (folder / f"{name}.py").write_text(f"SCOPE = {scope!r}\nREADS: tuple[str, ...] = {reads!r}\n")
    (folder / "helper.py").write_text("VALUE = 1\n")
    return folder


def test_every_step_comes_after_those_it_reads(tmp_path: Path) -> None:
    folder = steps(
        tmp_path,
        overview=("suite", ()),
        curve=("benchmark", ("ladder",)),
        ladder=("benchmark", ("names",)),
        names=("suite", ("overview",)),
        transfer=("suite", ("overview",)),
        holm=("suite", ("predictor",)),
        predictor=("suite", ("ladder", "transfer")),
    )
    passes = order_steps(folder)
    assert passes.before == ("overview", "names")
    assert passes.benchmarks == ("ladder", "curve")
    assert passes.alongside == ("transfer",)
    assert passes.after == ("predictor", "holm")
    assert passes.suite == ("overview", "names", "transfer", "predictor", "holm")


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"a": ("suite", ("b",)), "b": ("suite", ("a",))}, "in a circle: a, b, a"),
        ({"a": ("suite", ("c",))}, "READS names 'c', which is no step; steps here: a"),
        ({"a": ("item", ())}, "SCOPE is 'item'; write one of suite, benchmark"),
        (
            {"a": ("suite", ("b",)), "b": ("benchmark", ()), "c": ("benchmark", ("a",))},
            "c.py: READS names 'a', a suite step that is made after the benchmarks",
        ),
    ],
)
def test_what_cannot_be_ordered_is_named(
    tmp_path: Path, modules: dict[str, tuple[str, tuple[str, ...]]], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        order_steps(steps(tmp_path, **modules))
    assert message in str(caught.value)


def test_the_projects_own_steps_have_an_order() -> None:
    passes = order_steps()
    assert passes.before == ("overview",)
    assert "ladder" in passes.benchmarks
