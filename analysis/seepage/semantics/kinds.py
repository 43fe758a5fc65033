"""What values an expression or a law can have: boolean, discrete, continuous or mixed, from the kinds of the variables it reads.

An abstract :class:`Value` over-approximates: ``DISCRETE`` may turn out to be 0 and 1 only. What it says *surely* is an
under-approximation, for what may be reported while typing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.exact import CannotDecide, Number, compare
from seepage.semantics.checked import Kind
from seepage.semantics.ranges import ANY, FALSE, UNIT, Range, exactly, hull, widened


@dataclass(frozen=True, slots=True)
class Value:
    """What a variable or expression can be at one place.

    Attributes:
        kind: over all runs that lead here.
        origin: the label of the unit (:mod:`seepage.semantics.units`) where it became continuous, if it can be.
        sure: it has a density on every run that leads here.
        outside: a number other than 0 and 1 that it surely takes with positive probability.
        range: holds all its values, where it is discrete.
    """

    kind: Kind
    origin: int | None = None
    sure: bool = False
    outside: Number | None = None
    range: Range = ANY

    @property
    def is_continuous(self) -> bool:
        """Whether it can be continuous."""
        return self.kind in (Kind.CONTINUOUS, Kind.MIXED)

    @property
    def is_certain(self) -> bool:
        """Whether something about it is sure."""
        return self.sure or self.outside is not None

    def uncertain(self) -> Value:
        """Return the same without what is sure."""
        return replace(self, sure=False, outside=None) if self.is_certain else self


BOOLEAN = Value(Kind.BOOLEAN, range=UNIT)
ZERO = Value(Kind.BOOLEAN, range=FALSE)
DISCRETE = Value(Kind.DISCRETE)
CONTINUOUS = Value(Kind.CONTINUOUS)
MIXED = Value(Kind.MIXED)


def constant(value: Number) -> Value:
    """Return the kind of a known number."""
    if value in (0, 1):
        return Value(Kind.BOOLEAN, range=exactly(value))
    return Value(Kind.DISCRETE, outside=value, range=exactly(value))


def join_kinds(a: Kind, b: Kind) -> Kind:
    """Return the kind of what is the one on some runs and the other on others."""
    if a is b:
        return a
    if {a, b} == {Kind.BOOLEAN, Kind.DISCRETE}:
        return Kind.DISCRETE
    return Kind.MIXED


def join(a: Value, b: Value) -> Value:
    """Return what is ``a`` on some runs and ``b`` on others."""
    if a == b:
        return a
    origins = [value.origin for value in (a, b) if value.origin is not None]
    return Value(
        join_kinds(a.kind, b.kind),
        min(origins, default=None),
        a.sure and b.sure,
        None if b.outside is None else a.outside,
        hull(a.range, b.range),
    )


def widen(before: Value, after: Value) -> Value:
    """Return ``after``, the later value at the head of a loop, without the ends of its range that still move."""
    if before.range == after.range:
        return after
    found = widened(before.range, after.range)
    # Never less than ``after``: the loop would find the rest again, and again.
    return replace(after, range=UNIT if after.kind is Kind.BOOLEAN and hull(UNIT, after.range) == UNIT else found)


def sum_kind(a: Value, b: Value) -> Value:
    """Return the kind of a sum or difference; two continuous terms may cancel, so that nothing is sure of them."""
    if not (a.is_continuous or b.is_continuous):
        return DISCRETE
    if a.is_continuous and b.is_continuous:
        both_mixed = a.kind is Kind.MIXED and b.kind is Kind.MIXED
        return MIXED if both_mixed else CONTINUOUS
    term = a if a.is_continuous else b
    return Value(term.kind, sure=term.sure)


def product_kind(a: Value, b: Value, other_is_zero_free: bool) -> Value:
    """Return the kind of a product; ``other_is_zero_free`` says that the discrete factor is a known number other than 0."""
    if a.is_continuous and b.is_continuous:
        return MIXED if Kind.MIXED in (a.kind, b.kind) else CONTINUOUS
    if a.is_continuous or b.is_continuous:
        term = a if a.is_continuous else b
        return Value(term.kind, sure=term.sure) if other_is_zero_free else MIXED
    return BOOLEAN if a.kind is Kind.BOOLEAN and b.kind is Kind.BOOLEAN else DISCRETE


def function_kind(function: str, parts: list[Value]) -> Value:
    """Return the kind of a function's value."""
    continuous = any(part.is_continuous for part in parts)
    match function:
        case "floor" | "ceil":
            return BOOLEAN if all(part.kind is Kind.BOOLEAN for part in parts) else DISCRETE
        case "min" | "max":
            if all(part.kind is Kind.BOOLEAN for part in parts):
                return BOOLEAN
            all_continuous = all(part.kind is Kind.CONTINUOUS for part in parts)
            return CONTINUOUS if all_continuous else MIXED if continuous else DISCRETE
        case "abs":
            return Value(parts[0].kind) if parts else DISCRETE
        case _:
            return (MIXED if any(part.kind is Kind.MIXED for part in parts) else CONTINUOUS) if continuous else DISCRETE


def is_positive(value: Number | None) -> bool:
    """Tell whether a number is known and above 0."""
    try:
        return value is not None and compare(value, 0) > 0
    except CannotDecide:
        return False


class Kinds(Mapping[str, Kind]):
    """The kind of every variable at the end of the program; each is looked up when it is asked for."""

    __slots__ = ("_end", "_names")

    def __init__(self, end: Mapping[str, Value], names: Mapping[str, object]) -> None:
        self._end = end
        self._names = names

    def __getitem__(self, name: str) -> Kind:
        if name not in self._names:
            raise KeyError(name)
        return self._end[name].kind if name in self._end else Kind.BOOLEAN

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))
