"""From the numbers that formulas return to results: the unit that was asked for, how far they hold, which engine they rest on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage import exact
from seepage.diagnostics import Reason
from seepage.engines.outcome import Joint, MixtureJoint
from seepage.measures.arithmetic import worst
from seepage.measures.asking import Asking, InformationUnit
from seepage.measures.clock import given_up
from seepage.measures.enclosure import Enclosure
from seepage.measures.engine import Engine
from seepage.measures.formulas.form import NO_FORMULA, ClosedForm
from seepage.measures.notes import Note, NoteKind
from seepage.measures.parameters import domains_of
from seepage.measures.planning.table import MEASURES
from seepage.measures.quantity import Quantity
from seepage.measures.quoting import certainty_of, is_narrow, is_quotable
from seepage.measures.result import Certainty, Companion, Formula, Result, Unit
from seepage.measures.rounding import beyond_floats, exceeds_floats, float_ends, in_bits
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall, MeasureExpression


def in_unit(
    unit: InformationUnit,
    nats: Enclosure,
    joint: Joint | None,
    bits: Fraction | None = None,
    formula: ClosedForm | Formula | None = None,
    other: Joint | None = None,
) -> Quantity:
    """Turn nats, found from no joint, one or two, into the unit asked for; ``bits`` is the exact number of bits where that is known."""
    because = _reasons(joint) + (_reasons(other) if other is not None else ())
    if bits is not None and unit == "bits":
        enclosure = replace(Enclosure.of_rational(bits), notes=nats.notes)
    elif bits == 0:
        enclosure = replace(Enclosure.of_rational(Fraction(0)), notes=nats.notes)
    else:
        enclosure = in_bits(nats) if unit == "bits" else nats
    closed = formula if isinstance(formula, ClosedForm) else ClosedForm(formula)
    return Quantity(
        _marked(enclosure, because),
        1,
        _engine(joint),
        because,
        closed.formula,
        notes=closed.notes,
        search=closed.search,
    )


def without_unit(enclosure: Enclosure, joint: Joint | None, closed: ClosedForm = NO_FORMULA) -> Quantity:
    """Return a probability, a mean, …: a number that no unit changes."""
    because = _reasons(joint)
    return Quantity(
        _marked(enclosure, because),
        0,
        _engine(joint),
        because,
        closed.formula,
        notes=closed.notes,
        search=closed.search,
    )


def result_of(asking: Asking, measure: MeasureExpression, quantity: Quantity, seconds: float = 0.0) -> Result:
    """Return the record of a measure's number; its dimension must be 0, 1 or None."""
    symbol = measure.name if isinstance(measure, MeasureCall) else "M"
    return titled_result(asking, spell(measure), symbol, quantity, seconds)


def titled_result(asking: Asking, title: str, symbol: str, quantity: Quantity, seconds: float = 0.0) -> Result:
    """Return the same of a measure that nobody wrote; ``title`` is for people: values in it may be shortened."""
    width = MEASURES[symbol].width if symbol in MEASURES else None
    possible = None if width is None else arb(width)
    quoted = is_quotable(quantity.enclosure, possible)
    lower, value, upper = float_ends(quantity.enclosure)
    beyond = beyond_floats(quantity.enclosure)
    formula = quantity.formula and replace(quantity.formula, domains=domains_of(asking.checked))
    return Result(
        measure=title,
        unit=asking.unit if quantity.dimension == 1 else "",
        value=value if quoted and not exceeds_floats(quantity.enclosure) else None,
        lower=lower,
        upper=upper,
        certainty=certainty_of(quantity.enclosure),
        engine=quantity.engine,
        formula=formula,
        because=quantity.because if quantity.given_up is None else (),
        params={name: exact.show(number) for name, number in asking.parameters.items()},
        seconds=seconds,
        exact=quantity.enclosure.exact,
        remarks=_remarks(quantity),
        symbol=symbol,
        witness=str(quantity.witness),
        companions=quantity.companions,
        closed=quantity.enclosure.closed,
        beyond=beyond if quoted or beyond is None else (beyond[0], None, beyond[2]),
        estimated=quantity.enclosure.estimated and not is_narrow(quantity.enclosure, possible),
        plan=quantity.plan,
        given_up=quantity.given_up,
    )


def _remarks(quantity: Quantity) -> tuple[Note, ...]:
    late = () if quantity.given_up is None else (Note(given_up(quantity.given_up), NoteKind.GIVEN_UP),)
    return (*late, *quantity.enclosure.notes, *quantity.notes)


def companion(name: str, unit: Unit, enclosure: Enclosure) -> Companion:
    """Return a number that stands beside a measure."""
    lower, value, upper = float_ends(enclosure)
    quoted = is_quotable(enclosure) and not exceeds_floats(enclosure)
    return Companion(name, unit, value if quoted else None, lower, upper)


def _marked(enclosure: Enclosure, because: tuple[Reason, ...]) -> Enclosure:
    """Mark a number as approximate if a statement broke exactness: then nothing is exact about it."""
    if not because:
        return enclosure
    return replace(enclosure, certainty=worst((enclosure.certainty, Certainty.APPROXIMATE)), exact=None, closed=None)


def _reasons(joint: Joint | None) -> tuple[Reason, ...]:
    return joint.approximations if isinstance(joint, MixtureJoint) else ()


def _engine(joint: Joint | None) -> Engine:
    return "soga" if isinstance(joint, MixtureJoint) else "discrete"
