"""Measures of a channel whatever the prior: ``C``, ``Cmin``, ``DP`` and ``Delta``, from the call as written to a quantity."""

from __future__ import annotations

from seepage import rules
from seepage.measures.evaluation import Evaluation
from seepage.measures.quantity import Quantity
from seepage.measures.scope import fail
from seepage.syntax.tree import MeasureCall


def channel(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate one of C, Cmin, DP, Delta.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
    """
    place = call.span.shift(evaluation.scope.offset)
    fail(rules.NOT_SUPPORTED, place, f"not supported yet: this version has no engine for the measure '{call.name}'")
