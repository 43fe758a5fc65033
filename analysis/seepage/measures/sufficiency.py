r"""Secrets that outputs depend on through a function of them only, as the number of ones in many bits behind noise.

Cut a program in two, so that its second part writes no x, and all that it reads of the first one is L. Then outputs y are independent of x given L, whatever
is observed. Where L is a function f of x, :math:`p(x, y) = p(x) K(f(x), y)`, so that

.. math:: I(x; y) = I(f(x); y), \qquad h(y \mid x) = h(y \mid f(x)), \qquad H(x \mid y) = H(x) - I(f(x); y).

L may have few values where x has too many to hold one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.engines.select import samples_continuous
from seepage.measures.call_parts import condition_of
from seepage.measures.evaluation import Evaluation
from seepage.measures.joints import Memory, need_no_fault
from seepage.measures.planning.table import row_of
from seepage.measures.scope import Scope, variables
from seepage.semantics.core import CoreAssign, CoreProgram, CoreStatement
from seepage.semantics.slice import determines, slice_program, sunk_slice
from seepage.semantics.statements import may_write, read_before, written_variables
from seepage.semantics.told_first import told_first
from seepage.source import Span
from seepage.syntax.tree import MeasureCall, Name

_NOWHERE = Span(0, 0)
_TOLD = "@told"  # no name of the language holds an @
_MANY = 5  # variables, for which this is looked for at once
_MOST_STATEMENTS, _MOST_WORK = 40_000, 4_000_000
_MOST_REORDERED = 10_000

Names = tuple[str, ...]


def of_what_is_told(evaluation: Evaluation, call: MeasureCall) -> tuple[Evaluation, MeasureCall] | None:
    """Return an information, or the entropy of a continuous output given a secret, asked of what the outputs depend on; None where that is not seen.

    Raises:
        Fault: what is wrong with the statements that the measure depends on.
    """
    if evaluation.method is not None:
        return None
    sides = _sides(evaluation.scope, call)
    if sides is None:
        return None
    x, y, is_left = sides
    scope = evaluation.scope
    found = cut_between(scope.core, x, y)
    if found is None:
        return None
    core, told = found
    need_no_fault(evaluation.inquiry, scope.core, (*x, *y))
    memory = Memory(reuse=False)
    inquiry = replace(evaluation.inquiry, scope=replace(scope, core=core), memory=memory)
    secret, outputs = (tuple(Name(name, _NOWHERE) for name in side) for side in (told, y))
    left, right = (secret, outputs) if is_left else (outputs, secret)
    asked = (
        replace(call, left=left, right=right)
        if row_of(call).is_information
        else replace(call, left=outputs, given=secret)
    )
    return replace(evaluation, inquiry=inquiry, formulas=False), asked


def is_long(evaluation: Evaluation, call: MeasureCall) -> bool:
    """Tell whether a call names so many variables that it is asked of what the outputs depend on at once."""
    if not row_of(call).is_of_entropies or evaluation.method is not None:
        return False
    scope = evaluation.scope
    given, event = condition_of(scope, call)
    sides = [variables(scope, call.left), variables(scope, call.right), given]
    return event is None and any(len(side) >= _MANY for side in sides)


def what_is_left(evaluation: Evaluation, call: MeasureCall) -> tuple[MeasureCall, MeasureCall] | None:
    """Return H(x) and I(x; y) for H(x | y) of a discrete x and a continuous y; None for other calls."""
    if (
        row_of(call).is_information
        or not row_of(call).is_of_entropies
        or not call.given
        or condition_of(evaluation.scope, call)[1] is not None
    ):
        return None
    alone, told = replace(call, given=()), replace(call, name="I", separator=";", right=call.given, given=())
    sides = _sides(evaluation.scope, told)
    return None if sides is None or not sides[2] else (alone, told)


def _sides(scope: Scope, call: MeasureCall) -> tuple[Names, Names, bool] | None:
    """Return the discrete side of a call, the other one, and whether the first stands on the left; None for other calls."""
    measure = row_of(call)
    if not measure.is_of_entropies or not call.left:
        return None
    told = measure.is_information
    given, event = condition_of(scope, call)
    if event is not None or (given or not call.right if told else not given):
        return None
    left = variables(scope, call.left)
    right = variables(scope, call.right) if told else given
    if set(left) & set(right):
        return None
    continuous = [samples_continuous(slice_program(scope.core, side).statements) for side in (left, right)]
    match continuous:
        case [False, True] if told:
            return left, right, True
        case [True, False]:
            return right, left, False
        case _:
            return None


def cut_between(core: CoreProgram, x: Names, y: Names, most: int | None = None) -> tuple[CoreProgram, Names] | None:
    """Return the program with copies of what the second part reads of the first one, and the names of these; None where there is no such cut.

    Args:
        core: a program.
        x: plain variables.
        y: likewise.
        most: how many copies there may be; None for fewer than x has names.
    """
    limit = len(x) - 1 if most is None else most
    return _cut_in_order(core, x, y, limit) or _cut_behind_x(core, x, y, limit)


def _cut_in_order(core: CoreProgram, x: Names, y: Names, most: int) -> tuple[CoreProgram, Names] | None:
    """Look for the last place at which a program, in its own order, can be cut."""
    sliced = sunk_slice(core, (*x, *y))
    statements = sliced.statements
    if len(statements) > _MOST_STATEMENTS:
        return None
    begun = _first_writes(core, statements)
    live, work = set(y), 0
    for at in range(len(statements), 0, -1):
        read = sorted(name for name in core.expanded(live) if begun.get(name, at) < at)
        if read and len(read) <= most:
            work += at
            if (cut := _cut_at(sliced, at, x, tuple(read))) is not None:
                return cut
        last = statements[at - 1 : at]
        work += len(live)
        if may_write(core, last) & set(x) or work > _MOST_WORK:
            return None
        live = read_before(last, live)
    return None


def _cut_behind_x(core: CoreProgram, x: Names, y: Names, most: int) -> tuple[CoreProgram, Names] | None:
    """Cut a program behind all that x determines, whatever its order is."""
    sliced = slice_program(core, (*x, *y))
    if len(sliced.statements) > _MOST_REORDERED or (found := told_first(sliced, x)) is None:
        return None
    ordered, at = found
    begun = _first_writes(ordered, ordered.statements)
    live = read_before(ordered.statements[at:], y)
    read = sorted(name for name in live if begun.get(name, at) < at)
    return _cut_at(ordered, at, x, tuple(read)) if read and len(read) <= most else None


def _first_writes(core: CoreProgram, statements: Sequence[CoreStatement]) -> dict[str, int]:
    """Return the place of the first statement that may write a variable, by its name."""
    found: dict[str, int] = {}
    for place, statement in enumerate(statements):
        for name in may_write(core, (statement,)):
            found.setdefault(name, place)
    return found


def _cut_at(sliced: CoreProgram, at: int, x: Names, read: Names) -> tuple[CoreProgram, Names] | None:
    """Return what :func:`cut_between` does for one place, if what is read across it is a function of x."""
    first = sliced.statements[:at]
    if not determines(replace(sliced, statements=first, variables=tuple(may_write(sliced, first))), x, read):
        return None
    copies = tuple(CoreAssign(Name(name + _TOLD, _NOWHERE), Name(name, _NOWHERE), _NOWHERE) for name in read)
    whole = (*first, *copies, *sliced.statements[at:])
    return (
        replace(sliced, statements=whole, variables=written_variables(whole)),
        tuple(name + _TOLD for name in read),
    )
