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
        points: how many there are between ends, evenly spaced; ``POINTS`` by default, and every whole number of a constant that is one.

    Raises:
        ValueError: there is no such name, or the text names no values that it can have.
    """
    symbols = checked.symbols
    if name not in symbols.params and name not in symbols.consts:
        known = ", ".join(f"'{each}'" for each in (*symbols.params, *symbols.consts)) or "none"
        raise ValueError(f"the program has no parameter or constant '{shortened(name)}', expected one of: {known}")
    low, dots, high = text.partition("..")
    if not dots:
        found = [read_number(each.strip(), symbols.consts) for each in text.split(",")]
        return tuple(dict.fromkeys(map(exact.spelled, found)))
    ends = [read_number(each.strip(), symbols.consts) for each in (low, high)]
    is_whole = name in symbols.consts and all(map(_is_whole, (*ends, symbols.consts[name])))
    if points is None and is_whole:
        points = int(exact.nearest_float(ends[1]) - exact.nearest_float(ends[0])) + 1
    points = POINTS if points is None else points
    if points > MOST_POINTS:
        raise ValueError(f"found {points:,} values of '{name}', expected at most {MOST_POINTS:,}")
    values = Axis(name, ends[0], ends[1], points).values()
    if is_whole and not all(map(_is_whole, values)):
        written = f"{name}={low.strip()}..{high.strip()}"
        told = f"{points} values from {low.strip()} to {high.strip()} are not all whole numbers, as those of the constant '{name}' are"
        raise ValueError(
            f"{told}: leave '--points' out for each one of '{written}', or list them, as in '{name}=1,2,5'"
        )
    return tuple(map(exact.spelled, values))


def _is_whole(value: Number) -> bool:
    fraction = exact.to_fraction(value)
    return fraction is not None and fraction.denominator == 1
