"""The widest range of a whole-numbered constant in which a budget holds: every value is a program of its own, and is decided by itself."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from seepage.constants import with_constants
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.measures.requirement import Verdict
from seepage.pipeline import measure
from seepage.semantics.checked import Checked
from seepage.tuning.budgets import judged
from seepage.tuning.goal import Best, Goal
from seepage.tuning.ranges import End, Tuned, Verdicts, widest

MOST_VALUES = 200


@dataclass(frozen=True, slots=True)
class WholeTuning:
    """What is asked: as :class:`seepage.tuning.ranges.Tuning`, of a constant between two whole numbers, both included."""

    checked: Checked
    budget: str
    constant: str
    low: int
    high: int
    params: Mapping[str, Number]
    seconds: float

    def tune(self, goal: Goal | None = None) -> Tuned | None:
        """Return the widest range; None if the budget holds at no value.

        Raises:
            Fault: of the program, the budget or the measure of the goal.
            ValueError: more than ``MOST_VALUES`` values, or no such constant.
        """
        if self.high - self.low >= MOST_VALUES:
            raise ValueError(f"found {self.high - self.low + 1:,} values, expected at most {MOST_VALUES}")
        judged(
            self.checked, self.budget, self.params, self.seconds
        )  # what is wrong with it is told of the program as it is
        known: Verdicts = {Fraction(value): self.at(value) for value in range(self.low, self.high + 1)}
        run = widest(known)
        if run is None:
            return None
        elsewhere = next((at for at, told in known.items() if told == "holds" and not run[0] <= at <= run[1]), None)
        low, high = (self._end(at, known, side) for at, side in zip(run, (-1, 1), strict=True))
        best = None if goal is None else self._best(goal, int(run[0]), int(run[1]))
        return Tuned(self.budget, self.constant, low, high, proved=True, elsewhere=elsewhere, best=best, whole=True)

    def at(self, value: int) -> Verdict:
        """Return what the budget comes to at one value; "cannot tell" where the program has a fault there."""
        try:
            return judged(self._program(value), self.budget, self.params, self.seconds)[0]
        except (Fault, ValueError):
            return "cannot tell"

    def _program(self, value: int) -> Checked:
        return with_constants(self.checked, {self.constant: value})

    def _end(self, at: Fraction, known: Mapping[Fraction, Verdict], side: int) -> End:
        beyond = known.get(at + side)
        return End(at, at + side if beyond == "violated" else None, is_of_domain=beyond is None)

    def _best(self, goal: Goal, low: int, high: int) -> Best[Fraction]:
        """Return the best value of a measure in the range; each was asked, so that the furthest bound holds for all."""
        values = range(low, high + 1)
        found = {n: measure(self._program(n), goal.measure, self.params, "bits", self.seconds) for n in values}
        at = min(found, key=lambda each: (goal.cost(found[each]), each))
        return Best(goal, Fraction(at), found[at], goal.furthest(found.values()))
