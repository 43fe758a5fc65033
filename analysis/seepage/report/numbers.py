"""A result as words: its number with the digits that its bounds justify, its unit, and how far to trust it."""

from __future__ import annotations

import math
from collections.abc import Callable

from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, justified, rounded, with_unit
from seepage.measures.result import Certainty, Formula, Result
from seepage.source import SourceFile

_IN_ONE_LINE = 6  # definitions of a formula


def number_text(result: Result, most: int = MOST_DIGITS) -> str:
    """Return ``0.11 bits``; ``0 ≤ I ≤ 0.146 nats`` where the bounds leave no common digits, with ``, estimate 0.101`` where one was computed."""
    exactly = justified(*result.ends, most)
    if exactly is not None:
        return with_unit(exactly, result.unit)
    bounds = bounds_text(result)
    if not result.estimated or result.value is None:
        return bounds or "no bounds known"
    estimate = rounded(result.value, FEW_DIGITS)
    return (
        f"{bounds}, estimate {estimate}" if bounds else f"estimate {with_unit(estimate, result.unit)}, no bounds known"
    )


def has_number(result: Result, most: int = MOST_DIGITS) -> bool:
    """Tell whether one number stands for a result: else its bounds do."""
    return justified(*result.ends, most) is not None


def equation_text(
    result: Result, source: SourceFile | None = None, quote: Callable[[str], str] = str, most: int = MOST_DIGITS
) -> str:
    """Return ``I(s; o) = 0.11 bits · exact``, or with bounds ``I(s; o): 0 ≤ I ≤ 0.146 nats, estimate 0.101 · certified``.

    What is code stands as ``quote`` writes it.
    """
    number = number_text(result, most)
    return f"{quote(result.measure)}{joint_text(result, most)}{number} · {status_text(result, source)}"


def joint_text(result: Result, most: int = MOST_DIGITS) -> str:
    """Return what stands between a measure and its number: `` = ``, or ``: `` where bounds stand in the place of one."""
    return " = " if has_number(result, most) else ": "


def formula_text(formula: Formula, quote: Callable[[str], str] = str) -> str:
    """Return a formula with its definitions and side conditions in one line: ``log₂(3/p) where p > 0``; what is code stands as ``quote`` writes it."""
    further = ", ".join(map(quote, (*formula.definitions, *formula.conditions)))
    return quote(formula.text) + (f" where {further}" if further else "")


def formula_lines(formula: Formula, quote: Callable[[str], str] = str) -> tuple[str, ...]:
    """Return a formula in one line, or with its definitions in a line each where there are many."""
    if len(formula.definitions) <= _IN_ONE_LINE:
        return (formula_text(formula, quote),)
    return (
        f"{quote(formula.text)} where {', '.join(map(quote, formula.conditions))}".removesuffix(" where "),
        *map(quote, formula.definitions),
    )


def percent_text(percent: Result, most: int = FEW_DIGITS) -> str:
    """Return ``12.5 %``, or ``0 % to 14.6 %`` where the bounds leave no common digits."""
    exactly = justified(percent.lower, percent.value, percent.upper, most)
    if exactly is not None:
        return f"{exactly} %"
    return f"{rounded(percent.lower, FEW_DIGITS, 'down')} % to {rounded(percent.upper, FEW_DIGITS, 'up')} %"


def bounds_text(result: Result) -> str:
    """Return ``0 ≤ I ≤ 0.146 nats``; only the finite sides; empty if there is none."""
    least, _, most = result.ends
    lower = "" if math.isinf(result.lower) else f"{rounded(least, FEW_DIGITS, 'down')} ≤ "
    upper = "" if math.isinf(result.upper) else f" ≤ {rounded(most, FEW_DIGITS, 'up')}"
    if not lower and not upper:
        return ""
    return f"{lower}{result.symbol}{upper}" + (f" {result.unit}" if result.unit else "")


def status_text(result: Result, source: SourceFile | None = None) -> str:
    """Return ``exact``, ``certified``, or ``approximate (because line 3)``."""
    if result.certainty is not Certainty.APPROXIMATE or not result.because or source is None:
        return result.certainty.value
    lines = sorted({source.position(reason.span.start)[0] for reason in result.because})
    return f"approximate (because line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))})"


def guess_text(result: Result, source: SourceFile | None = None, most: int = FEW_DIGITS) -> str:
    """Return a chance to guess: with its status only where that is ``approximate``."""
    number = number_text(result, most)
    return f"{number} · {status_text(result, source)}" if result.certainty is Certainty.APPROXIMATE else number


def result_text(result: Result, source: SourceFile | None = None, most: int = MOST_DIGITS) -> str:
    """Return number and status: ``0.1009544783 nats · certified``."""
    return f"{number_text(result, most)} · {status_text(result, source)}"
