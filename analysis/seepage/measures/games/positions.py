r"""Backward induction where answers are functions of a secret: what an attacker knows is which values of it are left.

Then the law that is left is the prior on a set, so that nothing is computed before the ends, and the sum is over the sets :math:`S_o` into which a choice parts S:

.. math:: \Phi_i(S) = \max_a \sum_o \Phi_{i+1}(S_o), \qquad \Phi_{n+1}(S) = \varphi(\text{prior on } S).

Sets from which the same can be reached have one *kind*: at the ends the same chances of the secret, before them the same kinds of parts for some choice each, as intervals of
one length in a binary search. Numbers are computed once for each kind. Two values are *alike* if their exchange leaves their chances and all that may be asked as it is, as where
single values are asked for. Exchanges of alike values generate all permutations of them, so that of a set only their number counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, TypeAlias

from flint import fmpq

from seepage.data_classes import dataclass
from seepage.measures.games.game import Values
from seepage.measures.games.leaves import OfGroups
from seepage.measures.games.scores import Score, order, plus

# For each state before a stage and each choice: what is seen, the state after it, and the chance.
Stage: TypeAlias = Mapping[tuple[Values, Values], list[tuple[Values, Values, Any]]]
Parts: TypeAlias = Mapping[Values, int]  # states, as bits, by what is seen
Content: TypeAlias = tuple[fmpq, ...] | frozenset[tuple[int, ...]]  # by which sets are of one kind


@dataclass(frozen=True, slots=True)
class Best:
    """What is best from a state of knowledge on, per unit of its weight.

    Attributes:
        score: that is reached.
        action: what is chosen.
        branches: what follows for each thing seen; none at the last move.
        is_decided: whether the comparison with each other choice was decided.
    """

    score: Score
    action: Values
    branches: Mapping[Values, Best]
    is_decided: bool


def better(best: Best | None, made: Best, largest: bool) -> Best:
    """Return which of two is chosen: the first where they are equal, or where that is not known, which is noted."""
    if best is None:
        return made
    found = order(made.score, best.score)
    if found is None:
        return replace(best, is_decided=False)
    return made if found == (1 if largest else -1) else best


@dataclass(slots=True)
class Positions:
    """The sets of states that an attacker may know to be left. Mutable: what is known of them grows.

    Attributes:
        weights: of the states.
        parts: for each stage and each choice how it parts all states.
        values: for each value of the secret the states that have it.
        leaf: the sum's part at an end.
        largest: whether the largest sum is looked for, else the least.
        look: called for each choice that is looked at.
    """

    weights: Sequence[fmpq]
    parts: Sequence[Mapping[Values, Parts]]
    values: Sequence[int]
    leaf: OfGroups
    largest: bool
    look: Callable[[], None]
    kinds: dict[tuple[int, int], int] = field(default_factory=dict)  # of sets, by how many choices were made
    numbers: dict[tuple[int, Content], int] = field(default_factory=dict)  # of kinds
    scores: dict[int, Score] = field(default_factory=dict)  # of kinds
    families: list[set[frozenset[int]]] = field(default_factory=list)  # what the states may be parted into
    alike: list[list[int]] = field(default_factory=list)  # of states that are alike, the first 0, 1, … together

    def __post_init__(self) -> None:
        """Find the states that are alike."""
        stages = [{frozenset(whole.values()) for whole in stage.values()} for stage in self.parts]
        self.families = [*stages, {frozenset(self.values)}]
        groups: dict[object, list[list[int]]] = {}
        for state, weight in enumerate(self.weights):
            classes = groups.setdefault((weight, self._signature(state)), [])
            found = next((each for each in classes if self._are_alike(each[0], state)), None)
            if found is None:
                classes.append([state])
            else:
                found.append(state)
        for one in (each for classes in groups.values() for each in classes):
            self.alike.append([sum(1 << state for state in one[:count]) for count in range(len(one) + 1)])

    def _signature(self, state: int) -> object:
        """Return what alike states have in common: how many are in one part with them, by choices."""
        bit = 1 << state
        secret = next(members.bit_count() for members in self.values if members & bit)
        parts = [
            tuple(sorted(part.bit_count() for whole in stage.values() for part in whole.values() if part & bit))
            for stage in self.parts
        ]
        return secret, tuple(parts)

    def _are_alike(self, one: int, other: int) -> bool:
        """Tell whether the exchange of two states makes of each way to part all states another one of the same stage."""
        self.look()
        both = 1 << one | 1 << other
        for family in self.families:
            for parts in family:
                if frozenset(part ^ both if (part & both).bit_count() == 1 else part for part in parts) not in family:
                    return False
        return True

    def best(self, at: int, members: int) -> Best:
        """Return what is best where some states are left before a stage."""
        chosen: Best | None = None
        for action, whole in self.parts[at].items():
            kinds = [self._kind(at + 1, part) for part in _within(whole, members).values()]
            chosen = better(chosen, Best(self._sum(kinds), action, {}, True), self.largest)
        if chosen is None:
            raise AssertionError("a choice of nothing")
        if at + 1 == len(self.parts):
            return chosen
        split = _within(self.parts[at][chosen.action], members)
        return replace(chosen, branches={seen: self.best(at + 1, part) for seen, part in split.items()})

    def _kind(self, at: int, members: int) -> int:
        """Return the number of the kind of a set."""
        if len(self.alike) < len(self.weights):
            members = sum(firsts[(members & firsts[-1]).bit_count()] for firsts in self.alike)
        known = self.kinds.get((at, members))
        if known is None:
            content = self._chances(members) if at == len(self.parts) else self._options(at, members)
            known = self.numbers.setdefault((at, content), len(self.numbers))
            self.kinds[at, members] = known
            if known not in self.scores:
                self.scores[known] = self._score(content)
        return known

    def _chances(self, members: int) -> tuple[fmpq, ...]:
        """Return the chances of the values of the secret."""
        left = (members & value for value in self.values if members & value)
        return tuple(sorted(sum((self.weights[state] for state in _places(each)), fmpq(0)) for each in left))

    def _options(self, at: int, members: int) -> frozenset[tuple[int, ...]]:
        """Return what each choice leads to: the kinds of the parts."""
        options: set[tuple[int, ...]] = set()
        for whole in self.parts[at].values():
            self.look()
            options.add(tuple(sorted(self._kind(at + 1, part) for part in _within(whole, members).values())))
        return frozenset(options)

    def _score(self, content: Content) -> Score:
        if isinstance(content, tuple):
            return self.leaf.function([[*content]])
        best: Best | None = None
        for kinds in content:
            best = better(best, Best(self._sum(kinds), (), {}, True), self.largest)
        if best is None:
            raise AssertionError("a choice of nothing")
        return best.score

    def _sum(self, kinds: Sequence[int]) -> Score:
        first, *others = kinds
        found = self.scores[first]
        for kind in others:
            found = plus(found, self.scores[kind])
        return found


def _within(whole: Parts, members: int) -> Parts:
    return {seen: part for seen, states in whole.items() if (part := states & members)}


def _places(members: int) -> Iterator[int]:
    """Yield the states of a set."""
    while members:
        yield (members & -members).bit_length() - 1
        members &= members - 1
