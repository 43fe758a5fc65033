"""Symbols, values with a name such as ``"red"``, as numbers: engines count with numbers only.

The number says the name, so that whoever shows a value needs no list of names. No program writes such numbers: their denominator is a prime of
nineteen digits.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

_PRIME = 2**61 - 31
"""Not 2^61 − 1, by which Python takes the remainders that are hashes: all fractions over that have one hash, so that dictionaries of states were searched one by one."""


@lru_cache(maxsize=4_096)
def number_of(text: str) -> Fraction:
    """Return the number of a symbol; those of different symbols differ."""
    return Fraction(int.from_bytes(b"\1" + text.encode("utf-8", "surrogatepass"), "big") * _PRIME + 1, _PRIME)


_NOTE = "\0"


def missing_note(sentence: str) -> Fraction:
    """Return the number that carries what is said of a missing cell; nothing is ever counted with it."""
    return number_of(_NOTE + sentence)


def noted(value: Fraction) -> str | None:
    """Return what such a number says, None of any other."""
    text = symbol_of(value)
    return text[1:] if text is not None and text[:1] == _NOTE else None


def symbol_of(value: Fraction) -> str | None:
    """Return the symbol whose number this is, None for an ordinary number."""
    if value.denominator != _PRIME or value.numerator % _PRIME != 1:
        return None
    digits = value.numerator // _PRIME
    if digits <= 0:
        return None
    text = digits.to_bytes((digits.bit_length() + 7) // 8, "big")
    try:
        return text[1:].decode("utf-8", "surrogatepass") if text[:1] == b"\1" else None
    except UnicodeDecodeError:
        return None
