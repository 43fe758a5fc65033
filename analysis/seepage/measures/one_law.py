"""The measures of one law: of the joint distribution of all that is asked, by whichever engine tells it.

What each measure asks for, and by which formula it is told, stands in :mod:`seepage.measures.functionals`; here are the ways around that where mixtures do
not do it, or only approximately.

Outputs tell before they are rounded at least what they tell afterwards (the data processing inequality; Cover and Thomas 2006, section 2.8, and for
losses of privacy Dwork and Roth 2014, proposition 2.1).

An output ``o := max(0, floor(s + n))`` that nothing else reads is a function of ``s + n`` alone, which stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from flint import arb

from seepage import rules
from seepage.diagnostics import Fault
from seepage.distributions.continuous import NoStandIn
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault
from seepage.measures.call_parts import condition_of
from seepage.measures.channels.questions import channel
from seepage.measures.clock import OutOfTime
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.functionals.table import ANSWERS
from seepage.measures.gaussian.facts import within_whole_bits
from seepage.measures.gaussian.sum import clip
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.guessing.questions import guessing
from seepage.measures.joints import Memory, joint_of, need_no_fault, observing
from seepage.measures.limits import within_limits
from seepage.measures.notes import Note
from seepage.measures.paper import questions as paper_questions
from seepage.measures.pivot import questions as pivot_questions
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity, combined
from seepage.measures.result import Certainty
from seepage.measures.scope import core_expression, variables
from seepage.measures.sufficiency import is_long, of_what_is_told, what_is_left
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.expressions import are_alike, children, plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import may_write, names_read
from seepage.syntax.tree import Call, Expression, Index, MeasureCall, Name

BEFORE_ROUNDING = Note("bounded from above by what is told before rounding")

_LONGEST_CHAIN = 16


def _within_unrounded(
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


_MANY_INPUTS = 32  # that several noisy values depend on: from here on components of mixtures are too many


def by_one_law(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate a call, within what is told before outputs are rounded.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
        OutOfTime: past the budget's deadline.
        ArithmeticFault: where a formula cannot do it.
    """
    return _within_unrounded(evaluation, call, _by_any_engine)


