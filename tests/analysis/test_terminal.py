from __future__ import annotations

import pytest

from analysis.terminal import table, width
from raim.safe_text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Qwen/Qwen2.5-7B", "Qwen/Qwen2.5-7B"),
        ("é 宽", "é 宽"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\tb\nc\rd\x00", "a\\tb\\nc\\rd\\x00"),
        ("\u202eevil\u200b", "\\u202eevil\\u200b"),
        ("\x9b31m\u2028", "\\x9b31m\\u2028"),
        ("\ud800", "\\ud800"),
    ],
)
def test_printable(text, shown):
    assert printable(text) == shown


def test_width():
    assert width("abc") == 3
    assert width("宽e\u0301") == 3


def test_table_aligns():
    lines = table([("name", "n"), ("宽宽", "1"), ("a\x07", "100")]).splitlines()
    assert [width(line) for line in lines] == [10, 10, 10]
