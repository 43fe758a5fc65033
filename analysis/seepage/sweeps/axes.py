"""The values of what varies, from how people write them: ``eps=0..6``, ``p=1/4,1/2``, ``n=10,20,50``."""

from __future__ import annotations

from seepage import exact
from seepage.exact import Number
from seepage.exploration import Axis
from seepage.measures.parameters import read_number, shortened
from seepage.semantics.checked import Checked
from seepage.sweeps.study import MOST_POINTS

POINTS = 25  # of a range, where nobody says how many


def values_of(checked: Checked, name: str, text: str, points: int | None = None) -> tuple[str, ...]:
    """Return the values that a text names, as programs spell them.

    Args:
        checked: the program.
        name: of a parameter or a constant.
        text: values with commas between, or two ends with ``..`` between, both included.
        points: how many there are between ends, evenly spaced; ``POINTS`` by default. A constant that is whole takes each whole number.

    Raises:
        ValueError: there is no such name, or the text names no values that it can have.
    """
    symbols = checked.symbols
    if name not in symbols.params and name not in symbols.consts:
        known = ", ".join(f"'{each}'" for each in (*symbols.params, *symbols.consts)) or "none"
        raise ValueError(f"the program has no parameter or constant '{shortened(name)}', expected one of: {known}")
    ends = _ends(checked, text)
    if ends is None:
        found = [read_number(each.strip(), symbols.consts) for each in text.split(",")]
        return tuple(dict.fromkeys(map(exact.spelled, found)))
    points = POINTS if points is None else points
    if _is_listed(checked, name, ends):
        low, high = map(exact.floor_, ends)
        if low > high:
            raise ValueError(f"found '{name}' from {low} to {high}, expected ends that ascend")
        if high - low >= MOST_POINTS:
            raise ValueError(f"found {high - low + 1:,} values of '{name}', expected at most {MOST_POINTS:,}")
        return tuple(map(exact.spelled, range(low, high + 1)))
    if points > MOST_POINTS:
        raise ValueError(f"found {points:,} values of '{name}', expected at most {MOST_POINTS:,}")
    return tuple(map(exact.spelled, Axis(name, ends[0], ends[1], points).values()))


def takes_points(checked: Checked, name: str, text: str) -> bool:
    """Tell whether a text is a range that a number of points divides; raises as :func:`values_of`."""
    ends = _ends(checked, text)
    return ends is not None and not _is_listed(checked, name, ends)


def _ends(checked: Checked, text: str) -> tuple[Number, Number] | None:
    low, dots, high = text.partition("..")
    if not dots:
        return None
    return read_number(low.strip(), checked.symbols.consts), read_number(high.strip(), checked.symbols.consts)


def _is_listed(checked: Checked, name: str, ends: tuple[Number, Number]) -> bool:
    """Tell whether a range holds each whole number: that of a constant which is one."""
    consts = checked.symbols.consts
    return name in consts and all(map(_is_whole, (*ends, consts[name])))


def _is_whole(value: Number) -> bool:
    fraction = exact.to_fraction(value)
    return fraction is not None and fraction.denominator == 1
