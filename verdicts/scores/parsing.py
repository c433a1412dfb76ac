"""From a reply to a score: the first valid integer in range after the contract's position (JudgeMoE, appendix B.1).

The contract asks for a score and nothing else, so its answer stands where the answer begins:

* at the start of the reply, when an integer leads it and is no number of things ("4", "**4**/5", "4. Good.", not
  "3 facts are missing") and no mark of a list;
* else, where the reply repeats the contract (an echo of the prompt, or prompts that a checkpoint makes up), behind the
  first repetition that is answered; what precedes it is not read;
* else behind the word that announces it ("Score: 4", "rating is 4", "I would rate it 4"), an announcement with a colon
  or an equals sign before one without.

Digits anywhere else (a rationale, a date, a range such as "1 to 5" or "out of 5") are never a score. The search ends
with the line on which the answer begins; integers out of range and fractions are passed over, and 4.0 is 4. No match
abstains.
"""

from __future__ import annotations

import re

from verdicts.reasoning import answer
from verdicts.scores.templates import CONTRACT

_ANY = re.escape(CONTRACT).replace(r"\{low\}", r"\d+").replace(r"\{high\}", r"\d+")
_CONTRACT = re.compile(_ANY.replace(r"\ ", r"\s+"), re.IGNORECASE)
# The range as the contract or a rubric writes it, and the scale behind a score.
_RANGE = r"(?<![\d.])(?:from\s+|between\s+)?{low}\s*(?:-|–|—|to|and|through)\s*{high}(?![\d])"
_SCALE = re.compile(r"(?:/|\bout\s+of\b|\bof\s+(?=\d+\s*(?:$|[.,;)])))\s*\d+", re.IGNORECASE | re.MULTILINE)
_MARKUP = r"[\s*_`~#>\"'“”‘’(\[{:=-]*?"
_INTEGER = r"(?<![\d.,-])(?<!\d[/:])(\d+)(?:\.0+)?(?!\d|[.,]\d)"
_END = r"(?:\Z|\n|[.,;!)\]}*_`~\"'”’])"
# What stands behind a score that is no number of things: the end, punctuation, markup, or words of a scale.
_CLOSED = rf"\s*(?:{_END}|[:/|(–—-]|(?:points?|stars?)\b|out\s+of\s+\d+{_END})"
_LEADING = re.compile(rf"\s*{_MARKUP}(?P<score>(?<!-)\d+)(?:\.0+)?(?!\d|[.,]\d)(?={_CLOSED})", re.IGNORECASE)
_CLOSING = re.compile(_CLOSED, re.IGNORECASE)
_LIST = re.compile(r"\s*1[.)]\s+\S.*?\n\s*2[.)]\s", re.DOTALL)
_NOUN = r"(?<![^\W_])(?:score|rating|grade|rate|rated)(?![^\W_])"
_ANNOUNCED = re.compile(rf"{_NOUN}[*_`~\"'”’]*[^\S\n]*(?:\([^()\n]*\)[^\S\n]*)?[:=]", re.IGNORECASE)
_WORDS = r"(?:is|was|of|as|it|this|that|the|a|an|at|be|would|will|at|with|summary|response|translation|chain|output)"
_STATED = re.compile(rf"{_NOUN}(?:[\s*_`~\"'”’,]+{_WORDS}(?![^\W_]))*[\s*_`~\"'”’]+(?=\d)", re.IGNORECASE)


def parse_score(reply: str, low: int, high: int) -> int | None:
    """The score that a reply states, or None where it states none. Total: any text gives a result.

    A judge's reasoning is not read (:func:`verdicts.reasoning.answer`).
    """
    text = re.sub(_RANGE.format(low=low, high=high), _blank, answer(reply), flags=re.IGNORECASE)
    repeated = list(_CONTRACT.finditer(answer(reply)))
    ends = [match.start() for match in repeated] + [len(text)]
    starts = [0] + [match.end() for match in repeated]
    for start, end in zip(starts, ends, strict=True):
        score = _leading(text[start:end], low, high)
        if score is None and (start or not repeated):
            score = _announced(text[start:end], low, high)
        if score is not None:
            return score
    return None


def _leading(text: str, low: int, high: int) -> int | None:
    """The score that a text begins with."""
    match = None if _LIST.match(text) else _LEADING.match(text)
    return None if match is None else _first(text[match.start("score") :], low, high)


def _announced(text: str, low: int, high: int) -> int | None:
    """The score behind the first announcement that has one."""
    for announcement in (_ANNOUNCED, _STATED):
        for match in announcement.finditer(text):
            score = _first(text[match.end() :].lstrip(), low, high)
            if score is not None:
                return score
    return None


def _first(text: str, low: int, high: int) -> int | None:
    """The first integer in range on the text's first line, scales ("/5") passed over.

    What the line begins with is the score whatever follows; a later integer only where it is no number of things.
    """
    line = _SCALE.sub(_blank, text.partition("\n")[0])
    for match in re.finditer(_INTEGER, line):
        begins = not re.search(r"\w", line[: match.start()])
        in_range = len(match[1]) <= len(str(high)) and low <= int(match[1]) <= high
        if in_range and (begins or _CLOSING.match(line, match.end())):
            return int(match[1])
    return None


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
