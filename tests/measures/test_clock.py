"""Formulas look at the clock: a deadline that has passed ends them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from flint import acb, arb, fmpq

import seepage
from seepage.deadline import Clock, Deadline, until, using
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.pivot.segments import Segment
from seepage.laws.forms import Beyond
from seepage.measures.clock import UNLIMITED, OutOfTime, timed
from seepage.measures.discrete.divergence import divergence, posterior_divergences
from seepage.measures.discrete.entropy import conditional_entropy, entropy
from seepage.measures.discrete.mutual_information import mutual_information

Joint = DiscreteJoint[fmpq] | DiscreteJoint[arb]

FORMULAS: dict[str, Callable[[Joint, Budget], object]] = {
    "entropy": lambda joint, budget: entropy(joint, ["x"], budget),
    "conditional entropy": lambda joint, budget: conditional_entropy(joint, ["x"], ["y"], budget),
    "information": lambda joint, budget: mutual_information(joint, ["x"], ["y"], (), budget),
    "divergence": lambda joint, budget: divergence(joint, ["x"], joint, ["y"], budget),
    "posterior divergences": lambda joint, budget: list(posterior_divergences(joint, ["x"], ["y"], budget)),
}
RATIONAL = DiscreteJoint(("x", "y"), RATIONALS, {(0, 0): fmpq(1, 3), (0, 1): fmpq(1, 3), (1, 1): fmpq(1, 3)}, fmpq(1))
BALLS = DiscreteJoint(("x", "y"), balls(64), {(0, 0): arb(1), (0, 1): arb(1), (1, 1): arb(1)}, arb(3))


@pytest.mark.parametrize("joint", [RATIONAL, BALLS], ids=["rational", "balls"])
@pytest.mark.parametrize("name", FORMULAS)
def test_no_formula_goes_on_past_the_deadline(name: str, joint: Joint) -> None:
    FORMULAS[name](joint, UNLIMITED)
    with pytest.raises(OutOfTime):
        FORMULAS[name](joint, Budget(deadline=Deadline.after(-1)))


def test_the_clock_is_looked_at_along_the_way() -> None:
    def items() -> Iterator[None]:
        for _ in range(10**6):
            now[0] += 0.0001
            yield

    now = [0.0]
    with using(Clock(lambda: now[0], lambda: now[0])), pytest.raises(OutOfTime):
        list(timed(items(), Budget(deadline=Deadline.after(0.01))))


def test_an_integral_ends_where_the_time_of_the_whole_work_is_over() -> None:
    unit = Segment(arb(0), arb(1), lambda t: t, (), lambda _: acb(1))

    assert unit.integral(lambda *_: acb(1), 1e-9).overlaps(arb(1))
    with until(Deadline.after(0)), pytest.raises(Beyond):
        unit.integral(lambda *_: acb(1), 1e-9)


def test_what_a_first_share_was_too_short_for_is_certified_in_every_place() -> None:
    """Time counts its own readings here. What the measure takes alone is 1.5 of them, more than its first share of 1, and far below the limit of 20."""
    text = "secret x\noutput o\nx ~ exponential({rate})\nn ~ normal(0, 1)\no := max(0, min(1, x + n))\nshow I(x; o)\n"  # integrals of a rate are remembered
    readings = count()
    with using(Clock(lambda: next(readings) * 1e-9, lambda: next(readings) * 1e-9)):
        seepage.parse(text.format(rate="1/2")).measure("I(x; o)")
    tick, ticks = 1.5 / next(readings), count()

    with using(Clock(lambda: next(ticks) * tick, lambda: next(ticks) * tick)):
        found = seepage.parse(text.format(rate="3/7")).analyze(seconds=20)

    told = [found.answers[0].result, found.table[0].information]
    assert [each.certainty.value for each in told if each is not None] == ["certified", "certified"]
