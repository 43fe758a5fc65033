"""How claims about parts become one about the whole: sums, products and powers that keep exact numbers, closed forms and formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures import arithmetic
from seepage.measures.arithmetic import WORKING_BITS, worst
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.arithmetic import combined_formula, constant_formula
from seepage.measures.planning.claim import Claim
from seepage.measures.quantity import Search, Several, Witness, total
from seepage.measures.result import Certainty, Companion, Formula
from seepage.measures.rounding import float_ends

Counted: TypeAlias = Sequence[tuple[Claim, int]]
"""Claims about parts, each with how many parts are like it."""

_LONGEST = 50_000  # bits of an exact power
_WITNESSES = 4  # kinds of parts whose worst case is told
_TERMS = 256  # different ones whose closed forms are added up


def sum_of(parts: Counted) -> Claim:
    """Return the sum of the numbers of all parts."""
    terms = [_times(claim, count) for claim, count in parts]
    found = total(terms)
    enclosure = _closed_sum([(claim.enclosure, count) for claim, count in parts]) or found.enclosure
    enclosure = replace(enclosure, notes=found.enclosure.notes)
    search, witness = _search(found, parts), _witness(parts)
    return replace(found, enclosure=enclosure, companions=_companions(parts), search=search, witness=witness)


def product_of(parts: Counted) -> Claim:
    """Return the product of the numbers of all parts, none of which is negative."""
    terms = [_power(claim, count) for claim, count in parts]
    enclosure, formula = terms[0].enclosure, terms[0].formula
    for term in terms[1:]:
        enclosure = arithmetic.multiply(enclosure, term.enclosure)
        formula = combined_formula("*", formula, term.formula)
    found = total(terms)
    search = _search(found, parts)
    return replace(found, enclosure=enclosure, formula=formula, companions=_companions(parts), search=search)


def _search(found: Claim, parts: Counted) -> Search | Several | None:
    """Return what finds the formula later: of several parts only all of them together do."""
    is_whole = len(parts) == 1 and parts[0][1] == 1
    return found.search if is_whole or found.search is None else Several()


def largest(parts: Counted, most: int) -> Claim:
    """Return the sum of the greatest numbers, ``most`` of them, of parts none of which has a negative one."""
    if most >= sum(count for _, count in parts):
        return _of_chosen(parts, parts)
    numbers = [number for claim, _ in parts if (number := _number(claim.enclosure)) is not None]
    if len(numbers) == len(parts):
        known = sorted(zip(numbers, parts, strict=True), key=cmp_to_key(_greater_first))
        return _of_chosen(_first([part for _, part in known], most), parts)
    with precision(WORKING_BITS):
        lower = _sum_of_largest([(claim.enclosure.lower, count) for claim, count in parts], most)
        value = _sum_of_largest([(claim.enclosure.value, count) for claim, count in parts], most)
        upper = _sum_of_largest([(claim.enclosure.upper, count) for claim, count in parts], most)
        certainty = worst(claim.enclosure.certainty for claim, _ in parts)
        enclosure = Enclosure.bounded(value, lower.lower(), upper.upper(), certainty)
    likely = sorted(parts, key=lambda part: -float(part[0].enclosure.value))
    return replace(_of_chosen(_first(likely, most), parts), enclosure=enclosure, formula=None)


def _greater_first(one: tuple[Number, tuple[Claim, int]], other: tuple[Number, tuple[Claim, int]]) -> int:
    return exact.compare(other[0], one[0])


def _of_chosen(chosen: Counted, parts: Counted) -> Claim:
    """Return the sum of those that are greatest here; which ones these are may be otherwise at other parameters."""
    found = sum_of(chosen)
    formula = found.formula if len(chosen) == len(parts) else None
    return replace(found, formula=formula, companions=())


def _first(parts: Counted, most: int) -> list[tuple[Claim, int]]:
    chosen: list[tuple[Claim, int]] = []
    for claim, count in parts:
        taken = min(count, most - sum(each for _, each in chosen))
        if taken > 0:
            chosen.append((claim, taken))
    return chosen


def _sum_of_largest(ends: Sequence[tuple[arb, int]], most: int) -> arb:
    found, left = arb(0), most
    for end, count in sorted(ends, key=cmp_to_key(_descending)):
        taken = min(count, left)
        if taken:
            found, left = found + taken * end, left - taken
    return found


def _descending(one: tuple[arb, int], other: tuple[arb, int]) -> int:
    return int(one[0] < other[0]) - int(one[0] > other[0])


def _witness(chosen: Counted) -> Witness:
    """Say where the greatest numbers are reached: in each kind of parts once."""
    if len(chosen) == 1 and chosen[0][1] == 1:
        return chosen[0][0].witness
    words: list[str] = []
    for claim, count in chosen:
        if told := str(claim.witness):
            words.append(told if count == 1 else f"{told} and likewise {count - 1:,} more")
    return Witness("; ".join(words[:_WITNESSES]) + ("; …" if len(words) > _WITNESSES else ""))


# --- one kind of parts ------------------------------------------------------------------------------------------------


def _times(claim: Claim, count: int) -> Claim:
    if count == 1:
        return claim
    factor = Enclosure.of_rational(Fraction(count))
    enclosure = arithmetic.multiply(claim.enclosure, factor)
    return replace(claim, enclosure=enclosure, formula=_with_count("*", claim.formula, count))


def _power(claim: Claim, count: int) -> Claim:
    if count == 1:
        return claim
    formula = _with_count("^", claim.formula, count)
    return replace(claim, enclosure=power_of(claim.enclosure, count), formula=formula)


def _with_count(operator: str, formula: Formula | None, count: int) -> Formula | None:
    if formula is None:
        return None
    if operator == "*":
        return combined_formula("*", constant_formula(Fraction(count)), formula)
    return combined_formula("^", formula, constant_formula(Fraction(count)))


def power_of(known: Enclosure, count: int) -> Enclosure:
    """Return a power of a number that is not negative."""
    number = known.exact
    size = 0 if number is None else max(number.numerator.bit_length(), number.denominator.bit_length())
    if number is not None and size * count <= _LONGEST:
        return replace(Enclosure.of_rational(number**count), certainty=known.certainty, notes=known.notes)
    with precision(WORKING_BITS + count.bit_length()):
        lower, value, upper = (end**count for end in (known.lower.max(arb(0)), known.value, known.upper))
        return Enclosure.bounded(value, lower.lower(), upper.upper(), known.certainty, notes=known.notes)


def _closed_sum(terms: Sequence[tuple[Enclosure, int]]) -> Enclosure | None:
    """Return the sum of numbers that are all known in closed form, None if some is not."""
    if len(terms) > _TERMS:
        return None
    try:
        found: Number = 0
        for known, count in terms:
            number = _number(known)
            if number is None:
                return None
            found = exact.add(found, exact.mul(count, number))
        with precision(WORKING_BITS):  # of a sum that others may be subtracted from
            return replace(Enclosure.of_number(found), certainty=worst(known.certainty for known, _ in terms))
    except ArithmeticFault:
        return None


def _number(known: Enclosure) -> Number | None:
    return known.closed if known.exact is None else known.exact


# --- what stands beside -----------------------------------------------------------------------------------------------


def _companions(parts: Counted) -> tuple[Companion, ...]:
    """Return the products of the chances that stand beside the numbers of parts."""
    first = parts[0][0].companions
    if any(len(claim.companions) != len(first) for claim, _ in parts):
        return ()
    places = range(len(first))
    return tuple(_multiplied([(claim.companions[place], count) for claim, count in parts]) for place in places)


def _multiplied(parts: Sequence[tuple[Companion, int]]) -> Companion:
    found = Enclosure.of_rational(Fraction(1))
    for each, count in parts:
        known = Enclosure(arb(each.value), arb(each.lower), arb(each.upper), Certainty.EXACT)
        found = arithmetic.multiply(found, power_of(known, count))
    lower, value, upper = float_ends(found)
    return Companion(parts[0][0].name, "", value, lower, upper)
