"""Names beside points, apart from each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

#: Height and mean width of a letter, in font sizes.
_HEIGHT, _WIDTH = 1.25, 0.58
#: How far a name stands from its point, in points.
_GAP = 5.0

_Box = tuple[float, float, float, float]
_SIDES: dict[float, Literal["left", "center", "right"]] = {1.0: "left", 0.0: "center", -1.0: "right"}


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
    taken: list[_Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots]
    lines: list[_Box] = []
    for value in avoid_x:
        x = float(axes.transData.transform((value, 0))[0]) * scale
        lines.append((x - 0.5, inside[1], x + 0.5, inside[3]))
    for value in avoid_y:
        y = float(axes.transData.transform((0, value))[1]) * scale
        lines.append((inside[0], y - 0.5, inside[2], y + 0.5))
    # The sides that read best come first: a tie goes to them.
    sides = sorted(product((1.0, -1.0, 0.0), (0.0, 1.0, -1.0)), key=lambda side: abs(side[1]))
    for own, ((x, y), name) in enumerate(zip(spots, names, strict=True)):
        width, height = _WIDTH * size * len(name), _HEIGHT * size
        best: tuple[float, float, float, _Box] | None = None
        for right, up in (side for side in sides if side != (0.0, 0.0)):
            left = x + _GAP * right + (right - 1) * width / 2
            low = y + _GAP * up + (up - 1) * height / 2
            box = (left, low, left + width, low + height)
            others = [b for position, b in enumerate(taken) if position != own]
            cost = sum(_overlap(box, b) for b in others) + 0.3 * sum(_overlap(box, b) for b in lines)
            cost += 4 * (width * height - _overlap(box, inside))
            if best is None or cost < best[0] - 1e-9:
                best = cost, right, up, box
        if best is not None:
            _, right, up, box = best
            taken.append(box)
            axes.annotate(
                name,
                points[own],
                xytext=(_GAP * right, _GAP * up),
                textcoords="offset points",
                ha=_SIDES[right],
                va={1.0: "bottom", 0.0: "center", -1.0: "top"}[up],
                fontsize=size,
                path_effects=[withStroke(linewidth=1.8, foreground="white")],
            )


def _overlap(a: _Box, b: _Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
