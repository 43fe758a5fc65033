"""What a ``require M <= e over …`` asks: the budget, its ranges, and how a single point of them is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate
from seepage.measures.formulas.guards import inner_point
from seepage.measures.joints import Memory
from seepage.measures.ranges.problem import Problem, problem_of
from seepage.measures.ranges.search import Outcome, Point
from seepage.measures.requirement import Comparison, Verdict
from seepage.measures.result import Result
from seepage.measures.scope import Scope, fail, static_number
from seepage.rules import UNKNOWN_IN_MEASURE
from seepage.semantics.checked import Domain, RequireSymbol
from seepage.syntax.tree import Expression, Infinity, MeasureCall, Unary

Decision: TypeAlias = tuple[Outcome, tuple[str, ...]]
"""How the search ended, and if the budget holds what the ranges do not ensure of the program."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A budget over ranges.

    Attributes:
        asking: the program and the values of the other parameters.
        symbol: the budget.
        ranges: of the parameters that vary.
        judge: says whether it holds at one point of the ranges.
    """

    asking: Asking
    symbol: RequireSymbol
    ranges: Mapping[str, Domain]
    judge: Callable[[Point], Verdict]

    @property
    def scope(self) -> Scope:
        """The names that its measure and its bound may read; parameters of the ranges have no value, not even their defaults."""
        scope = self.asking.scope(self.symbol.start)
        return replace(scope, parameters={name: at for name, at in scope.parameters.items() if name not in self.ranges})

    @property
    def computation(self) -> Budget:
        """The time and the states that deciding it may take."""
        return self.asking.budget

    @property
    def comparison(self) -> Comparison:
        """How the measure is compared with the bound."""
        return self.symbol.node.comparison

    @property
    def strict(self) -> bool:
        """Whether the measure must differ from the bound."""
        return self.comparison in ("<", ">")

    @property
    def per_unit(self) -> Number:
        """Nats in a unit of the budget."""
        return 1 if self.symbol.node.unit == "nats" else exact.log_(2)

    @property
    def middle(self) -> Point:
        """A point inside the ranges."""
        return {name: inner_point(domain.low, domain.high) for name, domain in self.ranges.items()}

    def number_at(self, call: MeasureCall, point: Point) -> Result:
        """Return a measure at a point of the ranges.

        Raises:
            Fault: of the program or the measure there.
        """
        asking = replace(self.asking, parameters={**self.asking.parameters, **point}, memory=Memory())
        return evaluate(asking, call, self.symbol.start, formulas=False)

    def problem(self, sign: int) -> Problem:
        """Return it as a function of the parameters in the ranges; sign and faults as of :func:`problem_of`."""
        node = self.symbol.node
        return problem_of(self.scope, node.measure, node.bound, self.per_unit, self.ranges, sign, self.computation)


def only_violations(judge: Callable[[Point], Verdict]) -> Callable[[Point], Verdict]:
    """Return a judge for a function above the one asked about: that the budget holds at a point says nothing of others with smaller values."""
    return lambda point: "violated" if judge(point) == "violated" else "cannot tell"


def ranges_of(asking: Asking, symbol: RequireSymbol) -> dict[str, Domain]:
    """Return the ranges of a budget.

    Raises:
        Fault: for one of a name that is no parameter, or whose ends are no numbers.
    """
    scope = asking.scope(symbol.start)
    found: dict[str, Domain] = {}
    for each in symbol.node.ranges:
        interval = each.interval
        if each.name not in asking.checked.symbols.params:
            fail(UNKNOWN_IN_MEASURE, each.name_span.shift(symbol.start), f"'{each.name}' is no parameter")
        low, high = _end(scope, interval.low), _end(scope, interval.high)
        found[each.name] = Domain(low, high, interval.low_closed, interval.high_closed)
    return found


def _end(scope: Scope, expression: Expression) -> Number | None:
    if isinstance(expression, Infinity) or (isinstance(expression, Unary) and isinstance(expression.operand, Infinity)):
        return None
    return static_number(scope, expression)
