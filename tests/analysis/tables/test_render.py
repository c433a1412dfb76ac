"""A table in its three formats: numbers, footnotes, stamps, and other people's text made harmless."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.derived import Stamp
from analysis.tables.cells import Cell, Number, score
from analysis.tables.escape import csv_text, latex, markdown
from analysis.tables.render import Table, to_csv, to_latex, to_markdown

STAMP = Stamp("cpu", "0123456789abcdef" * 4, "0.1.0")
LINE = "suite cpu; records 0123456789abcdef; raim 0.1.0"


def table(rows: list[list[Cell]], header: tuple[str, ...] = ("judge", "κ", "Δ"), **more: object) -> Table:
    return Table("Table 15", "Cohen's κ against gold.", header, rows, STAMP, **more)  # type: ignore[arg-type]


ROWS: list[list[Cell]] = [
    ["gemma", Number(0.72549, bold=True, mark="†"), Number(-0.03201, signed=True, low=-0.06, high=0.004)],
    ["yi", Number(None, reason="one gold class"), Number(None, reason="no common item")],
    ["phi", Number(None, reason="one gold class"), Number(0.1, signed=True, low=0.05, high=0.15)],
]


def test_markdown_shows_values_marks_and_reasons() -> None:
    text = to_markdown(table(ROWS, footnotes=["†: an under-covering baseline"]))
    assert "| gemma | **0.725**<sup>†</sup> | −0.032 \\[−0.060, +0.004\\] |" in text
    assert "| yi | —<sup>a</sup> | —<sup>b</sup> |" in text
    assert "| phi | —<sup>a</sup> | +0.100 \\[+0.050, +0.150\\] |" in text
    assert "(a) undefined: one gold class" in text
    assert "(b) undefined: no common item" in text
    assert "†: an under-covering baseline" in text
    assert LINE in text
    assert "|---|---:|---:|" in text


def test_latex_shows_the_same() -> None:
    text = to_latex(table(ROWS, groups=[("", 1), ("scores", 2)]))
    assert r"gemma & \textbf{0.725}\textsuperscript{\dag{}} & $-$0.032 {[}$-$0.060, +0.004{]} \\" in text
    assert r"yi & ---\textsuperscript{a} & ---\textsuperscript{b} \\" in text
    assert r"\multicolumn{1}{c}{} & \multicolumn{2}{c}{scores} \\" in text
    assert r"\cmidrule(lr){2-3}" in text
    assert text.count(LINE) == 2
    assert text.startswith(f"% {LINE}\n")
    assert text.count("{") == text.count("}")


def test_csv_reads_back_with_ten_digits_and_intervals_as_columns() -> None:
    text = to_csv(table(ROWS, groups=[("", 1), ("scores", 2)]))
    assert text.splitlines()[1] == f"# {LINE}"
    frame = pd.read_csv(io.StringIO(text), comment="#")
    assert list(frame.columns) == ["judge", "scores: κ", "scores: Δ", "scores: Δ low", "scores: Δ high"]
    assert frame["scores: κ"].tolist()[0] == 0.72549
    assert frame["scores: κ"].isna().tolist() == [False, True, True]
    assert frame["scores: Δ low"].tolist()[::2] == [-0.06, 0.05]
    assert "# (a) undefined: one gold class" in text


def test_percentages_are_scaled_in_every_format() -> None:
    rows: list[list[Cell]] = [["gemma", Number(0.8626, decimals=1, scale=100), 3]]
    assert "| gemma | 86.3 | 3 |" in to_markdown(table(rows))
    assert '"gemma",86.26,3' in to_csv(table(rows))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Number(-0.0004), "0.000"),
        (Number(-0.0004, signed=True), "+0.000"),
        (Number(0.0), "0.000"),
        (Number(-0.0006), "−0.001"),
        (Number(1.0, decimals=0), "1"),
        (Number(-7.5, decimals=1), "−7.5"),
    ],
)
def test_what_rounds_to_zero_has_no_minus(number: Number, text: str) -> None:
    assert number.text() == text


def test_an_undefined_number_needs_its_reason() -> None:
    with pytest.raises(ValueError, match="needs its reason"):
        Number(None)
    assert score({"resample_mean": None, "reason": "one gold class"}).reason == "one gold class"
    assert score({"resample_mean": 0.5, "estimate": 0.4}, "estimate").value == 0.4


def test_ragged_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in width"):
        table([["a", 1]])
    with pytest.raises(ValueError, match="differ in width"):
        table(ROWS, groups=[("scores", 2)])


def test_a_table_without_rows_renders() -> None:
    empty = table([])
    assert LINE in to_markdown(empty)
    assert LINE in to_latex(empty)
    assert list(pd.read_csv(io.StringIO(to_csv(empty)), comment="#").columns) == ["judge", "κ", "Δ"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "#comment"])
def test_formulas_are_neutralised_in_csv(name: str) -> None:
    row = list(csv.reader(io.StringIO(to_csv(table([[name, 1, 2]])))))[3]
    assert row[0].startswith("'")
    assert row[1:] == ["1", "2"]


def test_markup_is_escaped() -> None:
    assert markdown("a|b *c* <i> `d` [e](f)\ng") == r"a\|b \*c\* &lt;i&gt; \`d\` \[e\](f) g"
    assert latex(r"50% of \input{x} & a_b^2 #1 $x$ ~") == (
        r"50\% of \textbackslash{}input\{x\} \& a\_b\textasciicircum{}2 \#1 \$x\$ \textasciitilde{}"
    )
    assert csv_text("a\x1b[31mb") == r"a\x1b[31mb"


@settings(derandomize=True, max_examples=200)
@given(st.text(max_size=20))
def test_any_name_keeps_every_format_whole(name: str) -> None:
    one = table([[name, 1, 2]])
    rows = [row for row in csv.reader(io.StringIO(to_csv(one))) if not row[0].startswith("# ")]
    assert [len(row) for row in rows] == [3, 3]
    assert rows[1][1:] == ["1", "2"]
    line = to_markdown(one).splitlines()[4]
    assert line.replace("\\\\", "").replace("\\|", "").count("|") == 4
    body = to_latex(one).splitlines()[8]
    assert body.endswith(r" & 1 & 2 \\")
    assert body.replace(r"\&", "").count("&") == 2
