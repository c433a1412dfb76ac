"""Other people's text made harmless in CSV, Markdown and LaTeX."""

from __future__ import annotations

from analysis.terminal import printable

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


def csv_text(text: str) -> str:
    """Text for a CSV field: control characters escaped, a leading formula character preceded by an apostrophe.

    A ``#`` at the start gets one too, since the table's comment lines begin so.
    """
    shown = printable(text)
    return f"'{shown}" if text.lstrip(" ").startswith((*_FORMULA, "#")) else shown


def markdown(text: str) -> str:
    """Text for a cell or paragraph of Markdown: no markup, no HTML, no line break."""
    return printable(" ".join(text.split())).translate(_MARKDOWN)


def latex(text: str) -> str:
    """Text for LaTeX: no command, no line break; Greek letters and signs of the tables in math mode."""
    escaped = printable(" ".join(text.split())).translate(_LATEX)
    # A mean of phi is written with a combining macron, which follows the letter.
    return escaped.replace(f"$\\phi${_MACRON}", r"$\bar{\phi}$")
