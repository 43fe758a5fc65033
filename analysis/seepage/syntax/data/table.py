"""What is known of a table of data: columns of numbers, truth values or symbols."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from math import log2
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.exact.symbols import number_of
from seepage.syntax.data.spellings import to_change

Kind: TypeAlias = Literal["numbers", "truth", "symbols"]

_NUMBER = re.compile(r"[+-]?+(?:0|[1-9][0-9]{0,299}+)(?:\.[0-9]{1,300}+)?+(?:[eE][+-]?+[0-9]{1,2}+)?+")
_NUMBERS = re.compile(rf"(?:{_NUMBER.pattern}(?:\n|\Z))*+")
_WHOLE = re.compile(r"(?:[+-]?+[0-9]++\n?+)*+")
TRUTH = {"true": 1, "false": 0}
MISSING = ""


@dataclass(frozen=True, slots=True)
class NotANumber:
    """A cell that is none: its text, and the line in which it comes first."""

    text: str
    line: int

    @property
    def to_change(self) -> str:
        """What to change for it to be one, as the end of a sentence; nothing where it looks like none."""
        advice = to_change(self.text)
        return "" if advice is None else f": {advice}"


@dataclass(frozen=True, eq=False)
class Column:
    """One column; equal to itself only.

    Attributes:
        name: by which a program calls it.
        heading: as the file has it.
        texts: the distinct cells, in the order in which they come first.
        codes: for each row the place of its cell in ``texts``.
        lines: for each of ``texts`` the line of the file in which it comes first.
        stated: what the file says that the filled cells are, None where it does not.
    """

    name: str
    heading: str
    texts: tuple[str, ...] = field(repr=False)
    codes: array[int] = field(repr=False)
    lines: array[int] = field(repr=False)
    stated: Kind | None = None

    @cached_property
    def kind(self) -> Kind:
        """What the filled cells are: as stated, else numbers if each is one, truth values if each is ``true`` or ``false``, symbols otherwise."""
        filled = [text for text in self.texts if text != MISSING]
        if filled and self.stated is not None:
            return self.stated
        if filled and all(text in TRUTH for text in filled):
            return "truth"
        return "numbers" if filled and _NUMBERS.fullmatch("\n".join(filled)) else "symbols"

    @cached_property
    def values(self) -> tuple[int | Fraction, ...]:
        """The distinct values of the cells."""
        return tuple(dict.fromkeys(self._meanings)) if self.kind == "numbers" else self._meanings

    @cached_property
    def merged(self) -> tuple[int, ...] | None:
        """For each of ``texts`` the place of what it means in ``values``, as ``1`` and ``1.0`` are one number; None where that is its own place."""
        if len(self.values) == len(self.texts):
            return None
        place = {value: at for at, value in enumerate(self.values)}
        return tuple(place[value] for value in self._meanings)

    @cached_property
    def _meanings(self) -> tuple[int | Fraction, ...]:
        if self.kind == "symbols":
            return tuple(map(number_of, self.texts))
        if self.kind == "truth":
            return tuple(number_of(MISSING) if text == MISSING else TRUTH[text] for text in self.texts)
        if _WHOLE.fullmatch("\n".join(self.texts)) and MISSING not in self.texts:
            return tuple(map(int, self.texts))
        return tuple(number_of(MISSING) if text == MISSING else _number(text) for text in self.texts)

    @cached_property
    def extent(self) -> tuple[int | Fraction, int | Fraction] | None:
        """The least and the largest value of a column without symbols and missing cells, None of any other."""
        return None if MISSING in self.texts else self.filled_extent

    @cached_property
    def filled_extent(self) -> tuple[int | Fraction, int | Fraction] | None:
        """The least and the largest value of the filled cells, None of a column of symbols.

        Exact numbers are made of the few cells only that are the least or the largest when rounded, as rounding keeps the order.
        """
        if self.kind == "symbols":
            return None
        filled = [text for text in self.texts if text != MISSING]
        if self.kind == "truth":
            return min(map(TRUTH.__getitem__, filled)), max(map(TRUTH.__getitem__, filled))
        rounded = array("d", map(float, filled))
        low, high = min(rounded), max(rounded)
        least = min(_number(text) for text, value in zip(filled, rounded, strict=True) if value == low)
        return least, max(_number(text) for text, value in zip(filled, rounded, strict=True) if value == high)

    @cached_property
    def is_boolean(self) -> bool:
        """Whether each cell is 0 or 1, ``false`` or ``true``, and none is missing."""
        if self.extent is None or self.extent[0] < 0 or self.extent[1] > 1:
            return False
        return self.kind == "truth" or all(_number(text) in (0, 1) for text in self.texts)

    @property
    def missing_line(self) -> int | None:
        """The first line whose cell is missing, None where none is."""
        return self.lines[self.texts.index(MISSING)] if MISSING in self.texts else None

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many rows hold each of ``texts``."""
        found = Counter(self.codes)
        return tuple(found[code] for code in range(len(self.texts)))

    @property
    def missing(self) -> int:
        """How many cells are missing."""
        return self.counts[self.texts.index(MISSING)] if MISSING in self.texts else 0

    @cached_property
    def entropy_bits(self) -> float:
        """The entropy of a cell of a row that is drawn uniformly, rounded: for a first look, not a result."""
        rows = len(self.codes)
        return log2(rows) - sum(count * log2(count) for count in self.counts) / rows + 0.0

    @cached_property
    def not_a_number(self) -> NotANumber | None:
        """A cell by which the column is not one of numbers; None for other columns."""
        if self.kind != "symbols":
            return None
        found = ((text, line) for text, line in zip(self.texts, self.lines, strict=True) if text != MISSING)
        return next((NotANumber(text, line) for text, line in found if not _NUMBER.fullmatch(text)), None)


def _number(text: str) -> int | Fraction:
    """Return the number that a text of the form of ``_NUMBER`` is: several times as fast as ``Fraction``, which takes texts of other forms, too."""
    mantissa, _, exponent = text.replace("E", "e").partition("e")
    whole, _, digits = mantissa.partition(".")
    scaled, power = int(whole + digits), int(exponent or 0) - len(digits)
    unit: int = 10 ** abs(power)
    if power >= 0:
        return scaled * unit
    value = Fraction(scaled, unit)
    return value.numerator if value.denominator == 1 else value


@dataclass(frozen=True, eq=False)
class Table:
    """A table; equal to itself only, so that one that was read again is another.

    Attributes:
        named: its path as the program writes it.
        path: resolved.
        columns: at least one, with distinct names.
        rows: at least one.
    """

    named: str
    path: str
    columns: tuple[Column, ...]
    rows: int

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """The columns by their names."""
        return {column.name: column for column in self.columns}
