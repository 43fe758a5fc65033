"""The forward machine's statements over tables of states: what :mod:`seepage.engines.forward.run` does where states are many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, assert_never, cast

import numpy as np
from numpy.typing import NDArray

from seepage.engines.forward.compile import Scope, compile_truth, compile_value
from seepage.engines.forward.liveness import Block, Step
from seepage.engines.forward.running import Running
from seepage.engines.forward.states import without
from seepage.engines.forward.tables import (
    Column,
    Table,
    cells,
    chosen,
    combinations,
    expand,
    gather,
    join,
    project,
    replaced,
    spread,
    table_of,
    with_rows,
)
from seepage.exact import Number
from seepage.semantics.core import CoreAssign, CoreIf, CoreLocal, CoreObserve, CoreSample, CoreWhile
from seepage.semantics.evaluate import element
from seepage.syntax import tree

T = TypeVar("T")

_CLOCK = 1024  # combinations between two looks at the clock


class Dense:
    """The statements of one run, of a machine that has no continuous values."""

    def __init__(self, machine: Running[Any]) -> None:
        self.machine = machine

    def block(self, block: Block, table: Table) -> Table:
        """Run statements in a row."""
        table = self._forget(table, block.forget)
        for step in block.steps:
            if not len(table):
                break
            self.machine.check_clock(step.statement.span)
            table = self.step(step, table)
        return table

    def step(self, step: Step, table: Table) -> Table:
        """Run one statement."""
        match step.statement:
            case CoreAssign(
                target=tree.Name() as target, value=tree.Cell(draw=draw, column=column, row=tree.Name(id=row))
            ):
                return self._store(
                    step, target, table, cells(table.column(row), draw.codes(column), draw.values(column))
                )
            case CoreAssign(target=target, value=value):
                scope, read = self._reads(step, table)
                values, number = self._per_combination(step, table, read, compile_value(value, scope))
                return self._store(step, target, table, spread(values, number))
            case CoreSample(target=target, distribution=tree.Rows(draw=draw)):
                self.machine.check_size(step.statement.span, len(table) * len(draw.weights), len(table.layout) + 1)
                return self._store(step, target, *with_rows(table, draw.weights, draw.total))
            case CoreSample(target=target, distribution=distribution):
                return self._sample(step, target, distribution, table)
            case CoreObserve(condition=condition):
                kept = table.select(self._truth(step, condition, table))
                if not len(kept):
                    self.machine.killer = step.statement
                return self._forget(kept, step.forget)
            case CoreIf(condition=condition):
                return self._branch(step, condition, table)
            case CoreWhile() | CoreLocal():
                single = self.machine.step(step, self.machine.single(table))
                return table_of(single.layout, cast("Mapping[tuple[Number, ...], Any]", single.weights))
            case _:
                assert_never(step.statement)

    def _sample(self, step: Step, target: tree.Target, distribution: tree.Distribution, table: Table) -> Table:
        scope, read = self._reads(step, table)

        def law(key: tuple[Number, ...]) -> tuple[tuple[Number, Any], ...]:
            return self.machine.support_of(step, distribution, key, key, scope)

        laws, number = self._per_combination(step, table, read, law)
        sizes = np.array([len(each) for each in laws], dtype=np.int64)
        self.machine.check_size(step.statement.span, int(sizes[number].sum()), len(table.layout) + 1)
        drawn, column = expand(table, number, laws)
        return self._store(step, target, drawn, column)

    def _branch(self, step: Step, condition: tree.Expression, table: Table) -> Table:
        """Run the branches; a chain of ``else if`` is a loop here, so that its length does not matter."""
        span, done = step.statement.span, []
        while True:
            holds = self._truth(step, condition, table)
            if holds.any():
                done.append(self.block(step.branches[0], table.select(holds)))
            last = step.branches[1]
            only = last.steps[0] if len(last.steps) == 1 else None
            table = table.select(~holds)
            if not len(table) or only is None or not isinstance(only.statement, CoreIf):
                break
            table = self._forget(table, last.forget)
            step, condition = only, only.statement.condition
            self.machine.check_clock(only.statement.span)
        if len(table):
            done.append(self.block(last, table))
        joined = join(done)
        self.machine.check_size(span, len(joined), len(joined.layout))
        return joined

    # --- parts --------------------------------------------------------------------------------------------------------

    def _reads(self, step: Step, table: Table) -> tuple[Scope, tuple[str, ...]]:
        """Return the scope of a state that has only what a statement reads, and those variables."""
        read = tuple(name for name in step.reads if name in table.layout)
        return self._scope(read), read

    def _scope(self, read: Sequence[str]) -> Scope:
        machine = self.machine
        slots = {name: slot for slot, name in enumerate(read)}
        return Scope(slots, machine.parameters, machine.unknown, machine.core.arrays)

    def _per_combination(
        self, step: Step, table: Table, read: Sequence[str], compute: Callable[[tuple[Number, ...]], T]
    ) -> tuple[list[T], NDArray[np.int64]]:
        """Return what each combination of the values read gives, and for each row the number of its combination."""
        columns = [table.column(name) for name in read]
        first, number = combinations(columns, len(table))
        results: list[T] = []
        for count, key in enumerate(gather(columns, first)):
            if count % _CLOCK == 0:
                self.machine.check_clock(step.statement.span)
            results.append(compute(key))
        return results, number

    def _truth(self, step: Step, condition: tree.Expression, table: Table) -> NDArray[np.bool_]:
        scope, read = self._reads(step, table)
        holds, number = self._per_combination(step, table, read, compile_truth(condition, scope))
        return np.array(holds, dtype=bool)[number]

    def _store(self, step: Step, target: tree.Target, table: Table, column: Column) -> Table:
        """Write a column, forget what is dead, merge rows that became equal."""
        if isinstance(target, tree.Name):
            names, columns = [target.id], [column]
        else:
            names, columns = self._elements(step, target, table, column)
        written = replaced(table, names, columns)
        result = project(written, without(written.layout, step.forget))
        self.machine.check_size(step.statement.span, len(result), len(result.layout))
        return result

    def _elements(self, step: Step, target: tree.Index, table: Table, column: Column) -> tuple[list[str], list[Column]]:
        """Return the columns of an array after a value was written to an element picked at random."""
        scope, read = self._reads(step, table)
        index = compile_value(target.index, scope)
        arrays = self.machine.core.arrays
        indices = arrays.get(target.array, ())
        position: dict[Number, int] = {each: place for place, each in enumerate(indices)}

        def place(key: tuple[Number, ...]) -> int:
            found = index(key)
            if found not in position:
                element(target, scope.mapping(key), arrays)  # raises
            return position[found]

        places, number = self._per_combination(step, table, read, place)
        picked = np.array(places, dtype=np.int64)[number]
        names = [f"{target.array}[{i}]" for i in indices]
        return names, [chosen(picked == at, column, table.column(name)) for at, name in enumerate(names)]

    def _forget(self, table: Table, names: frozenset[str]) -> Table:
        layout = without(table.layout, names)
        return table if layout == table.layout else project(table, layout)
