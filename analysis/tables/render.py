"""A table as CSV, Markdown and LaTeX, all three made from the same cells (and as HTML, in a report).

Every output carries the caption, the footnotes and the stamp (suite, records' digest, package version). Text comes
from other people's files: it is escaped in each format, and what a spreadsheet would run as a formula is neutralised.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analysis.pipeline.derived import Stamp
from analysis.tables.cells import PARTIAL_NOTE, Cell, Heading, Number, Row
from raim.safe_text import csv_text, latex, markdown, printable

#: In LaTeX, a column with a longer text is broken into lines.
LONG_TEXT = 45
#: Width of a table, at most that of the line.
_SHRUNK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    label : such as ``Table 15``
    caption : one or two sentences
    header : (k,) column titles
    rows : each of k cells, or a heading over the rows below it
    stamp : what it was made from
    groups : titles over runs of columns, as (title, number of columns); they cover all k or are absent
    foot : rows of k texts that sum up the others; comments in CSV
    footnotes : conventions and marks; reasons of undefined cells are added by themselves
    origin : the module that built it and the steps that it read
    """

    label: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[Row]
    stamp: Stamp
    groups: Sequence[tuple[str, int]] = ()
    foot: Sequence[Sequence[str]] = ()
    footnotes: Sequence[str] = field(default_factory=tuple)
    origin: str = ""

    def __post_init__(self) -> None:
        """Refuse ragged rows and groups that do not cover the columns."""
        widths = {len(row) for row in (*self.cells(), *self.foot)} | {len(self.header)}
        if len(widths) != 1 or (self.groups and sum(n for _, n in self.groups) != len(self.header)):
            raise ValueError(f"{self.label}: rows, header and groups differ in width")

    def cells(self) -> list[Sequence[Cell]]:
        """The rows without the headings."""
        return [row for row in self.rows if not isinstance(row, Heading)]

    def numbers(self) -> list[Number]:
        """All numbers, in reading order."""
        return [cell for row in self.cells() for cell in row if isinstance(cell, Number)]

    def full_caption(self) -> str:
        """The caption, with what a reader must know of the suite."""
        return self.stamp.caption(self.caption)

    def reasons(self) -> tuple[str, ...]:
        """Distinct reasons of undefined cells, in reading order; the position is the footnote's letter."""
        return tuple(dict.fromkeys(cell.reason for cell in self.numbers() if cell.value is None))

    def flush_right(self) -> list[bool]:
        """By column, whether it holds numbers alone."""
        return [
            bool(column) and not any(isinstance(cell, str) for cell in column) for column in _columns(self)
        ]

    def marks(self, cell: Number) -> str:
        """Superscripts of a number of this table: its marks, or the letter of the reason why it is undefined."""
        return _letter(self.reasons().index(cell.reason)) if cell.value is None else cell.marks()

    def notes(self) -> list[str]:
        """All footnotes; those that cells bring with them last."""
        partial = [PARTIAL_NOTE] if any(cell.partial for cell in self.numbers()) else []
        undefined = [f"({_letter(i)}) undefined: {reason}" for i, reason in enumerate(self.reasons())]
        return [*self.footnotes, *partial, *undefined]

    def about(self) -> str:
        """The stamp and where the table comes from, in one line."""
        return f"{self.stamp}; {self.origin}" if self.origin else str(self.stamp)

    def full_header(self) -> list[str]:
        """Column titles with their group's title before them, for formats without spanning cells."""
        titles = [title for title, columns in self.groups for _ in range(columns)] or [""] * len(self.header)
        return [
            f"{group}: {name}" if group else name for group, name in zip(titles, self.header, strict=True)
        ]


def to_csv(table: Table) -> str:
    """CSV with comment lines (``#``) before and after; a score becomes several columns, a heading the first one."""
    stream = io.StringIO()
    # Quoted text keeps a "#" in it apart from the comment lines.
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for line in (f"{table.label}. {table.full_caption()}", table.about()):
        stream.write(f"# {_one_line(line)}\n")
    headed = any(isinstance(row, Heading) for row in table.rows)
    parts = [_parts(column) for column in _columns(table)]
    header = [
        f"{name} {part}".rstrip()
        for name, own in zip(table.full_header(), parts, strict=True)
        for part in own
    ]
    writer.writerow([csv_text(name) for name in (["group", *header] if headed else header)])
    heading = ""
    for row in table.rows:
        if isinstance(row, Heading):
            heading = row.title
            continue
        fields = [value for cell, own in zip(row, parts, strict=True) for value in _fields(cell, own)]
        writer.writerow([csv_text(heading), *fields] if headed else fields)
    for note in (*(" | ".join(row) for row in table.foot), *table.notes()):
        stream.write(f"# {_one_line(note)}\n")
    return stream.getvalue()


