"""Item identity: the content hash and the public release's join key."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.benchmarks.compare import index_rows
from verdicts.benchmarks.items import Item
from verdicts.records.index import read_index, write_index


def test_content_is_sha256_over_canonical_json() -> None:
    item = Item("0:pos", 0, 0, "Q é", ("a", 'b"'), "C")
    text = '{"candidate":"C","evidence":["a","b\\""],"question":"Q é"}'
    assert item.content == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_join_key_is_nul_separated_sha1() -> None:
    item = Item("0:pos", 0, 0, "Q", ("a", "b"), "C")
    assert item.join_key == hashlib.sha1(b"Q\0a\0b\0\0C").hexdigest()
    assert Item("0:pos", 0, 0, "Q", (), "C").join_key == hashlib.sha1(b"Q\0\0C").hexdigest()


def test_identity_is_the_text_alone() -> None:
    one = Item("0:pos", 0, 0, "Q", ("a",), "C", "hard", "kind")
    other = Item("7:neg", "x", 1, "Q", ("a",), "C")
    assert (one.content, one.join_key) == (other.content, other.join_key)
    assert Item("0:pos", 0, 0, "Q", ("a", ""), "C").content != one.content


def test_gold_is_binary() -> None:
    with pytest.raises(ValueError, match="gold"):
        Item("0:pos", 0, 2, "Q", (), "C")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"uid": "0\tpos"}, "uid '0\\\\tpos' is no text of one line without tabs"),
        ({"uid": "0\u2028pos"}, "is no text of one line"),
        ({"uid": ""}, "uid '' is no text"),
        ({"uid": 7}, "uid 7 is no text"),
        ({"cluster": "a\nb"}, "cluster 'a\\\\nb' is neither an integer nor a text of one line"),
        ({"cluster": None}, "cluster None is neither"),
        ({"cluster": ["a"]}, "is neither"),
        ({"cluster": True}, "cluster True is neither"),
        ({"gold": True}, "gold is 0 .* not True"),
        ({"gold": "1"}, "gold is 0 .* not '1'"),
        ({"question": None}, "item 0:pos: holds NoneType where a text is wanted"),
        ({"evidence": ("a", 3)}, "holds int where a text"),
        ({"evidence": "a passage"}, "evidence is a tuple of passages, not str"),
        ({"candidate": "half \ud83d"}, "a text holds half a character"),
    ],
    ids=range(14),
)
def test_what_no_index_or_prompt_could_hold_is_refused(change: dict[str, Any], message: str) -> None:
    given = {"uid": "0:pos", "cluster": 0, "gold": 0, "question": "Q", "evidence": ("a",), "candidate": "C"}
    with pytest.raises(ValueError, match=message):
        Item(**{**given, **change})


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(uids=st.lists(NAMES, min_size=1, max_size=4, unique=True), cluster=NAMES)
def test_what_an_item_is_called_comes_back_from_the_index(uids: list[str], cluster: str) -> None:
    """Whatever is not refused when items are built is read as it was written."""
    try:
        items = [Item(uid, cluster, 0, "Q", (), f"C {uid}") for uid in uids]
    except ValueError:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.tsv"
        write_index(path, index_rows(items))
        assert read_index(path) == index_rows(items)
