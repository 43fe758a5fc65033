"""Formulas look at the clock: a deadline that has passed ends them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flint import arb, fmpq

from seepage.deadline import Clock, Deadline, using
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import Budget, DiscreteJoint
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
