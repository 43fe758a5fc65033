r"""Outputs that are drawn alike from one secret: their counts tell all about it. So do those of outputs that may change places.

Where :math:`y_1, \dots, y_n` are independent and equally distributed given x, :math:`p(y \mid x) = \prod_v p(v \mid x)^{T_v}` depends on y through the counts
:math:`T_v` of its values only: they are sufficient, so that every measure of what y tells about x is that of what T does. Of n outputs with two values there are n + 1 counts.

Outputs *may change places* given x where :math:`p(y, x)` is the same for all orders of y, as where x is computed of a sum whose terms are drawn alike, each with its output: the
answers of people beside a count of them. All orders of the same counts have one chance given x then, and the counts are sufficient as well (de Finetti).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import comb

from seepage import exact, rules
from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.exact import Number
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.likeness import Likeness, likeness
from seepage.measures.planning.parts import parts_of
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.terms import sum_asked
from seepage.measures.scope import spelled_number
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.separation import Extraction, Part, last_writes, separate
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import written_variables
from seepage.source import Span
from seepage.syntax.tree import Binary, Expression, Name, as_told

_NOWHERE = Span(0, 0)
_MOST_COUNTS = 20_000  # combinations of counts
_MOST_VALUES = 8  # of one output
_FEWEST = 3  # outputs that are looked at to change places
_SHAPES = frozenset({"of x given y", "x and y", "channel"})
_GIVES_UP = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT, rules.NOT_SUPPORTED})


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape not in _SHAPES or len(question.y) < 2 or question.given:
        return None
    if set(question.x) & set(question.y):
        return None
    kinds = _kinds(question)
    if all(len(members) < 2 for members in kinds):
        kinds = _changing_places(question)
    if all(len(members) < 2 for members in kinds):
        return None
    counted = [members for members in kinds if len(members) > 1]
    added, counts = dict[int, list[CoreAssign]](), list[str]()
    ends = last_writes(question.core, question.y)
    for members in counted:
        values = _values(question, members[0])
        if values is None or comb(len(members) + len(values) - 1, len(values) - 1) > _MOST_COUNTS:
            return None
        for value in values[1:]:
            name = _described(members, value)
            counts.append(name)
            for part in members:
                at = max(ends[each] for each in part.names)
                added.setdefault(at, []).append(_counted(name, part.names, value, values))
    told = {name for members in counted for part in members for name in part.names}
    others = tuple(name for name in question.y if name not in told)
    if not others and not counts:
        return None  # every output is constant: nothing is counted
    core = _extended(question.core, added)
    posed = question.of(core, question.x, (*others, *counts))
    many = sum(map(len, counted))
    because = f"because {many:,} outputs are drawn alike beside '{', '.join(question.x[:3])}', so that how often each value comes tells as much"
    return Reduced((posed,), _first, "=", because)


def _first(claims: Sequence[Claim]) -> Claim:
    return claims[0]


def _kinds(question: Question) -> list[list[Part]]:
    """Return the outputs that are independent given x, equally distributed ones together."""
    separation = separate(question.core, question.y, question.x)
    extraction = Extraction(separation)
    if len(separation.parts) < 2 or separation.constants:
        return []
    fixed = (*question.core.parameters, *question.x)
    kinds: dict[Likeness, list[Part]] = {}
    for part in separation.parts:
        key = likeness(extraction.statements(part), (part.names,), fixed, arrays=question.core.arrays)
        kinds.setdefault(key, []).append(part)
    return list(kinds.values())


def _changing_places(question: Question) -> list[list[Part]]:
    """Return the outputs that are drawn alike, each with its term of a sum that another variable is computed of, alike ones together."""
    if question.is_under_an_event or not question.measure.reads_prior or len(question.y) < _FEWEST:
        return []
    every = (*question.x, *question.y)
    summed = max(every, key=lambda name: len(slice_program(question.core, (name,)).statements))
    others = tuple(name for name in every if name != summed)
    turned = question.of(question.core, others, (summed,), measure="I")
    found = sum_asked(turned)
    if found is None:
        return []
    parts = parts_of(turned.of(found.core, others, found.terms), (*others, *found.terms), (), False, False)
    if (
        parts is None
        or parts.observations
        or sum(len(x) for kind in parts.kinds for x, _ in kind.members) < len(others)
    ):
        return []
    seen = set(question.y)
    kinds = [[Part(x, ()) for x, _ in kind.members if x] for kind in parts.kinds]
    return [members for members in kinds if all(set(part.names) <= seen for part in members)]


def _values(question: Question, part: Part) -> list[tuple[Number, ...]] | None:
    """Return the values of an output, None where they are not few."""
    try:
        joint = joint_of(question.evaluation.inquiry, question.core, part.names)
    except Fault as fault:
        if fault.diagnostic.rule not in _GIVES_UP:
            raise
        return None
    if isinstance(joint, MixtureJoint) or joint.cut is not None or len(joint.masses) > _MOST_VALUES:
        return None
    return sorted(joint.masses, key=lambda values: [float(exact.enclose(each)) for each in values])


def _described(members: Sequence[Part], value: tuple[Number, ...]) -> str:
    """Name a count by what it is; no name of the language holds a blank."""
    bases = dict.fromkeys(as_told(name).partition("[")[0] for part in members for name in part.names)
    return f"number of {', '.join(map(exact.show, value))} in {', '.join(bases)}"


def _counted(count: str, names: Names, value: tuple[Number, ...], values: Sequence[tuple[Number, ...]]) -> CoreAssign:
    """Count one output: add 1 where it has a value, or itself where it is 0 or 1."""
    is_bit = list(values) == [(0,), (1,)]
    more = Name(names[0], _NOWHERE) if is_bit else _indicator(names, value)
    return CoreAssign(Name(count, _NOWHERE), Binary("+", Name(count, _NOWHERE), more, _NOWHERE), _NOWHERE)


def _indicator(names: Names, value: tuple[Number, ...]) -> Expression:
    equal: list[Expression] = [
        Binary("==", Name(name, _NOWHERE), spelled_number(number, _NOWHERE), _NOWHERE)
        for name, number in zip(names, value, strict=True)
    ]
    return reduce(lambda one, other: Binary("and", one, other, _NOWHERE), equal)


def _extended(core: CoreProgram, added: Mapping[int, Sequence[CoreAssign]]) -> CoreProgram:
    """Insert statements, each after that of its number, so that nothing is kept longer than until it is counted."""
    statements = tuple(
        each for place, statement in enumerate(core.statements) for each in (statement, *added.get(place, ()))
    )
    return replace(core, statements=statements, variables=written_variables(statements))


REPEATED_RELEASES = Reduction("repeated releases", "sufficiency of counts, Cover and Thomas 2006, section 2.9", _apply)
