"""A table in its three formats: numbers, footnotes, stamps, and other people's text made harmless."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.pipeline.derived import Stamp
from analysis.tables.cells import Cell, Heading, Number, Row, difference, score
from analysis.tables.render import Table, to_csv, to_latex, to_markdown
from raim.safe_text import csv_text, latex, markdown

STAMP = Stamp("cpu", "0123456789abcdef" * 4, "0.1.0")
LINE = "suite cpu; records 0123456789abcdef; raim 0.1.0"


def table(rows: Sequence[Row], header: tuple[str, ...] = ("judge", "κ", "Δ"), **more: object) -> Table:
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


ENTRY = {
    "estimate": 0.69,
    "resample_mean": 0.6933185035,
    "low": 0.65,
    "high": 0.73,
    "undefined_draws": 0,
    "n_scored": 1653,
    "n_total": 2000,
}


def test_a_score_stands_beside_its_denominator() -> None:
    rows: list[list[Cell]] = [["best", score(ENTRY), score({**ENTRY, "n_scored": 2000}, interval=True)]]
    text = to_markdown(table(rows))
    assert "| best | 0.693<sup>†</sup> (1653) | 0.693 \\[0.650, 0.730\\] |" in text
    assert "†: scored on the items that the method committed on, whose number stands in brackets." in text
    assert r"0.693\textsuperscript{\dag{}} (1653) & 0.693 {[}0.650, 0.730{]} \\" in to_latex(table(rows))
    frame = pd.read_csv(io.StringIO(to_csv(table(rows))), comment="#")
    assert frame["κ"].tolist() == [0.6933185035]
    names = ["estimate", "resample_mean", "low", "high", "n_scored", "n_total"]
    assert [frame[f"κ {name}"].item() for name in names] == [0.69, 0.6933185035, 0.65, 0.73, 1653, 2000]


def test_counts_are_not_scaled_with_their_score() -> None:
    frame = pd.read_csv(
        io.StringIO(to_csv(table([["best", score(ENTRY, scale=100, decimals=1), 1]]))), comment="#"
    )
    assert frame["κ low"].item() == 65
    assert frame["κ n_scored"].item() == 1653


def test_a_column_has_the_details_of_all_its_cells() -> None:
    undefined = {**dict.fromkeys(ENTRY), "reason": "one gold class", "n_scored": 0, "n_total": 9}
    rows: list[list[Cell]] = [["mean", "n/a", 1], ["best", score(ENTRY), 2], ["yi", score(undefined), 3]]
    text = to_csv(table(rows))
    assert '"mean","n/a","","","","","","",1' in text
    assert "| yi | —<sup>a</sup> | 3 |" in to_markdown(table(rows))
    assert pd.read_csv(io.StringIO(text), comment="#")["κ n_scored"].tolist()[1:] == [1653, 0]


@pytest.mark.parametrize(
    ("low", "high", "bold"),
    [(0.001, 0.02, True), (-0.02, -0.001, True), (0.0, 0.02, False), (None, None, False)],
)
def test_a_difference_is_bold_where_its_interval_excludes_zero(
    low: float | None, high: float | None, bold: bool
) -> None:
    cell = difference({"resample_mean": 0.01, "estimate": 0.01, "low": low, "high": high})
    assert cell.bold is bold
    assert cell.text() == "+0.010"


def test_headings_and_sums_in_every_format() -> None:
    rows: list[Row] = [Heading("Core"), ["a", 1, 2], Heading("Other"), ["b", 3, 4]]
    one = table(rows, foot=[["count", "2 (1)", "–"]], origin="analysis.tables.table15 from ladder")
    text = to_markdown(one)
    assert "| *Core* |  |  |\n| a | 1 | 2 |\n| *Other* |  |  |\n| b | 3 | 4 |\n| count | 2 (1) | – |" in text
    assert f"*{LINE}; analysis.tables.table15 from ladder*" in text.replace("\\_", "_")
    tex = to_latex(one)
    assert r"\multicolumn{3}{l}{\textit{Core}} \\" in tex
    assert r"\midrule" + "\n" + r"count & 2 (1) & -- \\" in tex
    frame = pd.read_csv(io.StringIO(to_csv(one)), comment="#")
    assert frame.to_dict("list") == {
        "group": ["Core", "Other"],
        "judge": ["a", "b"],
        "κ": [1, 3],
        "Δ": [2, 4],
    }
    assert "# count | 2 (1) | –" in to_csv(one)


def test_the_label_of_the_suite_is_part_of_the_caption() -> None:
    stamp = Stamp("sim", "0" * 64, "0.1.0", "SIMULATED: no judge was asked.")
    one = Table("Table 1", "Ladder.", ("a",), [["b"]], stamp)
    for render in (to_csv, to_markdown, to_latex):
        assert "Ladder. Suite sim: SIMULATED: no judge was asked." in render(one)


def test_a_wide_table_is_shrunk_and_a_long_text_broken() -> None:
    header = ("name", "what it blocks", "κ")
    tex = to_latex(Table("Table 10", "Anchors.", header, [["a", "word " * 20, 1]], STAMP))
    assert r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%" in tex
    assert r"\begin{tabular}{lp{0.4\linewidth}r}" in tex
    assert r"\end{tabular}}" in tex
    assert tex.count("{") == tex.count("}")


def test_a_mean_phi_is_set_in_math() -> None:
    assert latex("φ̄ ≥ κ₀") == r"$\bar{\phi}$ $\geq$ $\kappa$$_0$"


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
    body = to_latex(one).splitlines()[9]
    assert body.endswith(r" & 1 & 2 \\")
    assert body.replace(r"\&", "").count("&") == 2
