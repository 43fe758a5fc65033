"""The walk that follows the flow of a program, loops to a fixpoint and never unrolled: kinds, exactness, and what is certain while typing.

Cost: each loop body is visited once, and again for each change at its head. Heads keep what they learnt, so that nesting does
not multiply the visits. What a visit of one statement makes of the values that it reads is remembered with its unit
(:mod:`seepage.semantics.visits`), so that the next version of the text pays only for statements that changed or read other values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import assert_never

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.semantics.certain import index_issue
from seepage.semantics.checked import Symbols
from seepage.semantics.classify import NONLINEAR, Issue
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import arguments_of, conjuncts
from seepage.semantics.facts import laws
from seepage.semantics.first_reads import Guard
from seepage.semantics.kinds import ZERO, Value, constant, join, widen
from seepage.semantics.law_kinds import kind_of_law
from seepage.semantics.law_values import check_values
from seepage.semantics.memo import Memo
from seepage.semantics.ranges import ANY, FALSE, TRUE, Range
from seepage.semantics.reader import is_literal
from seepage.semantics.remembering import Remembering
from seepage.semantics.runs import Part, Stretch
from seepage.semantics.static import quiet_value
from seepage.semantics.unit import Unit
from seepage.semantics.units import Units, units_of
from seepage.semantics.variables import names_of
from seepage.semantics.visits import (
    REMEMBERED_RUNS,
    Inputs,
    Recording,
    RunVisit,
    Visit,
)
from seepage.source import Span
from seepage.syntax.tree import (
    Arm,
    Assign,
    Binary,
    Block,
    Expression,
    For,
    If,
    Index,
    Item,
    Module,
    Name,
    Observe,
    Placed,
    Sample,
    Target,
    While,
)
from seepage.syntax.vocabulary.array_laws import written_law


@dataclass(frozen=True, slots=True)
class Flow:
    """What the walk found: the state at the end, the findings, one per rule and place, in no order, and the ranges of conditions.

    Labels of findings stand where they point once :func:`seepage.semantics.visits.located` has seen them. Conditions stand under the header of their arm, or the statement of their observation.
    """

    end: Mapping[str, Value]
    diagnostics: tuple[Diagnostic, ...]
    decided: Mapping[Span, Range]


def follow(tree: Module, symbols: Symbols, units: Units | None = None) -> Flow:
    """Follow the flow of a program whose names are resolved; unknown names count as discrete numbers."""
    units = units_of(tree) if units is None else units
    walk = _Walk(symbols=symbols, units=units)
    walk.parts(units.parts(tree.items))
    return Flow(walk.state, tuple(walk.found.values()), walk.decided)


_RUN_VISITS = Memo[tuple[RunVisit, ...]]()  # of a run


@dataclass(slots=True, kw_only=True)
class _Walk(Remembering):
    units: Units
    heads: dict[int, dict[str, Value]] = field(default_factory=dict)
    decided: dict[Span, Range] = field(default_factory=dict)  # what the last visit says, at the widest state
    loops: int = 0  # how many are around
    arrays: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.variables = names_of(self.symbols.variables)
        self.constants = frozenset(self.symbols.consts)
        self.arrays = self.variables & self.units.written.arrays
        self.state.know({name: constant(value) for name, value in self.symbols.consts.items()})

    # --- runs ---------------------------------------------------------------------------------------------------------

    def parts(self, parts: Sequence[Part]) -> None:
        """Follow the parts of a block in order."""
        for part in parts:
            if isinstance(part, Stretch):
                self.stretch(part)
            else:
                self.block((part,))

    def stretch(self, stretch: Stretch) -> None:
        """Follow a run, at once if its names have the values that they had before.

        Not so where a loop in it may be visited again: its head keeps what it learnt.
        """
        says = stretch.run.says
        if self.shadowed or (self.loops and (says.loops or says.endless)):
            self.block(self.units.items(stretch))
            return
        inputs = tuple(map(self.state.table.get, says.mentioned))
        visit = self.recall_run(stretch, inputs)
        if visit is None:
            visit = self.visit_run(stretch, inputs)
            if visit is not None:
                earlier = _RUN_VISITS.of(stretch.run) or ()
                _RUN_VISITS.keep(stretch.run, (visit, *earlier[: REMEMBERED_RUNS - 1]))
            return
        if visit.discards:
            self.state.forget_certainty()
        self.state.set_all(visit.values, visit.certain)
        if visit.said or visit.decided:
            offset = stretch.start - visit.start
            self.say_again(visit.said, offset)
            for place, found in visit.decided:
                self.decide(place.shift(offset), found)

    def recall_run(self, stretch: Stretch, inputs: Inputs) -> RunVisit | None:
        """Return an earlier visit of a run that saw the same."""
        says, uncertain = stretch.run.says, self.uncertain_depth > 0
        for visit in _RUN_VISITS.of(stretch.run) or ():
            if (
                visit.uncertain is uncertain
                and visit.inputs == inputs
                and self.variables.issuperset(says.targets)
                and self.variables.isdisjoint(visit.numbers)
                and self.arrays.intersection(says.targets) == visit.arrays
                and self.constants.intersection(says.reads) == visit.constants
                and ((not visit.said and not visit.decided) or stretch.starts() == visit.starts)
            ):
                return visit
        return None

    def visit_run(self, stretch: Stretch, inputs: Inputs) -> RunVisit | None:
        """Follow the statements of a run one by one and return the visit, None if it depends on more than its names."""
        says, recording = stretch.run.says, Recording()
        outer, self.recording = self.recording, recording
        self.state.begin()
        self.block(self.units.items(stretch))
        changed = self.state.undo()
        self.state.set_all(changed, _certain(changed))
        self.recording = outer
        if not recording.is_function or not self.variables.issuperset(says.targets):
            return None
        values = {name: value for name, value in changed.items() if name in says.targets}
        return RunVisit(
            self.uncertain_depth > 0,
            inputs,
            frozenset(recording.numbers),
            self.constants.intersection(says.reads),
            self.arrays.intersection(says.targets),
            stretch.start if recording.said or recording.decided else 0,
            stretch.starts() if recording.said or recording.decided else (),
            values,
            _certain(values),
            tuple(recording.said),
            tuple(recording.decided),
            recording.discards,
        )

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, items: Sequence[Item]) -> None:
        """Follow items in order."""
        at = self.units.at
        for item in items:
            match item:
                case Placed(node=Assign() | Sample() as node):
                    self.assignment(node, item.start, at[id(item)])
                case Placed(node=Observe() as node):
                    self.observation(node, item, at[id(item)])
                case Placed():
                    pass
                case If():
                    self.branch(item)
                case For():
                    self.loop(item)
                case While():
                    self.endless(item)
                case _:
                    assert_never(item)

    def assignment(self, node: Assign | Sample, start: int, unit: Unit) -> None:
        """Follow an assignment or a sampling."""
        name = unit.facts.target
        assert name is not None
        inputs, before = self.read(unit), self.state.table.get(name)
        visit = self.recall(unit, inputs, before, start)
        if visit is None:
            self.log.clear()
            if isinstance(node, Sample):
                value = self.sample(node, start)
            else:
                value, issues = self.value(node.value, start, rules.COMPARISON_OF_CONTINUOUS)
                self.raise_issues(issues, start)
                self.conditions_inside(node.value, start)
                self.index(node.target, start)
            value = self.assigned(node.target, value, unit)
            visit = self.remember(unit, self.visit(unit, inputs, before, start, value))
        if name in self.variables and visit.value is not None:
            self.state.set(name, visit.value)

    def observation(self, node: Observe, item: Placed, unit: Unit) -> None:
        """Follow an observation; from here on runs may have been discarded."""
        inputs = self.read(unit)
        visit = self.recall(unit, inputs, None, item.start)
        if visit is None:
            self.log.clear()
            decided = self.observe(node, item)
            visit = self.remember(unit, self.visit(unit, inputs, None, item.start, decided=decided))
        self.decide(item.span, visit.decided)
        self.state.forget_certainty()
        if self.recording is not None:
            self.recording.discards = True

    def decide(self, place: Span, found: Range) -> None:
        """Note what the range of a condition says now; ranges that decide nothing are not kept."""
        if found in (TRUE, FALSE):
            self.decided[place] = found
        elif self.decided.pop(place, None) is None:
            return
        if self.recording is not None:
            self.recording.decided.append((place, found))

    def sample(self, node: Sample, start: int) -> Value:
        """Follow a law, and return the kind of what it yields."""
        constants, issues = self.symbols.consts, list[Issue]()

        def kind(expression: Expression, inner: list[Issue]) -> Value:
            value, more = self.value(expression, start, rules.COMPARISON_OF_CONTINUOUS)
            inner.extend(more)
            return value

        written = written_law(node.target.id) if isinstance(node.target, Name) else ""
        value = kind_of_law(node.distribution, kind, lambda one: quiet_value(one, start, constants), issues, written)
        self.raise_issues(issues, start)
        for argument in arguments_of(node.distribution):
            self.conditions_inside(argument, start)
        for law in laws(node.distribution):
            for problem in check_values(law, start, constants, written):
                self.report_where_reached(problem)
        self.index(node.target, start)
        return value

    def index(self, target: Target, start: int) -> None:
        """Follow the index of an assigned element, which is read like any other expression."""
        if not isinstance(target, Index):
            return
        value, issues = self.value(target.index, start, rules.COMPARISON_OF_CONTINUOUS)
        own = index_issue(target.index, value, self.symbols.consts)
        self.raise_issues(issues if own is None else [*issues, own], start)
        self.conditions_inside(target.index, start)
        self.surely_continuous_index(target.index, start)

    def assigned(self, target: Target, value: Value, unit: Unit) -> Value:
        """Return the value of a variable after it was assigned; an array is the join of all its elements."""
        name = target.id if isinstance(target, Name) else target.array
        before = self.state.get(name)
        if value.is_continuous:
            origin = before.origin if before is not None and before.origin is not None else unit.label
            value = Value(value.kind, origin, value.sure, value.outside, value.range)
        else:
            value = Value(value.kind, None, False, value.outside, value.range)
        if self.uncertain_depth:
            value = value.uncertain()
        if isinstance(target, Index):
            value = (value if before is None else join(before, value)).uncertain()
        return value

    def observe(self, node: Observe, item: Placed) -> Range:
        """Check an observation and return its range; equalities that are linear in continuous variables are exact."""
        decided = self.value(node.condition, item.start, rules.OBSERVE_INEQUALITY)[0].range
        outside = len(self.around.parts)
        for position, part in enumerate(conjuncts(node.condition)):
            if isinstance(part, Binary) and part.operator == "==" and self.is_continuous(part, item.start):
                self.observed_equality(part, item)
                self.around.parts.append(Guard(part, item.start, holds=True))
                continue
            value, issues = self.value(part, item.start, rules.OBSERVE_INEQUALITY)
            self.raise_issues(issues, item.start)
            self.uncertain_depth += position > 0  # evaluated only if the parts before are true
            self.conditions_inside(part, item.start)
            self.condition(part, value, item.start)
            self.uncertain_depth -= position > 0
            self.around.parts.append(Guard(part, item.start, holds=True))
        del self.around.parts[outside:]
        return decided

    def observed_equality(self, part: Binary, item: Placed) -> None:
        """Check that an observed equality is linear; it is surely not only where every variable in it surely has a density."""
        issues = [
            one
            for side in (part.left, part.right)
            for one in self.value(side, item.start, rules.COMPARISON_OF_CONTINUOUS)[1]
        ]
        for issue in issues:
            if issue.rule.code in NONLINEAR and self.surely_continuous(issue.culprit):
                message = f"equality must be linear in continuous variables: '{spelled(issue.culprit)}' is not"
                labels = self.origins(issue.culprit)
                self.report(Diagnostic(rules.NONLINEAR_EQUALITY, item.span, message, labels=labels))
                return
        self.raise_issues(issues, item.start)

    def branch(self, item: If) -> None:
        """Follow the arms of a branch, each from the same state, and join them."""
        outcomes: list[dict[str, Value]] = []
        last: Block | None = item.otherwise
        outside = len(self.around.parts)
        for arm in item.arms:
            self.uncertain_depth += bool(outcomes)  # reached only if the arms before were not taken
            visit = self.header(arm, self.units.of(arm))
            self.uncertain_depth -= bool(outcomes)
            known = visit.known
            self.decide(arm.header, visit.decided)
            if known == 0 or visit.decided == FALSE:
                continue
            if known == 1 or visit.decided == TRUE:
                last = arm.block
                break
            self.around.parts.append(Guard(arm.condition, arm.start, holds=True))
            outcomes.append(self.arm(arm.block, certain=False))
            self.around.parts[-1] = Guard(arm.condition, arm.start, holds=False)
        if not outcomes:
            if last is not None:
                self.parts(self.units.parts(last.items))
            return
        outcomes.append({} if last is None else self.arm(last, certain=False))
        del self.around.parts[outside:]
        for name in dict.fromkeys(name for outcome in outcomes for name in outcome):
            before = self.before(name)
            values = [outcome.get(name, before) for outcome in outcomes]
            known_values = [value for value in values if value is not None]
            joined = known_values[0]
            for value in known_values[1:]:
                joined = join(joined, value)
            self.state.set(name, joined)

    def header(self, arm: Arm, unit: Unit) -> Visit:
        """Follow the condition of an arm."""
        start, inputs = arm.start, self.read(unit)
        visit = self.recall(unit, inputs, None, start)
        if visit is not None:
            return visit
        self.log.clear()
        value, issues = self.value(arm.condition, start, rules.BRANCH_ON_CONTINUOUS)
        self.raise_issues(issues, start)
        self.conditions_inside(arm.condition, start)
        self.condition(arm.condition, value, start)
        known = quiet_value(arm.condition, start, self.symbols.consts)
        decided = value.range if known is None or is_literal(arm.condition) else ANY
        return self.remember(unit, self.visit(unit, inputs, None, start, decided=decided, known=known))

    def before(self, name: str) -> Value | None:
        """Return the value of a variable here: 0 if it is not assigned, nothing for an array without elements so far."""
        if name in self.state:
            return self.state[name]
        return None if name in self.arrays else ZERO

    def arm(self, block: Block, certain: bool) -> dict[str, Value]:
        """Follow a block from the present state and return what it changes, with the state as it was."""
        self.state.begin()
        self.uncertain_depth += not certain
        self.parts(self.units.parts(block.items))
        self.uncertain_depth -= not certain
        return self.state.undo()

    def loop(self, item: For) -> None:
        """Follow a loop until what its head knows does not change."""
        low, high = (quiet_value(bound, item.start, self.symbols.consts) for bound in (item.low, item.high))
        known = isinstance(low, int) and isinstance(high, int)
        if isinstance(low, int) and isinstance(high, int) and high < low:
            return
        added = item.name not in self.scope
        self.scope.add(item.name)
        self.shadowed += item.name in self.variables
        self.around.parts.append(item)
        changed = self.rounds(id(item), lambda: self.arm(item.block, certain=known))
        self.shadowed -= item.name in self.variables
        self.around.parts.pop()
        if added:
            self.scope.discard(item.name)
        for name, value in changed.items():
            before = self.before(name)
            self.state.set(name, value if known or before is None else join(before, value))

    def rounds(self, loop: int, follow: Callable[[], dict[str, Value]]) -> dict[str, Value]:
        """Follow one round of a loop from what its head knows, until that does not change; return what the last one changes."""
        self.loops += 1
        head = self.heads.setdefault(loop, {})
        while True:
            self.state.begin()
            for name, value in head.items():
                before = self.before(name)
                self.state.set(name, value if before is None else join(before, value))
            changed = follow()
            grown = False
            for name, value in changed.items():
                before = self.before(name)
                joined = value if before is None else join(before, value)
                if joined != before:
                    joined = joined if before is None else widen(before, joined)
                    head[name] = joined if name not in head else join(head[name], joined)
                    grown = True
            self.state.undo()
            if not grown:
                self.loops -= 1
                return changed

    def endless(self, item: While) -> None:
        """Follow a loop that ends by chance; from here on runs may have been left out, unless 'never' says what they go on with."""
        never = item.never
        self.rounds(id(item), lambda: self.one_round(item))
        for name, value in self.heads[id(item)].items():
            before = self.before(name)
            self.state.set(name, value if before is None else join(before, value))
        if never is not None:
            for name, value in self.arm(never, certain=False).items():
                before = self.before(name)
                self.state.set(name, value if before is None else join(before, value))
            return
        self.state.forget_certainty()
        if self.recording is not None:
            self.recording.discards = True

    def one_round(self, loop: While) -> dict[str, Value]:
        """Follow the condition and the body of a loop that ends by chance; return what the body changes."""
        arm = loop.arm
        visit = self.header(arm, self.units.of(arm))
        self.decide(arm.header, visit.decided)
        if visit.known == 0 or visit.decided == FALSE:
            return {}
        self.around.parts += [loop, Guard(arm.condition, arm.start, holds=True)]
        changed = self.arm(arm.block, certain=False)
        del self.around.parts[-2:]
        return changed


def _certain(values: Mapping[str, Value]) -> tuple[str, ...]:
    return tuple([name for name, value in values.items() if value.is_certain])
