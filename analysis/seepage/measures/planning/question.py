"""A measure that is asked of a program, resolved once at the door: names are plain variables, events are observed."""

from __future__ import annotations

from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget
from seepage.exact import ArithmeticFault, Number
from seepage.measures.call_parts import condition_of, event_of
from seepage.measures.evaluation import Evaluation
from seepage.measures.joints import Memory, observing
from seepage.measures.planning.table import MEASURES, SEPARATORS, End, Measure
from seepage.measures.scope import core_expression, static_number, variables
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.syntax.tree import Expression, MeasureCall, Name, as_told

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A measure of a program.

    Attributes:
        measure: its row.
        evaluation: what it is asked in: program, parameters, limits, unit; ``evaluation.scope.core`` has no event observed.
        call: as written, or as posed for a part; all ways can read it.
        core: the program with the event of the call observed; of two laws that of the left side.
        x: what the measure is of: secrets, inputs; for ``P``, ``E``, ``Var`` the variables that the value reads.
        y: what is seen: the outputs, or the variables after ``|`` in ``H``, ``V``, ``Hmin``, ``Guess``; of two laws the right side.
        given: variables that are held at a value: ``z`` in ``I(x; y | z)`` and ``DP(x -> y | z)``.
        value: the expression of ``P``, ``E``, ``Var`` in the names of the program, None for other measures.
        other: of two laws the program of the right side, with its event observed.
    """

    measure: Measure
    evaluation: Evaluation
    call: MeasureCall
    core: CoreProgram
    x: Names
    y: Names = ()
    given: Names = ()
    value: Expression | None = None
    other: CoreProgram | None = None

    @property
    def names(self) -> Names:
        """All variables that the measure names, each once."""
        return tuple(dict.fromkeys((*self.x, *self.y, *self.given)))

    @property
    def wanted(self) -> End | None:
        """The end that an attacker wants who chooses; None where the measure has no such direction."""
        is_of_one = self.measure.shape == "of x given y" and (not self.y or self.is_under_an_event)
        return None if is_of_one else self.measure.attacker

    @property
    def constrains_inputs(self) -> bool:
        """Whether the call says more of the inputs than most rules read: stated pairs, a metric, a power."""
        return self.call.relation is not None or self.states("power")

    def states(self, argument: str) -> bool:
        """Tell whether the call has a named argument."""
        return any(each.name == argument for each in self.call.named)

    def argument(self, name: str) -> Number | None:
        """Return a named argument at the values of the parameters; None where the call has none.

        It is −1, which no argument may be, where it is no number: the way "one law" tells what is wrong.
        """
        for each in self.call.named:
            if each.name == name:
                try:
                    return static_number(self.evaluation.scope, each.value)
                except (Fault, ArithmeticFault):
                    return -1
        return None

    def narrowed(self, x: Names, y: Names = (), given: Names = (), without: frozenset[str] = frozenset()) -> Question:
        """Pose the same measure of the same program, of fewer variables.

        Args:
            x: of those of this question, as in :class:`Question`.
            y: likewise.
            given: likewise.
            without: named arguments that are left out.
        """
        left, right = tuple(map(self._written, x)), tuple(map(self._written, y))
        held: tuple[Expression, ...] = tuple(map(self._written, given))
        if self.measure.shape == "of x given y":
            right, held = (), right
        if self.is_under_an_event or self.other is not None:
            held = self.call.given
        named = tuple(one for one in self.call.named if one.name not in without)
        separator = SEPARATORS[self.measure.shape] if right else None
        call = replace(self.call, left=left, separator=separator, right=right, given=held, named=named)
        return replace(self, call=call, x=x, y=y, given=given)

    def valued(self, measure: str, written: Expression) -> Question:
        """Pose ``P``, ``E`` or ``Var`` of another expression, as a measure writes it, under the same event.

        Args:
            measure: one of the three.
            written: its spans are relative to the scope's offset.
        """
        call = replace(self.call, name=measure, left=(written,))
        value = core_expression(self.evaluation.scope, written)
        return replace(self, measure=MEASURES[measure], call=call, x=_read(self.core, value), value=value)

    @property
    def is_under_an_event(self) -> bool:
        """Whether the call is conditioned on an event."""
        return self.core is not self.evaluation.scope.core

    def _written(self, name: str) -> Name:
        """Return a variable as a measure names it."""
        plain = as_told(name)
        aliases = self.evaluation.scope.core.aliases
        return Name(plain if aliases.get(plain, plain) == name else name, self.call.span)

    def of(
        self,
        core: CoreProgram,
        x: Names,
        y: Names = (),
        given: Names = (),
        memory: Memory | None = None,
        measure: str | None = None,
    ) -> Question:
        """Pose a measure of another program, or of other variables: a part of this question.

        Args:
            core: the program, with all events observed.
            x: as in :class:`Question`, of any measure but ``P``, ``E``, ``Var``.
            y: likewise.
            given: likewise.
            memory: what earlier questions to the same program found, None for a memory of its own.
            measure: another one; None for the same.
        """
        row = self.measure if measure is None else MEASURES[measure]
        left, right, held = (tuple(Name(name, self.call.span) for name in side) for side in (x, y, given))
        if row.shape == "of x given y":
            right, held = (), right
        separator = SEPARATORS[row.shape] if right else None
        call = replace(
            self.call, name=row.name, left=left, separator=separator, right=right, given=held, right_given=()
        )
        return Question(
            row,
            self._within(core, memory),
            call,
            core,
            x,
            y,
            given,
            other=core if row.shape == "law against law" else None,
        )

    def of_value(
        self,
        core: CoreProgram,
        value: Expression,
        names: Names,
        memory: Memory | None = None,
        measure: str | None = None,
    ) -> Question:
        """Pose ``P``, ``E`` or ``Var`` of an expression of another program.

        Args:
            core: the program, with all events observed.
            value: in the names of the program.
            names: that the value reads.
            memory: as in :meth:`of`.
            measure: one of the three; None for the same.
        """
        row = self.measure if measure is None else MEASURES[measure]
        call = replace(
            self.call,
            name=row.name,
            left=(value,),
            separator=None,
            right=(),
            given=(),
            right_given=(),
            named=(),
            gain=None,
        )
        return Question(row, self._within(core, memory), call, core, names, value=value)

    def without_formulas(self) -> Question:
        """Return the same, no closed forms being looked for."""
        return replace(self, evaluation=replace(self.evaluation, formulas=False))

    def within(self, budget: Budget) -> Question:
        """Return the same with other limits."""
        inquiry = replace(self.evaluation.inquiry, budget=budget)
        return replace(self, evaluation=replace(self.evaluation, inquiry=inquiry))

    def _within(self, core: CoreProgram, memory: Memory | None) -> Evaluation:
        inquiry = self.evaluation.inquiry
        scope = replace(inquiry.scope, core=core)
        kept = Memory(reuse=False) if memory is None else memory
        return replace(self.evaluation, inquiry=replace(inquiry, scope=scope, memory=kept))


def question_of(evaluation: Evaluation, call: MeasureCall) -> Question | None:
    """Resolve a call; None for one that is written wrong, or asked by one of the paper's methods: the way "one law" tells what is wrong with it.

    Args:
        evaluation: what it is asked in.
        call: one measure, its spans relative to the scope's offset.
    """
    row = MEASURES.get(call.name)
    if row is None or evaluation.method is not None or not call.left:
        return None
    try:
        return _resolved(row, evaluation, call)
    except Fault:
        return None


def _resolved(row: Measure, evaluation: Evaluation, call: MeasureCall) -> Question | None:
    scope = evaluation.scope
    match row.shape:
        case "value":
            if len(call.left) != 1:
                return None
            value = core_expression(scope, call.left[0])
            core = observing(scope, event_of(scope, call, call.given))
            return Question(row, evaluation, call, core, _read(core, value), value=value)
        case "of x given y":
            given, event = condition_of(scope, call)
            return Question(row, evaluation, call, observing(scope, event), variables(scope, call.left), given)
        case "x and y":
            given, event = condition_of(scope, call)
            sides = variables(scope, call.left), variables(scope, call.right)
            return Question(row, evaluation, call, observing(scope, event), *sides, given)
        case "law against law":
            left, right = (observing(scope, event_of(scope, call, each)) for each in (call.given, call.right_given))
            sides = variables(scope, call.left), variables(scope, call.right)
            return Question(row, evaluation, call, left, *sides, other=right)
        case _:
            x, y, z = (variables(scope, side) for side in (call.left, call.right, call.given))
            return Question(row, evaluation, call, scope.core, x, y, z)


def _read(core: CoreProgram, value: Expression) -> Names:
    """Return the variables that a value reads."""
    return tuple(sorted(core.expanded(plain_names(value)) & frozenset(core.variables)))
