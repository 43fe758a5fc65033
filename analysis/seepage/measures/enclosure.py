"""A real number known by guaranteed bounds: what the formulas of measures return, in nats or without a unit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from seepage.measures.result import Certainty


@dataclass(frozen=True, slots=True)
class Enclosure:
    """``lower <= true value <= upper`` and ``lower <= value <= upper``; each an ``arb`` (infinities allowed).

    ``exact`` is set where the true value is that rational. ``notes`` are sentences for people.
    """

    value: arb
    lower: arb
    upper: arb
    certainty: Certainty
    exact: Fraction | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def bounded(
        cls,
        value: arb,
        lower: arb,
        upper: arb,
        certainty: Certainty = Certainty.EXACT,
        exact: Fraction | None = None,
        notes: tuple[str, ...] = (),
    ) -> Enclosure:
        """Enclose between two bounds; an estimate that lies outside them becomes the nearer one."""
        middle = value.mid()
        if not middle >= lower:
            middle = lower
        elif not middle <= upper:
            middle = upper
        return cls(middle, lower, upper, certainty, exact, notes)

    @classmethod
    def of_ball(cls, ball: arb, exact: Fraction | None = None) -> Enclosure:
        """Enclose by a ball whose radius is rounding only."""
        return cls(ball.mid(), ball.lower(), ball.upper(), Certainty.EXACT, exact)

    @classmethod
    def of_rational(cls, number: Fraction) -> Enclosure:
        """Enclose a rational that is known exactly."""
        return cls.of_ball(arb(number.numerator) / arb(number.denominator), number)
