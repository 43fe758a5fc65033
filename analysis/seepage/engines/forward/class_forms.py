r"""Forms of values that are classes: :math:`c + \sum_i q_i k_i` over independent sources, each uniform over :math:`k_i = 0, \dots, n_i - 1`.

What is asked of a form (its sign, its floor) is a number or a form, or it is after a source is split: into parts (:class:`Split`), or into the two digits of
:math:`k = m q + r` (:class:`Factor`), which keeps the number of parts small however large m is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor, lcm
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.gaussian import Affine
from seepage.exact import Number

Form: TypeAlias = Number | Affine

PIECES = 4_096  # of one class at one statement


@dataclass(frozen=True, slots=True)
class Part:
    """The values k = start + step · j of a source, for j below ``count``."""

    start: int
    step: int
    count: int


class Split(Exception):
    """A source must be split before the expression has a value."""

    def __init__(self, source: int, parts: tuple[Part, ...]) -> None:
        super().__init__(source, parts)
        self.source = source
        self.parts = parts


class Factor(Exception):
    """A source must become two: k = modulus · q + r."""

    def __init__(self, source: int, modulus: int) -> None:
        super().__init__(source, modulus)
        self.source = source
        self.modulus = modulus


class Stuck(Exception):
    """No split makes a form's floor or sign a form; ``pieces`` is how many parts would, where that is known."""

    def __init__(self, pieces: int = 0) -> None:
        super().__init__(pieces)
        self.pieces = pieces


def combined(constant: Number, terms: Iterable[tuple[int, Number]]) -> Form:
    """Return a form; terms of the same source are added up."""
    slopes: dict[int, Number] = {}
    for source, slope in terms:
        slopes[source] = exact.add(slopes[source], slope) if source in slopes else slope
    left = tuple((source, slopes[source]) for source in sorted(slopes) if slopes[source] != 0)
    return Affine(constant, left) if left else constant


def sum_of(a: Form, b: Form) -> Form:
    """Return the sum of two forms."""
    first, second = ((form.constant, form.terms) if isinstance(form, Affine) else (form, ()) for form in (a, b))
    return combined(exact.add(first[0], second[0]), (*first[1], *second[1]))


def scaled(form: Form, factor: Number) -> Form:
    """Return a form times a number."""
    if not isinstance(form, Affine):
        return exact.mul(form, factor)
    if factor == 0:
        return 0
    return Affine(
        exact.mul(form.constant, factor), tuple((source, exact.mul(slope, factor)) for source, slope in form.terms)
    )


def rational(form: Affine) -> tuple[Fraction, list[tuple[int, Fraction]]]:
    """Return constant and terms, those with the steepest slopes first.

    Raises:
        Stuck: if some of them is irrational.
    """
    constant = exact.to_fraction(form.constant)
    terms = [(source, fraction) for source, slope in form.terms if (fraction := exact.to_fraction(slope)) is not None]
    if constant is None or len(terms) < len(form.terms):
        raise Stuck
    return constant, sorted(terms, key=lambda term: -abs(term[1]))


def is_one_to_one(form: Form, sizes: Sequence[int]) -> bool:
    """Tell whether different values of the sources are known to give different values: each slope exceeds all that flatter terms add up to."""
    if not isinstance(form, Affine) or len(form.terms) == 1:
        return True
    try:
        _, terms = rational(form)
    except Stuck:
        return False
    reach = Fraction(0)
    for source, slope in reversed(terms):
        if abs(slope) <= reach:
            return False
        reach += abs(slope) * (sizes[source] - 1)
    return True


