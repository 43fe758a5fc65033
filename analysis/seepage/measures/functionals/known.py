"""Measures of one draw from an infinite law in closed form, for where its joint would have to be cut, or grows too large."""

from __future__ import annotations

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.outcome import Joint
from seepage.measures.evaluation import Evaluation
from seepage.measures.formulas import infinite_laws
from seepage.measures.joints import joint_of
from seepage.measures.planning.table import MEASURES
from seepage.semantics.core import CoreProgram


def joint_or_known(
    evaluation: Evaluation, name: str, core: CoreProgram, asked: tuple[str, ...]
) -> Joint | infinite_laws.Known:
    """Return the joint of some variables, or where that grows too large the measure itself: of a variable with a known law."""
    try:
        return joint_of(evaluation.inquiry, core, asked)
    except Fault as fault:
        if (
            fault.diagnostic.rule is not rules.BUDGET_EXCEEDED
            or len(asked) != 1
            or MEASURES[name].functional == "chance"
        ):
            raise
        known = closed(evaluation, name, core, asked[0])
        if known is None:
            raise
        return known


def closed(evaluation: Evaluation, name: str, core: CoreProgram, variable: str) -> infinite_laws.Known | None:
    """Return a measure of one draw from an infinite law in closed form."""
    scope, domains = evaluation.scope, evaluation.domains
    return infinite_laws.closed_measure(
        name, core, variable, scope.parameters, domains, evaluation.unit, evaluation.formulas, scope.taken
    )
