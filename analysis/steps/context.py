"""What a step is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.arrays import Floats
from analysis.panel.suites import Panel
from analysis.panel.votes import VoteMatrix
from analysis.pipeline.derived import Derived
from verdicts.records.suite import Suite


@dataclass(frozen=True)
class BenchmarkContext:
    """One benchmark of a suite; ``derived`` reads the files of the steps in ``READS``."""

    suite: Suite
    benchmark: str
    panel: Panel
    derived: Derived

    @property
    def votes(self) -> VoteMatrix:
        """The panel's votes."""
        return self.panel.votes

    @property
    def roster(self) -> list[int]:
        """Columns of the votes in the order in which the suite lists its members, which breaks some ties."""
        columns = {name: column for column, name in enumerate(self.votes.members)}
        return [columns[name] for name in self.suite.members if name in columns]

    def with_role(self, role: str) -> dict[str, Floats]:
        """Votes (n,) of the comparators that have a role (``frontier``, ``larger``, ...), by name, in roster order.

        NaN = abstained; in the probe's roles an infinity is an item that was not asked.
        """
        return {
            name: self.panel.comparators[name]
            for name, member in self.suite.members.items()
            if member.role == role and name in self.panel.comparators
        }


@dataclass(frozen=True)
class SuiteContext:
    """A whole suite: the context of each benchmark, in the order of the tables; ``records`` is their digest."""

    suite: Suite
    records: str
    benchmarks: Mapping[str, BenchmarkContext]
    derived: Derived
