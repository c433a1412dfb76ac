"""From a reply to a score: the first valid integer in range after the contract's position (JudgeMoE, appendix B.1).

The contract asks for a score and nothing else, so its answer stands where the answer begins:

* behind the contract itself, where the reply repeats the prompt: all up to the last repetition is passed over;
* at the start of what is left, when an integer leads it and is no number of things ("4", "**4**/5", "4. Good.", not
  "3 facts are missing") and no mark of a list;
* else behind the word that announces it ("Score: 4", "rating is 4", "I would rate it 4"), an announcement with a colon
  or an equals sign before one without.

Digits anywhere else (a rationale, a date, a range such as "1 to 5" or "out of 5") are never a score. The search ends
with the line on which the answer begins; an integer out of range and a decimal are passed over. No match abstains.
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
_INTEGER = r"(?<![\d.,-])(?<!\d[/:])\d+(?![\d]|[.,]\d)"
_END = r"(?:\Z|\n|[.,;!)\]}*_`~\"'”’])"
# Behind a leading score: the end, punctuation, markup, or what only a score has behind it.
_LEADING = re.compile(
    rf"\s*{_MARKUP}(?P<score>(?<!-)\d+)(?!\d|[.,]\d)(?=\s*(?:{_END}|[:/|(–—-]|(?:points?|stars?)\b|out\s+of\s+\d+{_END}))",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*1[.)]\s+\S.*?\n\s*2[.)]\s", re.DOTALL)
_NOUN = r"(?<![^\W_])(?:score|rating|grade|rate|rated)(?![^\W_])"
_ANNOUNCED = re.compile(rf"{_NOUN}[*_`~\"'”’]*[^\S\n]*(?:\([^()\n]*\)[^\S\n]*)?[:=]", re.IGNORECASE)
_WORDS = r"(?:is|was|of|as|it|this|that|the|a|an|at|be|would|will|at|with|summary|response|translation|chain|output)"
_STATED = re.compile(rf"{_NOUN}(?:[\s*_`~\"'”’,]+{_WORDS}(?![^\W_]))*[\s*_`~\"'”’]+(?=\d)", re.IGNORECASE)


def parse_score(reply: str, low: int, high: int) -> int | None:
    """The score that a reply states, or None where it states none. Total: any text gives a result.

    A judge's reasoning is not read (:func:`verdicts.reasoning.answer`).
    """
    reply = answer(reply)
    repeated = list(_CONTRACT.finditer(reply))
    text = reply[repeated[-1].end() :] if repeated else reply
    text = re.sub(_RANGE.format(low=low, high=high), _blank, text, flags=re.IGNORECASE)
    leading = None if _LIST.match(text) else _LEADING.match(text)
    if leading is not None:
        return _first(text[leading.start("score") :], low, high)
    for announcement in (_ANNOUNCED, _STATED):
        for match in announcement.finditer(text):
            score = _first(text[match.end() :].lstrip(), low, high)
            if score is not None:
                return score
    return None


def _first(text: str, low: int, high: int) -> int | None:
    """The first integer in range on the text's first line, scales ("/5") passed over."""
    line = _SCALE.sub(_blank, text.partition("\n")[0])
    numbers = (int(found) for found in re.findall(_INTEGER, line) if len(found) <= len(str(high)))
    return next((number for number in numbers if low <= number <= high), None)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
