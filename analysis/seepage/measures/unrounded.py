"""What outputs tell before they are rounded: at least what they tell afterwards (the data processing inequality; Cover and Thomas 2006, section 2.8, and for
losses of privacy Dwork and Roth 2014, proposition 2.1).

An output ``o := max(0, floor(s + n))`` that nothing else reads is a function of ``s + n`` alone, which stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from flint import arb

from seepage import rules
from seepage.diagnostics import Fault
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.joints import Memory, need_no_fault
from seepage.measures.notes import Note
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import core_expression, variables
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.expressions import are_alike, children, plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import may_write, names_read
from seepage.syntax.tree import Call, Expression, Index, MeasureCall, Name

BEFORE_ROUNDING = Note("bounded from above by what is told before rounding")

_LONGEST_CHAIN = 16


def within_unrounded(
    evaluation: Evaluation, call: MeasureCall, measure: Callable[[Evaluation, MeasureCall], Quantity]
) -> Quantity:
    """Return a measure; where nothing bounds it from above, or it is not supported, with the bound by what is told before outputs are rounded.

    Raises:
        Fault: as ``measure`` does, where there is no such bound either.
    """
    try:
        found = measure(evaluation, call)
    except Fault as fault:
        if fault.diagnostic.rule is not rules.NOT_SUPPORTED or (most := _before(evaluation, call, measure)) is None:
            raise
        upper, zero = most.enclosure.upper, arb(0)
        enclosure = Enclosure.bounded((upper / 2).mid(), zero, upper, Certainty.CERTIFIED, notes=(BEFORE_ROUNDING,))
        return Quantity(enclosure, most.dimension, "paths")
    known = found.enclosure
    if known.upper.is_finite() or not known.lower.is_finite() or known.certainty is not Certainty.CERTIFIED:
        return found
    if (most := _before(evaluation, call, measure)) is None:
        return found
    upper = most.enclosure.upper.max(known.lower)
    enclosure = Enclosure.bounded(known.value, known.lower, upper, Certainty.CERTIFIED, notes=(BEFORE_ROUNDING,))
    return replace(found, enclosure=enclosure)


def _before(
    evaluation: Evaluation, call: MeasureCall, measure: Callable[[Evaluation, MeasureCall], Quantity]
) -> Quantity | None:
    """Return what is told before outputs are rounded, None where that is not known to be finite."""
    scope = evaluation.scope
    row = row_of(call)
    is_divergence = row.functional == "divergence"
    if not (row.is_information or is_divergence or row.is_of_losses) or evaluation.method is not None:
        return None
    left, right = variables(scope, call.left), variables(scope, call.right)
    if is_divergence and left != right:
        return None
    fixed = {name for each in (*call.given, *call.right_given) for name in plain_names(core_expression(scope, each))}
    outputs = [name for name in right if name not in scope.core.expanded(fixed) and (is_divergence or name not in left)]
    read = scope.core.expanded(name for name in fixed if name not in scope.core.parameters)
    core = _unrounded(slice_program(scope.core, tuple(dict.fromkeys((*left, *right, *sorted(read))))), outputs)
    if core is None:
        return None
    inquiry = replace(evaluation.inquiry, scope=replace(scope, core=core), memory=Memory(reuse=False))
    try:
        need_no_fault(evaluation.inquiry, scope.core, (*left, *right))
        found = measure(replace(evaluation, inquiry=inquiry, formulas=False), call)
    except Fault:
        return None
    usable = found.enclosure.certainty is not Certainty.APPROXIMATE and found.enclosure.upper.is_finite()
    return found if usable else None


def _unrounded(core: CoreProgram, outputs: Sequence[str]) -> CoreProgram | None:
    """Return a program with values in the place of outputs that are functions of them by rounding; None where none is."""
    statements = list(core.statements)
    changed = False
    for name in outputs:
        found = _only_assignment(core, name)
        if found is None or name in core.expanded(names_read(statements)):
            continue
        at, statement = found
        if (told := _told_by(core, at, statement.value)) is not None:
            statements[at] = replace(statement, value=told)
            changed = True
    return replace(core, statements=tuple(statements)) if changed else None


def _told_by(core: CoreProgram, at: int, value: Expression) -> Expression | None:
    """Return an expression that a value is a function of by rounding, both read at a place; None where there is none."""
    is_rounded = False
    for _ in range(_LONGEST_CHAIN):
        arguments, names = _parts(core, value)
        if arguments and not names and all(are_alike(each, arguments[0]) for each in arguments):
            value, is_rounded = arguments[0], True
        elif not arguments and len(names) == 1 and (meaning := _meaning(core, at, *names)) is not None:
            value = meaning
        else:
            break
    return value if is_rounded else None


def _parts(core: CoreProgram, expression: Expression) -> tuple[list[Expression], set[str]]:
    """Return what is rounded in an expression, and the variables that it reads elsewhere."""
    arguments, names = list[Expression](), set[str]()
    stack = [expression]
    while stack:
        match stack.pop():
            case Call(function="floor" | "ceil", arguments=(argument,)):
                arguments.append(argument)
            case Name(id=name) if name not in core.parameters:
                names.add(name)
            case node:
                names.update([node.array] if isinstance(node, Index) else [])
                stack.extend(children(node))
    return arguments, names


def _meaning(core: CoreProgram, at: int, name: str) -> Expression | None:
    """Return an expression that has the value of a variable at a place, None where none is seen.

    It is what was assigned once before: what it reads must not be written from there on, by the assignment itself least of all (``m := m + n``).
    """
    found = _only_assignment(core, name)
    if found is None or found[0] >= at:
        return None
    written, statement = found
    changed = may_write(core, core.statements[written:at])
    return statement.value if changed.isdisjoint(core.expanded(plain_names(statement.value))) else None


def _only_assignment(core: CoreProgram, name: str) -> tuple[int, CoreAssign] | None:
    """Return the only statement that writes a variable and its place, an assignment in no branch; None where there is no such."""
    writing = [(at, each) for at, each in enumerate(core.statements) if name in may_write(core, (each,))]
    match writing:
        case [(at, CoreAssign(target=Name()) as statement)]:
            return at, statement
        case _:
            return None
