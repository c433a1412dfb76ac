"""The documents point at what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = ("README.md", "QUICKSTART.md", "docs", "requirements", "profiles")
CODE = ("analysis", "raim", "verdicts", "workflow", "config", "Makefile", "Snakefile", "pyproject.toml")


def texts(root: Path, places: tuple[str, ...], endings: tuple[str, ...]) -> dict[Path, str]:
    paths = [
        path
        for place in places
        for path in ([root / place] if (root / place).is_file() else sorted((root / place).rglob("*")))
        if path.is_file() and (path.suffix in endings or path.parent == root)
    ]
    return {path: path.read_text(encoding="utf-8") for path in paths}


#: Files that a page tells its reader to make.
TO_BE_MADE = {"verdicts/benchmarks/capitals.py", "suites/paper/", "suites/paper"}


def anchor(heading: str) -> str:
    """What a page's heading is linked by."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.fixture(scope="module")
def pages(root: Path) -> dict[Path, str]:
    found = texts(root, PAGES, (".md",))
    assert len(found) > 15
    return found


def test_links_between_pages_lead_somewhere(pages: dict[Path, str]) -> None:
    broken = []
    for page, text in pages.items():
        for path, place in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)", text):
            target = page.parent / path if path else page
            if not target.exists():
                broken.append(f"{page.name}: {path}")
            elif place and place not in map(
                anchor, re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
            ):
                broken.append(f"{page.name}: {path}#{place}")
    assert not broken


def test_pages_that_code_and_messages_name_exist(root: Path, pages: dict[Path, str]) -> None:
    named = {
        (path.relative_to(root).as_posix(), page)
        for path, text in {**pages, **texts(root, CODE, (".py", ".smk", ".yaml", ".html"))}.items()
        for page in re.findall(r"\bdocs/\w+\.\w+", text)
    }
    assert len(named) > 20
    assert [entry for entry in sorted(named) if not (root / entry[1]).is_file()] == []


def test_files_that_pages_name_exist(root: Path, pages: dict[Path, str]) -> None:
    named = {
        (page.name, path)
        for page, text in pages.items()
        for path in re.findall(
            r"`((?:analysis|verdicts|raim|workflow|config|tests|suites|gates|benchmarks)/[\w./-]+)`", text
        )
        if "NN" not in path and path not in TO_BE_MADE
    }
    assert len(named) > 20
    assert [entry for entry in sorted(named) if not (root / entry[1]).exists()] == []
