"""What tuning found, as words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from seepage.measures.digits import rounded
from seepage.measures.result import Json
from seepage.report.finding_json import SCHEMA
from seepage.report.findings import printable
from seepage.report.numbers import number_text, status_text
from seepage.tuning.goal import At, Best
from seepage.tuning.ranges import End, Tuned

_SHORT = 12  # characters of a fraction that is shown as it is


def tuned_lines(found: Tuned) -> Iterator[str]:
    """Yield the range with what is known of its ends, and the best value in it."""
    low, high = number_words(found.low.value), number_words(found.high.value)
    verb = "holds" if found.proved else "seems to hold"
    yield printable(f"{found.budget} {verb} for {found.parameter} in [{low}, {high}]")
    yield f"  {_proof(found)}"
    for name, end in (("below", found.low), ("above", found.high)):
        yield f"  {name}: {_beyond(end)}"
    if found.elsewhere is not None:
        yield f"  it holds elsewhere, too: at {number_words(found.elsewhere)}"
    if found.best is not None:
        yield from _best_lines(found.best, found.parameter)


def _proof(found: Tuned) -> str:
    if found.whole:
        return "each of these whole numbers was decided"
    return "proved for every value of the range" if found.proved else "not proved: only values of the range were tried"


def _beyond(end: End) -> str:
    if end.is_of_domain:
        return "its values end there"
    return "not decided" if end.violated is None else f"violated at {number_words(end.violated)}"


def _best_lines(best: Best[Fraction], parameter: str) -> Iterator[str]:
    yield from best_lines(best, f"{parameter} = {number_words(best.at)}", "everywhere in the range")


def best_lines(best: Best[At], at: str, where: str) -> Iterator[str]:
    """Yield the best value of a measure, and what is proved of all others, which are ``where``."""
    result, greatest = best.result, best.goal.greatest
    head = f"{'greatest' if greatest else 'least'} {result.measure}"
    yield printable(f"{head}: {number_text(result)} at {at} · {status_text(result)}")
    if best.bound is None or best.gap is None:
        yield f"  no {'upper' if greatest else 'lower'} bound of it {where} was proved"
    else:
        bound, gap = rounded(best.bound, 10, "up" if greatest else "down"), rounded(best.gap, 2, "up")
        yield f"  proved: at {'most' if greatest else 'least'} {bound} {where} (gap {gap})"


def number_words(value: Fraction) -> str:
    """Return a value with few characters, exactly where that can be, else with "about"."""
    text = str(value)
    if value.denominator == 1 and len(text) <= _SHORT:
        return text
    decimal = f"{float(value):.12g}"
    return decimal if Fraction(decimal) == value else text if len(text) <= _SHORT else f"about {decimal}"


def tuned_json(found: Tuned) -> dict[str, Json]:
    """Return it as data; exact values as fractions in text, beside numbers."""
    return {
        "schema": SCHEMA,
        "budget": found.budget,
        "parameter": found.parameter,
        "whole": found.whole,
        "proved": found.proved,
        "low": _end_json(found.low),
        "high": _end_json(found.high),
        "elsewhere": None if found.elsewhere is None else float(found.elsewhere),
        "best": None if found.best is None else _best_json(found.best),
    }


def _end_json(end: End) -> dict[str, Json]:
    return {
        "value": float(end.value),
        "exact": str(end.value),
        "violated": None if end.violated is None else float(end.violated),
        "is_end_of_domain": end.is_of_domain,
    }


def _best_json(best: Best[Fraction]) -> dict[str, Json]:
    return {"value": float(best.at), "exact": str(best.at), **proof_json(best)}


def proof_json(best: Best[At]) -> dict[str, Json]:
    """Return a best value, and what is proved of all others, as data."""
    side = "upper" if best.goal.greatest else "lower"
    return {"result": best.result.to_dict(), side: best.bound, "gap": best.gap}
