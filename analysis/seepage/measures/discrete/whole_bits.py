r"""Entropies that are a rational number of bits, found exactly.

For whole weights :math:`m_i` with sum :math:`M`, :math:`M\,H = \log M^M - \sum_i \log m_i^{m_i}`. Entropies, conditional entropies,
mutual information and divergence of such weights are thus logarithms of one rational number, with a rational factor; they
are rational in bits if and only if, after factoring into primes, only the prime 2 is left (logarithms of primes are linearly independent
over the rationals). A budget such as ``I(s; o) <= 1 bits`` for a program that leaks exactly one bit rests on this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from flint import arb, fmpq, fmpz

from seepage.engines.forward.class_joint import ClassJoint
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Irrational, Number, add, log_, mul
from seepage.measures.discrete.weights import Values, Whole, marginal, weights_of

_FACTOR_BITS = 96  # factored in microseconds
_MAX_PRIMES = 16  # in a closed form
_MAX_WEIGHTS, _MAX_DIFFERENT = 100_000, 4_096  # beyond, the search is not worth its time

Logarithm = Mapping[int, Fraction]
Joint = DiscreteJoint[fmpq] | DiscreteJoint[arb]


def information_bits(joint: Joint, signed: Iterable[tuple[int, Sequence[str]]]) -> Fraction | None:
    r"""Return :math:`\sum \pm H(\text{variables})` in bits where that is rational, None where it is not or is not found.

    Args:
        joint: of all variables named.
        signed: the sign with which the joint entropy of some variables counts: H(x | y) is ``[(1, xy), (-1, y)]``.
    """
    exponents = _exponents(joint, signed)
    return None if exponents is None else _only_two(exponents)


def closed_information(joint: Joint, signed: Iterable[tuple[int, Sequence[str]]]) -> Irrational | None:
    """Return the same sum in nats as a closed form in logarithms, None where it is rational, has many of them, or is not found."""
    exponents = _exponents(joint, signed)
    return None if exponents is None else _closed(exponents)


def _exponents(joint: Joint, signed: Iterable[tuple[int, Sequence[str]]]) -> dict[int, Fraction] | None:
    weights = _whole(joint)
    if weights is None:
        return None
    total = sum(int(weight) for weight in weights.values())
    exponents: dict[int, Fraction] = {}
    for sign, names in signed:
        if not names:
            continue
        parts = marginal(weights, joint.positions(tuple(dict.fromkeys(names))))
        if not _collect(exponents, total, Fraction(sign)):
            return None
        different = Counter(map(int, parts.values()))
        if len(different) > _MAX_DIFFERENT:
            return None
        for part, count in different.items():
            if not _collect(exponents, part, Fraction(-sign * part * count, total)):
                return None
    return exponents


def class_bits(
    joint: ClassJoint[fmpq] | ClassJoint[arb], signed: Iterable[tuple[int, Sequence[str]]]
) -> Fraction | None:
    r"""Do the same for variables that are uniform over huge ranges: an entry adds the logarithm of how many values it has."""
    weights = _whole(joint.symbols)
    if weights is None:
        return None
    total = sum(int(weight) for weight in weights.values())
    exponents: dict[int, Fraction] = {}
    for sign, names in signed:
        places = joint.symbols.positions(joint.shown(tuple(dict.fromkeys(names))))
        if not places:
            continue
        parts: dict[Values, int] = {}
        for key, weight in weights.items():
            part = tuple(key[place] for place in places)
            parts[part] = parts.get(part, 0) + int(weight)
            if not _collect(exponents, joint.count(key, places), Fraction(sign * int(weight), total)):
                return None
        if not _collect(exponents, total, Fraction(sign)):
            return None
        for size in parts.values():
            if not _collect(exponents, size, Fraction(-sign * size, total)):
                return None
    return _only_two(exponents)


def divergence_bits(joint_p: Joint, x: Sequence[str], joint_q: Joint, y: Sequence[str]) -> Fraction | None:
    r"""Return :math:`\sum p \log_2 (p / q)` where that is rational and finite, None elsewhere."""
    exponents = _divergence(joint_p, x, joint_q, y)
    return None if exponents is None else _only_two(exponents)


def closed_divergence(joint_p: Joint, x: Sequence[str], joint_q: Joint, y: Sequence[str]) -> Irrational | None:
    """Return the same in nats as a closed form in logarithms, None where it is rational, has many of them, or is not found."""
    exponents = _divergence(joint_p, x, joint_q, y)
    return None if exponents is None else _closed(exponents)


def _divergence(joint_p: Joint, x: Sequence[str], joint_q: Joint, y: Sequence[str]) -> dict[int, Fraction] | None:
    p, q = _whole(joint_p), _whole(joint_q)
    if p is None or q is None:
        return None
    left, right = marginal(p, joint_p.positions(x)), marginal(q, joint_q.positions(y))
    total_p, total_q = sum(map(int, left.values())), sum(map(int, right.values()))
    exponents: dict[int, Fraction] = {}
    for values, weight in left.items():
        if values not in right:
            return None
        share = Fraction(int(weight), total_p)
        for number, sign in ((int(weight), 1), (total_p, -1), (int(right[values]), -1), (total_q, 1)):
            if not _collect(exponents, number, sign * share):
                return None
    return exponents


def _whole(joint: Joint) -> Mapping[Values, fmpz] | None:
    if joint.cut is not None or len(joint.masses) > _MAX_WEIGHTS:
        return None
    weights = weights_of(joint)
    return weights.weights if isinstance(weights, Whole) else None


def _collect(exponents: dict[int, Fraction], number: int, factor: Fraction) -> bool:
    """Add ``factor · log(number)``; False if the number is too large to factor."""
    twos = (number & -number).bit_length() - 1
    exponents[2] = exponents.get(2, Fraction(0)) + factor * twos
    number >>= twos
    if number.bit_length() > _FACTOR_BITS:
        return False
    for prime, exponent in _factors(number):
        exponents[prime] = exponents.get(prime, Fraction(0)) + factor * exponent
    return True


@lru_cache(maxsize=10_000)
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    return tuple((int(prime), int(exponent)) for prime, exponent in fmpz(number).factor())


def _closed(exponents: Logarithm) -> Irrational | None:
    told = {prime: exponent for prime, exponent in exponents.items() if exponent}
    if len(told) > _MAX_PRIMES:
        return None
    total: Number = 0
    for prime, exponent in told.items():
        total = add(total, mul(exponent, log_(prime)))
    return total if isinstance(total, Irrational) else None


def _only_two(exponents: Logarithm) -> Fraction | None:
    if any(exponent for prime, exponent in exponents.items() if prime != 2):
        return None
    return exponents.get(2, Fraction(0))
