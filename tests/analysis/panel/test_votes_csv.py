from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from analysis.panel.votes_csv import Columns, parse_votes_csv, read_votes_csv
from raim.errors import InputError

GOOD = "item,cluster,gold,b,a\nx,10,1,1,0\ny,9,0,,1\nz,10,1,0,\n"


def parse(text, columns=None, delimiter=","):
    content = text if isinstance(text, bytes) else text.encode("utf-8")
    return parse_votes_csv(content, "votes.csv", columns or Columns(), delimiter)


def test_members_sort_items_keep_the_files_order():
    panel = parse(GOOD)
    assert panel.members == ("a", "b")
    assert panel.uids == ("x", "y", "z")
    assert panel.clusters == ("9", "10")
    assert panel.gold.tolist() == [1, 0, 1]
    np.testing.assert_array_equal(panel.votes, [[0, 1], [1, np.nan], [np.nan, 0]])


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.rstrip("\n"),
        GOOD.replace("\n", "\n\n"),
        GOOD + "  \n\n",
        "\n\n" + GOOD,
        GOOD.replace(",", " , "),
        GOOD.replace("x", '"x"').replace("gold", '"gold"'),
        GOOD.replace(",1,", ",1.0,").replace(",0,", ",0.0,"),
    ],
    ids=[
        "BOM",
        "CRLF",
        "CR",
        "no last newline",
        "empty lines",
        "blank end",
        "blank start",
        "blanks",
        "quotes",
        "1.0",
    ],
)
def test_spellings_of_the_same_file(text):
    ours, theirs = parse(text), parse(GOOD)
    assert (ours.members, ours.uids, ours.clusters) == (theirs.members, theirs.uids, theirs.clusters)
    np.testing.assert_array_equal(ours.votes, theirs.votes)
    np.testing.assert_array_equal(ours.gold, theirs.gold)


def test_quoted_commas_and_line_breaks_are_part_of_an_id():
    panel = parse('item,cluster,gold,"a, b"\n"one\ntwo",c,1,1\n"x,""y""",d,0,0\n')
    assert panel.uids == ("one\ntwo", 'x,"y"')
    assert panel.members == ("a, b",)


def test_what_pandas_writes():
    frame = pd.DataFrame(
        {"item": ["x", "y"], "cluster": [2, 1], "gold": [1, 0], "m": [np.nan, 1], "k": [0, 1]}
    )
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    assert "1.0" in buffer.getvalue()
    np.testing.assert_array_equal(parse(buffer.getvalue()).votes, [[0, np.nan], [1, 1]])


def test_column_names_and_a_choice_of_members():
    text = "id;src;y;note;a;b\nx;1;1;fine; ;1\ny;2;0;;0;0\n"
    panel = parse(text, Columns("id", "src", "y", ("b", "a")), ";")
    assert panel.members == ("a", "b")
    np.testing.assert_array_equal(panel.votes, [[np.nan, 1], [0, 0]])


