"""Rational functions and logarithms as people write them: Unicode text, and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, Letter, Quotient
from seepage.semantics.evaluate import spelled
from seepage.syntax import tree

Style: TypeAlias = Literal["text", "latex"]

ATOM, PRODUCT, SUM = 0, 1, 2  # how tightly a piece of text holds together
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "pi",
        "rho",
        "sigma",
        "tau",
        "phi",
        "chi",
        "psi",
        "omega",
    ]
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A spelled expression and how tightly it holds together."""

    text: str
    level: int

    def within(self, level: int, style: Style) -> str:
        """Return the text, in parentheses if it holds less tightly than its surroundings need."""
        if self.level <= level:
            return self.text
        return rf"\left({self.text}\right)" if style == "latex" else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Notation:
    """How to spell: the letters, their values at a sample point (which settles signs), and the style."""

    alphabet: Alphabet
    sample: tuple[arb, ...]
    style: Style

    # --- rational functions -------------------------------------------------------------------------------------------

    def quotient(self, value: Quotient) -> Piece:
        """Spell a rational function; its denominator is positive at the sample point."""
        top, bottom = value.numerator, value.denominator
        if value_of(bottom, self.sample) < 0:
            top, bottom = -top, -bottom
        above, below = self.polynomial(top), self.polynomial(bottom)
        if bottom.is_one():
            return above
        if self.style == "latex":
            if above.text.startswith("-") and above.level < SUM:
                return Piece(rf"-\frac{{{above.text[1:]}}}{{{below.text}}}", PRODUCT)
            return Piece(rf"\frac{{{above.text}}}{{{below.text}}}", PRODUCT)
        return Piece(f"{above.within(PRODUCT, 'text')}/{below.within(ATOM, 'text')}", PRODUCT)

    def polynomial(self, polynomial: fmpq_mpoly) -> Piece:
        """Spell a polynomial, expanded or as a product of factors, whichever is shorter."""
        expanded, product = self._expanded(polynomial), self._factored(polynomial)
        return product if len(product.text) < len(expanded.text) else expanded

    def _expanded(self, polynomial: fmpq_mpoly) -> Piece:
        if polynomial.is_zero():
            return Piece("0", ATOM)
        terms = [(coefficient, self._term(coefficient, exponents)) for exponents, coefficient in polynomial.terms()]
        if terms[0][0] < 0:
            terms.sort(key=lambda term: bool(term[0] < 0))
        return self.sum([(bool(coefficient < 0), piece) for coefficient, piece in terms])

    def sum(self, terms: Sequence[tuple[bool, Piece]]) -> Piece:
        """Spell a sum of terms, each with whether it is subtracted."""
        minus, spaced = ("-", " - ") if self.style == "latex" else ("−", " − ")
        text = ""
        for negative, piece in terms:
            part = piece.within(PRODUCT, self.style)
            text += ((spaced if negative else " + ") if text else minus if negative else "") + part
        if len(terms) == 1:
            return Piece(text, PRODUCT if terms[0][0] else terms[0][1].level)
        return Piece(text or "0", SUM if terms else ATOM)

    def product(self, *factors: Piece) -> Piece:
        """Spell a product; factors ``1`` are left out."""
        kept = [factor for factor in factors if factor.text != "1"] or [Piece("1", ATOM)]
        if len(kept) == 1:
            return kept[0]
        dot = r" \cdot " if self.style == "latex" else "·"
        return Piece(dot.join(factor.within(PRODUCT, self.style) for factor in kept), PRODUCT)

    def _term(self, coefficient: object, exponents: Sequence[int]) -> Piece:
        """Spell a coefficient (its absolute value) times powers of letters."""
        number = str(coefficient).lstrip("-")
        powers = [self._power(place, int(exponent)) for place, exponent in enumerate(exponents) if exponent]
        return self.product(Piece(number, PRODUCT if "/" in number else ATOM), *powers)

    def _factored(self, polynomial: fmpq_mpoly) -> Piece:
        constant, factors = polynomial.factor()
        pieces: list[Piece] = []
        for factor, power in factors:
            oriented = factor
            if value_of(factor, self.sample) < 0:
                oriented = -factor
                constant = constant * (-1) ** int(power)
            pieces.append(self._raised(self._expanded(oriented), int(power)))
        pieces.sort(key=lambda piece: piece.text.startswith(("(", r"\left(")))
        negative = bool(constant < 0)
        number = str(constant).lstrip("-")
        return self.sum([(negative, self.product(Piece(number, PRODUCT if "/" in number else ATOM), *pieces))])

    def _raised(self, base: Piece, power: int) -> Piece:
        if power == 1:
            return Piece(base.within(ATOM, self.style), ATOM) if base.level == SUM else base
        inner = base.within(ATOM, self.style)
        if self.style == "latex":
            return Piece(f"{{{inner}}}^{{{power}}}", ATOM)
        if "^" in inner and not inner.startswith("("):
            inner = f"({inner})"
        return Piece(inner + str(power).translate(_SUPERSCRIPTS), ATOM)

    # --- letters ------------------------------------------------------------------------------------------------------

    def _power(self, place: int, power: int) -> Piece:
        letter = self.alphabet.letters[place]
        if letter.kind == "exponential":
            return self._exponential(letter, power)
        return self._raised(self._letter(letter), power)

    def _letter(self, letter: Letter) -> Piece:
        meaning = letter.meaning
        if isinstance(meaning, tree.Name):
            return Piece(self.name(meaning.id), ATOM)
        text = spelled(meaning)
        tight = isinstance(meaning, tree.Call)
        return Piece(rf"\mathtt{{{text}}}" if self.style == "latex" else text, ATOM if tight else SUM)

    def name(self, name: str) -> str:
        """Spell the name of a parameter."""
        if self.style == "text" or len(name) == 1:
            return name
        if name == "eps":
            return r"\varepsilon"
        return "\\" + name if name in _GREEK else rf"\mathit{{{name}}}".replace("_", r"\_")

    def _exponential(self, letter: Letter, power: int) -> Piece:
        rate = letter.rate * power
        exponent = self.product(
            Piece(str(rate.numerator), ATOM),
            *(self._raised(Piece(self.name(name), ATOM), degree) for name, degree in letter.monomial),
        )
        text, level = exponent.text, exponent.level
        if rate.denominator != 1:
            text, level = f"{text}/{rate.denominator}", PRODUCT
        if text == "1":
            return Piece("e", ATOM)
        if self.style == "latex":
            return Piece(f"e^{{{text}}}", ATOM)
        return Piece(f"e^{text}" if level == ATOM else f"e^({text})", ATOM)

    # --- logarithms ---------------------------------------------------------------------------------------------------

    def logarithm(self, argument: Piece, unit: Literal["bits", "nats"]) -> Piece:
        """Spell the logarithm of something, to base 2 for bits; a power of a sum is set off, or the logarithm would seem raised."""
        if argument.text.startswith(("(", "{", r"\left(")):
            argument = Piece(argument.text, SUM)
        if self.style == "latex":
            name = r"\log_2" if unit == "bits" else r"\ln"
            inner = argument.text if argument.level == ATOM else rf"\left({argument.text}\right)"
            return Piece(f"{name} {inner}", PRODUCT)
        name = "log₂" if unit == "bits" else "ln"
        return Piece(f"{name} {argument.text}" if argument.level == ATOM else f"{name}({argument.text})", PRODUCT)

    def negated(self, piece: Piece) -> Piece:
        """Spell minus something, in parentheses: ``(−log₂ p)``."""
        if self.style == "latex":
            return Piece(rf"\left(-{piece.text}\right)", ATOM)
        return Piece(f"(−{piece.text})", ATOM)

    def number(self, value: Fraction) -> Piece:
        """Spell a rational number that is not negative."""
        if self.style == "latex" and value.denominator != 1:
            return Piece(rf"\frac{{{value.numerator}}}{{{value.denominator}}}", PRODUCT)
        return Piece(str(value), PRODUCT if value.denominator != 1 else ATOM)


def value_of(polynomial: fmpq_mpoly, letters: Sequence[arb]) -> arb:
    """Return an enclosure of a polynomial at values of its letters, at the working precision."""
    total = arb(0)
    for exponents, coefficient in polynomial.terms():
        term = arb(coefficient)
        for value, exponent in zip(letters, exponents, strict=False):
            if exponent:
                term *= value ** int(exponent)
        total += term
    return total


def value_of_quotient(quotient: Quotient, letters: Sequence[arb]) -> arb:
    """Return an enclosure of a rational function at values of its letters, at the working precision."""
    return value_of(quotient.numerator, letters) / value_of(quotient.denominator, letters)
