"""From a reply to a verdict: two readings of the same stored text, neither of which ever sees the prompt.

``parse`` is the default and follows the paper (appendix K): the last ``VERDICT:`` line the reply contains;
failing that, the last of *hallucinated* or *supported* in its final 200 characters; otherwise an abstention.
Negations are read for what they say, and a judge's reasoning (``<think>...</think>``) is not read.
``parse_release`` is the published parser, kept for parity with the published votes. Both can be run again
over stored replies at any time.

Where the paper is silent, ``parse`` reads as follows.

* A verdict line is the word VERDICT followed by a colon, dash or equals sign, or standing at a line's start;
  markup around the word or the label does not matter. If nothing follows on the line, the next line that
  holds any word is its continuation, provided that it starts with a label.
* The label that follows the prefix is the verdict; a label later on the line explains it. Where words come
  between, all labels of the line must agree. Degrees ("partially supported") leave a label what it is.
* The contract repeated unfilled ("HALLUCINATED or SUPPORTED") states no verdict: the line is passed over,
  also by the fall-back. So is a line that holds no label. A line that declares itself unsure is an
  abstention.
* On a verdict line every word built on *hallucinat-* or *support-* is a label; in the fall-back only the
  paper's two words are, whole (and *unsupported*, the second one negated).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from verdicts.reasoning import answer

Rule = Literal["verdict_line", "tail", "unsure", "unparsed", "empty"]

#: Length of the part of a reply that the fall-back looks at.
TAIL = 200


@dataclass(frozen=True)
class Parsed:
    """A verdict (1 hallucinated, 0 supported, None abstained) and the rule that gave it."""

    verdict: int | None
    rule: Rule


# Markup and quotes may stand between the words of a label and around it.
_GAP = r"(?:[-‐‑]|[\s*_`~\"'“”‘’]*)"
_ADVERB = (
    r"(?:an?|the|be|been|being|fully|entirely|completely|wholly|totally|directly|explicitly|clearly|well|adequately"
    r"|sufficiently|strictly|actually|really|quite|necessarily|appear|seem|in|any|way|considered|to)"
)
_NOT = r"(?:(?<![^\W_])(?:not|no|non|never|neither|nor|without|cannot)|n['’]t)(?![^\W_])"
_NEGATION = rf"(?P<no>{_NOT}{_GAP}(?:{_ADVERB}(?![^\W_]){_GAP}){{0,3}})?"
_LABEL = re.compile(
    rf"{_NEGATION}(?<![^\W_])(?P<un>un[-‐‑]?)?(?P<label>(?P<one>hallucinat)[^\W_]*|support[^\W_]*)",
    re.IGNORECASE,
)
_TAIL_LABEL = re.compile(
    rf"{_NEGATION}(?<![^\W_])(?P<un>un[-‐‑]?)?(?P<label>(?P<one>hallucinated)|supported)(?![^\W_])",
    re.IGNORECASE,
)
_SEPARATOR = r"[:：﹕=\-‐‑‒–—―−]"
_MARKUP = r"[*_`~#>\"'“”]*"
_PREFIX = re.compile(
    rf"(?<![^\W_])verdict{_MARKUP}[^\S\n]*{_SEPARATOR}+|^[^\w\n]*verdict(?![^\W_])(?!['’])",
    re.IGNORECASE | re.MULTILINE,
)
# Either label offered beside the other: the contract's own line, not an answer to it.
_ECHO = re.compile(
    r"[\W_]*(?:hallucinated[\W_]*(?:or|/|\|)[\W_]*supported|supported[\W_]*(?:or|/|\|)[\W_]*hallucinated)"
    r"(?![^\W_])",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"[\W_]*(?:not[\W_]*(?:sure|certain|clear)|unsure|uncertain|unclear|undetermined|indeterminate|inconclusive"
    r"|undecided|(?:cannot|can['’]t|unable[\W_]*to)[\W_]+(?:be[\W_]+)?(?:determined?|decided?|tell|say|verify|verified)"
    r"|abstain)(?![^\W_])",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"verdict\s*[:\-]?\s*\**\s*(?:(?P<one>hallucinat\w*)|(?P<zero>support\w*)|not\s*sure|unsure)",
    re.IGNORECASE,
)


def parse(reply: str) -> Parsed:
    """The default reading. Total: any text gives a result."""
    if not reply.strip():
        return Parsed(None, "empty")
    reply = answer(reply)
    starts = list(_PREFIX.finditer(reply))
    end = len(reply)
    for prefix in reversed(starts):
        stated = _stated(reply[prefix.end() : end])
        if stated is not None:
            return stated
        end = prefix.start()
    return _tail(_without_echoes(reply, starts))


def _stated(after: str) -> Parsed | None:
    """What a verdict line states, given the text after its prefix; None where it states nothing."""
    line, _, rest = after.partition("\n")
    if not re.search(r"[^\W_]", line):
        following = next((text for text in rest.split("\n") if re.search(r"[^\W_]", text)), "")
        return None if _ECHO.match(following) else _leading(following)
    if _ECHO.match(line):
        return None
    leading = _leading(line)
    if leading is not None:
        return leading
    readings = {_reading(match) for match in _LABEL.finditer(line)}
    return Parsed(readings.pop(), "verdict_line") if len(readings) == 1 else None


def _leading(line: str) -> Parsed | None:
    """The label, or the declared lack of one, that a text starts with."""
    if _UNSURE.match(line):
        return Parsed(None, "unsure")
    first = re.search(r"[^\W_]", line)
    match = _LABEL.match(line, first.start()) if first else None
    return Parsed(_reading(match), "verdict_line") if match else None


def _reading(match: re.Match[str]) -> int:
    negated = (match["no"] is not None) != (match["un"] is not None)
    return int((match["one"] is not None) != negated)


def _without_echoes(reply: str, starts: list[re.Match[str]]) -> str:
    """The reply with every unfilled contract blanked, so that the tail stays where it is."""
    for prefix in starts:
        echo = _ECHO.match(reply, prefix.end())
        if echo:
            reply = reply[: prefix.end()] + " " * (echo.end() - prefix.end()) + reply[echo.end() :]
    return reply


def _tail(reply: str) -> Parsed:
    start = len(reply) - TAIL
    readings = [_reading(match) for match in _TAIL_LABEL.finditer(reply) if match.start("label") >= start]
    return Parsed(readings[-1], "tail") if readings else Parsed(None, "unparsed")


def parse_release(reply: str) -> Parsed:
    """The reading of the public release, to the letter.

    The last ``verdict`` (any case) followed by optional blanks, one colon or hyphen, asterisks, and a word
    starting *hallucinat* or *support*, or *not sure* or *unsure*, which abstain. Without any, *hallucinat*
    anywhere in the final 200 characters, lower-cased, means hallucinated, and otherwise *support* means
    supported.
    """
    if not reply:
        return Parsed(None, "empty")
    matches = list(_RELEASE.finditer(reply))
    if matches:
        last = matches[-1]
        if last["one"] is None and last["zero"] is None:
            return Parsed(None, "unsure")
        return Parsed(int(last["one"] is not None), "verdict_line")
    tail = reply[-TAIL:].lower()
    if "hallucinat" in tail:
        return Parsed(1, "tail")
    return Parsed(0, "tail") if "support" in tail else Parsed(None, "unparsed")
