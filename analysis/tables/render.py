"""A table as CSV, Markdown and LaTeX, all three made from the same cells.

Every output carries the caption, the footnotes and the stamp (suite, records' digest, package version). Text comes
from other people's files: it is escaped in each format, and what a spreadsheet would run as a formula is neutralised.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analysis.derived import Stamp
from analysis.tables.cells import Cell, Number
from analysis.tables.escape import csv_text, latex, markdown


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    label : such as ``Table 15``
    caption : one or two sentences
    header : (k,) column titles
    rows : each of k cells
    stamp : what it was made from
    groups : titles over runs of columns, as (title, number of columns); they cover all k or are absent
    footnotes : conventions and marks; reasons of undefined cells are added by themselves
    """

    label: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    stamp: Stamp
    groups: Sequence[tuple[str, int]] = ()
    footnotes: Sequence[str] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        """Refuse ragged rows and groups that do not cover the columns."""
        widths = {len(row) for row in self.rows} | {len(self.header)}
        if len(widths) != 1 or (self.groups and sum(n for _, n in self.groups) != len(self.header)):
            raise ValueError(f"{self.label}: rows, header and groups differ in width")

    def full_caption(self) -> str:
        """The caption, with what a reader must know of the suite."""
        return f"{self.caption} {self.stamp.label}".strip()

    def reasons(self) -> tuple[str, ...]:
        """Distinct reasons of undefined cells, in reading order; the position is the footnote's letter."""
        numbers = (cell for row in self.rows for cell in row if isinstance(cell, Number))
        return tuple(dict.fromkeys(cell.reason for cell in numbers if cell.value is None))

    def notes(self) -> list[str]:
        """All footnotes, the reasons of undefined cells last."""
        undefined = [f"({_letter(i)}) undefined: {reason}" for i, reason in enumerate(self.reasons())]
        return [*self.footnotes, *undefined]

    def full_header(self) -> list[str]:
        """Column titles with their group's title before them, for formats without spanning cells."""
        titles = [title for title, columns in self.groups for _ in range(columns)] or [""] * len(self.header)
        return [
            f"{group}: {name}" if group else name for group, name in zip(titles, self.header, strict=True)
        ]


def to_csv(table: Table) -> str:
    """CSV with comment lines (``#``) before and after; a column with intervals becomes three."""
    stream = io.StringIO()
    # Quoted text keeps a "#" in it apart from the comment lines.
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for line in (f"{table.label}. {table.full_caption()}", str(table.stamp)):
        stream.write(f"# {_one_line(line)}\n")
    wide = [
        any(isinstance(cell, Number) and cell.has_interval for cell in column) for column in _columns(table)
    ]
    header: list[str] = []
    for name, triple in zip(table.full_header(), wide, strict=True):
        header += [name, f"{name} low", f"{name} high"] if triple else [name]
    writer.writerow([csv_text(name) for name in header])
    for row in table.rows:
        writer.writerow(
            [field for cell, triple in zip(row, wide, strict=True) for field in _fields(cell, triple)]
        )
    for note in table.notes():
        stream.write(f"# {_one_line(note)}\n")
    return stream.getvalue()


def to_markdown(table: Table) -> str:
    """A pipe table with its caption above and its notes below."""
    reasons = table.reasons()
    lines = [f"**{markdown(table.label)}.** {markdown(table.full_caption())}", ""]
    lines.append("| " + " | ".join(map(markdown, table.full_header())) + " |")
    right = [all(not isinstance(cell, str) for cell in column) and bool(column) for column in _columns(table)]
    lines.append("|" + "|".join("---:" if flush else "---" for flush in right) + "|")
    lines += ["| " + " | ".join(_markdown_cell(cell, reasons) for cell in row) + " |" for row in table.rows]
    lines += ["", *(f"{markdown(note)}  " for note in table.notes()), f"*{markdown(str(table.stamp))}*", ""]
    return "\n".join(lines)


def to_latex(table: Table) -> str:
    """A ``table`` environment for ``booktabs``; the stamp is printed and stands in a comment."""
    reasons = table.reasons()
    aligned = "".join(
        "l" if any(isinstance(cell, str) for cell in column) else "r" for column in _columns(table)
    )
    lines = [f"% {_one_line(str(table.stamp))}", r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{latex(table.full_caption())}}}", rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
    if table.groups:
        spans = [rf"\multicolumn{{{n}}}{{c}}{{{latex(title)}}}" for title, n in table.groups]
        lines += [" & ".join(spans) + r" \\", *_rules(table.groups)]
    lines += [" & ".join(map(latex, table.header)) + r" \\", r"\midrule"]
    lines += [" & ".join(_latex_cell(cell, reasons) for cell in row) + r" \\" for row in table.rows]
    lines += [r"\bottomrule", r"\end{tabular}", ""]
    lines += [rf"\par\footnotesize {latex(note)}" for note in (*table.notes(), str(table.stamp))]
    return "\n".join([*lines, r"\end{table}", ""])


def _columns(table: Table) -> list[tuple[Cell, ...]]:
    return list(zip(*table.rows, strict=True)) if table.rows else [() for _ in table.header]


def _rules(groups: Sequence[tuple[str, int]]) -> Iterator[str]:
    start = 1
    for title, columns in groups:
        if title:
            yield rf"\cmidrule(lr){{{start}-{start + columns - 1}}}"
        start += columns


def _fields(cell: Cell, triple: bool) -> list[str | float]:
    if isinstance(cell, Number):
        values = [cell.value, cell.low, cell.high] if triple else [cell.value]
        return [cell.exact(value) for value in values]
    value = csv_text(cell) if isinstance(cell, str) else cell
    return [value, "", ""] if triple else [value]


def _markdown_cell(cell: Cell, reasons: Sequence[str]) -> str:
    if not isinstance(cell, Number):
        return markdown(str(cell))
    text = f"**{cell.text()}**" if cell.bold else cell.text()
    marks = _marks(cell, reasons)
    text += f"<sup>{markdown(marks)}</sup>" if marks else ""
    return f"{text} {markdown(cell.interval_text())}" if cell.has_interval else text


def _latex_cell(cell: Cell, reasons: Sequence[str]) -> str:
    if not isinstance(cell, Number):
        return latex(str(cell))
    text = latex(cell.text())
    text = rf"\textbf{{{text}}}" if cell.bold else text
    marks = _marks(cell, reasons)
    text += rf"\textsuperscript{{{latex(marks)}}}" if marks else ""
    return f"{text} {latex(cell.interval_text())}" if cell.has_interval else text


def _marks(cell: Number, reasons: Sequence[str]) -> str:
    return _letter(reasons.index(cell.reason)) if cell.value is None else cell.mark


def _letter(position: int) -> str:
    """The footnote letters a, b, ..., z, aa, ab, ..."""
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _one_line(text: str) -> str:
    return " ".join(text.split())
