"""Names, values and laws as a Seep program has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Name

_NUMBER = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?|\d{1,40}/\d{1,40}", re.IGNORECASE)
_WHOLE = re.compile(r"-?\d{1,15}")
_LETTERS = re.compile(r"\W", re.ASCII)
_DIGITS = 17  # of a decimal, at most
_NEAR = Fraction(1, 1_000)  # rows that are rounded miss 1 by less


class NotImported(ValueError):
    """A text that cannot be read; the message says where and why, in one line."""


def number(text: str, place: str) -> Fraction:
    """Return a probability, a decimal by its digits.

    Raises:
        NotImported: it is none.
    """
    try:
        value = Fraction(text.strip()) if _NUMBER.fullmatch(text.strip()) else None
    except ZeroDivisionError:
        value = None
    if value is None or not 0 <= value <= 1:
        raise NotImported(f"{place}: found '{text.strip()[:40]}', expected a probability")
    return value


def value(label: str, place: str) -> str:
    """Return a label as a value: a whole number as it is, another text as a symbol.

    Raises:
        NotImported: a symbol cannot have such letters.
    """
    label = label.strip()
    if _WHOLE.fullmatch(label):
        return str(int(label))
    if not label or not label.isprintable() or any(letter in label for letter in '"\\') or len(label) > 100:
        raise NotImported(f"{place}: found '{label[:40]!r}', expected a name or a whole number")
    return f'"{label}"'


def name(text: str, taken: Sequence[str]) -> str:
    """Return a name that a program may have for a text, and that is not taken."""
    found = _LETTERS.sub("_", text)[:60]
    if not found or not found[0].isalpha() or not isinstance(parse_expression(found)[0], Name):
        found = f"v_{found}"
    while found in taken:
        found += "_"
    return found


def law(values: Sequence[str], chances: Sequence[Fraction], place: str) -> str:
    """Return ``{value: chance, …}``; chances that are rounded are divided by their sum.

    Raises:
        NotImported: they do not come to 1, nor nearly.
    """
    if len(values) != len(chances):
        raise NotImported(f"{place}: found {len(chances)} probabilities, expected {len(values)}")
    total = sum(chances, Fraction(0))
    if abs(total - 1) > _NEAR:
        raise NotImported(f"{place}: the probabilities come to {float(total):.6g}, expected 1")
    entries = ((each, chance / total) for each, chance in zip(values, chances, strict=True))
    return "{" + ", ".join(f"{each}: {_written(chance)}" for each, chance in entries if chance) + "}"


def _written(chance: Fraction) -> str:
    """Return a number as a decimal where that is short and exact, as tables mostly have it, and else as a fraction."""
    digits = next((digits for digits in range(_DIGITS) if 10**digits % chance.denominator == 0), None)
    if not digits:
        return str(chance)
    whole, rest = divmod(chance.numerator * (10**digits // chance.denominator), 10**digits)
    return f"{whole}.{rest:0{digits}}"
