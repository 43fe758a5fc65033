"""A measure's number in its unit, and where it came from; how measures combine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Reason
from seepage.exact import Undefined
from seepage.measures import arithmetic
from seepage.measures.arithmetic import GREATEST_POWER, Operator
from seepage.measures.enclosure import Enclosure
from seepage.measures.engine import ENGINES, Engine
from seepage.measures.formulas.arithmetic import combined_formula
from seepage.measures.notes import Note, too_long_formula
from seepage.measures.planning.plan import Step
from seepage.measures.result import Companion, Formula
from seepage.measures.scope import fail
from seepage.source import Span


@dataclass(frozen=True, slots=True)
class Search:
    """A search for a formula that is put off until the numbers are known; ``number`` tells it from others of one memory."""

    number: int


@dataclass(frozen=True, slots=True)
class Several:
    """In the place of a search: the quantity is made of several, some of which wait for their formulas."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Where a supremum is reached, in the words of the program; nothing is decided by these.

    Attributes:
        inputs: what is compared, or which prior it is; empty if nothing is known.
        output: at which output, if that is known.
        given: which values of the variables that are held at their worst.
    """

    inputs: str = ""
    output: str = ""
    given: str = ""

    def __str__(self) -> str:
        parts = (self.inputs, self.output and f"at {self.output}", self.given and f"given {self.given}")
        return ", ".join(part for part in parts if part)


NOWHERE = Witness()


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measure's number in the unit asked for, and where it came from.

    Attributes:
        enclosure: the number.
        dimension: the power of the unit in it: 1 for entropies, 0 for probabilities, None for a static number, which takes
            the unit of what it is added to.
        engine: the least trivial engine that worked for it, as in :data:`~seepage.measures.engine.SENTENCES`.
        because: the statements that broke exactness.
        formula: closed form in the parameters.
        witness: where a supremum is reached, as in :class:`Result`; lost where measures combine.
        companions: numbers that belong to it, as in :class:`Result`; lost where measures combine.
        notes: what is to be known of its formula; the enclosure has further ones.
        plan: how it was found.
        search: the search that finds its formula later, as :class:`ClosedForm` has it; ``Several`` if there are several, None if nothing is put off.
        given_up: the seconds of a processor after which it was given up to find more; None if time was no reason.
    """

    enclosure: Enclosure
    dimension: int | None
    engine: Engine
    because: tuple[Reason, ...] = ()
    formula: Formula | None = None
    witness: Witness = NOWHERE
    companions: tuple[Companion, ...] = ()
    notes: tuple[Note, ...] = ()
    search: Search | Several | None = None
    plan: tuple[Step, ...] = field(default=(), compare=False)
    given_up: float | None = None


def total(terms: Sequence[Quantity]) -> Quantity:
    """Add at least one quantity of one dimension."""
    if len(terms) == 1:
        return terms[0]
    enclosure, formula = terms[0].enclosure, terms[0].formula
    for term in terms[1:]:
        enclosure = arithmetic.add(enclosure, term.enclosure)
        formula = combined_formula("+", formula, term.formula)
    engine = _busiest(term.engine for term in terms)
    notes, plan, search, late = _notes(terms, formula), _plans(terms), _search(terms), _given_up(terms)
    dimension, because = terms[0].dimension, _reasons(terms)
    return Quantity(
        enclosure, dimension, engine, because, formula, notes=notes, search=search, plan=plan, given_up=late
    )


def combined(operator: Operator, left: Quantity, right: Quantity, place: Span) -> Quantity:
    """Return ``left operator right``; ``place`` is where a fault is reported.

    Raises:
        Fault: units that do not fit, an exponent that is no small whole number, a combination without a value.
    """
    dimension = _dimension(operator, left.dimension, right, place)
    if operator == "^":
        _exponent(right, place)
    try:
        enclosure = arithmetic.operation(operator, left.enclosure, right.enclosure)
    except Undefined as undefined:
        fail(rules.UNDEFINED_MEASURE, place, f"the measure has no value: {undefined.reason}")
    formula = combined_formula(operator, left.formula, right.formula)
    sides = (left, right)
    engine = _busiest(side.engine for side in sides)
    notes, plan, search, late = _notes(sides, formula), _plans(sides), _search(sides), _given_up(sides)
    because = _reasons(sides)
    return Quantity(
        enclosure, dimension, engine, because, formula, notes=notes, search=search, plan=plan, given_up=late
    )


def _given_up(terms: Sequence[Quantity]) -> float | None:
    seconds = [term.given_up for term in terms if term.given_up is not None]
    return sum(seconds) if seconds else None


def _exponent(right: Quantity, place: Span) -> int:
    exponent = right.enclosure.exact
    if right.dimension is None and exponent is not None and exponent.denominator == 1:
        whole = exponent.numerator
        if abs(whole) <= GREATEST_POWER:
            return whole
    fail(rules.UNFIT_MEASURE, place, f"found another exponent, expected a whole number of at most {GREATEST_POWER}")


def _dimension(operator: Operator, left: int | None, right: Quantity, place: Span) -> int | None:
    static = left is None and right.dimension is None
    match operator:
        case "+" | "-":
            if left is not None and right.dimension is not None and left != right.dimension:
                message = "found measures with different units, expected the same unit on both sides"
                fail(rules.UNITS_DO_NOT_FIT, place, message)
            return left if left is not None else right.dimension
        case "*":
            return None if static else (left or 0) + (right.dimension or 0)
        case "/":
            return None if static else (left or 0) - (right.dimension or 0)
        case "^":
            return None if left is None else left * _exponent(right, place)


def _busiest(engines: Iterable[Engine]) -> Engine:
    """Return the engine that says most about how the numbers came about."""
    return max(engines, key=ENGINES.index)


def _reasons(terms: Iterable[Quantity]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reason for term in terms for reason in term.because))


def _plans(terms: Iterable[Quantity]) -> tuple[Step, ...]:
    return tuple(dict.fromkeys(step for term in terms for step in term.plan))


def _search(terms: Iterable[Quantity]) -> Several | None:
    return Several() if any(term.search is not None for term in terms) else None


def _notes(terms: Sequence[Quantity], formula: Formula | None) -> tuple[Note, ...]:
    """Return the notes of the terms; one more where all have a formula, but together they are too long."""
    found = dict.fromkeys(note for term in terms for note in term.notes)
    if formula is None and all(term.formula is not None for term in terms) and not found:
        found[too_long_formula()] = None
    return tuple(found)
