"""Numbers of a check's report as plain sentences. What is read here is the JSON that ``seepage check`` writes: no number is made here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, Real, justified, rounded, with_unit
from seepage.reporting.told import code

Data: TypeAlias = Mapping[str, Any]
"""A measure, or a row of the table, as JSON has it."""

_HUNDRED = Decimal(100)
_CLOSE = Decimal("1e-9")  # of a chance, relative, to one in a whole number
_MOST_TIMES = 10**9
# How much of a secret is told: below so many per cent, in words. The last bound that a number may lie on belongs to the row above.
_SHARES: Sequence[tuple[float, str]] = (
    (1, "less than a hundredth of it"),
    (10, "less than a tenth of it"),
    (20, "less than a fifth of it"),
    (100 / 3, "less than a third of it"),
    (45, "less than half of it"),
    (50, "almost half of it"),
    (200 / 3, "more than half of it"),
    (90, "most of it"),
    (100, "nearly all of it"),
)


def measure_in(data: Data, key: str) -> Data | None:
    """Return a measure of a row or an answer; None where there is none."""
    found = data[key]
    return found if isinstance(found, Mapping) else None


def real(value: float | str) -> Real:
    """Return a number of JSON: those too small or too large for doubles are texts there."""
    return value if isinstance(value, int | float) else Decimal(value)


def ends(data: Data) -> tuple[Real, Real | None, Real]:
    """Return lower bound, value and upper bound of a measure."""
    value = data["value"]
    return real(data["lower"]), None if value is None else real(value), real(data["upper"])


def number_words(data: Data, most: int = MOST_DIGITS) -> str:
    """Return ``0.125 bits``, ``1.06 to 1.76 bits``, ``at least 0.2 bits``, and an estimate where one was made."""
    lower, value, upper = ends(data)
    unit = data["unit"]
    told = justified(lower, value, upper, most)
    if told is not None:
        return with_unit(told, unit)
    bounds = _bounds(lower, upper, unit)
    if not data["estimated"] or value is None:
        return bounds or "no bounds known"
    return f"{bounds or 'no bounds known'}, estimate {rounded(value, FEW_DIGITS)}"


def _bounds(lower: Real, upper: Real, unit: str) -> str:
    least, most = rounded(lower, FEW_DIGITS, "down"), rounded(upper, FEW_DIGITS, "up")
    match least == "-∞", most == "∞":
        case True, True:
            return ""
        case True, False:
            return f"at most {with_unit(most, unit)}"
        case False, True:
            return f"at least {with_unit(least, unit)}"
        case _:
            return f"{least} to {with_unit(most, unit)}"


def percent_of(data: Data) -> str:
    """Return a chance as ``11.1 %``, or as ``10 % to 12 %``."""
    lower, value, upper = (None if each is None else Decimal(each) * _HUNDRED for each in ends(data))
    assert lower is not None
    assert upper is not None
    told = justified(lower, value, upper, FEW_DIGITS)
    if told is not None:
        return f"{told} %"
    return f"{rounded(lower, FEW_DIGITS, 'down')} % to {rounded(upper, FEW_DIGITS, 'up')} %"


def times(data: Data) -> str | None:
    """Return a chance as ``1 time in 72`` where it is one; None elsewhere."""
    lower, value, upper = ends(data)
    if value is None or not 0 < value < 1 or Decimal(upper) - Decimal(lower) > _CLOSE * Decimal(value):
        return None
    many = round(1 / Decimal(value))
    if many < 2 or many > _MOST_TIMES or abs(1 / Decimal(many) - Decimal(value)) > _CLOSE * Decimal(value):
        return None
    return f"1 time in {many:,}"


def share_words(percent: Data) -> str:
    """Return how much of a secret is told: ``less than a fifth of it``; a range where the bounds do not say which."""
    lower, _, upper = ends(percent)
    if upper == 0:
        return "nothing"
    if lower >= 100:
        return "all of it"
    below = 0.0
    for bound, words in _SHARES:
        if below <= lower and upper < bound:
            return words
        below = bound
    if lower == upper == 50:
        return "half of it"
    told = justified(*ends(percent), FEW_DIGITS)
    if told is not None:
        return f"{told} % of it"
    return f"{rounded(lower, FEW_DIGITS, 'down')} % to {rounded(upper, FEW_DIGITS, 'up')} % of it"


def guess_words(before: Data, after: Data) -> str:
    """Return ``one guess is right 1 time in 9, before 1 time in 72``."""
    was, now = times(before), times(after)
    if was is None or now is None:
        was, now = f"with {percent_of(before)}", f"with {percent_of(after)}"
    if was == now:
        return f"one guess is right {now}, as before"
    return f"one guess is right {now}, before {was}"


def leak_sentences(row: Data, unknown: str) -> Iterator[str]:
    """Yield what all outputs tell about a secret, for somebody who reads only this; ``unknown`` is how uncertain it was, empty where that is not known."""
    information = measure_in(row, "information")
    if information is None:
        yield row["note"] or "nothing is known about it"
        return
    doubt = " (an estimate: see below how certain it is)" if information["certainty"] == "approximate" else ""
    nothing = information["upper"] == 0
    amount = number_words(information, FEW_DIGITS)
    if nothing:
        yield "nothing"
    elif (percent := measure_in(row, "percent")) is not None:
        alone = amount.removesuffix(f" {information['unit']}").removesuffix(f" {information['unit'].removesuffix('s')}")
        whole = (
            f" of {unknown}" if alone.replace(".", "", 1).isdigit() and unknown.endswith(information["unit"]) else ""
        )
        yield f"{share_words(percent)}, {alone if whole else amount}{whole}{doubt}"
    else:
        yield f"{amount}{doubt}"
    before, after, worst = (measure_in(row, key) for key in ("guess_before", "guess_after", "worst"))
    if before is not None and after is not None:
        yield guess_words(before, after)
    if worst is not None and not nothing:
        yield f"{code(worst['output'])} tells most, {number_words(worst['divergence'], FEW_DIGITS)}"


def certainties(measures: Sequence[Data]) -> list[str]:
    """Return which words of certainty numbers have, the best first."""
    found = {each["certainty"] for each in measures}
    return [each for each in CERTAINTY if each in found]


CERTAINTY: Mapping[str, str] = {
    "exact": "computed over all runs that are possible, not by trying some; only the last digit is rounded",
    "certified": "the true number surely lies between the bounds; a number that stands alone has only digits that both bounds share",
    "approximate": "a number of something similar that can be computed, which may be far off; the lines that are the cause are named, "
    "and no budget is judged by it",
}
"""What the words mean."""
