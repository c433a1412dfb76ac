"""Cells of a table: text, counts, and numbers that know how they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Printed for a score that has no value.
UNDEFINED = "—"
MINUS = "−"


@dataclass(frozen=True)
class Number:
    """A number, or an undefined one with its reason.

    Attributes
    ----------
    value : None where the score is undefined; ``reason`` then becomes a footnote
    decimals, scale : print ``value * scale`` with so many decimals; CSV carries it with ten significant digits
    signed : print a plus sign, as for differences
    low, high : ends of its interval, printed in brackets
    bold : the convention of the table's caption, such as an interval that excludes zero
    mark : a superscript such as a dagger, explained by a footnote of the table
    """

    value: float | None
    decimals: int = 3
    scale: float = 1.0
    signed: bool = False
    low: float | None = None
    high: float | None = None
    bold: bool = False
    mark: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse an undefined number that does not say why."""
        if self.value is None and not self.reason:
            raise ValueError("an undefined number needs its reason")

    @property
    def has_interval(self) -> bool:
        """Whether an interval is printed."""
        return self.low is not None and self.high is not None

    def text(self) -> str:
        """The value as printed, without its interval; a hyphen never stands for a minus sign."""
        return UNDEFINED if self.value is None else self.printed(self.value)

    def interval_text(self) -> str:
        """The interval as printed, or nothing."""
        if self.low is None or self.high is None:
            return ""
        return f"[{self.printed(self.low)}, {self.printed(self.high)}]"

    def exact(self, value: float | None) -> str | float:
        """For CSV: ten significant digits, ``NA`` where undefined."""
        return "NA" if value is None else float(f"{value * self.scale:.10g}")

    def printed(self, value: float) -> str:
        """A value with this number's scale, sign and decimals; what rounds to zero carries no minus."""
        text = f"{value * self.scale:{'+' if self.signed else ''}.{self.decimals}f}"
        if float(text) == 0:
            text = text.replace("-", "+" if self.signed else "")
        return text.replace("-", MINUS)


Cell = str | int | Number


def score(entry: Mapping[str, Any], value: str = "resample_mean", **style: Any) -> Number:
    """A cell from an entry of the derived tier (``estimate``, ``resample_mean``, ``low``, ``high``, ``reason``)."""
    return Number(entry[value], reason=entry.get("reason") or "", **style)
