"""Names beside points, apart from each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.patheffects import withStroke
from matplotlib.textpath import TextToPath

#: Height of a line, in font sizes.
_HEIGHT = 1.25
#: How far a name stands from its point, in points: close by, or led to by a line.
_NEAR, _FAR = 5.0, (16.0, 27.0)
#: Points kept free on either side of a name: two in a row would read as one.
_APART = 4.0
#: Times that every name is placed anew among the others.
_ROUNDS = 4

_Box = tuple[float, float, float, float]
_SIDES: dict[float, Literal["left", "center", "right"]] = {1.0: "left", 0.0: "center", -1.0: "right"}


@dataclass(frozen=True)
class _Place:
    """Where a name may stand: side (right, up) of its point, distance, the box it covers, and how badly it reads."""

    right: float
    up: float
    gap: float
    box: _Box
    burden: float


def place_labels(
    axes: Axes,
    points: Sequence[tuple[float, float]],
    names: Sequence[str],
    size: float = 7.0,
    avoid_x: Sequence[float] = (),
    avoid_y: Sequence[float] = (),
) -> None:
    """Write each name on the side of its point where it covers the least of other names, points and lines.

    Limits and size of the axes must be set: the figure's layout decides where the names go. ``avoid_x`` and ``avoid_y``
    are vertical and horizontal lines, in data units. The same points give the same places.
    """
    figure = axes.get_figure(root=True)
    if figure is None:
        raise ValueError("the axes belong to no figure")
    figure.draw_without_rendering()
    scale = 72 / figure.dpi
    spots = [tuple(float(v) * scale for v in axes.transData.transform(point)) for point in points]
    bounds = axes.get_window_extent()
    inside: _Box = (bounds.x0 * scale, bounds.y0 * scale, bounds.x1 * scale, bounds.y1 * scale)
    # Wider than a marker, so that a name does not seem to be another point's.
    dots: list[_Box] = [(x - 8, y - 8, x + 8, y + 8) for x, y in spots]
    lines: list[_Box] = []
    for value in avoid_x:
        x = float(axes.transData.transform((value, 0))[0]) * scale
        lines.append((x - 0.5, inside[1], x + 0.5, inside[3]))
    for value in avoid_y:
        y = float(axes.transData.transform((0, value))[1]) * scale
        lines.append((inside[0], y - 0.5, inside[2], y + 0.5))

    font = FontProperties(size=size)
    widths = [TextToPath().get_text_width_height_descent(name, font, ismath=False)[0] for name in names]
    choices = [
        list(_places(spot, (width, _HEIGHT * size), inside, dots[:own] + dots[own + 1 :], lines))
        for own, (spot, width) in enumerate(zip(spots, widths, strict=True))
    ]
    chosen = [places[0] for places in choices]
    for _ in range(_ROUNDS):
        for own, places in enumerate(choices):
            others = [_widened(place.box) for position, place in enumerate(chosen) if position != own]
            costs = [
                place.burden + 3 * sum(_overlap(place.box, other) for other in others) for place in places
            ]
            chosen[own] = places[costs.index(min(costs))]
    for point, name, place in zip(points, names, chosen, strict=True):
        axes.annotate(
            name,
            point,
            xytext=(place.gap * place.right, place.gap * place.up),
            textcoords="offset points",
            ha=_SIDES[place.right],
            va={1.0: "bottom", 0.0: "center", -1.0: "top"}[place.up],
            fontsize=size,
            path_effects=[withStroke(linewidth=1.8, foreground="white")],
            arrowprops={"arrowstyle": "-", "color": "0.5", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3}
            if place.gap > _NEAR
            else None,
        )


def _places(
    spot: Sequence[float],
    extent: tuple[float, float],
    inside: _Box,
    dots: Sequence[_Box],
    lines: Sequence[_Box],
) -> Iterator[_Place]:
    """All places of a name of some width and height, those that read best first."""
    (x, y), (width, height) = spot, extent
    sides = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (1.0, 1.0),
        (1.0, -1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
        (0.0, 1.0),
        (0.0, -1.0),
    ]
    for gap in (_NEAR, *_FAR):
        for right, up in sides:
            if gap > _NEAR and up == 0.0:
                continue
            left = x + gap * right + (right - 1) * width / 2
            low = y + gap * up + (up - 1) * height / 2
            box = (left, low, left + width, low + height)
            burden = sum(_overlap(box, dot) for dot in dots) + 0.3 * sum(
                _overlap(box, line) for line in lines
            )
            burden += 4 * (width * height - _overlap(box, inside)) + 3 * (gap - _NEAR)
            yield _Place(right, up, gap, box, burden)


def _widened(box: _Box) -> _Box:
    return (box[0] - _APART, box[1], box[2] + _APART, box[3])


def _overlap(a: _Box, b: _Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
