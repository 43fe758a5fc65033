"""Joints of the variables that a measure asks for, under the events that it conditions on.

An event becomes an observe at the end of the program, one for each conjunct; the argument of ``P`` and ``E`` becomes a ghost
variable. Everything else is the engines' work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import TypeAlias, TypeVar

from flint import arb, fmpq

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.forward.class_faults import Beyond
from seepage.engines.forward.class_joint import ClassJoint, ClassStates, TooManyValues, run_classes, side_by_side
from seepage.engines.forward.class_widths import least_width
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability, balls
from seepage.engines.forward.defined import perhaps_without_value
from seepage.engines.outcome import Budget, DiscreteJoint, Joint, MixtureComponent, MixtureJoint, Ring
from seepage.engines.select import (
    FIRST_BITS,
    check_total,
    core_with,
    samples_continuous,
    solve,
    solve_classes,
    solve_masses,
)
from seepage.exact import ArithmeticFault, Number
from seepage.laws.forms import Beyond as BeyondPaths
from seepage.measures.formulas.form import ClosedForm
from seepage.measures.planning.plan import Step
from seepage.measures.quantity import Quantity, Search
from seepage.measures.scope import Scope, core_expression, without_value
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import conjuncts, plain_names
from seepage.semantics.slice import slice_program, sunk_slice
from seepage.semantics.statements import names_read, walk
from seepage.source import Span
from seepage.syntax.tree import Expression, MeasureCall, Name

C = TypeVar("C")
T = TypeVar("T")

GHOST = "value@asked"  # no name of the language holds an @

Question: TypeAlias = tuple[tuple[CoreStatement, ...], tuple[str, ...]]


@dataclass(slots=True)
class Later:
    """Searches for formulas that are put off until the numbers are known.

    Attributes:
        defers: whether searches are put off now.
        searches: those that were.
        tables: the units in which the leakage table was computed within a second.
        kept: under which keys the measures that wait are kept for other texts, by the call and the unit.
    """

    defers: bool = False
    searches: dict[Search, Callable[[Inquiry], ClosedForm]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    kept: dict[tuple[MeasureCall, str], tuple[object, ...] | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Memory:
    """What earlier measures of one program at one choice of parameters have found; grows as it is used.

    Attributes:
        joints: by the statements appended for events and ghosts, and the variables asked for.
        too_large: joints that grew past a limit of the budget other than time, with what says so: they would again.
        masses: the same of discrete variables, from the exact laws of paths.
        classes: the same over classes, by the number of states that were allowed, too; None where classes do not say it.
        quantities: by the call (equal calls are equal wherever they stand), the unit, and whether a formula was looked for.
        spent: seconds of a processor after which a measure, by the call and the unit, had no number yet.
        reuse: whether measures that were found for other texts are taken where their slices are equal.
        later: searches for formulas that wait.
        steps: what the planner tried, in order.
    """

    joints: MutableMapping[Question, Joint] = field(default_factory=dict)
    too_large: MutableMapping[tuple[Question, int, int], Diagnostic] = field(default_factory=dict)
    masses: MutableMapping[Question, DiscreteJoint[arb]] = field(default_factory=dict)
    classes: MutableMapping[tuple[Question, int], ClassJoint[fmpq] | ClassJoint[arb] | None] = field(
        default_factory=dict
    )
    quantities: MutableMapping[tuple[MeasureCall, str, bool], Quantity] = field(default_factory=dict)
    spent: MutableMapping[tuple[MeasureCall, str], float] = field(default_factory=dict)
    reuse: bool = False
    later: Later = field(default_factory=Later)
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a measure is asked of.

    Attributes:
        scope: the meaning of its names.
        place: the absolute range of the measure, where its own faults are reported.
        budget: of each run.
        memory: what earlier measures found.
        by_paths: whether joints of discrete variables that continuous ones decide are those of the exact laws of paths; there are no others then.
        least_inputs: as for :func:`~seepage.engines.select.solve_masses`, with ``by_paths``.
    """

    scope: Scope
    place: Span
    budget: Budget
    memory: Memory
    by_paths: bool = False
    least_inputs: int = 0


def observing(scope: Scope, event: Expression | None) -> CoreProgram:
    """Return the program followed by the observation of an event."""
    if event is None:
        return scope.core
    observes = tuple(
        CoreObserve(core_expression(scope, part), part.span.shift(scope.offset), of_event=True)
        for part in conjuncts(event)
    )
    return core_with(scope.core, observes)


def assigning(core: CoreProgram, scope: Scope, expression: Expression) -> CoreProgram:
    """Return the program followed by ``GHOST := expression``."""
    place = expression.span.shift(scope.offset)
    return core_with(core, (CoreAssign(Name(GHOST, place), core_expression(scope, expression), place),))


