"""What a call of ``C``, ``Cmin``, ``DP`` or ``Delta`` asks of which channel, and the channel itself: in closed form, or in balls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeAlias

from flint import arb, fmpq

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.forward.class_joint import ClassJoint, Progression
from seepage.engines.outcome import DiscreteJoint, MixtureJoint
from seepage.engines.select import check_total, samples_continuous
from seepage.exact import ArithmeticFault, Number
from seepage.measures.channels.channel import Channel, channels, exact_channels
from seepage.measures.channels.closed_weights import closed_joint
from seepage.measures.channels.tail_channel import tail_channels
from seepage.measures.discrete.classes import channel_joint, pairs_joint
from seepage.measures.discrete.weights import Values
from seepage.measures.evaluation import Evaluation
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.joints import classes_of, joint_of
from seepage.measures.privacy.closeness import closeness_of, need_possible
from seepage.measures.privacy.neighbours import Closeness
from seepage.measures.scope import fail, static_number
from seepage.semantics.slice import independent, slice_program
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax.tree import MeasureCall

Exact: TypeAlias = Mapping[Values, Channel[Number]]
Bounded: TypeAlias = Mapping[Values, Channel[arb]]

_MOST_ENTRIES = 1_500  # of a channel whose closed forms are looked for
_SHARE = 1 / 2  # of the time, for closed forms, where balls can do it


@dataclass(frozen=True, slots=True)
class AskedChannel:
    """A call, and the variables that it names: inputs ``x``, outputs ``y``, and ``z`` at whose worst value it is asked.

    Attributes:
        evaluation: what it is asked of.
        call: as written.
        x: the inputs, or what the outputs depend on in their place.
        y: the outputs.
        z: what is held at its worst value.
        instead: the named inputs, and for pairs of values of x some pair of theirs, where x stands for them.
    """

    evaluation: Evaluation
    call: MeasureCall
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]
    instead: tuple[tuple[str, ...], Mapping[tuple[Values, Values], tuple[Values, Values]]] | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The inputs as the call names them."""
        return self.x if self.instead is None else self.instead[0]

    def as_named(self, of: Values, against: Values) -> tuple[Values, Values]:
        """Return a pair of values of the named inputs for one of x."""
        return (of, against) if self.instead is None else self.instead[1].get((of, against), (of, against))

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

    @property
    def says_neighbours(self) -> bool:
        """Whether the call says which inputs are compared; all pairs of them else."""
        return self.call.relation is not None or any(one.name == "distance" for one in self.call.named)

    def closeness(self) -> Closeness:
        """Return which inputs are neighbours.

        Raises:
            Fault: if what the call says of that is none, or states a value that the inputs never have; of the program.
        """
        scope, call, core = self.evaluation.scope, self.call, self.evaluation.scope.core
        if call.relation is not None and not samples_continuous(walk(slice_program(core, self.x).statements)):
            joint = joint_of(self.evaluation.inquiry, core, self.x)
            if isinstance(joint, DiscreteJoint) and joint.cut is None:
                need_possible(scope, call, set(joint.support(self.x)))
        return closeness_of(scope, call)

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

    def mixture(self) -> MixtureJoint | None:
        """Return the joint of all variables where some are continuous, else None: then :meth:`channels` has the answer.

        Raises:
            Fault: a fault of the program in the slice.
        """
        inquiry, core, names = self.evaluation.inquiry, self.evaluation.scope.core, (*self.x, *self.y, *self.z)
        if not samples_continuous(walk(slice_program(core, names).statements)):
            return None
        joint = joint_of(inquiry, core, names)
        return joint if isinstance(joint, MixtureJoint) and as_discrete(joint) is None else None

    def classes(self) -> ClassJoint[fmpq] | ClassJoint[arb] | None:
        """Return the joint of all variables over classes where some are uniform over huge ranges; None where classes do not say what is asked.

        They do not say which values are near each other.

        Raises:
            Fault: a fault of the program in the slice.
        """
        inquiry, names = self.evaluation.inquiry, (*self.x, *self.y, *self.z)
        huge = classes_of(inquiry, self.evaluation.scope.core, names)
        if huge is None or not self.says_neighbours:
            return huge
        inputs = (huge.meanings[huge.symbols.variables.index(name)] for name in self.x)
        return None if any(isinstance(one, Progression) for known in inputs for one in known) else huge

    def channel(self) -> Channel[Number] | Channel[arb]:
        """Return the one channel of a call without z.

        Raises:
            Fault: as :meth:`channels`.
        """
        found: list[Channel[Number] | Channel[arb]] = list(self.channels().values())
        return found[0]

    def compared(self) -> Exact | Bounded | None:
        """Return a channel whose pairs of rows stand for those of all inputs, where these and the outputs are of huge ranges and compared; else None.

        Its inputs and outputs are no values of the program.

        Raises:
            Fault: a fault of the program in the slice.
        """
        huge = None if self.z or self.says_neighbours else self.classes()
        paired = None if huge is None else pairs_joint(huge, self.x, self.y)
        return None if paired is None else channels(paired, self.x, self.y, self.z, self.evaluation.inquiry.budget)

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
        if (huge := self.classes()) is not None and (each := channel_joint(huge, self.x, self.y, self.z)) is not None:
            return channels(each, self.x, self.y, self.z, inquiry.budget)
        joint = joint_of(inquiry, core, names)
        if isinstance(joint, MixtureJoint) and (atoms := as_discrete(joint)) is not None:
            joint = atoms
        if isinstance(joint, MixtureJoint):
            message = f"not supported yet: '{self.call.name}' of continuous variables"
            fail(rules.NOT_SUPPORTED, self.place, message)
        irrational = any(isinstance(mass, arb) for mass in joint.masses.values())
        if irrational and joint.cut is None and len(joint.masses) <= _MOST_ENTRIES:
            try:
                with exact.arithmetic_until(sooner(inquiry.budget.deadline, share=_SHARE)):
                    closed = closed_joint(inquiry, core, names)
                    if closed is not None:
                        return exact_channels(closed, self.x, self.y, self.z)
            except ArithmeticFault:
                pass  # balls do not need to decide
        return channels(joint, self.x, self.y, self.z, inquiry.budget)
