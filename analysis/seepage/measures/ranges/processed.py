"""Budgets over ranges by data processing: whoever sees something learns at most what the hidden value itself tells, and at least nothing.

What is seen is made of what is hidden and of chance, so that with what is hidden in its place an attacker knows no less: ``I(x; y) <= I(x; x) = H(x)``,
``V(x | y) <= V(x | x) = 1``, ``Lmin(x -> y) <= Lmin(x -> x)``; and with nothing in its place no more: ``H(x | y) <= H(x)``, ``V(x | y) >= V(x)``
(Cover, Thomas 2006, theorems 2.6.5 and 2.8.1; Alvim et al. 2020, "The science of quantitative information flow", chapters 4 and 5). Neither reads the
outputs, whose law over a range may be of any kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from seepage.measures.formulas.definedness import Demands
from seepage.measures.formulas.fixed_parameters import with_fixed
from seepage.measures.planning.table import row_of
from seepage.measures.ranges.meaning import demands_on
from seepage.measures.ranges.required import Decision, Requirement, only_violations
from seepage.measures.scope import is_plain
from seepage.syntax.tree import MeasureCall


def by_what_is_hidden(required: Requirement, decided: Callable[[Requirement], Decision]) -> Decision | None:
    """Decide a budget by one of the hidden values alone; None where that does not decide it.

    Args:
        required: the budget.
        decided: decides another one.

    Raises:
        NoProblem: if the other is not followed.
        NoPolynomial: likewise.
        NoAlgebra: likewise, or if it cannot be said what the laws of the program need.
        Fault: of the program or the measure.
    """
    call = required.symbol.node.measure
    if not isinstance(call, MeasureCall) or required.comparison == "==":
        return None
    limit = _limit(call, from_above=required.comparison in ("<=", "<"))
    if limit is None or any(not is_plain(required.scope, each) for each in call.given):
        return None
    required.number_at(call, required.middle)  # the program has a meaning there
    values = {name: value for name, value in required.scope.parameters.items() if name not in required.ranges}
    demands = Demands(tuple(required.ranges), dict(required.ranges), required.middle)
    if not demands_on(with_fixed(required.scope.core, values), demands):
        return None
    node = replace(required.symbol.node, measure=limit)
    outcome, needed = decided(
        replace(required, symbol=replace(required.symbol, node=node), judge=only_violations(required.judge))
    )
    return outcome, (*needed, *map(str, demands.stated))


def _limit(call: MeasureCall, *, from_above: bool) -> MeasureCall | None:
    """Return a measure of the hidden values alone that lies on one side of another; None where there is none."""
    row = row_of(call)
    if row.under_processing is None:
        return None
    tells_all = (row.under_processing == "<=") == from_above
    if row.shape == "of x given y":
        return replace(call, given=call.left if tells_all else ()) if call.given else None
    return replace(call, right=call.left) if tells_all else None
