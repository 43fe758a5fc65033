"""``DP`` and ``Delta`` of outputs that are one-to-one functions of other values, asked of these: what an attacker sees tells him the same."""

from __future__ import annotations

from dataclasses import replace

from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault
from seepage.measures.channels.questions import channel
from seepage.measures.clock import OutOfTime
from seepage.measures.evaluation import Evaluation
from seepage.measures.guessing.questions import ToldAs
from seepage.measures.joints import Memory
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import variables
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import MeasureCall


def retold(evaluation: Evaluation, call: MeasureCall, told_as: ToldAs) -> Quantity | None:
    """Evaluate ``DP`` or ``Delta`` with what tells the same in the place of the outputs; None of other measures, and where that is not known better.

    A witness names no output: it would not be that of the program.
    """
    if not row_of(call).is_of_losses or evaluation.inquiry.budget.expired():
        return None
    scope = evaluation.scope
    kept, seen = (*variables(scope, call.left), *variables(scope, call.given)), variables(scope, call.right)
    core = told_as(scope.core, (*kept, *seen), kept)
    if core.statements == slice_program(scope.core, (*kept, *seen)).statements:
        return None
    inquiry = replace(evaluation.inquiry, scope=replace(scope, core=core), memory=Memory(reuse=False))
    try:
        found = channel(replace(evaluation, inquiry=inquiry, formulas=False), call)
    except (Fault, ArithmeticFault, OutOfTime):
        return None
    if found.enclosure.certainty is Certainty.APPROXIMATE:
        return None
    return replace(found, witness=replace(found.witness, output=""))