def test_columns_left_out_may_be_unnamed_or_repeated():
    panel = parse(",item,cluster,gold,a,n,n\n0,x,1,1,1,t,u\n", Columns(members=("a",)))
    assert panel.members == ("a",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        ("item,cluster,gold,a\n", "a header and no items"),
        ("\n1,2\n", "no column 'item'"),
        (",,,\n", "no column 'item'"),
        ("item,gold,a\nx,1,1\n", "no column 'cluster' .--cluster.*the header has 'item', 'gold', 'a'"),
        ("item;cluster;gold;a\nx;1;1;1\n", "separated by ';'. Then pass --delimiter"),
        ("item\tcluster\tgold\ta\nx\t1\t1\t1\n", "separated by '.t'"),
        ("item,cluster,gold\nx,1,1\n", "no members"),
        ("item,cluster,gold,a,a\nx,1,1,1,1\n", "column 'a' appears twice"),
        ("item,cluster,gold,a,item\nx,1,1,1,1\n", "column 'item' appears twice"),
        ("item,cluster,gold,a, a\nx,1,1,1,1\n", "column 'a' appears twice"),
        (",item,cluster,gold,a\n0,x,1,1,1\n", "column 1 has no name"),
        ("item,cluster,gold,a\nx,1,1\n", "line 2: 3 fields where the header has 4"),
        ("item,cluster,gold,a\nx,1,1,1,1\n", "line 2: 5 fields"),
        ("item,cluster,gold,a\nx,1,1,1\nx,2,0,1\n", "item 'x' appears 2 times"),
        ("item,cluster,gold,a\nx,1,1,1\n x ,2,0,1\n", "item 'x' appears 2 times"),
        ("item,cluster,gold,a\n,1,1,1\n", "line 2: empty 'item'"),
        ("item,cluster,gold,a\nx, ,1,1\n", "line 2: empty 'cluster'"),
        ("item,cluster,gold,a\nx,1,,1\n", "line 2: 'gold' is ''"),
        ("item,cluster,gold,a\nx,1,yes,1\n", "line 2: 'gold' is 'yes'; a gold label is"),
        ("item,cluster,gold,a\nx,1,1,2\n", "line 2: 'a' is '2'; a vote is"),
        ("item,cluster,gold,a\nx,1,1,0.5\n", "'a' is '0.5'"),
        ("item,cluster,gold,a\nx,1,1,NA\n", "'a' is 'NA'"),
        ("item,cluster,gold,a\nx,1,1,nan\n", "'a' is 'nan'"),
        ("item,cluster,gold,a\nx,1,1,True\n", "'a' is 'True'"),
        ("item,cluster,gold,a\nx,1,1,-1\n", "'a' is '-1'"),
        ("item,cluster,gold,a\nx,1,1,１\n", "'a' is '１'"),
        ("item,cluster,gold,a\nx,07,1,1\ny,7,0,1\n", "'07' and '7' are the same integer"),
        ('item,cluster,gold,a\n"x,1,1,1\n', "line 2: not a CSV row"),
        ('item,cluster,gold,a\nx,1,1,1\n"y,1,1,1\nz,1,0,1\n', "line 3: not a CSV row"),
        ('item,cluster,gold,a\n"two\nlines",1,1,x\n', "line 2: 'a' is 'x'"),
        ('item,cluster,gold,a\n"x"y,1,1,1\n', "line 2: not a CSV row"),
        (b"item,cluster,gold,a\nx,1,1,1\ny,\xff,0,1\n", "not UTF-8 text .byte 30, line 3"),
        ("item,cluster,gold,a\nx,1,1,1\n".encode("utf-16"), "not UTF-8"),
        ("item,cluster,gold,a\nx,1,1,1\n".encode("utf-16-le"), "NUL"),
        ("item,cluster,gold,a\n" + "x" * 200_000 + ",1,1,1\n", "line 2: not a CSV row"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(InputError, match=message) as caught:
        parse(text)
    assert str(caught.value).startswith("votes.csv")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (Columns(members=("a", "q")), "no column 'q' .--members."),
        (Columns(members=("a", "gold")), "'gold', which is not a column of votes"),
        (Columns(members=("a", "a")), "names a column twice"),
        (Columns(gold="item"), "name one column twice"),
    ],
)
def test_options_that_are_refused(columns, message):
    with pytest.raises(InputError, match=message):
        parse(GOOD, columns)


def test_unreadable_paths(tmp_path):
    with pytest.raises(InputError, match=r"cannot read .*No such file"):
        read_votes_csv(tmp_path / "none.csv")
    with pytest.raises(InputError, match=r"cannot read .*directory"):
        read_votes_csv(tmp_path)


def test_messages_show_control_characters_as_escapes():
    with pytest.raises(InputError) as caught:
        parse("item,cluster,gold,\x1b[31ma\nx,1,1,\x1b]0;t\x07\n")
    assert "\x1b" not in str(caught.value)
