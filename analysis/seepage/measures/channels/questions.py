"""Measures of a channel whatever the prior: ``C``, ``Cmin``, ``DP``, ``Delta``, ``Renyi`` and ``zCDP``, from the call as written to a quantity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from seepage import rules
from seepage.measures.accounting.divergences import concentrated, renyi
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.capacity_questions import capacity, min_capacity
from seepage.measures.evaluation import Evaluation
from seepage.measures.planning.table import Functional, row_of
from seepage.measures.privacy.questions import excess, privacy_loss
from seepage.measures.quantity import Quantity
from seepage.measures.scope import fail, variables
from seepage.syntax.tree import MeasureCall


def channel(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate one of C, Cmin, DP, Delta, Renyi, zCDP.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
    """
    scope = evaluation.scope
    if call.separator != "->" or not call.left or not call.right or call.gain:
        place = call.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found another shape of '{call.name}', expected {call.name}(x -> y)")
    x, y, z = (variables(scope, names) for names in (call.left, call.right, call.given))
    asked = AskedChannel(evaluation, call, x, y, z)
    return _OF_A_CHANNEL[row_of(call).functional](asked)


_OF_A_CHANNEL: Mapping[Functional, Callable[[AskedChannel], Quantity]] = MappingProxyType(
    {
        "entropy": capacity,
        "gain": min_capacity,
        "loss": privacy_loss,
        "excess of loss": excess,
        "moment of loss": renyi,
        "slope of moments": concentrated,
    }
)
