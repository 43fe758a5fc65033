"""Measures by one of the paper's named methods: which have a formula, and the result with what the formula gives alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from seepage import rules
from seepage.engines.outcome import Joint, MixtureJoint
from seepage.measures.evaluation import Evaluation
from seepage.measures.gaussian.facts import within_entropies
from seepage.measures.joints import as_mixture, joint_of
from seepage.measures.paper import bounds as paper_bounds
from seepage.measures.paper.bounds import NotCovered, PaperBounds
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Method
from seepage.measures.rounding import in_bits
from seepage.measures.scope import fail
from seepage.measures.units import companion, in_unit
from seepage.semantics.core import CoreProgram
from seepage.syntax.tree import MeasureCall


def need_bounds(evaluation: Evaluation, call: MeasureCall) -> None:
    """Fail at a measure that the paper has no bounds for."""
    if not row_of(call).is_sum_of_logarithms:
        place = call.span.shift(evaluation.scope.offset)
        message = f"found '{call.name}', but the method '{evaluation.method}' bounds H, I and KL only"
        fail(rules.UNFIT_MEASURE, place, f"{message}: leave out the method")


def entropy(
    evaluation: Evaluation, method: Method, core: CoreProgram, x: tuple[str, ...], given: tuple[str, ...]
) -> Quantity:
    """Return H(x) or H(x | given) by a method."""
    if set(x) & set(given):
        _refuse(evaluation, "name no variable on both sides of '|' with a method")
    joint = _mixture(evaluation, joint_of(evaluation.inquiry, core, (*x, *given)))
    return _quantity(evaluation, lambda: paper_bounds.entropy(joint, x, given, method), joint)


def information(
    evaluation: Evaluation,
    method: Method,
    core: CoreProgram,
    x: tuple[str, ...],
    y: tuple[str, ...],
    given: tuple[str, ...],
) -> Quantity:
    """Return I(x; y) by a method."""
    if given:
        _refuse(evaluation, "the paper bounds I(x; y) without a third variable: leave out the method")
    joint = _mixture(evaluation, joint_of(evaluation.inquiry, core, (*x, *y)))

    def bounds() -> PaperBounds:
        found = paper_bounds.information(joint, x, y, method)
        return replace(found, enclosure=within_entropies(found.enclosure, joint, evaluation.inquiry, core, x, y))

    return _quantity(evaluation, bounds, joint)


def divergence(
    evaluation: Evaluation,
    method: Method,
    first: tuple[Joint, tuple[str, ...]],
    second: tuple[Joint, tuple[str, ...]],
) -> Quantity:
    """Return KL(first ‖ second) by a method, for joints and the tuples in them."""
    (joint_p, x), (joint_q, y) = first, second
    if not isinstance(joint_p, MixtureJoint) and not isinstance(joint_q, MixtureJoint):
        _mixture(evaluation, joint_p)
    p, q = as_mixture(joint_p), as_mixture(joint_q)
    for law in (p, q):
        _need_whole(evaluation, law)
    return _quantity(evaluation, lambda: paper_bounds.divergence(p, x, q, y, method), p, q)


def _mixture(evaluation: Evaluation, joint: Joint) -> MixtureJoint:
    if not isinstance(joint, MixtureJoint):
        _refuse(evaluation, "found discrete variables only, which are computed exactly: leave out the method")
    _need_whole(evaluation, joint)
    return joint


def _need_whole(evaluation: Evaluation, joint: MixtureJoint) -> None:
    if joint.cut is not None:
        _refuse(evaluation, "found an infinite support, of which the paper's bounds know no cut: leave out the method")


def _refuse(evaluation: Evaluation, message: str) -> NoReturn:
    fail(rules.UNFIT_MEASURE, evaluation.inquiry.place, message)


def _quantity(
    evaluation: Evaluation, bounds: Callable[[], PaperBounds], joint: MixtureJoint, other: MixtureJoint | None = None
) -> Quantity:
    try:
        found = bounds()
    except NotCovered as reason:
        _refuse(evaluation, str(reason))
    quantity = in_unit(evaluation.unit, found.enclosure, joint, None, None, other)
    if found.alone is None:
        return quantity
    told = in_bits(found.alone) if evaluation.unit == "bits" else found.alone
    alone = companion("by the formulas alone", evaluation.unit, told)
    return Quantity(quantity.enclosure, quantity.dimension, quantity.engine, quantity.because, companions=(alone,))