def joint_of(inquiry: Inquiry, core: CoreProgram, asked: tuple[str, ...]) -> Joint:
    """Return the joint of the asked variables at the end of a program (made by :func:`observing` and :func:`assigning`).

    Args:
        inquiry: values of the parameters, limits, and the memory that keeps what was found before.
        core: the program of the inquiry, perhaps with statements appended.
        asked: plain variables; one that comes twice counts once.

    Raises:
        Fault: any fault of the program in the slice; an event that is impossible, at the event; a parameter without a value, at the
            measure; with ``by_paths``, where the laws of paths do not tell the joint.
    """
    asked = tuple(dict.fromkeys(asked))
    added = core.statements[len(inquiry.scope.core.statements) :]
    key = (added, asked)
    if inquiry.by_paths and samples_continuous(slice_program(core, asked).statements):
        if key not in inquiry.memory.masses:
            inquiry.memory.masses[key] = _masses(inquiry, core, asked, added)
        return inquiry.memory.masses[key]
    if key not in inquiry.memory.joints:
        inquiry.memory.joints[key] = _unless_too_large(inquiry, core, asked, added)
    return inquiry.memory.joints[key]


def _unless_too_large(
    inquiry: Inquiry, core: CoreProgram, asked: tuple[str, ...], added: tuple[CoreStatement, ...]
) -> Joint:
    known, key = inquiry.memory.too_large, ((added, asked), inquiry.budget.states, inquiry.budget.components)
    if key in known:
        raise Fault(known[key])
    try:
        return _solve(inquiry, core, asked, added, solve)
    except Fault as fault:
        # What the measure itself is to blame for is told at its place, and another one has its own.
        if fault.diagnostic.rule is rules.BUDGET_EXCEEDED and fault.diagnostic.span != inquiry.place:
            known[key] = fault.diagnostic
        raise


def _masses(
    inquiry: Inquiry, core: CoreProgram, asked: tuple[str, ...], added: tuple[CoreStatement, ...]
) -> DiscreteJoint[arb]:
    known, engine = inquiry.memory.joints.get((added, asked)), partial(solve_masses, least_inputs=inquiry.least_inputs)
    try:
        if isinstance(known, MixtureJoint) and any(None in component.values for component in known.components):
            raise BeyondPaths("a continuous variable")
        return _solve(inquiry, core, asked, added, engine)
    except (BeyondPaths, ArithmeticFault) as fault:
        message = f"not supported yet: {fault.reason}"
        raise Fault(Diagnostic(rules.NOT_SUPPORTED, inquiry.place, message)) from fault


def classes_of(
    inquiry: Inquiry, core: CoreProgram, asked: tuple[str, ...]
) -> ClassJoint[fmpq] | ClassJoint[arb] | None:
    """Return the joint over classes where some asked variable is uniform over a huge range; None where :func:`joint_of` is to be asked.

    Raises:
        Fault: as :func:`joint_of`.
    """
    if not least_width(slice_program(core, asked).statements, inquiry.scope.parameters):
        return None
    asked = tuple(dict.fromkeys(asked))
    added = core.statements[len(inquiry.scope.core.statements) :]
    known, key = inquiry.memory.classes, ((added, asked), inquiry.budget.states)
    if key not in known:
        try:
            known[key] = _solve(inquiry, core, asked, added, solve_classes)
        except Beyond:
            known[key] = None
    return known[key]


def sides_of(
    inquiry: Inquiry, first: tuple[CoreProgram, tuple[str, ...]], second: tuple[CoreProgram, tuple[str, ...]]
) -> ClassJoint[fmpq] | ClassJoint[arb] | None:
    """Return the joints over classes of two programs, each with its variables, as one (:func:`side_by_side`); None where classes do not say it.

    Raises:
        Fault: as :func:`joint_of`.
    """
    try:
        return _sides(inquiry, (first, second), RATIONALS)
    except IrrationalProbability:
        return _sides(inquiry, (first, second), balls(FIRST_BITS))
    except Beyond:
        return None


def _sides(
    inquiry: Inquiry, sides: Sequence[tuple[CoreProgram, tuple[str, ...]]], ring: Ring[C]
) -> ClassJoint[C] | None:
    def engine(
        core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
    ) -> ClassStates[C] | None:
        sliced = sunk_slice(core, asked)
        return None if samples_continuous(sliced.statements) else run_classes(sliced, asked, parameters, ring, budget)

    start = len(inquiry.scope.core.statements)
    p, q = (_solve(inquiry, core, asked, core.statements[start:], engine) for core, asked in sides)
    return None if p is None or q is None else side_by_side(p, q)


