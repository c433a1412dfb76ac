"""Everything about one set of annotations: what ``raim alt-test`` writes and the workflow derives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.alt_test.agreement import agreement
from analysis.alt_test.annotations import Annotations, Judge, encode_humans
from analysis.alt_test.combined import N_PAIRINGS, alt_test_combined
from analysis.alt_test.domains import Domains, alt_test_over_domains, split_domains
from analysis.alt_test.procedure import DEFAULT_Q, alt_test
from analysis.alt_test.report import (
    agreement_json,
    combined_json,
    domains_json,
    result_json,
    settings_json,
    sweep_json,
)
from analysis.alt_test.setup import Setup
from analysis.alt_test.sweep import sweep_epsilon


@dataclass(frozen=True)
class Request:
    """What is asked about a set of annotations.

    Attributes
    ----------
    setup, q : settings of the test
    epsilon_reason : why this epsilon (appendix A asks for it)
    reference : name of the expert or gold that ``setup.reference`` holds
    domains : domain of each item, tested apart as well
    sweep : whether winning rates over epsilon are wanted
    """

    setup: Setup
    q: float = DEFAULT_Q
    epsilon_reason: str = ""
    reference: str | None = None
    domains: Domains | None = None
    sweep: bool = False

    def settings(self) -> dict[str, Any]:
        """The settings as plain values."""
        return settings_json(self.setup, self.q, self.epsilon_reason, self.reference)


def full_report(humans: Annotations, judges: Mapping[str, Judge], request: Request) -> dict[str, Any]:
    """Keys ``settings``, ``judges``, ``skipped``, ``agreement``, ``warnings``; ``domains``, ``claims``, ``sweep``.

    Raises InputError as :func:`analysis.alt_test.procedure.alt_test` does.
    """
    setup = request.setup
    result = alt_test(humans, judges, setup, request.q)
    report = {"settings": request.settings(), **result_json(result, setup)}
    report["agreement"] = agreement_json(agreement(encode_humans(humans)))
    if request.domains is not None:
        tests = split_domains(humans, judges, setup, request.domains)
        setups = {name: one.setup for name, one in tests.items()}
        report |= domains_json(alt_test_over_domains(tests, request.q), setups)
        for name, test in tests.items():
            report["domains"][name]["agreement"] = agreement_json(agreement(encode_humans(test.humans)))
    if request.sweep:
        report["sweep"] = sweep_json(sweep_epsilon(result, setup))
    return report


def combined_report(
    first: Annotations,
    second: Annotations,
    judges: Mapping[str, Judge],
    request: Request,
    rng: np.random.Generator,
    n_pairings: int = N_PAIRINGS,
) -> dict[str, Any]:
    """Keys ``settings``, ``combined``, ``agreement`` (of both sets together) and ``warnings``."""
    result = alt_test_combined(first, second, judges, rng, request.setup, request.q, n_pairings)
    both = {f"1:{name}": labels for name, labels in first.items()}
    both |= {f"2:{name}": labels for name, labels in second.items()}
    return {
        "settings": request.settings(),
        "combined": combined_json(result),
        "agreement": agreement_json(agreement(encode_humans(both))),
        "warnings": sorted({warning for one in result.results for warning in one.warnings}),
    }
