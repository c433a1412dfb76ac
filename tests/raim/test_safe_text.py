"""Other people's text, wherever it is shown: terminal, logs, CSV, Markdown, LaTeX, HTML."""

from __future__ import annotations

import csv
import io
import logging
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.deployment.deploy import Verdicts
from analysis.deployment.deploy_text import verdicts_csv
from analysis.panel.votes import vote_matrix
from analysis.panel.votes_csv import Columns, parse_votes_csv
from analysis.panel.votes_csv import to_csv as votes_to_csv
from analysis.pipeline.derived import Stamp
from analysis.tables.cells import Heading, Number
from analysis.tables.render import Table, to_csv, to_latex, to_markdown
from raim.cli import main
from raim.errors import InputError
from raim.safe_text import SafeStream, csv_data, csv_read, csv_text, latex, lines, markdown, printable
from raim.steps import step

#: Recolours, clears the screen, sets the title, rings, turns the line round, hides, runs, opens, closes.
HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x1b[2J\x1b[H",
    "\x1b]0;title\x07",
    "\x9b31m",
    "a\rb",
    "\u202egnp.exe",
    "in\u200bvisible",
    "=HYPERLINK(1)",
    "+1",
    "-1+2",
    "@SUM(A1)",
    "\t=1",
    "  =1",
    "'=1",
    "''=1",
    "'plain'",
    "#comment",
    "＝1",
    "<script>alert(1)</script>",
    "&lt;",
    "a|b`c*d_e",
    "[x](javascript:alert(1))",
    r"\input{/etc/passwd}",
    "100% $x$ #1 ^~{}",
    "\ud800",
)
NAMES = pytest.mark.parametrize("name", HOSTILE, ids=[f"text{n}" for n in range(len(HOSTILE))])
CONTROL = {chr(code) for code in (*range(32), *range(0x7F, 0xA0))} - {"\n"}


def harmless(text: str) -> bool:
    """No control characters but line breaks, nothing invisible or turning, no half of a surrogate."""
    return not CONTROL & set(text) and all(c.isprintable() or c == "\n" for c in text)


@NAMES
def test_what_is_shown_controls_nothing(name: str) -> None:
    for shown in (printable(name), lines(name), csv_text(name), markdown(name), latex(name)):
        assert harmless(shown)


def test_plain_names_stay_as_they_are() -> None:
    for name in ("Qwen/Qwen2.5-7B", "é 宽", "item 1:neg", "o'neill", "1-2"):
        assert printable(name) == lines(name) == csv_text(name) == csv_data(name) == name


def test_line_breaks_of_a_message_stay() -> None:
    assert lines("one\n  two\x1b[1m\n") == "one\n  two\\x1b[1m\n"


@settings(derandomize=True, max_examples=300)
@given(st.text(alphabet=st.characters(codec=None), max_size=8) | st.text(alphabet="'=+-@\t #a", max_size=6))
def test_data_can_be_read_back(text: str) -> None:
    """An apostrophe before what would run, and off again: no two ids become one."""
    written = csv_data(text)
    assert csv_read(written) == text
    assert not written.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@settings(derandomize=True, max_examples=50)
@given(st.lists(st.text(alphabet="'=+-@ab", min_size=1, max_size=5), min_size=2, max_size=5, unique=True))
def test_votes_that_were_written_are_read_back_as_they_were(names: list[str]) -> None:
    gold = np.array([i % 2 for i in range(len(names))])
    votes = np.stack([gold, 1 - gold], axis=1).astype(float)
    panel = vote_matrix(["=A1", "'=A1"], names, names, gold, votes)
    text = votes_to_csv(panel)
    again = parse_votes_csv(text.encode(), "votes.csv", Columns())
    assert (again.members, again.uids, again.clusters) == (panel.members, panel.uids, panel.clusters)
    np.testing.assert_array_equal(again.votes, panel.votes)
    for row in csv.reader(io.StringIO(text)):
        assert not any(field.startswith(("=", "+", "-", "@")) for field in row)


def test_verdicts_start_no_formula() -> None:
    ones = np.ones(2)
    result = Verdicts(("=1+1", "plain"), ones, ones, ones, ones, ones)
    rows = list(csv.reader(io.StringIO(verdicts_csv(result))))
    assert [row[0] for row in rows] == ["item", "'=1+1", "plain"]


@NAMES
def test_a_table_shows_names_in_no_format_as_more_than_text(name: str) -> None:
    table = Table(
        "Table 1",
        f"About {name}.",
        ("judge", name),
        [Heading(name), [name, Number(None, reason=name)]],
        Stamp("toy", "0" * 64, "1", name),
        groups=((name, 2),),
        foot=[[name, name]],
        footnotes=[name],
        origin=name,
    )
    for text in (to_csv(table), to_markdown(table), to_latex(table)):
        assert harmless(text)
    for row in csv.reader(line for line in to_csv(table).splitlines() if not line.startswith("#")):
        assert not any(field.startswith(("=", "+", "-", "@", "\t", "＝")) for field in row)
    assert "<script" not in to_markdown(table)
    set_lines = [line for line in to_latex(table).splitlines() if not line.startswith("%")]
    assert not any(r"\input" in line for line in set_lines)


def votes_file(path: Path) -> Path:
    """A panel of the user's whose names would rewrite the terminal."""
    rng = np.random.default_rng(0)
    rows = ["item,cluster,gold,\x1b[31mevil,\u202eb,=c"]
    for i in range(60):
        votes = [int(rng.random() < 0.7) if i % 2 else int(rng.random() < 0.3) for _ in range(3)]
        rows.append(f"\x1b[2J{i},c{i // 2},{i % 2},{votes[0]},{votes[1]},{votes[2]}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_no_command_prints_what_controls_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    votes, model = votes_file(tmp_path / "votes\x1b[1m.csv"), tmp_path / "model.json"
    assert main(["audit", str(votes)]) == 0
    assert main(["fit", str(votes), "--model", str(model)]) == 0
    assert main(["apply", str(model), str(votes), "--out", str(tmp_path / "out.csv")]) == 0
    printed = capsys.readouterr()
    assert "\\x1b[31mevil" in printed.out
    assert harmless(printed.out)
    assert harmless(printed.err)
    assert main(["audit", str(votes), "--item", "\x1b[1mnone"]) == 2
    assert harmless(capsys.readouterr().err)


def test_a_steps_log_and_message_control_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def failing() -> None:
        print("made \x1b[2J")
        print("warned \ud800", file=sys.stderr)
        raise InputError("member \x1b[31m: cannot be read")

    with pytest.raises(SystemExit), step(tmp_path / "log"):
        failing()
    assert (tmp_path / "log").read_text() == (
        "made \\x1b[2J\nwarned \\ud800\nraim: error: member \\x1b[31m: cannot be read\n"
    )
    assert harmless(capsys.readouterr().err)


def test_a_stream_passes_everything_on_but_what_controls() -> None:
    kept = io.StringIO()
    stream = SafeStream(kept)
    print("one\x07\ntwo", file=stream)
    logger = logging.Logger("safe")
    logger.addHandler(logging.StreamHandler(stream))
    logger.warning("item %s", "\x1b[31m")
    stream.flush()
    assert kept.getvalue() == "one\\x07\ntwo\nitem \\x1b[31m\n"
    assert (stream.isatty(), stream.writable()) == (False, True)
    # What lies below may be closed first, as a step's log is: the stream then goes without a word.
    kept.close()
    stream.close()
