"""Sinking: each sampling moves to just before its first use, so that a program which first draws everything keeps few values alive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.semantics.cases import cases_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.expressions import computed_arguments
from seepage.semantics.split import split_sums
from seepage.syntax.tree import Index, Name


def sink(core: CoreProgram) -> CoreProgram:
    """Return the program with each sampling of a plain variable moved to just before its first use.

    A sampling of ``x`` passes a statement that neither reads nor writes ``x`` and writes nothing that the law reads. One whose law reads a
    variable does not pass an observation: a law that has no value in a state which the observation would remove is an error of the program,
    and must stay one. Inside a branch samplings sink to the end of their arm at most. Joints do not change.
    """
    split = split_sums(core)
    return replace(split, statements=_Sinking(split).block(split.statements))


class _Effects:
    """What a statement, or all that a branch holds, reads and writes, and whether it observes."""

    __slots__ = ("observes", "reads", "writes")

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.observes = False


class _Sinking:
    def __init__(self, core: CoreProgram) -> None:
        self._core = core
        self._known: dict[int, _Effects] = {}  # by the identity of statements, all of which the program holds

    def block(self, statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
        """Place statements from the last to the first; what sinks goes to the front of the bucket before its first use."""
        end = len(statements)
        before: dict[int, list[CoreSample]] = {}  # by the position of the fixed statement; latest first
        touched: dict[str, int] = {}  # variable -> position of the next statement that reads or writes it
        written: dict[str, int] = {}  # variable -> position of the next statement that writes it
        observed = end  # position of the next observation
        fixed: list[tuple[int, CoreStatement]] = []
        for position in range(end - 1, -1, -1):
            statement = statements[position]
            effects = self.effects(statement)
            place = position
            if isinstance(statement, CoreSample) and isinstance(statement.target, Name):
                place = min(
                    touched.get(statement.target.id, end),
                    min((written.get(name, end) for name in effects.reads), default=end),
                    observed if effects.reads else end,
                )
                before.setdefault(place, []).append(statement)
            else:
                if isinstance(statement, CoreIf) and cases_of(statement) is None:
                    statement = statement.with_arms(self.block(statement.consequent), self.block(statement.alternative))
                fixed.append((position, statement))
                if effects.observes:
                    observed = position
            for name in effects.writes:
                touched[name] = written[name] = place
            for name in effects.reads:
                touched[name] = min(touched.get(name, end), place)
        result: list[CoreStatement] = []
        for position, statement in reversed(fixed):
            result.extend(reversed(before.pop(position, ())))
            result.append(statement)
        for rest in before.values():  # only what sinks to the end is left
            result.extend(reversed(rest))
        return tuple(result)

    def effects(self, statement: CoreStatement) -> _Effects:
        """Return what a statement reads and writes; parameters count as read, and nothing ever writes them. Each is looked at once, however deep it stands."""
        known = self._known.get(id(statement))
        if known is not None:
            return known
        effects = self._known[id(statement)] = _Effects()
        match statement:
            case CoreAssign(target=target, value=value):
                effects.reads.update(read_variables(value, self._core))
                self._target(target, effects)
            case CoreSample(target=target, distribution=distribution):
                for argument in computed_arguments(distribution):
                    effects.reads.update(read_variables(argument, self._core))
                self._target(target, effects)
            case CoreObserve(condition=condition):
                effects.reads.update(read_variables(condition, self._core))
                effects.observes = True
            case CoreIf() if (cases := cases_of(statement)) is not None:
                effects.reads.update(cases.reads)
                effects.writes.add(cases.target)
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                effects.reads.update(read_variables(condition, self._core))
                for inner in map(self.effects, (*consequent, *alternative)):
                    effects.reads |= inner.reads
                    effects.writes |= inner.writes
                    effects.observes = effects.observes or inner.observes
        effects.reads.difference_update(self._core.parameters)
        return effects

    def _target(self, target: Name | Index, effects: _Effects) -> None:
        if isinstance(target, Name):
            effects.writes.add(target.id)
            return
        effects.reads.update(read_variables(target.index, self._core))
        elements = {f"{target.array}[{i}]" for i in self._core.arrays.get(target.array, ())}
        effects.reads.update(elements)  # the elements that are not picked keep their value
        effects.writes.update(elements)
