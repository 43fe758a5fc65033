"""The way "cells of outputs": every measure of what continuous outputs tell of a discrete secret, between two finite channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from flint import arb

from seepage import exact
from seepage.engines.select import samples_continuous
from seepage.exact import precision
from seepage.laws.forms import Beyond
from seepage.measures.accounting.lattice import samples_lattice
from seepage.measures.cells.answers import Cells, Worst
from seepage.measures.cells.divergences import concentration_between, divergence_between
from seepage.measures.cells.joining import joined
from seepage.measures.cells.reading import Looks, is_looked_at, looks_of
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.questions import guessing_by_sight
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import follows_many_orders
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.planning.table import Functional
from seepage.measures.privacy.closeness import is_per_unit
from seepage.measures.privacy.neighbours import neighbourhoods, pairs
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.questions import told_of_pair
from seepage.measures.result import Certainty
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreSample, CoreStatement
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.syntax.tree import Family

_BITS = 128
_MOST_INPUTS = 64
_BEFORE, _AFTER = 0.7, 1.5  # seconds, of one law: 1
_NORMAL = frozenset({"normal", "mixture"})

_TOLD: Mapping[str, Callable[[Cells, Question], Enclosure]] = {
    "I": lambda cells, _: cells.information(),
    "H": lambda cells, _: cells.left(),
    "C": lambda cells, question: cells.capacity(question.evaluation.inquiry.budget),
    "Cmin": lambda cells, _: cells.min_capacity(),
}
_SLOPE: Functional = "slope of moments"


def applies(question: Question) -> bool:
    """Tell whether a question is for what continuous outputs tell of a discrete secret."""
    measure = question.measure
    is_told = measure.name in _TOLD or measure.is_of_guesses or measure.is_over_neighbours
    if not is_told or not question.y or question.given:
        return False
    if set(question.x) & set(question.y) or question.states("power") or is_per_unit(question.call):
        return False
    if measure.is_of_losses and not (question.states("delta") or question.states("eps")):
        return False
    if samples_continuous(slice_program(question.core, question.x).statements):
        return False
    statements = slice_program(question.core, question.names).statements
    return samples_continuous(statements) or (len(question.y) > 1 and is_looked_at(statements))


def seconds(question: Question) -> float:
    """Return about how long it takes: less than one law where that stands normal laws for others, or follows all orders of many values."""
    statements = slice_program(question.core, question.names).statements
    if all(law in _NORMAL for law in _continuous_laws(statements)) and not samples_lattice(statements):
        return _AFTER
    if question.measure.is_of_moments:
        return _AFTER  # closed forms are narrower, and one law knows at once that it has none
    if len(question.y) > 1:
        return _BEFORE
    return _BEFORE if follows_many_orders(question) else _AFTER


def _continuous_laws(statements: Sequence[CoreStatement]) -> Iterator[str]:
    for each in walk(statements):
        if isinstance(each, CoreSample) and isinstance(each.distribution, Family) and samples_continuous((each,)):
            yield each.distribution.name


def by_cells(question: Question) -> Claim | Refusal:
    """Answer between two finite channels.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    inquiry = question.evaluation.inquiry

    def stop() -> None:
        if inquiry.budget.expired():
            raise OutOfTime

    try:
        with precision(_BITS):
            looks = looks_of(question.core, question.x, question.y, inquiry)
            if question.measure.is_of_moments:
                return _diverged(question, looks, stop)
            prior = looks.joint.marginal(question.x)
            if len(prior.masses) > _MOST_INPUTS:
                return Refusal("too large", f"the secret has more than {_MOST_INPUTS} values")
            return _claim(question, Cells(joined(looks, question.x, stop), prior), stop)
    except NotRead:
        return Refusal("does not apply", "the outputs are not independent of each other given discrete values")
    except Beyond as beyond:
        return Refusal("does not apply", beyond.reason)


def _claim(question: Question, cells: Cells, stop: Callable[[], None]) -> Claim:
    name = question.measure.name
    if question.measure.is_of_guesses:
        return replace(guessing_by_sight(question.evaluation, question.call, cells), engine="paths")
    if name in _TOLD:
        return replace(in_unit(question.evaluation.unit, _TOLD[name](cells, question), None), engine="paths")
    asked = AskedChannel(question.evaluation, question.call, question.x, question.y, ())
    near = pairs(neighbourhoods(cells.finite.inputs, asked.closeness()))
    worst = _worst(asked, cells, near, stop)
    return replace(told_of_pair(asked, worst.known, *(worst.pair or (None, None))), engine="paths")


def _diverged(question: Question, looks: Looks, stop: Callable[[], None]) -> Claim:
    asked = AskedChannel(question.evaluation, question.call, question.x, question.y, ())
    inputs = tuple(looks.joint.support(question.x))
    near = pairs(neighbourhoods(inputs, asked.closeness()))
    if question.measure.functional == _SLOPE:
        (low, high), pair = concentration_between(looks, question.x, near, stop)
    else:
        order = asked.argument("alpha")
        if order is None or exact.compare(order, 1) <= 0:
            raise NotRead
        (low, high), pair = divergence_between(looks, question.x, near, exact.nearest_float(order), stop)
    known = Enclosure.bounded(arb((low + min(high, 2 * low + 1)) / 2), arb(low), arb(high), Certainty.CERTIFIED)
    return replace(told_of_pair(asked, known, *(pair or (None, None))), engine="paths")


def _worst(asked: AskedChannel, cells: Cells, near: Iterable[tuple[Values, Values]], stop: Callable[[], None]) -> Worst:
    epsilon, delta = asked.argument("eps"), asked.argument("delta")
    if epsilon is not None and exact.sign(epsilon) >= 0:
        return cells.excess(near, exact.nearest_float(epsilon), stop)
    if delta is not None and exact.sign(delta) > 0:
        return cells.loss(near, exact.nearest_float(delta), stop)
    raise NotRead
