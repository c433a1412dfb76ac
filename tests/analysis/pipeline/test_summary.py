"""The page of a suite or study, from its committed numbers."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

from analysis.panel.suites import NOT_ASKED
from analysis.pipeline.build import Output
from analysis.pipeline.derived import Derived
from analysis.pipeline.summary import summary
from raim.safe_text import markdown


@pytest.mark.parametrize("name", ["cpu", "sim", "alt_test"])
def test_every_released_overview_makes_a_page(root: Path, name: str) -> None:
    overview = Derived(root / "derived" / name).overview
    made = Output("table01", "Table 1", "here", (), ("table01.csv",), None)
    left = Output("table02", "Table 2", "here", (), (), "no <judge> was asked")
    late = Output("alt_frontier", "Table A4", "here", (), (), "no frontier judge")
    early = Output("alt_gold", "Table A3", "here", (), ("alt_gold.csv",), None)
    page = summary(overview, {"tables": [late, early, made, left]})
    assert page.startswith(f"# {overview['title']}")
    assert all(f"- {markdown(benchmark)}: " in page for benchmark in overview["benchmarks"])
    assert "[csv](tables/table01.csv)" in page
    assert "skipped, no" in page
    assert "<judge>" not in page
    titles = ("Table 1:", "Table 2:", "Table A3:", "Table A4:")
    places = [page.index(title) for title in titles]
    assert places == sorted(places)


def test_who_was_left_out_stands_once_for_each_reason(root: Path) -> None:
    """Second arms are asked about some benchmarks only: that is no omission; a member that was not asked is one."""
    overview = deepcopy(dict(Derived(root / "derived" / "sim").overview))
    first, second, third, *_ = overview["roster"]
    gap = "missing: 0 of 114 items judged"
    arm = next(name for name, entry in overview["roster"].items() if entry["role"] == "def_on")
    overview["benchmarks"]["cnn"]["left_out"] = {first: gap, arm: NOT_ASKED, second: NOT_ASKED, third: gap}
    (line,) = [line for line in summary(overview, {}).splitlines() if line.startswith("- cnn: ")]
    out = f"left out: {first}, {third} ({gap}); {second} ({NOT_ASKED})"
    assert line.endswith(markdown(out))
