"""A result as words: its number with the digits that its bounds justify, its unit, and how far to trust it."""

from __future__ import annotations

import math
import re

from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, justified, rounded
from seepage.measures.result import Certainty, Result
from seepage.source import SourceFile

_SINGLE_CALL = re.compile(r"\s*(\w+)\s*\([^()]*(\([^()]*\)[^()]*)*\)\s*\Z")


def number_text(result: Result, most: int = MOST_DIGITS) -> str:
    """Return ``0.11 bits``, or ``0 ≤ I ≤ 0.146 nats, estimate 0.101`` where the bounds leave no common digits."""
    unit = f" {result.unit}" if result.unit else ""
    exactly = justified(result.lower, result.value, result.upper, most)
    if exactly is not None:
        return exactly + (unit.removesuffix("s") if exactly == "1" else unit)
    bounds = bounds_text(result)
    estimate = f"estimate {rounded(result.value, FEW_DIGITS)}"
    return f"{bounds}, {estimate}" if bounds else f"{estimate}{unit}, no bounds known"


def equation_text(result: Result, source: SourceFile | None = None) -> str:
    """Return ``I(s; o) = 0.11 bits · exact``, or with bounds ``I(s; o): 0 ≤ I ≤ 0.146 nats, estimate 0.101 · certified``."""
    number = number_text(result)
    joint = ": " if "≤" in number or "estimate" in number else " = "
    return f"{result.measure}{joint}{number} · {status_text(result, source)}"


def bounds_text(result: Result) -> str:
    """Return ``0 ≤ I ≤ 0.146 nats``; only the finite sides; empty if there is none."""
    lower = "" if math.isinf(result.lower) else f"{rounded(result.lower, FEW_DIGITS, 'down')} ≤ "
    upper = "" if math.isinf(result.upper) else f" ≤ {rounded(result.upper, FEW_DIGITS, 'up')}"
    if not lower and not upper:
        return ""
    return f"{lower}{symbol(result)}{upper}" + (f" {result.unit}" if result.unit else "")


def symbol(result: Result) -> str:
    """Return the letter of a single measure (``I``), ``M`` for arithmetic of measures."""
    match = _SINGLE_CALL.match(result.measure)
    return match.group(1) if match else "M"


def status_text(result: Result, source: SourceFile | None = None) -> str:
    """Return ``exact``, ``certified``, or ``approximate (because line 3)``."""
    if result.certainty is not Certainty.APPROXIMATE or not result.because or source is None:
        return result.certainty.value
    lines = sorted({source.position(reason.span.start)[0] for reason in result.because})
    return f"approximate (because line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))})"


def result_text(result: Result, source: SourceFile | None = None, most: int = MOST_DIGITS) -> str:
    """Return number and status: ``0.1009544783 nats · certified``."""
    return f"{number_text(result, most)} · {status_text(result, source)}"
