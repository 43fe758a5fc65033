"""The privacy loss of releases behind noise as a formula in the parameters: what holds at one point is proved for all others, or stated as a condition.

A parameter may move the places of releases (``o := m*s + n``): their distances then are rational functions of it. It may decide which inputs there
are, or how their laws differ: weights are compared as polynomials, never as numbers at a point. Where neither can be
followed its value is put in its place, and the condition says so (``m = 1``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from seepage import exact
from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, minus, plus, times
from seepage.data_classes import dataclass
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.engines.signs import EVERYWHERE, Signs
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.formulas.closed_form import check_sums, observations
from seepage.measures.formulas.conditions import conditions_for, vanishes
from seepage.measures.formulas.definedness import Demands, strongest
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.guards import Case, case_at
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.mathml import mathml_of
from seepage.measures.formulas.notation import Notation, value_of_quotient
from seepage.measures.formulas.question import letters_at
from seepage.measures.formulas.text import text_of
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.privacy.release_reading import Mechanism
from seepage.measures.privacy.releases import Shield, fits
from seepage.measures.result import Formula
from seepage.measures.scope import spelled_number
from seepage.semantics.core import CoreAssign
from seepage.semantics.expressions import plain_names
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import sunk_slice
from seepage.semantics.statements import written_variables
from seepage.source import Span
from seepage.syntax.tree import Expression, MeasureCall, Name

_NOWHERE = Span(0, 0)
_SECONDS = 0.7
_STATES = 256
_MOVES = 64

Places = tuple[Quotient, ...]


def reads_parameters(call: MeasureCall, parameters: Iterable[str]) -> bool:
    """Tell whether the words of a measure read parameters: which inputs are neighbours, or what is asked for, then depends on their values."""
    names = frozenset(parameters)
    return any(name in names for _, name in names_in(call))


def released_formula(
    asked: AskedChannel, mechanism: Mechanism, chosen: Sequence[Shield | None], closeness: Closeness, loss: Number
) -> Formula | None:
    """Return the loss of a mechanism whose outputs are its releases, as a formula with conditions; None if none is found.

    Args:
        asked: the measure.
        mechanism: the releases, each of which is an output.
        chosen: the bound of each release's loss that all its noise gives.
        closeness: which inputs are neighbours.
        loss: what the formula must give at the values of the parameters.
    """
    scope = asked.evaluation.scope
    parameters, point = scope.core.parameters, scope.parameters
    if not parameters or any(name not in point for name in parameters) or reads_parameters(asked.call, parameters):
        return None
    budget = Budget(states=_STATES, deadline=sooner(asked.evaluation.inquiry.budget.deadline, _SECONDS))
    own = tuple(Name(release.place, _NOWHERE) for release in mechanism.releases)
    for places in dict.fromkeys((_inlined(mechanism), own)):
        try:
            followed = _followed(asked, mechanism, places, chosen, budget)
            value, demands = _loss(followed, closeness, point)
            found = _written(followed, mechanism, value, demands, loss)
        except (NoAlgebra, NoPolynomial, Fault, ArithmeticFault, TooManyNeighbours):
            continue
        if found is not None:
            return found
    return None


@dataclass(frozen=True, slots=True)
class _Followed:
    """A mechanism without its noise, for all values of the parameters.

    Attributes:
        case: the program that was run, and where it means the same as the original.
        alphabet: of all rational functions here.
        rows: for each value of z and x the places of all releases, each with its weight.
        rates: by how much a move of a release's place changes its law, None where nothing bounds that.
        shields: the same, as they were read.
        probabilities: expressions that must be probabilities.
        fixed: the values of the parameters that were put in their places.
    """

    case: Case
    alphabet: Alphabet
    rows: Mapping[Values, Mapping[Values, Sequence[tuple[Places, Quotient]]]]
    rates: tuple[Quotient | None, ...]
    shields: tuple[Shield | None, ...]
    probabilities: tuple[Expression, ...]
    fixed: Mapping[str, Expression]


def _followed(
    asked: AskedChannel,
    mechanism: Mechanism,
    places: Sequence[Expression],
    chosen: Sequence[Shield | None],
    budget: Budget,
) -> _Followed:
    """Run a mechanism without its noise symbolically; ``places`` are expressions of its variables and the parameters.

    Raises:
        NoPolynomial: if it cannot be run so.
        NoAlgebra: if places are no rational functions of the parameters.
        Fault: of the program, or past the budget.
    """
    point = asked.evaluation.scope.parameters
    core = mechanism.core
    read = dict.fromkeys(name for place in places for name in plain_names(place) if name not in core.parameters)
    names = tuple(dict.fromkeys((*asked.x, *asked.z, *read)))
    if observations(core, budget) is not None:
        raise NoPolynomial("which inputs there are depends on what is observed")
    case = case_at(core, names, point, asked.evaluation.domains, budget)
    put = {name: spelled_number(point[name], _NOWHERE) for name in core.parameters if name not in case.core.parameters}
    program = sunk_slice(case.core, names)
    check_sums(program)
    ring = polynomials(program)
    joint = run(program, names, {}, ring, budget)
    at = joint.variables.index
    states: list[tuple[Values, tuple[Expression, ...], Polynomial]] = []
    for values, mass in joint.masses.items():
        spelled = {**put, **{name: spelled_number(values[at(name)], _NOWHERE) for name in read}}
        states.append((values, tuple(fixed(place, spelled) for place in places), mass))
    rates = [None if shield is None else fixed(shield.rate, put) for shield in chosen]
    meanings = (
        *ring.atoms,
        *(rate for rate in rates if rate is not None),
        *(each for _, all_, _ in states for each in all_),
    )
    alphabet = alphabet_of(case.core.parameters, meanings)
    letters = [alphabet.parameter(name) for name in ring.parameters] + [alphabet.translate(atom) for atom in ring.atoms]
    rows: dict[Values, dict[Values, list[tuple[Places, Quotient]]]] = {}
    for values, moved, mass in states:
        given, one = (tuple(values[at(name)] for name in part) for part in (asked.z, asked.x))
        row = rows.setdefault(given, {}).setdefault(one, [])
        _add(row, tuple(alphabet.translate(each) for each in moved), composed(mass, letters, alphabet))
    return _Followed(
        case,
        alphabet,
        rows,
        tuple(None if rate is None else alphabet.translate(rate) for rate in rates),
        tuple(chosen),
        tuple(dict.fromkeys(ring.probabilities)),
        put,
    )


def _add(row: list[tuple[Places, Quotient]], places: Places, weight: Quotient) -> None:
    for number, (other, known) in enumerate(row):
        if other == places:
            row[number] = places, plus(known, weight)
            return
    row.append((places, weight))


def _inlined(mechanism: Mechanism) -> tuple[Expression, ...]:
    """Return the places as expressions of earlier variables and of parameters; as they are where that cannot be said."""
    own = tuple(Name(release.place, _NOWHERE) for release in mechanism.releases)
    places: tuple[Expression, ...] = own
    written: set[str] = set()  # further down
    kept: set[str] = set()
    for statement in reversed(mechanism.core.statements):
        targets = set(written_variables((statement,)))
        reached = (targets & {name for place in places for name in plain_names(place)}) - kept
        match statement:
            case CoreAssign(target=Name(id=name), value=value) if reached:
                places = tuple(fixed(place, {name: value}) for place in places)
            case _ if reached & written:
                return own
            case _:
                kept |= reached
        written |= targets
    return places


# --- the greatest move ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shift:
    """By how much the places of two neighbours differ; ``tight`` if their laws are one law moved by that."""

    by: Places
    tight: bool


def _loss(followed: _Followed, closeness: Closeness, point: Mapping[str, Number]) -> tuple[Quotient, Demands]:
    """Return the loss and what must hold for it.

    Raises:
        NoAlgebra: if no move is known to exceed all others, or none to be one law moved.
        TooManyNeighbours: if that is so.
    """
    alphabet, domains = followed.alphabet, followed.case.domains
    signs = Signs(alphabet, domains)
    shifts = _shifts(followed, closeness)
    worst = next((each for each in shifts if each.tight and all(_covers(each, other, signs) for other in shifts)), None)
    if worst is None:
        raise NoAlgebra("no move exceeds all others for all values of the parameters")
    names = followed.case.core.parameters
    demands = Demands(names, {name: domains.get(name, EVERYWHERE) for name in names}, point)
    total = alphabet.number(0)
    for move, rate, shield in zip(worst.by, followed.rates, followed.shields, strict=True):
        if move.is_zero:
            continue
        if rate is None or shield is None or (shield.step is not None and not _fits(move, shield)):
            raise NoAlgebra("a place moves as no noise does")
        total = plus(total, times(rate, _distance(move, alphabet, demands)))
    return total, demands


def _fits(move: Quotient, shield: Shield) -> bool:
    constant = move.constant()
    return constant is not None and fits(exact.number(constant), shield.step)


def _distance(move: Quotient, alphabet: Alphabet, demands: Demands) -> Quotient:
    """Return the absolute value of a move, if need be under the condition that its sign is the one at the asked values."""
    signs, other = Signs(alphabet, demands.domains), times(alphabet.number(-1), move)
    for each in (move, other):
        if signs.at_least_zero(each.numerator * each.denominator):
            return each
    value = value_of_quotient(move, letters_at(alphabet, demands.point))
    chosen = other if value < 0 else move
    demands.at_least_zero(chosen, alphabet)
    return chosen


def _covers(one: _Shift, other: _Shift, signs: Signs) -> bool:
    """Tell whether every place moves at least as far, whatever the parameters are."""
    if one is other:
        return True
    gaps = (minus(times(a, a), times(b, b)) for a, b in zip(one.by, other.by, strict=True))
    return all(signs.at_least_zero(gap.numerator * gap.denominator) for gap in gaps)


def _shifts(followed: _Followed, closeness: Closeness) -> list[_Shift]:
    found: list[_Shift] = []
    for rows in followed.rows.values():
        for one, other in pairs(neighbourhoods(tuple(rows), closeness)):
            for shift in _of_pair(rows[one], rows[other]):
                if shift not in found:
                    found.append(shift)
                if len(found) > _MOVES:
                    raise NoAlgebra("too many different moves")
    return found


def _of_pair(here: Sequence[tuple[Places, Quotient]], there: Sequence[tuple[Places, Quotient]]) -> tuple[_Shift, ...]:
    """Return the one shift that takes a law to another one, or all differences of their places."""
    if len(here) * len(there) > _MOVES:
        raise NoAlgebra("too many places")
    first, _ = here[0]
    differences = [tuple(minus(b, a) for a, b in zip(first, place, strict=True)) for place, _ in there]
    if len(here) == len(there):
        totals = [_total(row) for row in (here, there)]
        for by in differences:
            if all(_found_moved(place, weight, by, there, totals) for place, weight in here):
                return (_Shift(by, tight=True),)
    return tuple(
        _Shift(tuple(minus(b, a) for a, b in zip(place, other, strict=True)), tight=False)
        for place, _ in here
        for other, _ in there
    )


def _found_moved(
    place: Places,
    weight: Quotient,
    by: Places,
    there: Sequence[tuple[Places, Quotient]],
    totals: Sequence[Quotient],
) -> bool:
    moved = tuple(plus(a, b) for a, b in zip(place, by, strict=True))
    return any(other == moved and times(weight, totals[1]) == times(each, totals[0]) for other, each in there)


def _total(row: Sequence[tuple[Places, Quotient]]) -> Quotient:
    total = row[0][1]
    for _, weight in row[1:]:
        total = plus(total, weight)
    return total


# --- in words ---------------------------------------------------------------------------------------------------------


def _written(
    followed: _Followed, mechanism: Mechanism, value: Quotient, demands: Demands, loss: Number
) -> Formula | None:
    """Return the formula with all that must hold for it; None if it does not give the loss at the asked values."""
    alphabet = followed.alphabet
    letters = letters_at(alphabet, demands.point)
    if not value_of_quotient(value, letters).overlaps(exact.enclose(loss, BITS)):
        return None
    notation = Notation(alphabet, letters)
    demands.probabilities(followed.probabilities)
    for noise in dict.fromkeys(mechanism.noises.values()):
        demands.law(noise.family, fixed(noise.size, followed.fixed))
    weights = [weight for rows in followed.rows.values() for row in rows.values() for _, weight in row]
    masses = [part for weight in weights for part in (weight.numerator, weight.denominator)]
    with precision(BITS):
        if not demands.hold_at(demands.point) or vanishes(masses, letters):
            return None
    conditions = conditions_for(masses, (), notation, demands.domains)
    node = notation.quotient(value)
    stated = strongest((*followed.case.conditions, *demands.stated, *conditions))
    return Formula(text_of(node), latex_of(node), stated, mathml_of(node), tree=node)
