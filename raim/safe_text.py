"""Other people's text made harmless where it is shown: in a terminal, in CSV, Markdown and LaTeX.

Names of members, benchmarks and items come from records and from users' files. Whatever prints or writes such text
goes through here (HTML pages through their template, which escapes all it is given, and :func:`printable`). A CSV that
is read back keeps its ids: :func:`csv_data` can be undone, :func:`csv_text` is for tables.
"""

from __future__ import annotations

import io
from typing import TextIO

_MARKDOWN = str.maketrans({c: f"\\{c}" for c in "\\`*_[]|~$"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': "''",
        # In LaTeX a line may not begin with an open bracket after a row's end: it would be read as its option.
        "[": "{[}",
        "]": "{]}",
        "κ": r"$\kappa$",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "ε": r"$\varepsilon$",
        "η": r"$\eta$",
        "ω": r"$\omega$",
        "φ": r"$\phi$",
        "ρ": r"$\rho$",
        "Δ": r"$\Delta$",
        "₀": "$_0$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "−": "$-$",
        "–": "--",
        "—": "---",
        "†": r"\dag{}",
        "‡": r"\ddag{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
    }
)
_MACRON = "\N{COMBINING MACRON}"
#: A spreadsheet takes a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def printable(text: str) -> str:
    """The text with control, format and other unprintable characters shown as escapes.

    An escape sequence in a name could recolour or rewrite the terminal, a right-to-left mark reorder the line.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def lines(text: str) -> str:
    """The same for text of several lines, whose line breaks stay."""
    return "\n".join(map(printable, text.split("\n")))


class SafeStream(io.TextIOBase):
    """A stream for people to read: what is written to it passes through :func:`lines`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text, made harmless; returns its length as given."""
        self._stream.write(lines(text))
        return len(text)

    def flush(self) -> None:
        """Hand on what the stream has kept; one that has been closed has kept nothing."""
        # Python flushes what it finalises, from 3.13 on with a complaint where that fails.
        if not self._stream.closed:
            self._stream.flush()

    def writable(self) -> bool:
        """It is."""
        return True

    def isatty(self) -> bool:
        """Whether a terminal is at the other end."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """The stream's own descriptor."""
        return self._stream.fileno()


def csv_text(text: str) -> str:
    """Text for a CSV field: control characters escaped, a leading formula character preceded by an apostrophe.

    A ``#`` at the start gets one too, since the table's comment lines begin so.
    """
    shown = printable(text)
    return f"'{shown}" if text.lstrip(" ").startswith((*_FORMULA, "#")) else shown


def csv_data(text: str) -> str:
    """Text for a CSV that is data: as it is, but for an apostrophe before what a spreadsheet would run.

    :func:`csv_read` takes it off again, so that ids and names come back as they were.
    """
    return f"'{text}" if _marked(text) else text


def csv_read(text: str) -> str:
    """Inverse of :func:`csv_data`; other text comes back as it is."""
    return text[1:] if text.startswith("'") and _marked(text[1:]) else text


def _marked(text: str) -> bool:
    """Whether a field begins as a formula, behind any apostrophes."""
    return text.lstrip("'").lstrip(" ").startswith(_FORMULA)


def markdown(text: str) -> str:
    """Text for a cell or paragraph of Markdown: no markup, no HTML, no line break."""
    return printable(" ".join(text.split())).translate(_MARKDOWN)


def latex(text: str) -> str:
    """Text for LaTeX: no command, no line break; Greek letters and signs of the tables in math mode."""
    escaped = printable(" ".join(text.split())).translate(_LATEX)
    # A mean of phi is written with a combining macron, which follows the letter.
    return escaped.replace(f"$\\phi${_MACRON}", r"$\bar{\phi}$")
