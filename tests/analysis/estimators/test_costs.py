"""The cost model: the paper's inputs give the paper's figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.estimators.costs import PUBLISHED_RATES, amortised, break_even, compare, read_rates, render
from analysis.skip import Skip
from analysis.steps import costs as step
from raim.cli import main
from raim.errors import InputError
from tests.analysis.contexts import suite_context
from tests.analysis.simulate import simulate
from verdicts.records.suite import Suite, SuiteMember


def published() -> dict[str, object]:
    rates = read_rates()
    frontier = rates.api("claude-sonnet-4-6")
    assert frontier is not None
    return compare(rates, rates.sequence(rates.panel), frontier)


def test_the_papers_figures() -> None:
    result = published()
    assert len(read_rates().panel) == 10
    assert f"{result['panel']:.3f} {result['frontier']:.2f}" == "0.039 2.52"
    assert f"{result['ratio']:.2f} {result['share']:.4%}" == "64.33 1.5545%"
    assert [round(entry["items"]) for entry in result["break_even"]] == [40_309, 80_618, 403_092]
    rates = read_rates()
    assert rates.usd_per_label == 1
    assert rates.api("gpt-4o") == pytest.approx(1.93)
    assert (
        f"{rates.local('Qwen/Qwen2.5-32B-Instruct-AWQ'):.3f} {rates.local('google/gemma-2-9b-it'):.3f}"
        == ("0.008 0.004")
    )


def test_amortised_cost_meets_the_frontier_at_the_break_even() -> None:
    items = break_even(150.0, 2.5, 0.5)
    assert items == pytest.approx(75_000)
    assert amortised(150.0, 0.5, [items, 2 * items]) == pytest.approx([2.5, 1.5])
    assert break_even(150.0, 0.5, 0.5) is None
    result = compare(read_rates(), 3.0, 2.5)
    assert all(entry["items"] is None and "not cheaper" in entry["reason"] for entry in result["break_even"])
    assert "never" in render({"source": "s", "against": "m", **result})


def test_curve_falls_towards_the_inference_cost() -> None:
    result = published()
    for costs in result["curve"]["amortised"].values():
        assert np.all(np.diff(costs) < 0)
        assert costs[-1] > result["panel"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("0.44", "-1"), "USD an hour of the card"),
        (("{input: 500, output: 68}", "{input: 500}"), "tokens_per_item.output: is missing"),
        (("panel:", "panels:"), "did you mean 'panel'"),
        (
            ("  tiiuae/Falcon3-7B-Instruct: 31.2\n", ""),
            "tiiuae/Falcon3-7B-Instruct has no entry in items_per_second",
        ),
        (("source: ", "source: [\n"), "cannot read the rates"),
    ],
)
def test_rates_that_cannot_be_used(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "rates.yaml"
    path.write_text(PUBLISHED_RATES.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_rates(path)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["costs", "--json", str(tmp_path / "out.json")]) == 0
    page = capsys.readouterr().out
    assert "40,309" in page
    assert "1 to 64.3" in page
    assert (tmp_path / "out.json").exists()
    assert main(["costs", "--against", "gpt-5"]) == 2
    assert "the rates name claude-sonnet-4-6, gpt-4o" in capsys.readouterr().err


def test_step_prices_a_panel_of_the_papers_judges() -> None:
    context = suite_context({"wice": simulate(0)})
    with pytest.raises(Skip, match="name 0 of its 6 members"):
        step.derive(context)
    rates = read_rates()
    members = {f"m{i}": SuiteMember("m", judge, "0", "generative") for i, judge in enumerate(rates.panel)}
    members["sonnet"] = SuiteMember("Sonnet", "claude-sonnet-4-6", "0", "generative", role="frontier")
    members["awq"] = SuiteMember("Qwen", "Qwen/Qwen2.5-72B-Instruct-AWQ", "0", "generative", role="larger")
    suite = Suite(**{**context.suite.__dict__, "members": members})
    result = step.derive(type(context)(**{**context.__dict__, "suite": suite}))
    assert result["usd_per_1000_items"]["panel"] == pytest.approx(0.0391738)
    assert result["usd_per_1000_items"]["judges"]["awq"] is None
    assert result["frontier"] == "sonnet"
    assert round(result["comparison"]["break_even"][1]["items"]) == 80_618
