"""A fitted method as a JSON file, and applying it to new scores."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import ScoreSource
from analysis.judgemoe.deploy.methods import Fitted, Gated, Method, Single
from analysis.judgemoe.gates.store import gate_from_json, gate_json
from analysis.judgemoe.pools.fixed import FixedPool, PoolKind
from analysis.judgemoe.selectors.singles import Extraction
from analysis.judgemoe.sources.long_csv import Scores
from analysis.output import write_json
from raim.errors import InputError
from raim.safe_text import csv_data

FORMAT, SCHEMA = "raim pool model", 1


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted method with the judge set, labels and score source that it is for; ``target_range`` maps back."""

    method: Method
    judges: tuple[str, ...]
    labels: tuple[float, ...]
    score_source: ScoreSource
    target_range: tuple[float, float]
    fitted: Fitted


def save_model(path: Path, model: Model) -> None:
    """Write the model atomically."""
    fitted = model.fitted
    parts: dict[str, Any]
    if isinstance(fitted, Gated):
        parts = {"gate": gate_json(fitted.gate)}
    elif isinstance(fitted, FixedPool):
        parts = {"pool": asdict(fitted)}
    else:
        parts = {"single": asdict(fitted)}
    write_json(
        path,
        {
            "format": FORMAT,
            "schema": SCHEMA,
            "method": model.method,
            "judges": list(model.judges),
            "labels": list(model.labels),
            "score_source": model.score_source,
            "target_range": list(model.target_range),
            **parts,
        },
    )


def load_model(path: Path) -> Model:
    """Read a model. Raises InputError on a file that is missing, of a newer schema, or not a model."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the model {path}: {error}") from None
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a model of `raim pool`; give the file that it saved")
    if value.get("schema") != SCHEMA:
        raise InputError(
            f"{path}: schema {value.get('schema')}, this version reads {SCHEMA}; fit again or upgrade raim"
        )
    try:
        model = Model(
            method=value["method"],
            judges=tuple(value["judges"]),
            labels=tuple(float(label) for label in value["labels"]),
            score_source=value["score_source"],
            target_range=(float(value["target_range"][0]), float(value["target_range"][1])),
            fitted=_fitted(value),
        )
        sound = _sound(model)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(f"{path}: an incomplete model ({error!r}); fit it again") from None
    if not sound:
        raise InputError(f"{path}: a damaged model (its judges, weights or labels do not fit); fit it again")
    return model


def _sound(model: Model) -> bool:
    """Whether the parts agree: a file that was edited or cut must not give predictions."""
    low, high = model.target_range
    fits = (
        model.method in get_args(Method)
        and model.score_source in get_args(ScoreSource)
        and len(set(model.judges)) == len(model.judges)
        and bool(np.all(np.diff(model.labels) > 0.0))
        and bool(np.isfinite([low, high, *model.labels]).all())
        and low < high
    )
    fitted = model.fitted
    if isinstance(fitted, Single):
        return fits and fitted.judge in model.judges and fitted.extraction in get_args(Extraction)
    if isinstance(fitted, Gated):
        gate = fitted.gate
        finite = all(np.isfinite(array).all() for array in gate.arrays.values())
        return (
            fits
            and finite
            and set(gate.judges) <= set(model.judges)
            and len(gate.labels) == len(model.labels)
        )
    weights = np.array(fitted.weights, dtype=np.float64)
    on_simplex = bool((weights >= 0.0).all()) and abs(float(weights.sum()) - 1.0) < 1e-9
    return (
        fits
        and on_simplex
        and len(weights) == len(fitted.judges)
        and set(fitted.judges) <= set(model.judges)
        and fitted.kind in get_args(PoolKind)
        and fitted.temperature > 0.0
    )


def _fitted(value: Mapping[str, Any]) -> Fitted:
    if "gate" in value:
        return Gated(gate_from_json(value["gate"]))
    if "pool" in value:
        pool = value["pool"]
        return FixedPool(
            tuple(pool["judges"]), tuple(pool["weights"]), pool["kind"], float(pool["temperature"])
        )
    return Single(value["single"]["judge"], value["single"]["extraction"])


def require_same(model: Model, scores: Scores) -> None:
    """Refuse scores of other judges, over other labels, or of another kind than the model was fitted on."""
    given, known = set(scores.cell.judges), set(model.judges)
    if given != known:
        extra = ", ".join(sorted(given - known)) or "none"
        missing = ", ".join(sorted(known - given)) or "none"
        raise InputError(
            f"the model is for another set of judges (new in the file: {extra}; missing from it: {missing}); "
            "fit a model on these judges"
        )
    if scores.labels != model.labels:
        labels = f"labels {list(model.labels)}, the file has {list(scores.labels)}"
        raise InputError(f"the model is for {labels}; fit a model on these labels")
    if scores.cell.score_source != model.score_source:
        known_kind, kind = (
            source.replace("_", " ") for source in (model.score_source, scores.cell.score_source)
        )
        raise InputError(f"the model is for {known_kind}, the file has {kind}; fit a model on such scores")


def apply_model(model: Model, scores: Scores) -> tuple[Floats, Floats | None]:
    """(n,) predictions on [0, 1], and (n, K) pooled distributions if the method has any; see :func:`require_same`."""
    require_same(model, scores)
    return model.fitted.predict(scores.cell), model.fitted.distribution(scores.cell)


def predictions_csv(model: Model, scores: Scores, predictions: Floats, distributions: Floats | None) -> str:
    """One row an item: the prediction on [0, 1], on the human scale, and the pooled distribution.

    Fields are empty where none of the method's judges scored the item.
    """
    low, high = model.target_range
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [] if distributions is None else [f"p_{label:g}" for label in model.labels]
    writer.writerow(["item", "prediction", "score", *names])
    table = np.empty((len(predictions), 0)) if distributions is None else distributions
    for item, value, row in zip(scores.cell.items, predictions.tolist(), table.tolist(), strict=True):
        fields = [value, low + value * (high - low), *row]
        writer.writerow([csv_data(item), *("" if np.isnan(field) else repr(field) for field in fields)])
    return stream.getvalue()
