"""The page that ``raim pool`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.terminal import table
from raim.safe_text import printable


def render(values: Mapping[str, Any]) -> str:
    """The comparison with intervals, the diagnostics and the advice."""
    given, evaluation = values["input"], values["evaluation"]
    source = given["score_source"].replace("_", " ")
    low, high = given["target_range"]
    size = ", ".join(
        (
            f"{_counted(given['items'], 'item')} in {_counted(given['clusters'], 'cluster')}",
            _counted(len(given["judges"]), "judge"),
        )
    )
    held = (
        f"{evaluation['held_out']} items held out, {evaluation['scored']} of them predicted by every method"
    )
    lines = [
        f"{size}, {len(given['labels'])} labels, {source}; targets on {low:g} to {high:g}",
        f"{evaluation['scheme']}, seed {evaluation['seed']}: {held}; advised on {evaluation['advised_on']}",
        "",
    ]
    rows = [["method", "Spearman", "95% interval", "MAE", "ECE"]]
    reasons: dict[str, list[str]] = {}
    for name, method in values["methods"].items():
        rho = method["spearman"]
        if rho["estimate"] is None:
            reasons.setdefault(rho["reason"], []).append(name)
        rows.append(
            [
                name,
                _number(rho["estimate"]),
                f"[{_number(rho['low'])}, {_number(rho['high'])}]" if rho["low"] is not None else "—",
                _number(method["mae"]["estimate"]),
                _number(method["ece"]["estimate"]),
            ]
        )
    lines += [table(rows), *(f"{', '.join(names)}: {reason}" for reason, names in reasons.items()), ""]
    lines += _judges(values)
    decision = values["decision"]
    lines += [
        "",
        f"advice: {decision['choice']} ({decision['method']})",
        f"  because {printable(decision['reason'])}",
    ]
    lines += [f"  {printable(signal)}" for signal in decision["signals"]]
    return "\n".join(lines) + "\n"


def _judges(values: Mapping[str, Any]) -> list[str]:
    given, diagnostics = values["input"], values["diagnostics"]
    gate = {row["judge"]: row for row in diagnostics.get("gate", [])}
    gains = diagnostics["leave_one_out"]["gains"]
    fixed = values["decision"]["deployed_weights"]
    rows = [["judge", "coverage", "gain if dropped", *(["weight"] if fixed else ["mean gate", "top gate"])]]
    for judge in given["judges"]:
        row = [judge, f"{given['coverage'][judge]:.1%}", _number(gains[judge], "+.3f")]
        if fixed:
            row.append(_number(fixed.get(judge, 0.0)))
        else:
            weights = gate.get(judge)
            row += [_number(weights[key]) if weights else "dropped" for key in ("mean_gate", "top_rate")]
        rows.append(row)
    return [table(rows), f"mean residual correlation: {_number(values['residual_correlation'])}"]


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _number(value: float | None, style: str = ".3f") -> str:
    return "—" if value is None else format(value, style)
