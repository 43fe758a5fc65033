r"""Measures as expressions in the parameters: sums of logarithms, or of binary entropies.

Two normal forms, both exact identities of the definitions:

* :class:`LogarithmSum`: :math:`\sum_f c_f \log f + \ell + \ldots` over irreducible factors f of the probabilities, coefficients
  rational functions, :math:`\ell` what the logarithms of exponentials contribute;
* :class:`BinarySum`: :math:`\sum_i c_i h(q_i)` with :math:`h(q) = -q \log q - (1-q) \log (1-q)`.

With :math:`0 \log 0 = 0` the first form holds where factors vanish, too: the coefficient of :math:`\log f` is a sum of terms
:math:`P \log P` in which f divides P, so it vanishes with f.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Literal, Protocol

from flint import arb, fmpq_mpoly, fmpz

from seepage.algebra import Alphabet, NoAlgebra, Quotient, minus, over, plus, scaled, times
from seepage.data_classes import dataclass
from seepage.measures.formulas.notation import Notation, factored, value_of, value_of_quotient
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import (
    ONE,
    Applied,
    Definition,
    Euler,
    Logarithm,
    Node,
    Ratio,
    Symbol,
    negated,
    numeral,
    product_of,
    ratio_of,
    size,
    sum_of,
)

Unit = Literal["bits", "nats"]
_PRIME_BITS = 64


class Signed(Protocol):
    """What is known of the signs of polynomials."""

    def constant(self, polynomial: fmpq_mpoly) -> int:
        """Return 1 if a polynomial is known never to be negative, −1 if never positive, 0 if neither is known."""
        ...


@dataclass(slots=True)
class LogarithmSum:
    """A sum of logarithms under construction: coefficients by factor, by prime, and the part without a logarithm (nats)."""

    alphabet: Alphabet
    sample: Sequence[arb]
    signs: Signed
    for_people: bool = (
        True  # raise where numbers are too large to read; else large ones are not taken apart but by small primes
    )
    factors: list[tuple[fmpq_mpoly, Quotient]] = field(default_factory=list)
    primes: dict[int, Quotient] = field(default_factory=dict)
    divided: list[fmpq_mpoly] = field(default_factory=list)
    linear: Quotient = field(init=False)

    def __post_init__(self) -> None:
        self.linear = self.alphabet.number(0)

    def add(self, coefficient: Quotient, argument: Quotient) -> None:
        """Add ``coefficient · log(argument)``; the argument is a probability, so it is nowhere negative.

        A factor stands under a logarithm of its own only if its sign is known for all parameters; of the others squares are split
        off, and what is left stays one product, which is not negative, as the argument is not.

        Raises:
            NoAlgebra: if it holds a constant too large to factor, or divides by something of unknown sign.
        """
        self.divided.append(argument.denominator)
        negative, rest = self._split(scaled(-1, coefficient), argument.denominator)
        if not rest.is_constant():
            raise NoAlgebra("a division by something of unknown sign")
        other, rest = self._split(coefficient, argument.numerator, alone=True)
        if not rest.is_constant():
            self._add_factor(coefficient, -rest if negative != other else rest)

    def add_multiple(self, count: int, other: LogarithmSum) -> None:
        """Add another sum in the same letters so many times."""
        self.divided += other.divided
        self.linear = plus(self.linear, scaled(count, other.linear))
        for prime, coefficient in other.primes.items():
            self.primes[prime] = plus(self.primes.get(prime, self.alphabet.number(0)), scaled(count, coefficient))
        for factor, coefficient in other.factors:
            self._add_factor(scaled(count, coefficient), factor)

    def _split(self, coefficient: Quotient, polynomial: fmpq_mpoly, *, alone: bool = False) -> tuple[bool, fmpq_mpoly]:
        """Add the logarithms of what has a known sign; return whether the sign in front is negative, and the product of the rest.

        With ``alone``, one simple factor may be left as the rest without asking for its sign: that of the whole tells it.
        """
        constant, factors = factored(polynomial)
        negative, rest = bool(constant < 0), self.alphabet.context.constant(1)
        largest = max(
            (at for at, (_, power) in enumerate(factors) if int(power) == 1), key=_terms_at(factors), default=-1
        )
        signs = {
            at: self.signs.constant(factor) for at, (factor, _) in enumerate(factors) if not alone or at != largest
        }
        if largest not in signs and largest >= 0 and not all(signs.values()):
            signs[largest] = self.signs.constant(factors[largest][0])
        for at, (factor, power) in enumerate(factors):
            sign, count = signs.get(at, 0), int(power)
            if sign:
                negative ^= sign < 0 and count % 2 == 1
                self._add_factor(scaled(count, coefficient), factor * sign)
                continue
            if count % 2:
                rest *= factor
            if count > 1:
                self._add_factor(scaled(count // 2, coefficient), factor * factor)
        for whole, sign in ((fmpz(abs(int(constant.p))), 1), (fmpz(int(constant.q)), -1)):
            large = int(whole).bit_length() > _PRIME_BITS
            if large and self.for_people:
                raise NoAlgebra("a number too large to read")
            for prime, power in whole.factor_smooth() if large else whole.factor():
                change = scaled(sign * int(power), coefficient)
                known = self.primes.get(int(prime), self.alphabet.number(0))
                self.primes[int(prime)] = plus(known, change)
        return negative, rest

    def _add_factor(self, coefficient: Quotient, factor: fmpq_mpoly) -> None:
        for place, letter in enumerate(self.alphabet.letters):
            if letter.is_exponential and factor == self.alphabet.context.gen(place):
                rate = times(self.alphabet.number(letter.rate), self.alphabet.monomial(letter.monomial))
                self.linear = plus(self.linear, times(coefficient, rate))
                return
        for index, (known, old) in enumerate(self.factors):
            if known == factor:
                self.factors[index] = (known, plus(old, coefficient))
                return
        self.factors.append((factor, coefficient))

    def terms(self) -> list[tuple[fmpq_mpoly, Quotient]]:
        """Return the polynomials whose logarithms remain, primes included, with their coefficients, each of which comes once."""
        joined: list[tuple[fmpq_mpoly, Quotient]] = []
        for factor, coefficient in self.factors:
            equal = [index for index, (_, other) in enumerate(joined) if other == coefficient]
            if equal:
                joined[equal[0]] = (joined[equal[0]][0] * factor, coefficient)
            else:
                joined.append((factor, coefficient))
        joined.extend((self.alphabet.context.constant(prime), c) for prime, c in sorted(self.primes.items()))
        return [(factor, coefficient) for factor, coefficient in joined if not coefficient.is_zero]

    def value(self, letters: Sequence[arb]) -> arb:
        """Return an enclosure in nats at values of the letters; no number if a logarithm is of something negative."""
        total = value_of_quotient(self.linear, letters)
        for factor, coefficient in self.terms():
            total += weighted_logarithm(value_of_quotient(coefficient, letters), value_of(factor, letters))
        return total

    def divisors(self) -> list[fmpq_mpoly]:
        """Return the polynomials that are divided by, here or under a logarithm that was split."""
        return [*self.divided, self.linear.denominator, *(coefficient.denominator for _, coefficient in self.terms())]

    def arguments(self) -> list[fmpq_mpoly]:
        """Return the polynomials under logarithms."""
        return [factor for factor, _ in self.terms()]

    def is_longer(self, notation: Notation, most: float) -> bool:
        """Tell whether there is more to read in the sum than ``most``, without writing all of it: what seems longest is written first."""
        terms = sorted(self.terms(), key=lambda term: -len(term[0]) - len(term[1].numerator))
        total = 0
        for factor, coefficient in terms:
            if factor != self.alphabet.context.constant(2):
                total += 1 + size(notation.polynomial(factor)) + notation.read_in_share(coefficient)
            if total > most:
                return True
        return False

    def written(self, notation: Notation, unit: Unit) -> Node:
        """Write the sum: first what has ``−log``, as entropies are written, then the rest, and what is subtracted last."""
        first: list[tuple[bool, Node]] = []
        rest: list[tuple[bool, Node]] = []
        one = self.alphabet.number(1)
        constant = self.alphabet.number(0)
        for factor, coefficient in self.terms():
            if unit == "bits" and factor == self.alphabet.context.constant(2):
                constant = coefficient
                continue
            logarithm = Logarithm(notation.polynomial(factor), unit)
            opposite = times(self.alphabet.number(-1), coefficient)
            if value_of_quotient(coefficient, self.sample) > 0:
                rest.append((False, product_of(notation.quotient(coefficient), logarithm)))
            elif opposite == one:
                rest.append((True, logarithm))
            elif opposite.constant() is not None:
                rest.append((True, product_of(notation.quotient(opposite), logarithm)))
            else:
                first.append((False, product_of(notation.quotient(opposite), negated(logarithm))))
        rest.extend(self._signed(constant, notation, ONE))
        rest.extend(self._signed(self.linear, notation, Logarithm(Euler(), unit) if unit == "bits" else ONE))
        rest.sort(key=lambda term: term[0])
        return sum_of([*first, *rest])

    def _signed(self, value: Quotient, notation: Notation, factor: Node) -> Iterable[tuple[bool, Node]]:
        if not value.is_zero:
            negative = bool(value_of_quotient(value, self.sample) < 0)
            amount = notation.quotient(times(self.alphabet.number(-1), value) if negative else value)
            yield negative, product_of(amount, factor)


@dataclass(slots=True)
class BinarySum:
    """A sum of binary entropies under construction: coefficients and probabilities, q and 1 − q taken as one."""

    alphabet: Alphabet
    notation: Notation
    terms: list[tuple[Quotient, Quotient]] = field(default_factory=list)

    def add(self, coefficient: Quotient, probability: Quotient) -> None:
        """Add ``coefficient · h(probability)``."""
        other = minus(self.alphabet.number(1), probability)
        for index, (old, known) in enumerate(self.terms):
            if known in (probability, other):
                self.terms[index] = (plus(old, coefficient), known)
                return
        self.terms.append((coefficient, probability))

    def is_longer(self, notation: Notation, most: float) -> bool:
        """Tell whether there is more to read in the sum than ``most``, without writing all of it: what seems longest is written first."""
        total = 0
        for coefficient, probability in sorted(self._remaining(), key=lambda term: -len(term[1].numerator)):
            if probability.constant() != Fraction(1, 2):
                total += 1 + min(size(notation.quotient(each)) for each in self._both(probability))
            total += notation.read_in_share(coefficient)
            if total > most:
                return True
        return False

    def _both(self, probability: Quotient) -> tuple[Quotient, Quotient]:
        return probability, minus(self.alphabet.number(1), probability)

    def _shorter(self, probability: Quotient) -> Quotient:
        """Return q or 1 − q, whichever is shorter to write."""
        return min(self._both(probability), key=self._length)

    def _length(self, probability: Quotient) -> tuple[int, int, int]:
        node = self.notation.quotient(probability)
        text = text_of(node)
        return size(node), len(text), -text.find("(")

    def _remaining(self) -> list[tuple[Quotient, Quotient]]:
        return [(c, q) for c, q in self.terms if not c.is_zero]

    def left(self) -> list[tuple[Quotient, Quotient]]:
        """Return the terms that did not cancel."""
        return [(c, self._shorter(q)) for c, q in self._remaining()]

    def value(self, letters: Sequence[arb]) -> arb:
        """Return an enclosure in nats at values of the letters; no number if a logarithm is of something negative."""
        total = arb(0)
        for coefficient, probability in self.left():
            q = value_of_quotient(probability, letters)
            total -= value_of_quotient(coefficient, letters) * (
                weighted_logarithm(q, q) + weighted_logarithm(1 - q, 1 - q)
            )
        return total

    def divisors(self) -> list[fmpq_mpoly]:
        """Return the polynomials that are divided by."""
        return [part.denominator for term in self.left() for part in term]

    def arguments(self) -> list[fmpq_mpoly]:
        """Return the polynomials under logarithms, once h is written out."""
        return [p for _, q in self.left() for p in (q.numerator, q.denominator - q.numerator)]

    def written(self, notation: Notation, unit: Unit, h: str) -> Node:
        """Write the sum, with the binary entropy by the name ``h``; what is subtracted comes last."""
        pieces: list[tuple[bool, Node]] = []
        for coefficient, probability in self.left():
            negative = bool(value_of_quotient(coefficient, notation.sample) < 0)
            share = notation.quotient(times(self.alphabet.number(-1), coefficient) if negative else coefficient)
            whole: Node
            if probability.constant() == Fraction(1, 2):
                whole = ONE if unit == "bits" else Logarithm(numeral(2), unit)
            else:
                whole = Applied(h, notation.quotient(probability))
            if isinstance(share, Ratio) and share.top == ONE:
                pieces.append((negative, ratio_of(whole, share.bottom)))
            else:
                pieces.append((negative, product_of(share, whole)))
        pieces.sort(key=lambda piece: piece[0])
        return sum_of(pieces)


def _terms_at(factors: Sequence[tuple[fmpq_mpoly, int]]) -> Callable[[int], int]:
    return lambda at: len(factors[at][0])


def entropy_definition(h: str, x: str, unit: Unit) -> Definition:
    """Return ``h(x) := −x·log x − (1 − x)·log(1 − x)``."""
    chance = Symbol(x)
    other = sum_of([(False, ONE), (True, chance)])
    terms = [(True, product_of(part, Logarithm(part, unit))) for part in (chance, other)]
    return Definition(Applied(h, chance), sum_of(terms))


def weighted_logarithm(coefficient: arb, argument: arb) -> arb:
    """Return ``coefficient · log(argument)``, with 0 · log 0 = 0."""
    if coefficient.is_zero() and argument.is_zero():
        return arb(0)
    return coefficient * argument.log()


def conditional(shares: Sequence[Quotient]) -> tuple[Quotient, list[Quotient]]:
    """Return the sum of some probabilities, and each over the sum."""
    mass = shares[0]
    for share in shares[1:]:
        mass = plus(mass, share)
    return mass, [over(share, mass) for share in shares]
