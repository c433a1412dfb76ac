"""Two drawings of a figure, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from raim.errors import InputError

#: Share of differing pixels from which two drawings differ (the release's limit).
LIMIT = 0.001
#: A differing pixel in the image of the difference; all others are the first drawing's, pale.
_MARK = (213, 94, 0)

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Difference:
    """What two drawings have in common.

    Attributes
    ----------
    name : of the figure
    share : of the pixels that differ in a colour; None where one drawing is missing
    note : what else to know: a missing drawing, another size
    image : the first drawing, pale, with the differing pixels marked; None where one drawing is missing
    """

    name: str
    share: float | None
    note: str
    image: Pixels | None

    def passed(self, limit: float = LIMIT) -> bool:
        """Whether fewer pixels differ than the limit allows."""
        return self.share is not None and self.share < limit


def compare_figures(first: Path, second: Path) -> list[Difference]:
    """Compare two PNG files, or all PNG files of two folders by name.

    A drawing of another size is resized to the first's before it is compared. A figure that one folder lacks differs.

    Raises
    ------
    InputError
        If the two are not both files or both folders, hold no PNG, or one cannot be read as an image.
    """
    if first.is_dir() and second.is_dir():
        names = sorted({path.name for folder in (first, second) for path in folder.glob("*.png")})
        if not names:
            raise InputError(f"{first} and {second} hold no PNG file; figures are compared as PNG")
        return [_compare(name, first / name, second / name) for name in names]
    for path in (first, second):
        if not path.is_file():
            raise InputError(f"{path}: no such file; give two PNG files, or two folders of them")
    return [_compare(first.name, first, second)]


def save_image(difference: Difference, path: Path) -> None:
    """Write the image of a difference as PNG."""
    if difference.image is not None:
        Image.fromarray(difference.image).save(path, format="PNG")


def _compare(name: str, first: Path, second: Path) -> Difference:
    missing = [path for path in (first, second) if not path.is_file()]
    if missing:
        return Difference(name, None, f"{missing[0]} is missing", None)
    one, other = _read(first), _read(second)
    note = ""
    if one.size != other.size:
        note = f"{other.width}x{other.height} pixels, resized to {one.width}x{one.height}"
        other = other.resize(one.size, Image.Resampling.LANCZOS)
    a, b = np.asarray(one), np.asarray(other)
    differs = (a != b).any(axis=2)
    pale = (255 - (255 - a.astype(np.int64)) // 4).astype(np.uint8)
    image = np.where(differs[:, :, None], np.array(_MARK, dtype=np.uint8), pale)
    return Difference(name, float(differs.mean()), note, image)


def _read(path: Path) -> Any:
    try:
        with Image.open(path) as image:
            if image.format != "PNG":
                raise InputError(f"{path}: is {image.format}, not PNG; figures are compared as PNG")
            return image.convert("RGB")
    except (OSError, UnidentifiedImageError, SyntaxError) as error:
        raise InputError(f"{path}: cannot be read as an image ({error})") from error