def to_markdown(table: Table) -> str:
    """A pipe table with its caption above and its notes below."""
    lines = [f"**{markdown(table.label)}.** {markdown(table.full_caption())}", ""]
    lines.append("| " + " | ".join(map(markdown, table.full_header())) + " |")
    lines.append("|" + "|".join("---:" if flush else "---" for flush in table.flush_right()) + "|")
    for row in table.rows:
        if isinstance(row, Heading):
            cells = [f"*{markdown(row.title)}*", *[""] * (len(table.header) - 1)]
        else:
            cells = [_markdown_cell(table, cell) for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["| " + " | ".join(map(markdown, row)) + " |" for row in table.foot]
    lines += ["", *(f"{markdown(note)}  " for note in table.notes()), f"*{markdown(table.about())}*", ""]
    return "\n".join(lines)


def to_latex(table: Table) -> str:
    """A ``table`` environment for ``booktabs`` and ``graphicx``; the stamp is printed and stands in a comment.

    A table that is wider than the line is shrunk to it.
    """
    aligned = "".join(_alignment(column) for column in _columns(table))
    lines = [f"% {_one_line(table.about())}", r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{latex(table.full_caption())}}}", _SHRUNK]
    lines += [rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
    if table.groups:
        spans = [rf"\multicolumn{{{n}}}{{c}}{{{latex(title)}}}" for title, n in table.groups]
        lines += [" & ".join(spans) + r" \\", *_rules(table.groups)]
    lines += [" & ".join(map(latex, table.header)) + r" \\", r"\midrule"]
    for row in table.rows:
        if isinstance(row, Heading):
            lines.append(rf"\multicolumn{{{len(table.header)}}}{{l}}{{\textit{{{latex(row.title)}}}}} \\")
        else:
            lines.append(" & ".join(_latex_cell(table, cell) for cell in row) + r" \\")
    if table.foot:
        lines += [r"\midrule", *(" & ".join(map(latex, row)) + r" \\" for row in table.foot)]
    lines += [r"\bottomrule", r"\end{tabular}}", ""]
    lines.append(r"\raggedright\footnotesize")
    lines += [rf"\par {latex(note)}" for note in (*table.notes(), table.about())]
    return "\n".join([*lines, r"\end{table}", ""])


def _columns(table: Table) -> list[tuple[Cell, ...]]:
    cells = table.cells()
    return list(zip(*cells, strict=True)) if cells else [() for _ in table.header]


def _alignment(column: Sequence[Cell]) -> str:
    texts = [cell for cell in column if isinstance(cell, str)]
    if any(len(text) > LONG_TEXT for text in texts):
        return r"p{0.4\linewidth}"
    return "l" if texts else "r"


def _rules(groups: Sequence[tuple[str, int]]) -> Iterator[str]:
    start = 1
    for title, columns in groups:
        if title:
            yield rf"\cmidrule(lr){{{start}-{start + columns - 1}}}"
        start += columns


def _parts(column: Sequence[Cell]) -> list[str]:
    """Titles of the CSV's columns that a column's cells need, the empty one for the value first."""
    numbers = (cell for cell in column if isinstance(cell, Number))
    return list(dict.fromkeys(["", *(title for cell in numbers for title in cell.columns())]))


def _fields(cell: Cell, parts: Sequence[str]) -> list[str | float | int]:
    if isinstance(cell, Number):
        values = cell.columns()
        return [values.get(part, "") for part in parts]
    return [csv_text(cell) if isinstance(cell, str) else cell, *[""] * (len(parts) - 1)]


def _markdown_cell(table: Table, cell: Cell) -> str:
    if not isinstance(cell, Number):
        return markdown(str(cell))
    text = f"**{cell.text()}**" if cell.bold else cell.text()
    marks = table.marks(cell)
    text += f"<sup>{markdown(marks)}</sup>" if marks else ""
    return f"{text} {markdown(cell.beside_text())}".rstrip()


def _latex_cell(table: Table, cell: Cell) -> str:
    if not isinstance(cell, Number):
        return latex(str(cell))
    text = latex(cell.text())
    text = rf"\textbf{{{text}}}" if cell.bold else text
    marks = table.marks(cell)
    text += rf"\textsuperscript{{{latex(marks)}}}" if marks else ""
    return f"{text} {latex(cell.beside_text())}".rstrip()


def _letter(position: int) -> str:
    """The footnote letters a, b, ..., z, aa, ab, ..."""
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