def ends(constant: Fraction, terms: Iterable[tuple[int, Fraction]], sizes: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest value."""
    low = high = constant
    for source, slope in terms:
        reach = slope * (sizes[source] - 1)
        low, high = low + min(reach, Fraction(0)), high + max(reach, Fraction(0))
    return low, high


def floor_of(form: Form, sizes: Sequence[int]) -> Form:
    """Return the greatest whole number that is not above.

    Raises:
        Split, Factor: if a source must be split first.
        Stuck: if that would be into too many parts, or is not known.
    """
    if not isinstance(form, Affine):
        return exact.floor_(form)
    constant, terms = rational(form)
    whole = [term for term in terms if term[1].denominator == 1]
    broken = [term for term in terms if term[1].denominator != 1]
    while broken:
        # What the steeper terms leave are multiples of 1/unit: a digit that stays between two of them does not carry.
        source, slope = broken.pop()
        unit = lcm(*(steeper.denominator for _, steeper in broken))
        low, high = ends(constant, [(source, slope)], sizes)
        if floor(low * unit) != floor(high * unit):
            raise _steps(source, sizes[source], constant, slope, unit)
        constant = Fraction(floor(low * unit), unit)
    return combined(floor(constant), whole)


def _steps(source: int, size: int, constant: Fraction, slope: Fraction, unit: int) -> Exception:
    """Return the split into parts on which floor(unit · (constant + slope · k)) is constant, or a form."""
    constant, ratio = constant * unit, slope * unit
    first, last = floor(constant), floor(constant + ratio * (size - 1))
    blocks = abs(last - first) + 1
    if ratio.denominator == 1:
        return Split(source, residues(size, slope.denominator)) if slope.denominator <= PIECES else Stuck()
    if min(blocks, ratio.denominator) > PIECES:
        return Factor(source, ratio.denominator) if ratio.denominator < size else Stuck(min(blocks, ratio.denominator))
    if ratio.denominator <= blocks:
        return Split(source, residues(size, ratio.denominator))
    steps = range(first + 1, last + 1) if ratio > 0 else range(first, last, -1)
    # Rising: the value n begins at the least k with c + qk >= n; falling: n is left at the least k with c + qk < n.
    cuts = [ceil((n - constant) / ratio) if ratio > 0 else floor((n - constant) / ratio) + 1 for n in steps]
    return Split(source, intervals(size, cuts))


def sign_of(form: Form, sizes: Sequence[int], equal: bool = False) -> int:
    """Return the sign of a form; with ``equal``, any number but 0 stands for both signs other than 0.

    Raises:
        Split: if a source must be split first.
        Stuck: if that would be into too many parts.
    """
    if not isinstance(form, Affine):
        return exact.sign(form)
    if len(form.terms) != 1:
        return _sign_of_several(form, sizes)
    ((source, slope),) = form.terms
    size = sizes[source]
    signs = (exact.sign(form.constant), exact.sign(exact.add(form.constant, exact.mul(slope, size - 1))))
    if signs[0] == signs[1] != 0:
        return signs[0]
    root = exact.div(exact.neg(form.constant), slope)  # between the ends
    whole = exact.floor_(root)
    assert isinstance(whole, int)
    if root == whole:
        raise Split(source, intervals(size, [whole, whole + 1]))
    if equal:
        return 1
    raise Split(source, intervals(size, [whole + 1]))


def _sign_of_several(form: Affine, sizes: Sequence[int]) -> int:
    """Return the sign where the steepest term decides it; that source is split at the few values where it does not."""
    constant, terms = rational(form)
    low, high = ends(constant, terms, sizes)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    (source, slope), *flatter = terms
    low, high = ends(constant, flatter, sizes)
    places = (-high / slope, -low / slope) if slope > 0 else (-low / slope, -high / slope)
    first, last = max(ceil(places[0]), 0), min(floor(places[1]), sizes[source] - 1)
    if last - first >= PIECES // 4:
        raise Stuck
    raise Split(source, intervals(sizes[source], range(first, last + 2)))


def intervals(size: int, cuts: Iterable[int]) -> tuple[Part, ...]:
    """Return the parts of 0 … size − 1 between cuts, each the first place of a part."""
    places = sorted({0, size, *(cut for cut in cuts if 0 < cut < size)})
    return tuple(Part(low, 1, high - low) for low, high in itertools.pairwise(places))


def residues(size: int, modulus: int) -> tuple[Part, ...]:
    """Return the parts of 0 … size − 1 with equal remainders."""
    return tuple(Part(r, modulus, (size - r + modulus - 1) // modulus) for r in range(min(size, modulus)))


def masked(form: Form, mask: int, sizes: Sequence[int]) -> Form:
    """Return bit_and of a whole number that is not negative and a mask: the sum of what each run of ones in the mask keeps; raises as :func:`floor_of`."""
    kept: Form = 0
    low = 0
    while mask >> low:
        if not mask >> low & 1:
            low += 1
            continue
        high = low
        while mask >> high & 1:
            high += 1
        for place, sign in ((low, 1), (high, -1)):
            above = floor_of(scaled(form, Fraction(1, 2**place)), sizes)
            kept = sum_of(kept, scaled(above, sign * 2**place))
        low = high
    return kept
