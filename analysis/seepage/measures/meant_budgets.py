"""Budgets that ask for another measure than their author means, by what they say: the finding on one offers what is meant."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.measures.planning.table import row_of
from seepage.measures.scope import Scope, variables
from seepage.semantics.checked import RequireSymbol
from seepage.source import Span
from seepage.syntax.tree import MeasureCall

_CHANCE = "'Guess' is the number of guesses that are needed, at least 1; the chance to be right at once is 'V'"
_NEIGHBOURS = (
    "any two inputs are compared, however many of their parts differ: 'distance=1' compares those that differ in one"
)


def with_what_is_meant(found: Diagnostic, symbol: RequireSymbol, bound: Fraction | None, scope: Scope) -> Diagnostic:
    """Return a finding on a budget that is exceeded, with a note and a fix where another measure is likely to be meant.

    Args:
        found: the finding.
        symbol: the budget.
        bound: what it allows; None where that is too large.
        scope: the meaning of names.
    """
    asked = symbol.node.measure
    if not isinstance(asked, MeasureCall):
        return found
    row = row_of(asked)
    if row.functional == "tries" and bound is not None and bound < 1:
        fix = Fix("ask for the chance 'V'", (Edit(asked.name_span.shift(symbol.start), "V"),))
        return _with(found, _CHANCE, fix)
    is_of_any = row.is_over_neighbours and asked.relation is None and all(one.name != "distance" for one in asked.named)
    if is_of_any and not asked.given and len(variables(scope, asked.left)) > 1:
        end = asked.span.shift(symbol.start).end - 1
        return _with(
            found, _NEIGHBOURS, Fix("compare neighbours: 'distance=1'", (Edit(Span(end, end), ", distance=1"),))
        )
    return found


def _with(found: Diagnostic, note: str, fix: Fix) -> Diagnostic:
    return replace(found, notes=(*found.notes, note), fixes=(*found.fixes, fix))
