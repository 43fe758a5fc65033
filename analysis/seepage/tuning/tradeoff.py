"""What leaks beside what is lost, at values of a parameter or a constant: the curve along which a budget is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from seepage.constants import with_constants
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.measures.plotting import Plotted, plotted, without_number
from seepage.pipeline import measure
from seepage.semantics.checked import Checked
from seepage.syntax.spell import spell
from seepage.tuning.budgets import with_budget


@dataclass(frozen=True, slots=True)
class Traded:
    """Both measures at one value."""

    at: Fraction
    leak: Plotted
    loss: Plotted


@dataclass(frozen=True, slots=True)
class TradeOff:
    """A curve.

    Attributes:
        name: what varies.
        leak: the measure of the budget.
        loss: the measure that is to be small or great.
        points: in ascending order of what varies.
    """

    name: str
    leak: str
    loss: str
    points: tuple[Traded, ...]

    @property
    def leaks(self) -> tuple[Plotted, ...]:
        """The measure of the budget at each point."""
        return tuple(each.leak for each in self.points)

    @property
    def losses(self) -> tuple[Plotted, ...]:
        """The other measure at each point."""
        return tuple(each.loss for each in self.points)


def trade_off(
    checked: Checked,
    budget: str,
    loss: str,
    name: str,
    values: Sequence[Fraction],
    params: Mapping[str, Number],
    seconds: float,
) -> TradeOff:
    """Return the measure of a budget and another one at values of a parameter or a constant.

    Args:
        checked: the program.
        budget: without ranges.
        loss: the other measure.
        name: of a parameter or a constant.
        values: of it.
        params: values of other parameters.
        seconds: of a processor for each number.

    Raises:
        Fault: the budget is none.
    """
    _, symbol = with_budget(checked, budget)
    leak = spell(symbol.node.measure)
    is_parameter = name in checked.symbols.params

    def told(text: str, at: Fraction) -> Plotted:
        try:
            program = checked if is_parameter else with_constants(checked, {name: at})
            found = measure(program, text, {**params, name: at} if is_parameter else params, "bits", seconds)
        except Fault as fault:
            return without_number((at,), fault.diagnostic.message)
        except ValueError as error:
            return without_number((at,), str(error))
        return plotted((at,), found)

    return TradeOff(name, leak, loss, tuple(Traded(at, told(leak, at), told(loss, at)) for at in values))
