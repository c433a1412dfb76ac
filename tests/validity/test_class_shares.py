"""The stacker's readings over class shares, with known truth (docs/simulation.md#class-shares)."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.simulation.panel import model_from_parameters
from analysis.simulation.prevalence_study import PREVALENCES, prevalence_study

pytestmark = pytest.mark.validity

#: Members as competent as the paper's on MedHallu, and as on ExpertQA with their leanings.
PANELS = {
    "strong": ((0.44, 0.49, 0.59, 0.66, 0.69, 0.61, 0.65, 0.62, 0.64, 0.51), 0.335, None),
    "weak": (
        (0.09, 0.21, 0.24, 0.22, 0.13, 0.13, 0.15, 0.10, 0.13, 0.14),
        0.4,
        (0.68, 0.17, 0.02, -0.03, 0.55, 0.52, 0.45, 0.55, 0.57, 0.58),
    ),
}


@pytest.fixture(scope="module", params=list(PANELS))
def entries(request: pytest.FixtureRequest) -> dict[float, dict[str, Any]]:
    kappas, phi, biases = PANELS[request.param]
    found = prevalence_study(model_from_parameters(kappas, phi, biases=biases), n_replicates=20)
    return {entry["prevalence"]: entry for entry in found}


def test_balanced_readings_never_cost_balanced_accuracy(entries: dict[float, dict[str, Any]]) -> None:
    for share, entry in entries.items():
        plain = entry["same"]["plain"]["balanced_accuracy"]
        for name in ("class_weighted", "shifted", "balanced"):
            gain = entry["same"][name]["balanced_accuracy"] - plain
            assert gain > -0.012, (share, name)
            if not 0.15 < share < 0.85:
                assert gain > 0.04, (share, name)


def test_balanced_readings_keep_their_balanced_accuracy_over_all_shares(
    entries: dict[float, dict[str, Any]],
) -> None:
    """A balanced reading depends on the class shares through the size of the rarer class's sample alone."""
    middle = entries[0.5]["same"]["balanced"]["balanced_accuracy"]
    for share in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9):
        assert entries[share]["same"]["balanced"]["balanced_accuracy"] > middle - 0.035, share


def test_the_plain_reading_drifts_to_the_larger_class(entries: dict[float, dict[str, Any]]) -> None:
    middle = entries[0.5]["same"]["plain"]["balanced_accuracy"]
    for share in (0.05, 0.95):
        lost = middle - entries[share]["same"]["plain"]["balanced_accuracy"]
        assert lost > 0.4 * (middle - 0.5), share


def test_even_classes_leave_nothing_to_balance(entries: dict[float, dict[str, Any]]) -> None:
    scores = entries[0.5]["same"]
    for name in ("class_weighted", "shifted", "balanced"):
        assert scores[name]["balanced_accuracy"] == pytest.approx(
            scores["plain"]["balanced_accuracy"], abs=0.005
        )


def test_the_deployment_reading_is_the_more_accurate_where_it_is_used(
    entries: dict[float, dict[str, Any]],
) -> None:
    """Calibrated on even classes, used at another share: accuracy is what the prior's reading is made for."""
    for share in PREVALENCES:
        moved = entries[share]["from_even"]
        gain = moved["deployment"]["accuracy"] - moved["plain"]["accuracy"]
        assert gain > -0.004, share
        if not 0.25 < share < 0.75:
            assert gain > 0.01, share
