r"""``DP(x -> y, metric=m)``: the loss for each unit of distance, as in geo-indistinguishability.

.. math:: \varepsilon = \sup_{x \ne x'} \varepsilon_{x, x'}(\delta) / m(x, x')

(Chatzikokolakis, Andrés, Bordenabe, Palamidessi 2013, "Broadening the scope of differential privacy using metrics".) Pairs at the same distance are asked at once. Without a δ losses
add up along a path, so that pairs suffice between which no other input lies: of numbers those that are next to each other, of all points of a grid those that differ in one place.

An output :math:`x + n` with n of a log-concave density f tells pairs further apart more for each unit, also with a δ: with :math:`\bar F` the tail of f and c the loss for each unit,

.. math:: \tfrac{d}{d\mu} \sup_t \left(\bar F(t - \mu) - e^{c\mu} \bar F(t)\right) = e^{c\mu} (f(t) - c \bar F(t)) \ge 0,

since at the best t the slope of :math:`-\log f` is c on average over :math:`[t - \mu, t]`, so at least c from t on, and :math:`\bar F(t) \le f(t)/c`. So of inputs from a range the ends are the worst pair,
and of inputs that may be any distance apart the loss for each unit is what it is without a δ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from seepage import exact, rules
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import samples_continuous
from seepage.exact import Number
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import joint_of
from seepage.measures.privacy.metrics import Metric, Named
from seepage.measures.privacy.neighbours import Apart, Closeness, Stated, TooManyNeighbours, measured, sorted_numbers
from seepage.measures.privacy.noise_questions import joined, told_by_noise
from seepage.measures.quantity import NOWHERE, Quantity, Witness
from seepage.measures.result import Certainty
from seepage.measures.scope import fail
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk

Pairs = list[tuple[Values, Values]]


def loss_per_unit(
    asked: AskedChannel, metric: Metric, delta: Number, loss: Callable[[Closeness], Quantity]
) -> Quantity:
    """Evaluate ``DP`` for each unit of distance.

    Args:
        asked: the call, and its variables.
        metric: how far inputs are apart.
        delta: that is allowed.
        loss: the greatest loss over some pairs of inputs.

    Raises:
        Fault: of the program, or of the measure at its place.
        OutOfTime: past the budget's deadline.
    """
    core = asked.evaluation.scope.core
    if samples_continuous(walk(slice_program(core, asked.x).statements)):
        return _of_shift(asked, metric, delta)
    try:
        classes = _by_distance(_inputs(asked), metric, only_links=delta == 0)
    except TooManyNeighbours as many:
        fail(rules.BUDGET_EXCEEDED, asked.place, f"too many neighbours: {many.reason}")
    found = [_for_each_unit(each, apart) for apart, each in _losses(asked, classes, loss)]
    if not found:
        return loss(Stated(()))
    if len(found) > 1:  # at other values of the parameters another distance may be the worst
        found = [replace(each, formula=None) for each in found]
    return _greatest(found)


# --- discrete inputs --------------------------------------------------------------------------------------------------


def _inputs(asked: AskedChannel) -> list[Values]:
    joint = joint_of(asked.evaluation.inquiry, asked.evaluation.scope.core, asked.x)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        fail(rules.NOT_SUPPORTED, asked.place, "not supported yet: a metric of inputs with infinitely many values")
    return joint.support(asked.x)


def _by_distance(inputs: Sequence[Values], metric: Metric, only_links: bool) -> dict[Number, Pairs]:
    """Return the ordered pairs of inputs by their distance; those alone that suffice where losses add up along a path."""
    links = _links(inputs, metric) if only_links and isinstance(metric, Named) else None
    found: dict[Number, Pairs] = {}
    if links is None:
        for pair, apart in measured(inputs, metric):
            found.setdefault(apart, []).append(pair)
        return found
    for one, other in links:
        distance = metric.between(one, other)
        if distance is not None:
            found.setdefault(distance, []).extend(((one, other), (other, one)))
    return found


def _links(inputs: Sequence[Values], metric: Named) -> Iterator[tuple[Values, Values]] | None:
    """Return pairs by which all inputs are joined along shortest paths; None where they are none in a row, and no full grid."""
    if not inputs:
        return None
    if len(inputs[0]) == 1 and metric.of_line:
        return pairwise(sorted_numbers(inputs))
    if metric.name == "euclid":
        return None
    axes = [sorted_numbers({(values[at],) for values in inputs}) for at in range(len(inputs[0]))]
    count = 1
    for axis in axes:
        count *= len(axis)
    if count != len(inputs):
        return None
    return _along_axes(axes, metric.of_line)


def _along_axes(axes: Sequence[Sequence[Values]], in_order: bool) -> Iterator[tuple[Values, Values]]:
    """Yield the pairs of points of a grid that differ in one place, there by one step if ``in_order``."""
    for at, axis in enumerate(axes):
        steps = pairwise(axis) if in_order else ((one, other) for n, one in enumerate(axis) for other in axis[n + 1 :])
        others = [[value for (value,) in each] for number, each in enumerate(axes) if number != at]
        for (one,), (other,) in list(steps):
            for rest in product(*others):
                yield (*rest[:at], one, *rest[at:]), (*rest[:at], other, *rest[at:])


def _losses(
    asked: AskedChannel, classes: dict[Number, Pairs], loss: Callable[[Closeness], Quantity]
) -> Iterator[tuple[Number, Quantity]]:
    for apart, listed in classes.items():
        if asked.evaluation.inquiry.budget.expired():
            raise OutOfTime
        yield apart, loss(Stated(tuple(listed)))


def _for_each_unit(loss: Quantity, apart: Number) -> Quantity:
    if apart == 1:
        return loss
    return replace(loss, enclosure=divided(loss.enclosure, apart), formula=None)


def divided(loss: Enclosure, apart: Number) -> Enclosure:
    """Return a loss for each unit of a distance."""
    known = loss.closed if loss.exact is None else exact.number(loss.exact)
    if known is not None:
        return replace(Enclosure.of_number(exact.div(known, apart)), notes=loss.notes)
    if not loss.lower.is_finite():
        return loss
    by = exact.enclose(apart)
    upper = loss.upper / by if loss.upper.is_finite() else loss.upper
    return replace(
        Enclosure.bounded(loss.value / by, (loss.lower / by).lower(), upper.upper(), loss.certainty, notes=loss.notes),
        estimated=loss.estimated,
    )


def _greatest(found: Sequence[Quantity]) -> Quantity:
    leader = found[0]
    for one in found[1:]:
        if one.enclosure.lower > leader.enclosure.lower:
            leader = one
    enclosure = leader.enclosure
    for one in found:
        if one is not leader:
            enclosure = joined(enclosure, one.enclosure)
    because = tuple(dict.fromkeys(reason for one in found for reason in one.because))
    if because:
        enclosure = replace(enclosure, certainty=Certainty.APPROXIMATE, exact=None, closed=None)
    return replace(leader, enclosure=enclosure, because=because)


# --- one continuous input ---------------------------------------------------------------------------------------------


def _of_shift(asked: AskedChannel, metric: Metric, delta: Number) -> Quantity:
    """Return the answer for an output that shifts with a continuous input."""
    if len(asked.x) == 1 and not asked.z and isinstance(metric, Named) and metric.of_line:
        told = told_by_noise(asked, None, delta=delta)
        if told is not None and told.shift is not None:
            if told.shift != 0:
                witness = Witness(f"two values of {asked.x[0]} at distance {exact.show(told.shift)}")
                return Quantity(divided(told.enclosure, told.shift), 0, "noise", witness=witness)
            if not told.enclosure.upper > 0:
                return Quantity(replace(told.enclosure, notes=()), 0, "noise")
            near = told_by_noise(asked, Apart(1), delta=0)
            if near is not None:
                return Quantity(near.enclosure, 0, "noise", witness=NOWHERE)
    message = "not supported yet: a metric of continuous inputs, other than one number whose multiple is published with normal or Laplace noise"
    fail(rules.NOT_SUPPORTED, asked.place, message)