def solved_by(
    inquiry: Inquiry,
    core: CoreProgram,
    asked: tuple[str, ...],
    engine: Callable[[CoreProgram, tuple[str, ...], Mapping[str, Number], Budget], T],
) -> T:
    """Return what an engine says of the asked variables at the end of a program, events checked as :func:`joint_of` checks them.

    Raises:
        Fault: as :func:`joint_of`.
    """
    return _solve(
        inquiry, core, tuple(dict.fromkeys(asked)), core.statements[len(inquiry.scope.core.statements) :], engine
    )


def observing_all(core: CoreProgram, question: Question) -> bool:
    """Tell whether what a joint was computed from has all observations of a program: then some run passes them, as it has mass."""
    added, asked = question
    whole = core_with(core, added)
    return _observations(slice_program(whole, asked)) == _observations(whole)


def _observations(core: CoreProgram) -> int:
    return sum(isinstance(each, CoreObserve) for each in walk(core.statements))


def _solve(
    inquiry: Inquiry,
    core: CoreProgram,
    asked: tuple[str, ...],
    added: tuple[CoreStatement, ...],
    engine: Callable[[CoreProgram, tuple[str, ...], Mapping[str, Number], Budget], T],
) -> T:
    sliced = slice_program(core, asked)
    _need_values(inquiry, sliced)
    try:
        _check_events(inquiry, sliced, added)
        return engine(core, asked, inquiry.scope.parameters, inquiry.budget)
    except TooManyValues as fault:
        raise Fault(replace(fault.diagnostic, span=inquiry.place)) from fault
    except Fault as fault:
        events = [statement.span for statement in added if isinstance(statement, CoreObserve)]
        if fault.diagnostic.rule is rules.IMPOSSIBLE_OBSERVATION and fault.diagnostic.span in events:
            message = "impossible event: no run of the program makes it true"
            raise Fault(replace(fault.diagnostic, rule=rules.IMPOSSIBLE_EVENT, message=message)) from fault
        raise


def _check_events(inquiry: Inquiry, sliced: CoreProgram, added: tuple[CoreStatement, ...]) -> None:
    """Run the events that the slice leaves out because the asked variables do not depend on them: they may be impossible."""
    kept = {statement.span for statement in sliced.statements if isinstance(statement, CoreObserve)}
    left_out = tuple(each for each in added if isinstance(each, CoreObserve) and each.span not in kept)
    if not left_out:
        return
    core = inquiry.scope.core
    names = dict.fromkeys(name for each in left_out for name in _plain_names(core, each.condition))
    alone = core_with(slice_program(core, tuple(names)), left_out)
    for diagnostic in check_total(alone, inquiry.scope.parameters, inquiry.budget):
        if diagnostic.is_error:
            raise Fault(diagnostic)


def need_no_fault(inquiry: Inquiry, core: CoreProgram, asked: tuple[str, ...], known: tuple[str, ...] = ()) -> None:
    """Raise what is wrong with the statements that a measure depends on, where the measure itself needs no run.

    Args:
        inquiry: values of the parameters, and limits.
        core: the program of the inquiry, perhaps with statements appended.
        asked: plain variables.
        known: some of them whose joint is known: what that was computed from met no fault.

    Raises:
        Fault: met in a run; or of a function of a continuous value, for which it is not known whether it has a value in every run.
    """
    sliced = slice_program(core, asked)
    if not known or slice_program(core, known).statements != sliced.statements:
        for diagnostic in check_total(sliced, inquiry.scope.parameters, inquiry.budget):
            if diagnostic.is_error:
                raise Fault(diagnostic)
    if (unknown := perhaps_without_value(sliced, inquiry.scope.parameters)) is not None:
        message = f"it is not known whether '{spelled(unknown)}' has a value in every run, as what it is computed of is continuous"
        raise Fault(Diagnostic(rules.NOT_SUPPORTED, unknown.span, message))


def _plain_names(core: CoreProgram, expression: Expression) -> Iterator[str]:
    for name in plain_names(expression):
        if name in core.arrays:
            yield from (f"{name}[{i}]" for i in core.arrays[name])
        elif name in core.variables:
            yield name


def _need_values(inquiry: Inquiry, core: CoreProgram) -> None:
    """Fail at the measure if what it depends on reads a parameter that has no value."""
    missing = [name for name in inquiry.scope.core.parameters if name not in inquiry.scope.parameters]
    if not missing:
        return
    read = set(names_read(core.statements))
    for name in missing:
        if name in read:
            without_value(name, inquiry.place)


def as_mixture(joint: Joint) -> MixtureJoint:
    """Return a discrete joint as a mixture of atoms (for a divergence whose other side is continuous)."""
    if isinstance(joint, MixtureJoint):
        return joint
    atoms = tuple(MixtureComponent(mass, values, (), (), (), ()) for values, mass in joint.masses.items())
    cut = None if joint.cut is None else replace(joint.cut, discrete=frozenset(joint.variables))
    return MixtureJoint(joint.variables, atoms, cut=cut)
