"""Numbers, their arithmetic and order, balls around them, and how they are spelled.

An irrational number is a quotient of two sums of products of generators; a generator may be the logarithm or exponential of such a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from threading import RLock
from types import MappingProxyType
from typing import TypeAlias

from flint import arb, ctx, fmpz

from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.exact.faults import CannotDecide, TooLarge, Undefined
from seepage.exact.symbols import symbol_of

MAX_BITS = 20_000  # beyond, a number is a mistake (10^10^10) rather than a value
_MAX_TERMS = 400  # of a numerator or denominator
_PRECISIONS = (128, 512, 2048, 8192)
_ONE_AT_A_TIME = RLock()
_LONGEST_SHOWN = 300  # characters of a number in a message
_FEW_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Generator:
    """``e`` (kind "e"), a prime under a root ("root"), ``log`` of an integer or irrational ("log"), ``exp`` of an irrational ("exp")."""

    kind: str
    of: int | Irrational


Monomial: TypeAlias = frozenset[tuple[Generator, Fraction]]
Sum: TypeAlias = Mapping[Monomial, Fraction]
UNIT: Monomial = frozenset()
ONE: Sum = MappingProxyType({UNIT: Fraction(1)})


class Irrational:
    """A quotient of two sums of monomials that is not known to be rational. Immutable."""

    __slots__ = ("_hash", "denominator", "numerator")

    def __init__(self, numerator: Sum, denominator: Sum) -> None:
        self.numerator = numerator
        self.denominator = denominator
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Irrational):
            return False
        if self is other or (self.numerator == other.numerator and self.denominator == other.denominator):
            return True
        return hash(self) == hash(other) and compare(self, other) == 0

    def __hash__(self) -> int:
        # The floor of the value times 2^60 does not depend on how the value is written, and balls find it for every
        # irrational number.
        if self._hash is None:
            self._hash = hash(("Irrational", _integer_part(self, scale=60)))
        return self._hash

    def __repr__(self) -> str:
        return f"Irrational({show(self)})"

    def __reduce__(self) -> tuple[type[Irrational], tuple[dict[Monomial, Fraction], dict[Monomial, Fraction]]]:
        return Irrational, (dict(self.numerator), dict(self.denominator))


Number: TypeAlias = int | Fraction | Irrational


_end: ContextVar[Deadline | None] = ContextVar("end", default=None)


@contextmanager
def arithmetic_until(deadline: Deadline | None) -> Iterator[None]:
    """Have products of irrational numbers within this block end at a deadline (None: never), where balls can take over: each is quick, thousands are not."""
    token = _end.set(deadline)
    try:
        yield
    finally:
        _end.reset(token)


# --- sums of products of generators -----------------------------------------------------------------------------------


def monomial_of(exponents: Mapping[Generator, Fraction]) -> tuple[Fraction, Monomial]:
    """Normalise a product of generators: whole powers of primes move into the coefficient."""
    coefficient = Fraction(1)
    kept: list[tuple[Generator, Fraction]] = []
    for generator, exponent in exponents.items():
        if generator.kind == "root" and isinstance(generator.of, int):
            whole = exponent.numerator // exponent.denominator
            if abs(whole) * generator.of.bit_length() > MAX_BITS:
                raise TooLarge("a power with too many digits")
            coefficient *= Fraction(generator.of) ** whole
            exponent -= whole
        if exponent:
            kept.append((generator, exponent))
    return coefficient, frozenset(kept)


def product(a: Monomial, b: Monomial) -> tuple[Fraction, Monomial]:
    """Multiply two products of generators; the first of the result is its rational factor."""
    exponents: dict[Generator, Fraction] = dict(a)
    for generator, exponent in b:
        exponents[generator] = exponents.get(generator, Fraction(0)) + exponent
    return monomial_of(exponents)


def plus(a: Sum, b: Sum) -> Sum:
    """Return a + b.

    Raises:
        TooLarge: past the budget on terms.
    """
    total = dict(a)
    for monomial, coefficient in b.items():
        value = total.get(monomial, Fraction(0)) + coefficient
        if value:
            total[monomial] = value
        else:
            del total[monomial]
    return _bounded(total)


def times(a: Sum, b: Sum) -> Sum:
    """Return a·b.

    Raises:
        TooLarge: past the budget on terms or digits, or the deadline of :func:`arithmetic_until`.
    """
    end = _end.get()
    total: dict[Monomial, Fraction] = {}
    for first, u in a.items():
        if end is not None and end.passed():
            raise TooLarge("no time is left for an irrational number with many terms")
        for second, v in b.items():
            factor, monomial = product(first, second)
            value = total.get(monomial, Fraction(0)) + u * v * factor
            if value:
                total[monomial] = value
            else:
                del total[monomial]
    return _bounded(total)


def _bounded(total: Sum) -> Sum:
    if len(total) > _MAX_TERMS:
        raise TooLarge("an irrational number with too many terms")
    return total


# --- construction -----------------------------------------------------------------------------------------------------


def number(value: int | Fraction) -> int | Fraction:
    """Normalise a rational: an ``int`` where it is integral.

    Raises:
        TooLarge: past ``MAX_BITS``.
    """
    if isinstance(value, int):
        if value.bit_length() > MAX_BITS:
            raise TooLarge(f"a number of about {show_count(value.bit_length() * 3 // 10)} digits")
        return value
    if value.numerator.bit_length() + value.denominator.bit_length() > MAX_BITS:
        longer = max(value.numerator.bit_length(), value.denominator.bit_length())
        raise TooLarge(f"a fraction of about {show_count(longer * 3 // 10)} digits")
    return value.numerator if value.denominator == 1 else value


def to_fraction(value: Number) -> Fraction | None:
    """Return a rational number as a fraction, None for an irrational one."""
    return None if isinstance(value, Irrational) else Fraction(value)


def nearest_float(value: Number) -> float:
    """Return a float close to a number, for places in a plot and the like; infinite where it is too large for one. No bound is made of it."""
    if isinstance(value, Irrational):
        return float(enclose(value).mid())
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def is_integer(value: Number) -> bool:
    """Tell whether a number is an integer."""
    return isinstance(value, int)


def quotient(numerator: Sum, denominator: Sum) -> Number:
    """Build the normal form of a quotient whose denominator is not zero."""
    if not numerator:
        return 0
    if len(denominator) == 1:
        ((monomial, coefficient),) = denominator.items()
        inverse = frozenset((generator, -exponent) for generator, exponent in monomial)
        factor, inverse = product(inverse, UNIT)
        numerator, denominator = times(numerator, {inverse: factor / coefficient}), ONE
    # The quotient is rational exactly if the two sums are proportional.
    anchor = next(iter(numerator))
    if anchor in denominator and len(numerator) == len(denominator):
        ratio = numerator[anchor] / denominator[anchor]
        if all(denominator.get(monomial, 0) * ratio == value for monomial, value in numerator.items()):
            return number(ratio)
    return Irrational(numerator, denominator)


def parts_of(value: Number) -> tuple[Sum, Sum]:
    """Return numerator and denominator as sums."""
    if isinstance(value, Irrational):
        return value.numerator, value.denominator
    return ({UNIT: Fraction(value)} if value else {}), ONE


# --- field operations -------------------------------------------------------------------------------------------------


def add(a: Number, b: Number) -> Number:
    """Return a + b."""
    if not isinstance(a, Irrational) and not isinstance(b, Irrational):
        return number(a + b)
    (n1, d1), (n2, d2) = parts_of(a), parts_of(b)
    if d1 == d2:
        return quotient(plus(n1, n2), d1)
    return quotient(plus(times(n1, d2), times(n2, d1)), times(d1, d2))


def neg(a: Number) -> Number:
    """Return −a."""
    return mul(-1, a) if isinstance(a, Irrational) else -a


def sub(a: Number, b: Number) -> Number:
    """Return a − b."""
    if not isinstance(a, Irrational) and not isinstance(b, Irrational):
        return number(a - b)
    return add(a, neg(b))


def mul(a: Number, b: Number) -> Number:
    """Return a · b."""
    if not isinstance(a, Irrational) and not isinstance(b, Irrational):
        return number(a * b)
    (n1, d1), (n2, d2) = parts_of(a), parts_of(b)
    return quotient(times(n1, n2), times(d1, d2))


def div(a: Number, b: Number) -> Number:
    """Return a / b.

    Raises:
        Undefined: if b is 0.
    """
    if b == 0:
        raise Undefined("division by zero")
    if not isinstance(a, Irrational) and not isinstance(b, Irrational):
        return number(Fraction(a) / b)
    if isinstance(b, Irrational):
        sign(b)  # makes sure that b is no zero in disguise
    (n1, d1), (n2, d2) = parts_of(a), parts_of(b)
    return quotient(times(n1, d2), times(d1, n2))


# --- order ------------------------------------------------------------------------------------------------------------


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with balls of ``bits`` bits inside the block; blocks of other threads wait, for the library has one setting for all."""
    with _ONE_AT_A_TIME:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


