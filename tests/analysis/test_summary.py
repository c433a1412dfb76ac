"""The page of a suite or study, from its committed numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.build import Output
from analysis.derived import Derived
from analysis.summary import summary
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
