"""A suite of cells with what the paper's studies need beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.gates.parameters import Training


@dataclass(frozen=True, eq=False)
class FollowUp:
    """A pool with a heterogeneous expert added: ``cell`` has the judges of ``base`` and the expert."""

    name: str
    cell: Cell
    base: tuple[str, ...]
    expert: str


@dataclass(frozen=True, eq=False)
class Evaluator:
    """A larger evaluator that stands outside the pool: its soft ``scores``, (n,), on the items of ``cell``, one of the
    suite's; NaN where it gave none.
    """

    name: str
    cell: Cell
    scores: Floats


@dataclass(frozen=True, eq=False)
class PoolSuite:
    """Cells and the inputs of the side studies.

    Attributes
    ----------
    name, title, label : of the suite; the label is what every caption must say of it.
    records : digest of what the cells were made from.
    cells : the original cells first, then the additional ones, whose names ``additional`` lists: they take part in
        no selection.
    seeds : of the mainline and its sweep; the first is the reported one.
    compact_size : judges of the compact pool.
    ablations : names of the original cells on which architectures, features, seeds and training sizes are varied.
    protocol : cells of one dataset under several ranges, for Figure 2 and Table 15.
    styles : prompt styles, as cells whose judges are ``model#style``, with the default style's name.
    followups : heterogeneous experts.
    evaluators : larger evaluators on some of the cells.
    preferences : human preferences, as cells whose items are the two sides of pairs
        (:mod:`analysis.judgemoe.sources.preferences`); the ranking loss is studied on them where there are some.
    pairwise : names of the cells on which the ranking loss is studied otherwise.
    skipped : why a study is not made for this suite, by study.
    """

    name: str
    title: str
    label: str
    records: str
    cells: tuple[Cell, ...]
    additional: frozenset[str] = frozenset()
    seeds: tuple[int, ...] = (13, 17, 29)
    compact_size: int = 3
    ablations: frozenset[str] = frozenset()
    protocol: tuple[Cell, ...] = ()
    styles: tuple[Cell, ...] = ()
    default_style: str = "default"
    followups: tuple[FollowUp, ...] = ()
    evaluators: tuple[Evaluator, ...] = ()
    preferences: tuple[Cell, ...] = ()
    pairwise: frozenset[str] = frozenset()
    skipped: Mapping[str, str] = field(default_factory=dict)

    @property
    def original(self) -> tuple[Cell, ...]:
        """The cells on which things are selected."""
        return tuple(cell for cell in self.cells if cell.name not in self.additional)

    @property
    def ablated(self) -> tuple[Cell, ...]:
        """The original cells on which gates are varied."""
        return tuple(cell for cell in self.original if cell.name in self.ablations)

    @property
    def decoded(self) -> bool:
        """Whether the judges gave decoded scores only."""
        return all(cell.score_source == "decoded" for cell in self.cells)

    @property
    def mainline(self) -> Training:
        """The paper's selected gate; where judges give decoded scores only, the gate that pools those."""
        if self.decoded:
            return Training(features="distribution", pool="hard")
        return Training()