def enclose(value: Number, bits: int = 128) -> arb:
    """Return a ball that contains the number, with about ``bits`` correct bits."""
    if isinstance(value, int):
        return arb(value)  # exact at every precision, and asked for in the innermost loops
    with precision(bits + 32):
        match value:
            case Irrational():
                return _enclose_sum(value.numerator, bits) / _enclose_sum(value.denominator, bits)
            case Fraction():
                return arb(value.numerator) / arb(value.denominator)


def dyadic(end: arb) -> Fraction:
    """Return the number in the middle of a ball, such as an end of another one, exactly."""
    mantissa, exponent = end.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _enclose_sum(terms: Sum, bits: int) -> arb:
    total = arb(0)
    for monomial, coefficient in terms.items():
        product = arb(coefficient.numerator) / arb(coefficient.denominator)
        for generator, exponent in monomial:
            product *= _enclose_power(generator, exponent, bits)
        total += product
    return total


def _enclose_power(generator: Generator, exponent: Fraction, bits: int) -> arb:
    power = arb(exponent.numerator) / arb(exponent.denominator)
    inner = enclose(generator.of, bits)
    match generator.kind:
        case "e" | "exp":
            return (inner * power).exp()
        case "log":
            base = inner.log()
            return base ** int(exponent) if exponent.denominator == 1 else base**power
        case _:
            return (inner.log() * power).exp()


