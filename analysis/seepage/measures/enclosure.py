"""A real number known by guaranteed bounds: what the formulas of measures return, in nats or without a unit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Irrational, Number, enclose
from seepage.measures.notes import Note
from seepage.measures.result import Certainty


def _unknown(certainty: Certainty) -> Certainty:
    return Certainty.CERTIFIED if certainty is Certainty.EXACT else certainty


@dataclass(frozen=True, slots=True)
class Enclosure:
    """``lower <= true value <= upper`` and ``lower <= value <= upper``; each an ``arb`` (infinities allowed).

    ``value`` is where formulas go on from; whether it may be quoted is decided in :mod:`seepage.measures.quoting`. ``estimated`` says that it was
    computed of normal distributions in place of the exact law, so that it may be quoted where the bounds are wide.

    ``exact`` is set where the true value is that rational, ``closed`` where it is known in closed form (``log(3)``), which decides budgets at
    their boundary. ``notes`` are sentences for people.
    """

    value: arb
    lower: arb
    upper: arb
    certainty: Certainty
    exact: Fraction | None = None
    notes: tuple[Note, ...] = ()
    closed: Irrational | None = None
    estimated: bool = False

    def __post_init__(self) -> None:
        """Widen what is not a number: such a ball says that nothing is known."""
        if not (self.lower.is_nan() or self.upper.is_nan() or self.value.is_nan()):
            return
        lower = arb.neg_inf() if self.lower.is_nan() else self.lower
        upper = arb.pos_inf() if self.upper.is_nan() else self.upper
        known = (end for end in (self.value, lower, upper) if end.is_finite())
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)
        object.__setattr__(self, "value", next(known, arb(0)))
        object.__setattr__(self, "certainty", _unknown(self.certainty))

    @classmethod
    def bounded(
        cls,
        value: arb,
        lower: arb,
        upper: arb,
        certainty: Certainty = Certainty.EXACT,
        exact: Fraction | None = None,
        notes: tuple[Note, ...] = (),
        estimated: bool = False,
    ) -> Enclosure:
        """Enclose between two bounds; a value that lies outside them becomes the nearer one, and is no estimate any more."""
        middle = value.mid()
        if not middle >= lower:
            middle, estimated = lower, False
        elif not middle <= upper:
            middle, estimated = upper, False
        return cls(middle, lower, upper, certainty, exact, notes, estimated=estimated)

    @classmethod
    def of_ball(cls, ball: arb, exact: Fraction | None = None) -> Enclosure:
        """Enclose by a ball whose radius is rounding only."""
        return cls(ball.mid(), ball.lower(), ball.upper(), Certainty.EXACT, exact)

    @classmethod
    def of_number(cls, number: Number) -> Enclosure:
        """Enclose a number that is known in closed form."""
        if isinstance(number, Irrational):
            return replace(cls.of_ball(enclose(number)), closed=number)
        return cls.of_rational(Fraction(number))

    @classmethod
    def of_rational(cls, number: Fraction) -> Enclosure:
        """Enclose a rational that is known exactly."""
        return cls.of_ball(arb(number.numerator) / arb(number.denominator), number)
