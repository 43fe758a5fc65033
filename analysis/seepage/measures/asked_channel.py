"""What a call of ``C``, ``Cmin``, ``DP`` or ``Delta`` asks of which channel, and the channel itself: in closed form, or in balls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from flint import arb

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.engines.select import check_total
from seepage.exact import ArithmeticFault, Number
from seepage.measures.channel import Channel, channels, exact_channels
from seepage.measures.closed_weights import closed_joint
from seepage.measures.evaluation import Evaluation
from seepage.measures.joints import joint_of
from seepage.measures.scope import fail, static_number
from seepage.measures.tail_channel import tail_channels
from seepage.measures.weights import Values
from seepage.semantics.slice import independent, slice_program
from seepage.source import Span
from seepage.syntax.tree import MeasureCall

Exact: TypeAlias = Mapping[Values, Channel[Number]]
Bounded: TypeAlias = Mapping[Values, Channel[arb]]

_MOST_ENTRIES = 1_500  # of a channel whose closed forms are looked for


@dataclass(frozen=True, slots=True)
class AskedChannel:
    """A call, and the variables that it names: inputs ``x``, outputs ``y``, and ``z`` at whose worst value it is asked."""

    evaluation: Evaluation
    call: MeasureCall
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]

    @property
    def place(self) -> Span:
        """The absolute range of the call."""
        return self.call.span.shift(self.evaluation.scope.offset)

    def argument(self, name: str) -> Number | None:
        """Return the value of a named argument, None if it is not given.

        Raises:
            Fault: if it is not static or has no value.
        """
        for one in self.call.named:
            if one.name == name:
                return static_number(self.evaluation.scope, one.value)
        return None

    def unfit(self, name: str, found: str, expected: str) -> NoReturn:
        """Fail at a named argument."""
        place = next(one.span for one in self.call.named if one.name == name)
        message = f"found {name} = {found}, expected {expected}"
        fail(rules.UNFIT_MEASURE, place.shift(self.evaluation.scope.offset), message)

    def is_useless(self) -> bool:
        """Tell whether the outputs do not depend on the inputs, by the text of the program alone.

        Raises:
            Fault: what is wrong with the statements that the measure depends on.
        """
        inquiry = self.evaluation.inquiry
        core = inquiry.scope.core
        if not independent(core, self.x, self.y, self.z):
            return False
        joint_of(inquiry, core, ())
        sliced = slice_program(core, (*self.x, *self.y, *self.z))
        for diagnostic in check_total(sliced, inquiry.scope.parameters, inquiry.budget):
            if diagnostic.is_error:
                raise Fault(diagnostic)
        return True

    def channel(self) -> Channel[Number] | Channel[arb]:
        """Return the one channel of a call without z.

        Raises:
            Fault: as :meth:`channels`.
        """
        found: list[Channel[Number] | Channel[arb]] = list(self.channels().values())
        return found[0]

    def channels(self) -> Exact | Bounded:
        """Return the channel for each value of z, in closed form where it is rational or small.

        Raises:
            Fault: a fault of the program in the slice; continuous variables.
            CannotDecide: if an input may be impossible.
            OutOfTime: past the budget's deadline.
        """
        inquiry, core, names = self.evaluation.inquiry, self.evaluation.scope.core, (*self.x, *self.y, *self.z)
        tails = tail_channels(inquiry, core, self.x, self.y, self.z)
        if tails is not None:
            return tails
        joint = joint_of(inquiry, core, names)
        if isinstance(joint, MixtureJoint):
            message = f"not supported yet: '{self.call.name}' of continuous variables"
            fail(rules.NOT_SUPPORTED, self.place, message)
        irrational = any(isinstance(mass, arb) for mass in joint.masses.values())
        if irrational and joint.cut is None and len(joint.masses) <= _MOST_ENTRIES:
            closed = closed_joint(inquiry, core, names)
            try:
                if closed is not None:
                    return exact_channels(closed, self.x, self.y, self.z)
            except ArithmeticFault:
                pass  # balls do not need to decide
        return channels(joint, self.x, self.y, self.z, inquiry.budget)
