"""Figure files: the same bytes twice, fonts embedded, stamped, no date."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import pytest
from PIL import Image

from analysis.figures.style import literal, new_figure, save, style
from analysis.pipeline.derived import Stamp

STAMP = Stamp("cpu", "0123456789abcdef" * 4, "0.1.0")


def draw(folder: Path) -> tuple[Path, Path]:
    folder.mkdir(exist_ok=True)
    pdf, png = folder / "figure02.pdf", folder / "figure02.png"
    with style():
        figure = new_figure(height=2.0)
        axes = figure.subplots()
        axes.plot([0, 1], [-1, 1], marker="o", label=literal("a $b$ judge"))
        axes.legend()
        save(figure, pdf, png, "Figure 2", STAMP)
    return pdf, png


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return draw(tmp_path_factory.mktemp("figures"))


def test_same_bytes_whatever_the_users_settings(drawn: tuple[Path, Path], tmp_path: Path) -> None:
    with mpl.rc_context({"font.size": 20, "savefig.dpi": 50, "lines.linewidth": 9}):
        again = draw(tmp_path)
        assert mpl.rcParams["font.size"] == 20
    for first, second in zip(drawn, again, strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_pdf_is_stamped_undated_and_embeds_its_fonts(drawn: tuple[Path, Path]) -> None:
    data = drawn[0].read_bytes()
    assert b"suite cpu; records 0123456789abcdef; raim 0.1.0" in data
    assert b"CreationDate" not in data
    assert b"/FontFile2" in data
    assert not re.search(rb"/Subtype /Type3", data)


def test_png_is_stamped(drawn: tuple[Path, Path]) -> None:
    with Image.open(drawn[1]) as image:
        assert image.text["Description"] == str(STAMP)
        assert "date" not in " ".join(image.text).lower()
        assert image.size == (2100, 600)
