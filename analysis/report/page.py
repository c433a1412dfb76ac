"""What a report holds, and its HTML: one file without scripts that asks for nothing else."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.tables.cells import Heading, Number
from analysis.tables.render import Table
from raim.safe_text import printable

#: More columns than this are printed on a page of their own, in landscape format.
WIDE = 11


@dataclass(frozen=True)
class Picture:
    """A figure as it stands in the page.

    Attributes
    ----------
    source : a ``data:`` address that holds the image
    width, height : in CSS pixels
    caption : what is to be seen, and what a reader must know of the suite
    about : the stamp, and the rule, module and derived files behind it
    """

    source: str
    width: int
    height: int
    caption: str
    about: str


@dataclass(frozen=True)
class Shown:
    """A table or figure of the paper: its content, where it stands otherwise, or why there is none.

    Attributes
    ----------
    anchor : its id in the page
    title : such as ``Table 15. Full method ladder: Cohen's κ``
    source : where in the paper
    content : None where it was skipped, or stands elsewhere in the page
    skipped : why there is none
    elsewhere : the anchor under which it stands
    """

    anchor: str
    title: str
    source: str
    content: Table | Picture | None
    skipped: str | None = None
    elsewhere: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the page: paragraphs, a list of sentences, tables of the report's own, tables and figures."""

    anchor: str
    title: str
    paragraphs: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    grids: tuple[Table, ...] = ()
    shown: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes
    ----------
    title : of the suite or study
    label : what a reader must know of it, such as SIMULATED
    facts : the stamp, as (term, value)
    sections : in order
    """

    title: str
    label: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def anchor(title: str, prefix: str = "") -> str:
    """An id from the number of a table or figure: ``Table A3. ...`` becomes ``table-a3``."""
    return "-".join(filter(None, [prefix, *re.findall(r"[a-z0-9]+", title.partition(".")[0].lower())]))


def render(page: Page) -> str:
    """The page as HTML. All text is escaped, control and format characters are shown as escapes.

    Raises
    ------
    ValueError
        If two parts of the page have the same anchor.
    """
    names = Counter(_anchors(page))
    if twice := [name for name, times in names.items() if times > 1]:
        raise ValueError(f"anchors of the report occur twice: {', '.join(twice)}")
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.tests |= {
        "table": lambda value: isinstance(value, Table),
        "heading": lambda value: isinstance(value, Heading),
        "number": lambda value: isinstance(value, Number),
        "text": lambda value: isinstance(value, str),
    }
    return environment.get_template("page.html").render(page=page, wide=WIDE)


def _harmless(value: Any) -> Any:
    """Other people's text without characters that would reorder or hide it; markup of the template as it is."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _anchors(page: Page) -> list[str]:
    found = []
    for section in page.sections:
        found.append(section.anchor)
        found += [f"{section.anchor}-{number}" for number, _ in enumerate(section.grids, start=1)]
        found += [shown.anchor for shown in section.shown]
    return found