def sign(value: Number) -> int:
    """Return −1, 0 or 1.

    Raises:
        CannotDecide: if the number is too close to 0 to tell.
    """
    if not isinstance(value, Irrational):
        return (value > 0) - (value < 0)
    for bits in _PRECISIONS:
        ball = enclose(value, bits)
        if ball > 0:
            return 1
        if ball < 0:
            return -1
    raise CannotDecide(f"cannot decide the sign of {show(value)}")


def compare(a: Number, b: Number) -> int:
    """Return −1, 0 or 1 as a is less than, equal to or greater than b."""
    if not isinstance(a, Irrational) and not isinstance(b, Irrational):
        return (a > b) - (a < b)
    return sign(sub(a, b))


def minimum(a: Number, b: Number) -> Number:
    """Return the smaller of two numbers."""
    return a if compare(a, b) <= 0 else b


def maximum(a: Number, b: Number) -> Number:
    """Return the larger of two numbers."""
    return a if compare(a, b) >= 0 else b


def abs_(a: Number) -> Number:
    """Return the absolute value."""
    return a if sign(a) >= 0 else neg(a)


def floor_(a: Number) -> int:
    """Return the largest integer that is at most a."""
    match a:
        case int():
            return a
        case Fraction():
            return a.numerator // a.denominator
        case Irrational():
            return _integer_part(a, scale=0)


