"""What a suite's overview says of its benchmarks and judges, as tables and figures print it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

#: Roles of the judges that are read on their own.
ROLES = ("member", "frontier", "larger", "purpose_trained")
#: What stands beside the tag of a judge that shares it with the one it belongs to.
_ARMS = {"def_on": "def_on", "probe_base": "probe, base", "probe_instruct": "probe, instruct"}
#: Denominators of section 2, in the order of Table 1.
TIERS = {
    "core grounded": "Core grounded",
    "grounded": "Grounded (secondary)",
    "ungrounded": "Ungrounded (contrast)",
}


def benchmark_title(derived: Derived, benchmark: str) -> str:
    """The benchmark's printed name."""
    return str(derived.overview["benchmarks"][benchmark]["title"])


def judge_title(derived: Derived, judge: str) -> str:
    """The judge's tag, or its full name where another judge that is read on its own has the same tag.

    A second arm, and a checkpoint of the probe, share the tag of the judge that they belong to, and say what they are.
    """
    roster = derived.overview["roster"]
    tag = roster[judge]["tag"]
    if roster[judge]["role"] in _ARMS:
        return f"{tag} ({_ARMS[roster[judge]['role']]})"
    alike = [name for name in judges(derived, ROLES) if roster[name]["tag"] == tag]
    return str(tag) if len(alike) <= 1 else judge


def judges(
    derived: Derived, roles: Iterable[str] = ("member",), among: Iterable[str] | None = None
) -> list[str]:
    """Judges with one of the roles, in roster order; of those in ``among`` only, if it is given."""
    wanted = set(roles)
    kept = None if among is None else set(among)
    roster = derived.overview["roster"]
    return [
        name for name, entry in roster.items() if entry["role"] in wanted and (kept is None or name in kept)
    ]


def frontier_judge(derived: Derived) -> str | None:
    """The frontier judge that tables are read against: the first in the roster."""
    found = judges(derived, ("frontier",))
    return found[0] if found else None


def of_judge(derived: Derived, step: str, judge: str | None) -> dict[str, Mapping[str, Any]]:
    """What a benchmark step that lists judges holds of one judge, by benchmark; empty where there is nothing."""
    if judge is None:
        return {}
    try:
        values, _ = derived.read_each(step)
    except Skip:
        return {}
    return {name: entry[judge] for name, entry in values.items() if judge in entry}


def by_tier(derived: Derived, benchmarks: Sequence[str]) -> dict[str, list[str]]:
    """Benchmarks by the title of their tier, tiers in the order of Table 1, others after them by name."""
    tier_of = {name: derived.overview["benchmarks"][name]["tier"] for name in benchmarks}
    known = [tier for tier in TIERS if tier in tier_of.values()]
    order = [*known, *sorted(set(tier_of.values()) - set(TIERS))]
    return {TIERS.get(tier, tier): [name for name in benchmarks if tier_of[name] == tier] for tier in order}


def sample_notes(derived: Derived, benchmarks: Sequence[str]) -> list[str]:
    """A footnote on benchmarks of which items were drawn; none where all of them were taken."""
    entries = derived.overview["benchmarks"]
    drawn = [
        f"{benchmark_title(derived, name)} ({entries[name]['sampled']})"
        for name in benchmarks
        if entries[name]["sampled"]
    ]
    return [f"Items drawn by cluster: {'; '.join(drawn)}."] if drawn else []


def panel_notes(derived: Derived, benchmarks: Sequence[str]) -> list[str]:
    """Footnotes on what the benchmarks' panels are: items that were drawn, members that were left out and why."""
    entries = derived.overview["benchmarks"]
    by_reason: dict[str, dict[str, list[str]]] = {}
    for member in judges(derived):
        for name in benchmarks:
            if member in entries[name]["left_out"]:
                where = by_reason.setdefault(entries[name]["left_out"][member], {})
                where.setdefault(judge_title(derived, member), []).append(benchmark_title(derived, name))
    left_out = []
    for reason, members in by_reason.items():
        texts = [
            f"{member} (all)" if len(names) == len(benchmarks) else f"{member} ({', '.join(names)})"
            for member, names in members.items()
        ]
        left_out.append(f"Left out of the panel, {reason}: {'; '.join(texts)}.")
    return [*sample_notes(derived, benchmarks), *left_out]
