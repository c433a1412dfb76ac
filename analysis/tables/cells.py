"""Cells of a table: text, counts, and numbers that know how they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Printed for a score that has no value.
UNDEFINED = "—"
MINUS = "−"
#: Marks a score taken on fewer items than there are; the table's notes explain it by themselves.
PARTIAL = "†"
PARTIAL_NOTE = "†: scored on the items that the method committed on, whose number stands in brackets."
#: What the CSV carries of an entry of the derived tier, beside the value that is printed.
_KEPT = ("estimate", "resample_mean", "low", "high", "n_scored", "n_total", "p_one_sided")
#: Details that are not in the unit of the value.
_UNSCALED = ("p_one_sided",)


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
    mark : a superscript such as a double dagger, explained by a footnote of the table
    n_scored, n_total : items that the score is taken on and items there are; the first is printed where it is smaller
    details : further columns of the CSV, by title; counts and p values are not scaled
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
    n_scored: int | None = None
    n_total: int | None = None
    details: Mapping[str, float | int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse an undefined number that does not say why."""
        if self.value is None and not self.reason:
            raise ValueError("an undefined number needs its reason")

    @property
    def has_interval(self) -> bool:
        """Whether an interval is printed."""
        return self.low is not None and self.high is not None

    @property
    def partial(self) -> bool:
        """Whether the score is taken on fewer items than there are."""
        return (
            self.value is not None
            and self.n_scored is not None
            and self.n_total is not None
            and self.n_scored < self.n_total
        )

    def text(self) -> str:
        """The value as printed, without its interval; a hyphen never stands for a minus sign."""
        return UNDEFINED if self.value is None else self.printed(self.value)

    def marks(self) -> str:
        """Superscripts of a defined number."""
        return self.mark + (PARTIAL if self.partial else "")

    def interval_text(self) -> str:
        """The interval as printed, or nothing."""
        if self.low is None or self.high is None:
            return ""
        return f"[{self.printed(self.low)}, {self.printed(self.high)}]"

    def beside_text(self) -> str:
        """What is printed after the value: its interval, and the number of items where it is not all of them."""
        return " ".join(filter(None, [self.interval_text(), f"({self.n_scored})" if self.partial else ""]))

    def columns(self) -> dict[str, str | float | int]:
        """For CSV: the value under the empty title, then its interval and details; ``NA`` where undefined."""
        ends = {"low": self.low, "high": self.high} if self.has_interval else {}
        values = {"": self.value, **ends, **self.details}
        return {name: self._exact(value, name not in _UNSCALED) for name, value in values.items()}

    def printed(self, value: float) -> str:
        """A value with this number's scale, sign and decimals; what rounds to zero carries no minus."""
        text = f"{value * self.scale:{'+' if self.signed else ''}.{self.decimals}f}"
        if float(text) == 0:
            text = text.replace("-", "+" if self.signed else "")
        return text.replace("-", MINUS)

    def _exact(self, value: float | int | None, scaled: bool) -> str | float | int:
        if value is None or isinstance(value, int):
            return "NA" if value is None else value
        return float(f"{value * (self.scale if scaled else 1):.10g}")


@dataclass(frozen=True)
class Heading:
    """A row that titles the rows below it; in CSV their first column."""

    title: str


Cell = str | int | Number
Row = tuple[Cell, ...] | list[Cell] | Heading


def score(
    entry: Mapping[str, Any], value: str = "resample_mean", *, interval: bool = False, **style: Any
) -> Number:
    """A cell from an entry of the derived tier (``estimate``, ``resample_mean``, ``low``, ``high``, ``reason``, ...).

    ``value`` names what is printed; ``interval`` prints the ends too. The CSV carries all that the entry holds.
    """
    return Number(
        entry[value],
        low=entry["low"] if interval else None,
        high=entry["high"] if interval else None,
        reason=entry.get("reason") or "no bootstrap draw is defined",
        n_scored=entry.get("n_scored"),
        n_total=entry.get("n_total"),
        details={name: entry[name] for name in _KEPT if name in entry},
        **style,
    )


def difference(entry: Mapping[str, Any], value: str = "resample_mean", **style: Any) -> Number:
    """A paired difference: signed, bold where its interval excludes zero."""
    return score(entry, value, signed=True, bold=excludes_zero(entry), **style)


def excludes_zero(entry: Mapping[str, Any]) -> bool:
    """Whether the interval of an entry excludes zero."""
    low, high = entry["low"], entry["high"]
    return low is not None and high is not None and (low > 0 or high < 0)