def _integer_part(value: Irrational, scale: int) -> int:
    """Return the floor of the value times 2^scale."""
    for bits in (*_PRECISIONS, 2 * MAX_BITS):
        ball = enclose(value, bits)
        if ball.abs_upper() > arb(2) ** MAX_BITS:
            raise TooLarge("a number with too many digits")
        with precision(bits + scale + 32):
            whole = (ball * arb(2) ** scale).floor().unique_fmpz()
        if whole is not None:
            return int(whole)
    raise CannotDecide(f"cannot decide the integer part of {show(value)}")


def ceil_(a: Number) -> int:
    """Return the smallest integer that is at least a."""
    return -floor_(neg(a))


def modulo(a: Number, b: Number) -> Number:
    """Return a − b·⌊a / b⌋.

    Raises:
        Undefined: if b is 0.
    """
    return sub(a, mul(b, floor_(div(a, b))))


# --- for people -------------------------------------------------------------------------------------------------------


def show(value: Number) -> str:
    """Spell a number as Seep does, for people: ``1/3``, ``2*log(2)``; one that is too long to read as ``about 1.23457e2465``, a symbol bare."""
    if isinstance(value, Fraction) and (symbol := symbol_of(value)) is not None:
        return symbol or '""'
    text = spelled(value)
    return text if len(text) <= _LONGEST_SHOWN else f"about {nearest_decimal(value)}"


def nearest_decimal(value: Number) -> str:
    """Return a number of any size with six significant digits: ``1.23457e2465``. No bound is made of it."""
    mantissa, _, exponent = enclose(value).str(_FEW_DIGITS, radius=False).partition("e")
    return mantissa if not exponent else f"{mantissa}e{int(exponent)}"


def show_count(count: int) -> str:
    """Spell how many: ``1,200``, or ``10^600`` where that is all that anybody wants to know."""
    return f"{count:,}" if count < 10**21 else f"10^{len(spelled(count)) - 1}"


def spelled(value: Number) -> str:
    """Spell a number as Seep does, however long that is: ``1/3``, ``2*log(2)``, ``exp(1)/(exp(1) + 1)``."""
    if not isinstance(value, Irrational):
        return _rational(value)
    top = _show_sum(value.numerator)
    if value.denominator == ONE:
        return top
    below = f"({_show_sum(value.denominator)})"
    return f"({top})/{below}" if len(value.numerator) > 1 else f"{top}/{below}"


def _rational(value: int | Fraction) -> str:
    if isinstance(value, Fraction) and (symbol := symbol_of(value)) is not None:
        return f'"{symbol}"'
    # Python itself refuses to write integers of more than some thousand digits.
    top = str(fmpz(value.numerator))
    return top if value.denominator == 1 else f"{top}/{fmpz(value.denominator)}"


def _show_sum(terms: Sum) -> str:
    spelled = sorted((_show_term(monomial, coefficient) for monomial, coefficient in terms.items()), key=_last_if_plain)
    return " + ".join(spelled).replace("+ -", "- ")


def _last_if_plain(term: str) -> tuple[bool, str]:
    return not any(letter.isalpha() for letter in term), term


def _show_term(monomial: Monomial, coefficient: Fraction) -> str:
    factors = sorted(_show_factor(generator, exponent) for generator, exponent in monomial)
    if not factors:
        return _rational(coefficient)
    lead = f"{_rational(coefficient)}*" if abs(coefficient) != 1 else "" if coefficient == 1 else "-"
    return lead + "*".join(factors)


def _show_factor(generator: Generator, exponent: Fraction) -> str:
    match generator.kind:
        case "e":
            return f"exp({_rational(exponent)})"
        case "exp":
            inner = spelled(generator.of)
            return f"exp({inner})" if exponent == 1 else f"exp({_rational(exponent)}*({inner}))"
        case "root" if exponent == Fraction(1, 2):
            return f"sqrt({spelled(generator.of)})"
        case "root":
            return f"{spelled(generator.of)}^({_rational(exponent)})"
        case _:
            return f"log({spelled(generator.of)})" + ("" if exponent == 1 else f"^({_rational(exponent)})")


def spelled_monomial(monomial: Monomial) -> str:
    """Spell a product of generators."""
    return _show_term(monomial, Fraction(1))
