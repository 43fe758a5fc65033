"""Whether any run passes the observations of a program, one independent part after the other.

A slice drops observations that are independent of what is asked. That is sound only if they can pass; where the whole program is too
large to be run, the parts that observations depend on may still be small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count

from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree

PASSED = "@passed"
_MOST = 200  # observations that are looked at one by one; each takes a slice


def observed_parts(core: CoreProgram) -> Iterator[tuple[CoreObserve, CoreProgram]]:
    """Yield what observations depend on, each as a program that assigns ``PASSED``, with one of the observations in it.

    All are possible together if each part has a run that passes: parts share no source of randomness, or are looked at together. Of more
    than 200 observations all are one part.
    """
    observed = [statement for statement in walk(core.statements) if isinstance(statement, CoreObserve)]
    seen: set[tuple[CoreStatement, ...]] = set()
    for chosen in range(len(observed)) if len(observed) <= _MOST else (None,):
        part = slice_program(_recording(core, chosen), (PASSED,))
        bare = _without_record(part.statements)
        if bare not in seen:
            seen.add(bare)
            yield observed[chosen or 0], part


def _recording(core: CoreProgram, chosen: int | None) -> CoreProgram:
    """Return a program that keeps in ``PASSED`` whether an observation held, or all did: reading its condition keeps it in the slice."""
    place = core.statements[0].span
    start = CoreAssign(_name(place), tree.Number(Fraction(1), place), place)
    statements = (start, *_recorded(core.statements, chosen, count()))
    return replace(core, statements=statements, variables=(*core.variables, PASSED))


def _recorded(
    statements: Sequence[CoreStatement], chosen: int | None, numbers: Iterator[int]
) -> Iterator[CoreStatement]:
    for statement in statements:
        match statement:
            case CoreIf(consequent=consequent, alternative=alternative):
                first = tuple(_recorded(consequent, chosen, numbers))
                yield replace(statement, consequent=first, alternative=tuple(_recorded(alternative, chosen, numbers)))
            case CoreObserve(condition=condition, span=span):
                yield statement
                if next(numbers) == chosen or chosen is None:
                    both = tree.Binary("and", _name(span), condition, span)
                    yield CoreAssign(_name(span), both, span)
            case _:
                yield statement


def _without_record(statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
    result: list[CoreStatement] = []
    for statement in statements:
        match statement:
            case CoreAssign(target=tree.Name(id=name)) if name == PASSED:
                pass
            case CoreIf(consequent=consequent, alternative=alternative):
                parts = _without_record(consequent), _without_record(alternative)
                result.append(replace(statement, consequent=parts[0], alternative=parts[1]))
            case _:
                result.append(statement)
    return tuple(result)


def _name(place: Span) -> tree.Name:
    return tree.Name(PASSED, place)
