"""Item identity: the content hash and the public release's join key."""

from __future__ import annotations

import hashlib

import pytest

from verdicts.benchmarks.items import Item


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
