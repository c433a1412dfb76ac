"""Several domains: one family of tests, a winning rate for each, "passes in X of Y" (appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from analysis.alt_test.annotations import Annotations, Judge, Labels, LeaveOneOutJudge
from analysis.alt_test.decision import decide_judges
from analysis.alt_test.evidence import gather_evidence
from analysis.alt_test.procedure import DEFAULT_Q, require_a_result, warnings_of
from analysis.alt_test.results import AltTestResult, JudgeResult
from analysis.alt_test.setup import Setup
from raim.errors import InputError

#: The domain of an item: a mapping or a function.
Domains: TypeAlias = Mapping[Hashable, str] | Callable[[Hashable], str]


@dataclass(frozen=True)
class DomainTest:
    """Annotations of one domain, and the settings of its test."""

    humans: Annotations
    judges: Mapping[str, Judge]
    setup: Setup


@dataclass(frozen=True)
class DomainsResult:
    """A test in each domain, with rejections from one family over all of them.

    Attributes
    ----------
    domains : by domain
    passed, tested : by judge, the number of domains passed and of those with a result; the claim is
        "the judge passes the alt-test in ``passed`` of ``tested`` domains"
    """

    domains: Mapping[str, AltTestResult]
    passed: Mapping[str, int]
    tested: Mapping[str, int]


def alt_test_over_domains(tests: Mapping[str, DomainTest], q: float = DEFAULT_Q) -> DomainsResult:
    """Test every judge in every domain; the Benjamini-Yekutieli procedure runs over all of a judge's p-values.

    Parameters
    ----------
    tests : by domain; every domain has the same judges
    q : false discovery rate over all domains and annotators

    Raises
    ------
    InputError
        If a judge is missing in a domain, or a domain has no result at all.
    """
    if not tests:
        raise InputError("there are no domains")
    names = list(next(iter(tests.values())).judges)
    for domain, test in tests.items():
        if set(test.judges) != set(names):
            raise InputError(
                f"domain {domain!r} has other judges than {next(iter(tests))!r}; test the same everywhere"
            )
    evidence = {
        domain: gather_evidence(test.humans, test.judges, test.setup) for domain, test in tests.items()
    }
    results: dict[str, dict[str, JudgeResult]] = {domain: {} for domain in tests}
    for name in names:
        decided = decide_judges(list(evidence.values()), name, q)
        for domain, result in zip(tests, decided, strict=True):
            results[domain][name] = result
    out = {}
    for domain, test in tests.items():
        try:
            require_a_result(results[domain], test.setup)
        except InputError as error:
            raise InputError(f"domain {domain!r}: {error}") from None
        warnings = warnings_of(evidence[domain], results[domain], test.setup)
        out[domain] = AltTestResult(evidence[domain], q, results[domain], tuple(warnings))
    return DomainsResult(
        domains=out,
        passed={name: sum(bool(results[domain][name].passes) for domain in tests) for name in names},
        tested={name: sum(results[domain][name].passes is not None for domain in tests) for name in names},
    )


def split_domains(
    humans: Annotations, judges: Mapping[str, Judge], setup: Setup, domains: Domains
) -> dict[str, DomainTest]:
    """Cut annotations into domains, ascending by name; the settings are the same in each.

    Raises InputError where an item that a human labelled has no domain.
    """
    of_item: dict[Hashable, str] = {}
    for labels in humans.values():
        for item in labels:
            if item not in of_item:
                try:
                    of_item[item] = str(domains[item] if isinstance(domains, Mapping) else domains(item))
                except KeyError:
                    raise InputError(f"item {item!r} has no domain; give the domain of every item") from None
    items: dict[str, set[Hashable]] = {}
    for item, domain in of_item.items():
        items.setdefault(domain, set()).add(item)
    tests = {}
    for domain in sorted(items):
        own = items[domain]
        inside = {name: part for name, labels in humans.items() if (part := _within(labels, own))}
        quality = setup.quality
        if quality is not None:
            quality = {name: value for name, value in quality.items() if name in inside or name not in humans}
        reference = None if setup.reference is None else _within(setup.reference, own)
        tests[domain] = DomainTest(
            humans=inside,
            judges={name: _judge_within(judge, own) for name, judge in judges.items()},
            setup=replace(setup, quality=quality, reference=reference),
        )
    return tests


def _within(labels: Labels, items: set[Hashable]) -> dict[Hashable, object]:
    return {item: label for item, label in labels.items() if item in items}


def _judge_within(judge: Judge, items: set[Hashable]) -> Judge:
    if isinstance(judge, LeaveOneOutJudge):
        return LeaveOneOutJudge({left: _within(part, items) for left, part in judge.labels.items()})
    return _within(judge, items)
