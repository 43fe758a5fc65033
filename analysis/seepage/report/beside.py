"""What stands beside a measure's number, as words: where a supremum is reached, and the numbers that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, justified, rounded, with_unit
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.games.strategy import Strategy
from seepage.measures.result import Companion, Result
from seepage.report.numbers import number_text
from seepage.source import SourceFile


def beside_lines(result: Result, quote: Callable[[str], str] = str, most: int = MOST_DIGITS) -> Iterator[str]:
    """Yield ``prior g-vulnerability 0.5, …`` and ``reached at s = 1 against s = 0``; what is code stands as ``quote`` writes it."""
    if result.companions:
        yield ", ".join(companion_text(companion, most) for companion in result.companions)
    if result.witness:
        yield f"reached at {quote(result.witness)}"
    if result.strategy is not None:
        yield f"{strategy_words(result.strategy)}: {quote(result.strategy.short())}"
    for name, end in (("least", result.minimum), ("largest", result.maximum)):
        if end is not None:
            chosen = "" if end.strategy is None else f" with {quote(end.strategy.short())}"
            yield f"{name} {number_text(end, most)}{chosen}"


def strategy_words(strategy: Strategy) -> str:
    """Return what a strategy is, ``best strategy, by backward induction``, and for which measure where that is another one."""
    what = "best strategy that was found" if strategy.only_bounds else "best strategy"
    what += f" for {strategy.measure}" if strategy.measure else ""
    return f"{what}, {strategy.how}{'' if strategy.is_decided else '; another may be as good'}"


def companion_text(companion: Companion, most: int = MOST_DIGITS) -> str:
    """Return ``prior g-vulnerability 0.5``, or ``prior g-vulnerability between 0.4 and 0.6`` where its bounds leave no common digits."""
    number = justified(companion.lower, companion.value, companion.upper, most)
    if number is None:
        low, high = rounded(companion.lower, FEW_DIGITS, "down"), rounded(companion.upper, FEW_DIGITS, "up")
        number = f"between {low} and {high}"
    return f"{companion.name} {with_unit(number, companion.unit)}"


def reason_text(answer: Answer, source: SourceFile | None = None) -> str:
    """Return why an answer has no number or no verdict; what is asked and "cannot tell" stand beside it and are not said again."""
    if answer.diagnostic is None:
        return "no result"
    return f"{answer.reason or answer.diagnostic.message}{elsewhere_text(answer, source)}"


def elsewhere_text(answer: Answer, source: SourceFile | None) -> str:
    """Return `` (line 5)`` where what an answer lacks a number for stands at another place of the program."""
    found = answer.diagnostic
    if found is None or source is None or answer.span.contains(found.span.start):
        return ""
    return f" (line {source.position(found.span.start)[0]})"


def worst_text(row: LeakageRow, most: int = FEW_DIGITS) -> str:
    """Return ``o = 1: 3 bits, 0 bits left``, with the output value that leaves least by itself where it is another; empty if unknown."""
    told = f"{row.worst.output}: {number_text(row.worst.divergence, most)}" if row.worst is not None else ""
    if row.least_left is None:
        return told
    left = f"{number_text(row.least_left.entropy, most)} left"
    if row.worst is not None and row.worst.output == row.least_left.output:
        return f"{told}, {left}"
    return "; ".join(part for part in (told, f"{row.least_left.output}: {left}") if part)


def where_text(answer: Answer) -> str:
    """Return the point of its ranges where a budget is violated: `` at eps = 4``."""
    return f" at {answer.worst}" if answer.worst else ""


def ranges_text(answer: Answer) -> str:
    """Return the ranges of a budget: `` over p in [0, 1]``; empty if it has none."""
    return f" over {answer.over}" if answer.over else ""
