"""What a program releases, and which pairs of values of its inputs are to be looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import samples_continuous, solve
from seepage.measures.accounting.account import Releases
from seepage.measures.accounting.ranged import ends_of, range_of
from seepage.measures.accounting.reading import Names, Told, releases_for, releases_of
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.joints import Inquiry
from seepage.measures.privacy.neighbours import Closeness, neighbourhoods, pairs
from seepage.measures.privacy.noise_reading import NotRead
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk


def pairs_of(
    core: CoreProgram, inputs: Names, outputs: Names, closeness: Closeness, inquiry: Inquiry
) -> tuple[tuple[Told, ...], Iterable[tuple[Values, Values]]]:
    """Return what is released, and the ordered pairs of neighbours: of a number from a range both ends, which are the worst pair.

    Args:
        core: the program.
        inputs: discrete ones, or one that is uniform.
        outputs: what is published.
        closeness: which inputs are neighbours.
        inquiry: with the values of the parameters, and limits.

    Raises:
        NotRead: if the program is not of this kind.
        TooManyNeighbours: if there are.
        Fault: of the program.
    """
    core = slice_program(core, (*inputs, *outputs))
    alone = slice_program(core, inputs)
    if not samples_continuous(walk(alone.statements)):
        near = neighbourhoods(_values(alone, inputs, inquiry), closeness)
        return releases_of(core, inputs, outputs, inquiry), pairs(near)
    if len(inputs) != 1:
        raise NotRead
    known = range_of(core, inputs[0], dict(inquiry.scope.parameters))
    told = releases_of(known.core, inputs, outputs, inquiry)
    return told, [ends_of(known, told, closeness)]


def kinds_of(
    told: Sequence[Told],
    near: Iterable[tuple[Values, Values]],
    most: int,
    budget: Budget,
    most_kinds: int | None = None,
) -> Mapping[Releases, tuple[Values, Values]] | None:
    """Return what is released for pairs of neighbours, each kind with the first pair that it is of; None where these are too many.

    Args:
        told: what is released.
        near: the pairs.
        most: pairs, which are counted before any is looked at.
        budget: its deadline.
        most_kinds: of releases; None where the pairs alone limit them.

    Raises:
        NotRead: as :func:`~seepage.measures.accounting.reading.releases_for`.
        OutOfTime: past the deadline.
    """
    listed = list(islice(near, most + 1))
    if len(listed) > most:
        return None
    kinds: dict[Releases, tuple[Values, Values]] = {}
    for pair in listed:
        if budget.expired():
            raise OutOfTime
        kinds.setdefault(releases_for(told, *pair), pair)
        if most_kinds is not None and len(kinds) > most_kinds:
            return None
    return kinds


def _values(core: CoreProgram, inputs: Names, inquiry: Inquiry) -> list[Values]:
    """Return the values that the inputs have.

    Raises:
        NotRead: if they are not finitely many.
        Fault: of the program.
    """
    joint = solve(core, inputs, inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        raise NotRead
    return joint.support(inputs)
