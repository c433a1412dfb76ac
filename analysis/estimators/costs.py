"""What a route costs: inference, labels, and the volume from which a panel repays its labels (appendix H)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from analysis.published import FOLDER
from analysis.terminal import table
from raim.config import validate
from raim.errors import InputError
from raim.safe_text import printable

#: Volumes at which the page shows the amortised cost.
_SHOWN = (10_000, 100_000, 1_000_000)
#: The paper's rates.
PUBLISHED_RATES = FOLDER / "rates.yaml"
_SCHEMA = FOLDER / "rates.schema.yaml"


@dataclass(frozen=True)
class Rates:
    """Prices and measurements that costs are computed from, all of them inputs.

    Attributes
    ----------
    source : where they come from
    gpu_usd_per_hour : rental of the card that the judges ran on
    items_per_second : by judge, throughput on that card
    panel : the judges of a panel
    api_usd_per_million : by model, price of a million (input, output) tokens; the first is the one to replace
    input_tokens, output_tokens : of one item
    usd_per_label : price of a label
    label_budgets : numbers of labels to price
    """

    source: str
    gpu_usd_per_hour: float
    items_per_second: Mapping[str, float]
    panel: tuple[str, ...]
    api_usd_per_million: Mapping[str, tuple[float, float]]
    input_tokens: float
    output_tokens: float
    usd_per_label: float
    label_budgets: tuple[int, ...]

    def local(self, judge: str) -> float | None:
        """USD per 1,000 items of a judge on the card; None without a throughput."""
        speed = self.items_per_second.get(judge)
        return None if speed is None else self._rental(speed)

    def sequence(self, judges: Iterable[str]) -> float:
        """USD per 1,000 items of judges run one after another. Raises KeyError on one without a throughput."""
        return sum(self._rental(self.items_per_second[judge]) for judge in judges)

    def api(self, model: str) -> float | None:
        """USD per 1,000 items of a model behind an API; None without a price."""
        price = self.api_usd_per_million.get(model)
        if price is None:
            return None
        return (self.input_tokens * price[0] + self.output_tokens * price[1]) / 1000

    def _rental(self, items_per_second: float) -> float:
        return 1000 * self.gpu_usd_per_hour / 3600 / items_per_second


def read_rates(path: Path = PUBLISHED_RATES) -> Rates:
    """Rates from a YAML file in the form of ``analysis/published/rates.yaml``.

    Raises
    ------
    InputError
        If the file cannot be read or an entry is missing, unknown or of the wrong kind; the message says what to write.
    """
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot read the rates ({error})") from error
    if not isinstance(values, dict):
        raise InputError(f"{path}: holds no rates; {PUBLISHED_RATES.name} of the package shows the form")
    try:
        validate(values, _SCHEMA)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    unknown = [judge for judge in values["panel"] if judge not in values["items_per_second"]]
    if unknown:
        raise InputError(
            f"{path}: panel: {', '.join(unknown)} has no entry in items_per_second; add its throughput"
        )
    return Rates(
        source=values["source"],
        gpu_usd_per_hour=values["gpu_usd_per_hour"],
        items_per_second=values["items_per_second"],
        panel=tuple(values["panel"]),
        api_usd_per_million={
            name: (price["input"], price["output"]) for name, price in values["api_usd_per_million"].items()
        },
        input_tokens=values["tokens_per_item"]["input"],
        output_tokens=values["tokens_per_item"]["output"],
        usd_per_label=values["label"]["usd_per_hour"] * values["label"]["minutes"] / 60,
        label_budgets=tuple(values["label_budgets"]),
    )


def break_even(outlay: float, frontier: float, panel: float) -> float | None:
    """Items from which panel and outlay together cost less than the frontier; None where they never do.

    Parameters
    ----------
    outlay : USD, once
    frontier, panel : USD per 1,000 items
    """
    return 1000 * outlay / (frontier - panel) if frontier > panel else None


def amortised(outlay: float, panel: float, items: Sequence[float]) -> list[float]:
    """USD per 1,000 items of a panel with its outlay spread over so many items."""
    return [panel + 1000 * outlay / n for n in items]


def compare(rates: Rates, panel: float, frontier: float) -> dict[str, Any]:
    """Panel against frontier (USD per 1,000 items): ratio, break-even per label budget and amortised curve."""
    items = [float(n) for n in np.round(np.logspace(3, 6, 61))]
    outlays = {labels: labels * rates.usd_per_label for labels in rates.label_budgets}
    return {
        "panel": panel,
        "frontier": frontier,
        "ratio": frontier / panel,
        "share": panel / frontier,
        "break_even": [
            {
                "labels": labels,
                "outlay": outlay,
                "items": (volume := break_even(outlay, frontier, panel)),
                **({} if volume is not None else {"reason": "the panel's inference is not cheaper"}),
            }
            for labels, outlay in outlays.items()
        ],
        "curve": {
            "items": items,
            "amortised": {str(labels): amortised(outlay, panel, items) for labels, outlay in outlays.items()},
        },
    }


def render(result: Mapping[str, Any]) -> str:
    """A comparison as a page of text: :func:`compare` with ``source`` and the model's name as ``against``."""
    lines = [
        f"Rates: {printable(result['source'])}",
        "",
        table(
            [
                ["USD per 1,000 items", "inference"],
                ["panel", f"{result['panel']:.4f}"],
                [result["against"], f"{result['frontier']:.4f}"],
            ]
        ),
        "",
        f"The panel's inference costs {result['share']:.2%} of the model's: 1 to {result['ratio']:.1f}.",
        "",
    ]
    rows = [["labels", "outlay (USD)", "repaid after (items)", *(f"USD/1,000 at {n:,}" for n in _SHOWN)]]
    for entry in result["break_even"]:
        volume = "never" if entry["items"] is None else f"{entry['items']:,.0f}"
        spread = amortised(entry["outlay"], result["panel"], _SHOWN)
        rows.append(
            [f"{entry['labels']:,}", f"{entry['outlay']:,.2f}", volume, *(f"{cost:.3f}" for cost in spread)]
        )
    return "\n".join([*lines, table(rows), ""])
