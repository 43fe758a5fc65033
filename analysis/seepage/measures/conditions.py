"""Side conditions of formulas: where in the domains of the parameters a polynomial may vanish.

The tests err to the safe side: a condition may be stated where none is needed, never the reverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, Letter
from seepage.exact import compare, enclose, exp_, mul, number, show
from seepage.measures.notation import Notation, value_of
from seepage.semantics.checked import Domain
from seepage.syntax import tree

_CORNERS = 6  # letters of which all corners of the domain are visited
EVERYWHERE = Domain(None, None, low_closed=False, high_closed=False)


def conditions_for(
    divisors: Iterable[fmpq_mpoly],
    arguments: Iterable[fmpq_mpoly],
    notation: Notation,
    domains: Mapping[str, Domain],
) -> tuple[str, ...]:
    """Return what must hold for a formula to be read as it stands: divisors that differ from 0, and how log 0 is meant."""
    stated: dict[str, None] = {}
    for factor in _factors(divisors):
        if not never_zero(factor, notation.alphabet, domains):
            stated[_condition(factor, notation, domains)] = None
    if any(not never_zero(factor, notation.alphabet, domains) for factor in _factors(arguments)):
        stated["0·log 0 = 0"] = None
    return tuple(stated)


def _factors(polynomials: Iterable[fmpq_mpoly]) -> list[fmpq_mpoly]:
    found: list[fmpq_mpoly] = []
    for polynomial in polynomials:
        for factor, _ in polynomial.factor()[1]:
            if factor not in found:
                found.append(factor)
    return found


def never_zero(polynomial: fmpq_mpoly, alphabet: Alphabet, domains: Mapping[str, Domain]) -> bool:
    """Tell whether an irreducible polynomial is known to vanish nowhere in the domains."""
    used = [place for place, degree in enumerate(polynomial.degrees()) if degree]
    if not used:
        return not polynomial.is_zero()
    root = _root(polynomial, used, alphabet)
    if root is not None:
        name, value = root
        return not domains.get(name, EVERYWHERE).contains(number(value))
    if len(used) == 1 and alphabet.letters[used[0]].kind == "exponential" and len(polynomial) == 1:
        return True
    if len(used) > _CORNERS or any(polynomial.degrees()[place] > 1 for place in used):
        return False
    ranges = {place: _range(alphabet.letters[place], domains) for place in used}
    return any(_positive(signed, used, ranges, {}, strict=True) for signed in (polynomial, -polynomial))


def _root(polynomial: fmpq_mpoly, used: Sequence[int], alphabet: Alphabet) -> tuple[str, Fraction] | None:
    """Return the parameter and the rational value at which a polynomial of degree 1 in one letter vanishes.

    An exponential of a parameter is 1 where the parameter is 0; its other roots are irrational, and None is returned.
    """
    if len(used) != 1 or polynomial.degrees()[used[0]] != 1:
        return None
    slope, offset = Fraction(0), Fraction(0)
    for exponents, coefficient in polynomial.terms():
        value = Fraction(int(coefficient.p), int(coefficient.q))
        if exponents[used[0]]:
            slope = value
        else:
            offset = value
    letter = alphabet.letters[used[0]]
    match letter.kind, letter.meaning, letter.monomial:
        case "parameter", tree.Name(id=name), _:
            return name, -offset / slope
        case "exponential", _, ((name, 1),) if offset == -slope:
            return name, Fraction(0)
        case _:
            return None


def _range(letter: Letter, domains: Mapping[str, Domain]) -> tuple[arb | None, arb | None]:
    """Return the ends of a letter's values, None for an infinite one."""
    if letter.kind == "exponential":
        match letter.monomial:
            case ((name, 1),):
                domain = domains.get(name, EVERYWHERE)
                low = arb(0) if domain.low is None else enclose(exp_(mul(number(letter.rate), domain.low)))
                high = None if domain.high is None else enclose(exp_(mul(number(letter.rate), domain.high)))
                return low, high
            case _:
                return arb(0), None
    if isinstance(letter.meaning, tree.Name) and letter.kind == "parameter":
        domain = domains.get(letter.meaning.id, EVERYWHERE)
        return (
            None if domain.low is None else enclose(domain.low),
            None if domain.high is None else enclose(domain.high),
        )
    return None, None


def _positive(
    polynomial: fmpq_mpoly,
    left: Sequence[int],
    ranges: Mapping[int, tuple[arb | None, arb | None]],
    chosen: dict[int, arb],
    strict: bool,
) -> bool:
    """Tell whether a polynomial of degree 1 in each letter is positive (not negative) on a box: it is at the corners.

    Towards an infinite end the slope must not be negative.
    """
    if polynomial.is_zero():
        return not strict
    if not left:
        letters = [chosen.get(place, arb(0)) for place in range(max(chosen, default=0) + 1)]
        value = value_of(polynomial, letters)
        return bool(value > 0) if strict else bool(value >= 0)
    place, rest = left[0], left[1:]
    low, high = ranges[place]
    if low is None or not _positive(polynomial, rest, ranges, {**chosen, place: low}, strict):
        return False
    if high is None:
        return _positive(polynomial.derivative(place), rest, ranges, chosen, strict=False)
    return _positive(polynomial, rest, ranges, {**chosen, place: high}, strict)


def _condition(factor: fmpq_mpoly, notation: Notation, domains: Mapping[str, Domain]) -> str:
    used = [place for place, degree in enumerate(factor.degrees()) if degree]
    root = _root(factor, used, notation.alphabet)
    if root is None:
        oriented = -factor if value_of(factor, notation.sample) < 0 else factor
        return f"{notation.polynomial(oriented).text} ≠ 0"
    name, value = root
    domain = domains.get(name, EVERYWHERE)
    if domain.low is not None and compare(domain.low, number(value)) == 0:
        return f"{name} > {show(number(value))}"
    if domain.high is not None and compare(domain.high, number(value)) == 0:
        return f"{name} < {show(number(value))}"
    return f"{name} ≠ {show(number(value))}"
