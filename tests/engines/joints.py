"""Joints that engines return, taken apart for comparison with what tests know of them."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.outcome import DiscreteJoint, Joint
from seepage.exact import Irrational, Number


def discrete(joint: Joint) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
    assert isinstance(joint, DiscreteJoint)
    return joint


def rational(value: Number | None) -> Fraction:
    assert value is not None
    assert not isinstance(value, Irrational)
    return Fraction(value)


def rationals(values: tuple[Number, ...]) -> tuple[Fraction, ...]:
    return tuple(map(rational, values))


def fractions(joint: Joint) -> dict[tuple[Fraction, ...], Fraction]:
    """Return the masses of a joint of rational weights."""
    return {rationals(values): fraction(mass) for values, mass in discrete(joint).masses.items()}


def fraction(mass: fmpq | arb) -> Fraction:
    assert isinstance(mass, fmpq)
    return Fraction(int(mass.p), int(mass.q))


def ball(mass: fmpq | arb) -> arb:
    assert isinstance(mass, arb)
    return mass
