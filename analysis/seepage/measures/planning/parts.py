"""A question's independent parts, alike ones together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.measures.joints import need_no_fault
from seepage.measures.planning.likeness import Likeness, likeness
from seepage.measures.planning.question import Names, Question
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.separation import Extraction, Part, Separation, separate
from seepage.syntax.spell import spell

Separate: TypeAlias = Callable[[CoreProgram, Names, Names], Separation | None]
"""What finds independent parts of some variables of a program, given others; None where it finds no more than the text tells."""

_NAMED = 3  # parts that are named in words
_OBSERVES = 3  # observations likewise


@dataclass(frozen=True, slots=True)
class Kind:
    """Parts that differ in names only.

    Attributes:
        x: the secrets, inputs or guessed variables of the first of them.
        y: its outputs.
        given: what is held of it.
        count: how many there are.
        members: the x and y of each, in order.
    """

    x: Names
    y: Names
    given: Names
    members: tuple[tuple[Names, Names], ...]

    @property
    def count(self) -> int:
        """How many parts are alike."""
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Parts:
    """A question taken apart.

    Attributes:
        kinds: in the order of their first part.
        left_out: whether something that was asked concerns no part: it tells nothing.
        observations: that the parts' laws depend on: each concerns one part only.
    """

    kinds: tuple[Kind, ...]
    left_out: bool
    observations: tuple[CoreObserve, ...]

    @property
    def count(self) -> int:
        """How many parts there are."""
        return sum(kind.count for kind in self.kinds)

    def because(self) -> str:
        """Say why the parts may be taken one by one."""
        named = [", ".join((*x, *y)) for kind in self.kinds for x, y in kind.members[:_NAMED]][:_NAMED]
        shown = "; ".join(named) + ("; …" if self.count > len(named) else "")
        kinds = len(self.kinds)
        alike = "" if kinds == self.count else ", all alike," if kinds == 1 else f" of {kinds} kinds"
        if self.count == 1:
            return f"only {shown} matter{'' if ',' in shown else 's'}, as the rest is independent{self._under()}"
        return f"because the {self.count:,} parts{alike} are independent ({shown}){self._under()}"

    def _under(self) -> str:
        if not self.observations:
            return ""
        told = [f"'{spell(each.condition)}'" for each in self.observations[:_OBSERVES]]
        more = ", …" if len(self.observations) > _OBSERVES else ""
        return f", also under what is observed: {', '.join(told)}{more}"


def parts_of(
    question: Question, free: Names, held: Names, needs_x: bool, needs_y: bool, separated: Separate = separate
) -> Parts | None:
    """Take a question apart; None where it is one part and nothing can be left out, or all can.

    Args:
        question: any but of a value.
        free: which of its variables must be independent of each other, part by part.
        held: given the values of which.
        needs_x: whether parts without any x tell nothing.
        needs_y: whether parts without any y tell nothing.
        separated: finds the parts.

    Raises:
        Fault: what is wrong with statements that only what is left out depends on: a program without a meaning has no numbers.
    """
    separation = separated(question.core, free, held)
    if separation is None:
        return None
    x_places, y_places = (_places(names) for names in (question.x, question.y))
    members = [(part, _among(part, x_places), _among(part, y_places)) for part in separation.parts]
    telling = [(part, x, y) for part, x, y in members if (x or not needs_x) and (y or not needs_y)]
    left_out = len(telling) < len(members) or bool(separation.constants)
    if not telling or (len(telling) == 1 and not left_out):
        return None
    extraction, fixed, arrays = Extraction(separation), question.core.parameters, question.core.arrays
    asked = {name for part, _, _ in telling for name in (*part.names, *part.held)}
    need_meaning(question, tuple(name for name in dict.fromkeys((*free, *held)) if name not in asked))
    kinds: dict[Likeness, list[tuple[Part, Names, Names]]] = {}
    for part, x, y in telling:
        held_here = tuple(name for name in part.held if name not in part.names)
        key = likeness(extraction.statements(part), (x, y, held_here), fixed, arrays=arrays) if len(telling) > 1 else ()
        kinds.setdefault(key, []).append((part, x, y))
    return Parts(tuple(map(_kind, kinds.values())), left_out, separation.observations)


def need_meaning(question: Question, names: Names) -> None:
    """Raise what is wrong with statements that some variables depend on, of which no number is asked; of like parts one is looked at.

    Args:
        question: in whose program.
        names: plain variables.

    Raises:
        Fault: of the program.
    """
    if not names:
        return
    separation = separate(question.core, names)
    extraction, fixed, arrays = Extraction(separation), question.core.parameters, question.core.arrays
    unlike: dict[Likeness, Names] = {}
    for part in separation.parts:
        unlike.setdefault(likeness(extraction.statements(part), (part.names,), fixed, arrays=arrays), part.names)
    for each in (separation.constants, *unlike.values()):
        if each:
            need_no_fault(question.evaluation.inquiry, question.core, each)


def _kind(members: Sequence[tuple[Part, Names, Names]]) -> Kind:
    part, x, y = members[0]
    return Kind(x, y, part.held, tuple((each, seen) for _, each, seen in members))


def _places(names: Names) -> Mapping[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _among(part: Part, places: Mapping[str, int]) -> Names:
    """Return the names of a part that have a place, in its order; in time that does not grow with the number of other parts."""
    return tuple(sorted((name for name in part.names if name in places), key=places.__getitem__))
