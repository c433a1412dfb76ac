"""Figures compared by pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from analysis.figures.compare import compare_figures
from analysis.figures.style import new_figure, save, style
from analysis.pipeline.derived import Stamp
from raim.cli import main
from raim.errors import InputError


def drawing(path: Path, changed: int = 0, size: tuple[int, int] = (100, 80)) -> Path:
    pixels = np.full((size[1], size[0], 3), 255, dtype=np.uint8)
    pixels[20:40, 10:60] = (0, 114, 178)
    pixels.reshape(-1, 3)[:changed, 2] -= 1
    path.parent.mkdir(exist_ok=True)
    Image.fromarray(pixels).save(path)
    return path


@pytest.mark.parametrize(("changed", "passes"), [(0, True), (7, True), (8, False), (4000, False)])
def test_the_share_of_differing_pixels_decides(tmp_path: Path, changed: int, passes: bool) -> None:
    first, second = drawing(tmp_path / "a.png"), drawing(tmp_path / "b.png", changed)
    (difference,) = compare_figures(first, second)
    assert difference.share == changed / 8000
    assert difference.passed() == passes


def test_the_image_marks_what_differs(tmp_path: Path) -> None:
    first, second = drawing(tmp_path / "a" / "f.png"), drawing(tmp_path / "b" / "f.png", 5)
    assert (
        main(["compare-figures", str(first.parent), str(second.parent), "--out", str(tmp_path / "out")]) == 0
    )
    pixels = np.asarray(Image.open(tmp_path / "out" / "f.png"))
    marked = (pixels == (213, 94, 0)).all(axis=2)
    assert marked.sum() == 5
    assert marked[0, :5].all()
    # The drawing shows through, pale.
    assert tuple(pixels[30, 30]) == (192, 220, 236)


def test_folders_are_compared_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing(tmp_path / "a" / "one.png")
    drawing(tmp_path / "a" / "two.png")
    drawing(tmp_path / "b" / "one.png")
    assert main(["compare-figures", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    out = capsys.readouterr().out
    assert "passes  one.png" in out
    assert "DIFFERS  two.png" in out
    assert "is missing" in out


def test_another_size_is_resized_and_said(tmp_path: Path) -> None:
    first, second = drawing(tmp_path / "a.png"), drawing(tmp_path / "b.png", size=(200, 160))
    (difference,) = compare_figures(first, second)
    assert difference.note == "200x160 pixels, resized to 100x80"
    assert not difference.passed()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p.write_bytes(b"%PDF-1.7"), "cannot be read as an image"),
        (lambda p: Image.new("RGB", (4, 4)).save(p, format="GIF"), "is GIF, not PNG"),
        (lambda p: p.mkdir(), "no such file"),
    ],
)
def test_what_is_no_figure(tmp_path: Path, make: object, message: str) -> None:
    make(tmp_path / "b.png")  # type: ignore[operator]
    with pytest.raises(InputError, match=message):
        compare_figures(drawing(tmp_path / "a.png"), tmp_path / "b.png")
    assert main(["compare-figures", str(tmp_path / "a.png"), str(tmp_path / "b.png")]) == 2


def test_a_figure_of_ours_equals_itself_and_not_its_neighbour(tmp_path: Path) -> None:
    for name, height in (("a", 1.0), ("b", 1.0), ("c", 1.6)):
        with style():
            figure = new_figure(3.0, 2.0)
            figure.subplots().plot([0, 1, 2], [0, height, 1])
            save(figure, tmp_path / f"{name}.pdf", tmp_path / f"{name}.png", "x", Stamp("s", "0" * 64, "1"))
    same, other = (compare_figures(tmp_path / "a.png", tmp_path / f"{n}.png")[0] for n in "bc")
    assert same.share == 0
    assert not other.passed()
