"""Documents in chunks of whole sentences, as the MiniCheck package reads them (https://github.com/Liyan06/MiniCheck).

A chunk is filled sentence by sentence until the next one would make it too long; a sentence that is too long by itself
is a chunk. Line ends stay where they are. The package finds sentences with NLTK's Punkt model; here a sentence ends at
closing punctuation before a capital, a digit or an opening quote, abbreviations excepted. The two differ only in
documents of several chunks, and there only in which chunk a sentence falls into.
"""

from __future__ import annotations

import re
from collections.abc import Callable

#: Names the splitting in a condition; raised whenever it changes.
SENTENCES = "rule/1"

_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:[A-Za-z]|(?:[A-Za-z]\.)+[A-Za-z]|mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|fig|figs|no|nos|vol|al|gen|col"
    r"|lt|sgt|capt|rep|sen|gov|rev|hon|inc|ltd|co|corp|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|approx|dept|est"
    r"|ca|cf)\.$",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?]+[)\]\"'”’]*(?=\s+[\"'“‘(\[]*[A-Z0-9])")


def sentences(line: str) -> list[str]:
    """The sentences of a line, without the blanks between them."""
    found, start = [], 0
    for end in _END.finditer(line):
        piece = line[start : end.end()]
        if not _ABBREVIATION.search(piece):
            found.append(piece.strip())
            start = end.end()
    return [sentence for sentence in [*found, line[start:].strip()] if sentence]


def chunks(document: str, size: int, length: Callable[[str], int]) -> list[str]:
    """The document in chunks of at most ``size``, measured by the ``length`` of each sentence; at least one chunk."""
    pieces: list[str] = []
    for number, line in enumerate(document.split("\n")):
        pieces += ["\n"] * bool(number) + sentences(line)
    groups: list[list[str]] = [[]]
    filled = 0
    for piece in pieces:
        measured = 0 if piece == "\n" else length(piece)
        if filled + measured > size:
            groups.append([])
            filled = 0
        groups[-1].append(piece)
        filled += measured
    texts = (" ".join(group).replace(" \n ", "\n").strip() for group in groups)
    return [text for text in texts if text] or [""]
