"""What a search for the best strategy finds, and which of two numbers is better."""

from __future__ import annotations

from collections.abc import Iterator

from seepage.data_classes import dataclass
from seepage.measures.engine import Engine
from seepage.measures.games.game import Decisions
from seepage.measures.result import Result
from seepage.syntax.tree import (
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A strategy, how it was found, and the number of the measure if that is known."""

    decisions: Decisions
    engine: Engine
    how: str
    is_decided: bool
    result: Result | None = None
    only_bounds: str = ""


def calls(measure: MeasureExpression) -> Iterator[MeasureCall]:
    """Yield the calls in a measure, from left to right."""
    match measure:
        case MeasureCall():
            yield measure
        case MeasureArithmetic(left=left, right=right):
            yield from calls(left)
            yield from calls(right)
        case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
            yield from calls(operand)
        case _:
            pass


def is_better(new: Result, old: Result, largest: bool) -> bool | None:
    """Tell whether a number is better than another, None where that is not decided; equal ones are not better."""
    if new.exact is not None and old.exact is not None:
        return new.exact > old.exact if largest else new.exact < old.exact
    if new.closed is not None and new.closed == old.closed:
        return False
    if new.lower == old.lower and new.upper == old.upper and new.lower == new.upper:
        return False
    low, high = (new, old) if not largest else (old, new)
    if low.upper < high.lower:
        return True
    return False if high.upper < low.lower else None
