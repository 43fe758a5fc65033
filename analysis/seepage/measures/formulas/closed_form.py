"""Closed forms of measures in the parameters: the discrete engine run once more, on polynomials in the parameters."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from threading import Lock
from typing import Literal

from seepage import rules
from seepage.algebra import NoAlgebra
from seepage.deadline import Deadline, sooner
from seepage.diagnostics import Fault
from seepage.distributions.kinds import shares_of
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import samples_continuous
from seepage.exact import Number
from seepage.measures.formulas.definedness import strongest, sum_to_one
from seepage.measures.formulas.discrete import Searched, TooLong, searched
from seepage.measures.formulas.form import ClosedForm
from seepage.measures.formulas.gaussian import gaussian_formula
from seepage.measures.formulas.guards import Case, case_at
from seepage.measures.formulas.known_forms import key_of, search_of
from seepage.measures.guessing.gains import Gain
from seepage.measures.joints import Inquiry
from seepage.measures.notes import Note, NoteKind, too_long_formula
from seepage.measures.program_meaning import meaning_of
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import sink, slice_program, sunk_slice
from seepage.semantics.statements import names_read, walk
from seepage.syntax import tree

_STATES = 64  # a formula over more states is too long to read
_ELSEWHERE = Note("no formula: those for other values of the parameters do not hold here")
_SECONDS = (
    0.5  # of the processor: a formula is a comfort and must not delay the number, and a busy machine must not change it
)
_PATIENCE = 3.0  # seconds that may pass meanwhile

_joints: deque[tuple[object, DiscreteJoint[Polynomial]]] = deque(maxlen=8)
_one_at_a_time = Lock()


def closed_form(
    inquiry: Inquiry,
    name: str,
    core: CoreProgram,
    arguments: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    unit: Literal["bits", "nats"],
    domains: Mapping[str, Domain],
    other: CoreProgram | None = None,
    gain: Gain | None = None,
) -> ClosedForm:
    """Return a measure as a formula in the parameters, if there is one small enough to read; if not, a note says so.

    Parameters that decide which runs there are: the formula is that of the case in which their values lie, or is at their values; its conditions say so.

    Args:
        inquiry: what the measure was asked of; its budget's deadline holds here, too.
        name: as :func:`seepage.measures.formulas.discrete.searched` wants it.
        core: the program, with events and ghosts appended.
        arguments: the variables x, y and z of that.
        unit: of entropies and information.
        domains: of the parameters.
        other: for ``KL`` the program of the second side, whose variables are y.
        gain: of an attacker who guesses.
    """
    budget = Budget(states=_STATES, deadline=sooner(inquiry.budget.deadline, _PATIENCE))
    at = inquiry.scope.parameters
    taken = tuple(dict.fromkeys((*inquiry.scope.taken, *core.variables, *core.arrays)))
    notes: tuple[Note, ...] = ()
    asked = tuple(dict.fromkeys(name for names in arguments for name in names))
    if any(samples_continuous(slice_program(each, asked).statements) for each in (core, other) if each is not None):
        return ClosedForm(gaussian_formula(name, core, arguments, unit, domains, at, budget, other))
    try:
        case = Case(core, domains, ()) if other is not None else case_at(core, asked, at, domains, budget)
        notes = tuple(substituted_note(condition) for condition in case.substituted)
        if not case.core.parameters:
            return ClosedForm(None, notes)
        search = _of_case(case, name, arguments, unit, other, at, budget, taken, gain)
    except (NoPolynomial, NoAlgebra):
        return ClosedForm(None, notes)
    except Fault as fault:
        many = fault.diagnostic.rule is rules.BUDGET_EXCEEDED
        return ClosedForm(None, (*notes, too_long_formula(f"more than {_STATES} states")) if many else notes)
    found = search.found
    if search.elsewhere:
        notes = (*notes, _ELSEWHERE)
    if isinstance(found, TooLong):
        long = f"{found.terms} terms"
        notes = (
            *notes,
            too_long_formula(long)
            if found.circuit is None
            else Note(f"a long formula, {long}: its probabilities have names", NoteKind.NAMED_PARTS),
        )
        found = found.circuit
    if found is None or not case.conditions:
        return ClosedForm(found, notes)
    return ClosedForm(replace(found, conditions=strongest((*case.conditions, *found.conditions))), notes)


def substituted_note(condition: str) -> Note:
    """Return what people should know of a parameter whose value was put in its place: ``t = 3``."""
    return Note(f"computed at {condition}: there is no formula that tells the number at other values")


def _of_case(
    case: Case,
    name: str,
    arguments: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    unit: Literal["bits", "nats"],
    other: CoreProgram | None,
    at: Mapping[str, Number],
    budget: Budget,
    taken: tuple[str, ...],
    gain: Gain | None,
) -> Searched:
    """Return what is found for a case; without a gain it is kept for other values of the parameters, at which it is checked as at those before."""

    def search() -> Searched:
        x, y, z = arguments
        programs = [case.core] if other is None else [case.core, other]
        observed = [joint for program in programs if (joint := observations(program, budget)) is not None]
        if other is None:
            p, q = _joint(case.core, tuple(dict.fromkeys((*x, *y, *z))), budget), None
        else:
            # The formula compares the variables of one name.
            p, q, y = _joint(case.core, x, budget), replace(_joint(other, y, budget), variables=x), x
        return searched(
            name,
            p,
            x,
            y,
            z,
            unit,
            other=q,
            domains=case.domains,
            at=at,
            observed=observed,
            taken=(*taken, *case.core.parameters),
            deadline=Deadline.after(_SECONDS, moves=False),
            gain=gain,
        )

    if gain is not None:  # the best guesses depend on the values
        return search()
    key = (key_of(name, (case.core, other), arguments, unit, {}, case.domains, None), taken)
    return search_of(key, search, at, budget.deadline)


def _joint(core: CoreProgram, asked: tuple[str, ...], budget: Budget) -> DiscreteJoint[Polynomial]:
    """Return the distribution of some variables, the same one for a while: several measures ask for it, and what they find of it is kept."""
    key = (meaning_of(core), asked)
    with _one_at_a_time:
        found = next((joint for known, joint in _joints if known == key), None)
    if found is None:
        program = sunk_slice(core, asked)
        check_sums(program)
        found = run(program, asked, {}, polynomials(program), budget)
        with _one_at_a_time:
            _joints.append((key, found))
    return found


def check_sums(core: CoreProgram) -> None:
    """Make sure that weights with parameters in them sum to 1 whatever the parameters are.

    Raises:
        NoPolynomial: if that is not known.
    """
    for statement in walk(core.statements):
        if isinstance(statement, CoreSample):
            for weights in shares_of(statement.distribution):
                unknown = any(name in core.parameters for weight in weights for name in plain_names(weight))
                if unknown and not sum_to_one(weights, core.parameters):
                    raise NoPolynomial("the weights may not sum to 1")


def observations(core: CoreProgram, budget: Budget) -> DiscreteJoint[Polynomial] | None:
    """Return a distribution whose mass is the chance that all observations of a program pass; None if no parameter matters to it."""
    program = watched(core)
    if program is None or not any(name in core.parameters for name in names_read(program.statements)):
        return None
    return run(program, (), {}, polynomials(program), budget)


def watched(core: CoreProgram) -> CoreProgram | None:
    """Return a program whose whole mass is the chance that all observations of another pass, those that a slice drops, too.

    Each condition is kept in a variable of its own, so that slicing keeps the observation. None if there are none.
    """
    ghosts: list[str] = []
    statements = _recorded(core.statements, ghosts)
    if not ghosts:
        return None
    place = core.statements[0].span
    start = tuple(CoreAssign(tree.Name(name, place), tree.Number(Fraction(0), place), place) for name in ghosts)
    program = replace(core, statements=(*start, *statements), variables=(*core.variables, *ghosts))
    sliced = slice_program(program, tuple(ghosts), observations=True)
    check_sums(sliced)
    return sink(sliced)


def _recorded(statements: Sequence[CoreStatement], ghosts: list[str]) -> tuple[CoreStatement, ...]:
    result: list[CoreStatement] = []
    for statement in statements:
        match statement:
            case CoreIf(consequent=consequent, alternative=alternative):
                arms = _recorded(consequent, ghosts), _recorded(alternative, ghosts)
                result.append(replace(statement, consequent=arms[0], alternative=arms[1]))
            case CoreObserve(condition=condition, span=span):
                ghosts.append(f"@passed{len(ghosts)}")
                result += (statement, CoreAssign(tree.Name(ghosts[-1], span), condition, span))
            case _:
                result.append(statement)
    return tuple(result)
