"""Which member of a suite is which of another one's: by checkpoint, protocol and arm, whatever they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from raim.errors import InputError
from verdicts.records.suite import Suite, SuiteMember

Key = tuple[str, str, bool]


@dataclass(frozen=True)
class Pairing:
    """Members of two suites.

    Attributes
    ----------
    pairs : by the first suite's member, the second's, in the first suite's order
    only : of either suite, the members that the other has not, with the suite's name for them in words
    """

    pairs: Mapping[str, str]
    only: tuple[Mapping[str, str], Mapping[str, str]]


@dataclass
class _Open:
    """Members of one suite that have no counterpart yet."""

    suite: Suite
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.names = list(self.suite.members)

    def of(self, key: Key) -> list[str]:
        return [name for name in self.names if _key(self.suite.members[name]) == key]


def pair_members(first: Suite, second: Suite, given: Sequence[tuple[str, str]] = ()) -> Pairing:
    """Pair the members of two suites.

    A member is found again by its checkpoint (``judge``), its protocol, and whether it is a second arm. Where a suite
    has several of one kind, those of one name are each other's. ``given`` names pairs that are taken as they are.

    Raises
    ------
    InputError
        If a given name is not a member or given twice, if it is ambiguous who is whose, or if nobody is anybody's.
    """
    left, right = _Open(first), _Open(second)
    found = _given(left, right, given)
    for key in dict.fromkeys(_key(member) for member in first.members.values()):
        mine, theirs = left.of(key), right.of(key)
        if len(mine) > 1 or len(theirs) > 1:
            # Of several, only a name that both suites have tells which is which.
            alike = [name for name in mine if name in theirs]
            mine, theirs = (
                [*alike, *(name for name in side if name not in alike)] for side in (mine, theirs)
            )
            if len(mine) > len(alike) and len(theirs) > len(alike):
                raise InputError(
                    f"{', '.join(mine[len(alike) :])} of {first.suite} and {', '.join(theirs[len(alike) :])} of "
                    f"{second.suite} are all {_words(key)}; say which is which with --pair NAME=NAME"
                )
        for pair in zip(mine, theirs, strict=False):
            found[pair[0]] = pair[1]
            left.names.remove(pair[0])
            right.names.remove(pair[1])
    only = tuple(
        {name: _words(_key(side.suite.members[name])) for name in side.names} for side in (left, right)
    )
    if not found:
        raise InputError(
            f"no judge of {first.suite} is one of {second.suite}'s by checkpoint and protocol: "
            f"{_several(only[0])}; {_several(only[1])}. Name pairs with --pair NAME=NAME"
        )
    pairs = {name: found[name] for name in first.members if name in found}
    return Pairing(pairs, (only[0], only[1]))


def _given(left: _Open, right: _Open, given: Sequence[tuple[str, str]]) -> dict[str, str]:
    for side, names in zip((left, right), zip(*given, strict=True), strict=False):
        for name, times in Counter(names).items():
            if name not in side.names:
                raise InputError(
                    f"--pair: {name} is no member of {side.suite.suite}, which has {', '.join(side.names)}"
                )
            if times > 1:
                raise InputError(f"--pair: {name} is given twice; each member has one counterpart")
            side.names.remove(name)
    return dict(given)


def _key(member: SuiteMember) -> Key:
    return member.judge, member.protocol, member.role == "def_on"


def _words(key: Key) -> str:
    checkpoint, protocol, second_arm = key
    return f"{checkpoint}, {protocol}" + ", second arm" * second_arm


def _several(members: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({words})" for name, words in members.items())