def _by_any_engine(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate a call by the exact laws of paths where mixtures do not do it, or only approximately."""
    if is_long(evaluation, call) and (of_less := _of_what_is_told(evaluation, call)) is not None:
        return of_less
    if _is_of_many_inputs(evaluation, call) and (known := _by_masses(evaluation, call, _MANY_INPUTS)) is not None:
        return within_limits(evaluation, call, known)
    try:
        found = _call(evaluation, call)
    except Fault as fault:
        if fault.diagnostic.rule not in (rules.NOT_SUPPORTED, rules.BUDGET_EXCEEDED):
            raise
        instead = _by_masses(evaluation, call)
        if instead is None and fault.diagnostic.rule is rules.BUDGET_EXCEEDED:
            instead = _of_what_is_told(evaluation, call)
        why = ""
        if instead is None and fault.diagnostic.rule is rules.NOT_SUPPORTED:
            by_laws = pivot_questions.instead(evaluation, call)
            instead, why = (None, by_laws) if isinstance(by_laws, str) else (by_laws, "")
        if instead is None:
            raise _beyond_laws(fault, why) from fault
        return within_limits(evaluation, call, instead)
    if found.enclosure.certainty is Certainty.EXACT:
        return found
    if _is_loose(call, found):
        known = _by_masses(evaluation, call)
        if known is None and found.enclosure.certainty is Certainty.APPROXIMATE:
            known = _of_what_is_told(evaluation, call)
        if known is not None and known.enclosure.certainty is not Certainty.APPROXIMATE:
            return _cut(evaluation, call, known)
    return _cut(evaluation, call, within_limits(evaluation, call, pivot_questions.sharpened(evaluation, call, found)))


def _beyond_laws(fault: Fault, why: str) -> Fault:
    """Return what mixtures do not follow, with what kept the exact laws of paths from it; that alone is the reason where only a normal law in place of another is missing."""
    told = fault.diagnostic
    if not why:
        return fault
    message = f"the exact laws of the program's paths do not tell it: {why}"
    if isinstance(fault, NoStandIn):
        return Fault(replace(told, message=message, notes=(*told.notes, told.message)))
    return Fault(replace(told, notes=(*told.notes, message)))


def _of_what_is_told(evaluation: Evaluation, call: MeasureCall) -> Quantity | None:
    """Evaluate I and conditional entropies by what the outputs depend on in place of a secret, where that is seen."""
    if (told := of_what_is_told(evaluation, call)) is not None:
        return _by_any_engine(*told)
    if (parts := what_is_left(evaluation, call)) is None or (told := of_what_is_told(evaluation, parts[1])) is None:
        return None
    own, lost = _by_any_engine(evaluation, parts[0]), _by_any_engine(*told)
    left = combined("-", own, lost, call.span.shift(evaluation.scope.offset))
    return replace(left, enclosure=clip(left.enclosure, arb(0), own.enclosure.upper), formula=None)


def _is_loose(call: MeasureCall, found: Quantity) -> bool:
    """Tell whether a quantity is approximate, or only an upper bound of a loss behind noise."""
    known = found.enclosure
    bound_only = row_of(call).is_loss and found.engine == "soga" and not known.upper - known.lower < COARSE
    return known.certainty is Certainty.APPROXIMATE or (known.certainty is Certainty.CERTIFIED and bound_only)


def _by_masses(evaluation: Evaluation, call: MeasureCall, least_inputs: int = 0) -> Quantity | None:
    """Evaluate a call of discrete variables by their chances, where the exact laws of paths tell these though continuous variables decide them."""
    if evaluation.method is not None or not samples_continuous(evaluation.scope.core.statements):
        return None
    if evaluation.inquiry.budget.expired():
        return None
    inquiry = replace(evaluation.inquiry, by_paths=True, least_inputs=least_inputs)
    try:
        found = _call(replace(evaluation, inquiry=inquiry, formulas=False), call)
    except (Fault, ArithmeticFault, OutOfTime):
        return None
    unbounded = not (found.enclosure.lower.is_finite() or found.enclosure.upper.is_finite())
    if unbounded and found.enclosure.certainty is Certainty.APPROXIMATE:
        return replace(found, engine="paths")  # no bounds are no certificate
    if found.enclosure.certainty is not Certainty.EXACT or found.enclosure.exact is None:
        found = replace(found, enclosure=replace(found.enclosure, certainty=Certainty.CERTIFIED, closed=None))
    return replace(found, engine="paths")


def _is_of_many_inputs(evaluation: Evaluation, call: MeasureCall) -> bool:
    """Tell whether several noisy values and many inputs decide what is asked, all of it discrete, and the program is followed once for all of these."""
    scope, measure = evaluation.scope, row_of(call)
    if evaluation.method is not None or measure.functional == "divergence":
        return False
    if measure.is_of_value:
        names = tuple(sorted(scope.core.expanded(plain_names(call.left[0])) & set(scope.core.variables)))
    else:
        names = (*variables(scope, call.left), *variables(scope, call.right), *condition_of(scope, call)[0])
    if not samples_continuous(slice_program(scope.core, names).statements):
        return False
    inquiry = replace(evaluation.inquiry, by_paths=True, least_inputs=_MANY_INPUTS)
    try:
        joint_of(inquiry, scope.core, names)
    except (Fault, ArithmeticFault, OutOfTime):
        return False
    return True


def _cut(evaluation: Evaluation, call: MeasureCall, found: Quantity) -> Quantity:
    """Return an information or entropy, at most what there is to know where that is a whole number of bits."""
    if not row_of(call).is_of_entropies or evaluation.unit != "bits" or evaluation.method is not None:
        return found
    _, event = condition_of(evaluation.scope, call)
    sides = [variables(evaluation.scope, side) for side in (call.left, call.right) if side]
    core = observing(evaluation.scope, event)
    return replace(found, enclosure=within_whole_bits(found.enclosure, evaluation.inquiry, core, *sides))


def _call(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    if evaluation.method is not None:
        paper_questions.need_bounds(evaluation, call)
    measure = row_of(call)
    if not measure.reads_prior:
        return channel(evaluation, call)
    if measure.is_of_guesses:
        return guessing(evaluation, call)
    return ANSWERS[measure.functional](evaluation, call)
