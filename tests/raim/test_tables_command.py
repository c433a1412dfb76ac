"""``raim tables``: what was made of each suite, printed and as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.output import write_json
from analysis.pipeline.build import Output
from analysis.pipeline.catalogue import catalogue
from raim.cli import main

TABLES = [
    Output("analysis.tables.table10", "Table 10. Anchors", "RAIM", ("ladder",), ("table10.csv",), None),
    Output("analysis.tables.table09", "Table 9. F1", "RAIM", (), (), "no | frontier judge"),
]
FIGURES = [
    Output(
        "analysis.figures.figure03b", "Figure 3b. Deltas", "RAIM", ("ladder", "frontier"), ("f.pdf",), None
    ),
    Output("analysis.figures.figure03a", "Figure 3a. Plane", "RAIM", ("regime",), ("f.pdf",), None),
]


def build(results: Path, suite: str) -> None:
    for folder, outputs in (("tables", TABLES), ("figures", FIGURES)):
        entries = [
            {
                "module": output.module,
                "title": output.title,
                "source": output.source,
                "reads": list(output.reads),
                "files": list(output.files),
                "skipped": output.skipped,
            }
            for output in outputs
        ]
        (results / suite / folder).mkdir(parents=True)
        write_json(results / suite / folder / "summary.json", entries)


def test_lists_every_suite_and_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suite in ("sim", "cpu"):
        build(tmp_path, suite)
    page = tmp_path / "tables.md"
    assert main(["tables", "--results", str(tmp_path), "--page", str(page)]) == 0
    printed = capsys.readouterr().out
    assert printed.index("cpu\nTable 10") < printed.index("sim\nTable 10")
    assert "Table 9. F1: skipped, no | frontier judge" in printed
    assert page.read_text(encoding="utf-8") == catalogue(
        {"cpu": [*TABLES, *FIGURES], "sim": [*TABLES, *FIGURES]}
    )


def test_the_page_has_a_row_each_in_the_papers_order() -> None:
    page = catalogue({"cpu": [*TABLES, *FIGURES], "sim": TABLES})
    rows = [line for line in page.splitlines() if line.startswith(("| Table", "| Figure"))]
    assert rows == [
        r"| Table 9. F1 | `table09` |  | skipped: no \| frontier judge | skipped: no \| frontier judge |",
        "| Table 10. Anchors | `table10` | ladder | made | made |",
        "| Figure 3a. Plane | `figure03a` | regime | made | not built |",
        "| Figure 3b. Deltas | `figure03b` | ladder, frontier | made | not built |",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no suite is built there; make them with `snakemake --cores all`"),
        (["cpu"], "cpu/tables: not built; make it with `snakemake --cores all`"),
    ],
)
def test_says_what_to_do_where_nothing_is_built(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", *arguments, "--results", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_the_committed_page_lists_every_module(root: Path) -> None:
    page = (root / "docs" / "tables.md").read_text(encoding="utf-8")
    for kind in ("table", "figure"):
        for path in sorted((root / "analysis" / f"{kind}s").glob(f"{kind}[0-9]*.py")):
            assert f"`{path.stem}`" in page, "make it again: raim tables --page docs/tables.md"
