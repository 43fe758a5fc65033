"""Statements in many runs at once. What an observation rejects is drawn anew, as often as it takes, but within limits that are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

import numpy as np

from seepage import rules
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import Number
from seepage.sampling.expressions import Runs
from seepage.sampling.laws import Generator, drawn
from seepage.sampling.vectors import Column, Rows, floats, is_real
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.source import Span
from seepage.syntax.tree import Index as _Index
from seepage.syntax.tree import Name

_AT_ONCE = 100_000  # runs of one batch
_LEAST_AT_ONCE = 1_000
_MOST_TRIED = 3_000_000  # runs of which none passes
_MOST_ROUNDS = 20_000  # of a loop, and of attempts at a local draw
_FEW, _FEW_ROUNDS = 64, 1_000  # where some run is looked for that passes


def sampled(
    core: CoreProgram, parameters: Mapping[str, Number], size: int, random: Generator, deadline: Deadline
) -> dict[str, Column]:
    """Draw runs of a program: those that its observations pass, independent of each other.

    Args:
        core: with loops as they are.
        parameters: the values of all of them.
        size: how many runs.
        random: where chance comes from.
        deadline: of all of it.

    Returns:
        for each variable of the program a column with a value for each run.

    Raises:
        Fault: a value that is undefined in a run, a loop that does not end, observations that no run passes, or the end of the time.
    """
    batches: list[Mapping[str, Column]] = []
    found, tried, wanted = 0, 0, max(size, _LEAST_AT_ONCE)
    while found < size:
        if not found and (tried >= _MOST_TRIED or (tried and deadline.passed())):
            raise _never_passed(core.statements, tried)
        batch = Runs(min(wanted, _AT_ONCE), parameters, core.arrays, {})
        left = _Following(batch, random, deadline).block(core.statements, np.arange(batch.size))
        tried += batch.size
        found += left.size
        if left.size:
            batches.append({name: column[left] for name, column in batch.columns.items()})
        wanted = int((size - found) * tried / found * 1.1) + 16 if found else 10 * tried
    names = [name for name in core.variables if any(name in batch for batch in batches)]
    return {name: _joined([_of(batch, name) for batch in batches])[:size] for name in names}


def some_run_passes(core: CoreProgram, parameters: Mapping[str, Number], seconds: float) -> bool:
    """Tell whether one of a few runs, the same each time, ends and passes all observations, and local draws pass in all; False proves nothing.

    Args:
        core: with loops as they are.
        parameters: the values of all of them.
        seconds: of a processor, at most.
    """
    runs = Runs(_FEW, parameters, core.arrays, {})
    following = _Following(runs, np.random.default_rng(0), Deadline.after(seconds), only_some=True)
    try:
        return bool(following.block(core.statements, np.arange(_FEW)).size)
    except Fault:
        return False


def _of(batch: Mapping[str, Column], name: str) -> Column:
    if name in batch:
        return batch[name]
    return np.zeros(len(next(iter(batch.values()))), dtype=np.int64)


def _joined(parts: Sequence[Column]) -> Column:
    if any(map(is_real, parts)):
        return np.concatenate([floats(each) for each in parts])
    if any(each.dtype == object for each in parts):
        return np.concatenate([each.astype(object) for each in parts])
    return np.concatenate(list(parts))


def _never_passed(statements: Sequence[CoreStatement], tried: int) -> Fault:
    span = next((each.span for each in statements if isinstance(each, CoreObserve)), statements[-1].span)
    notes = ("an observation of probability 0, such as of one value of a continuous variable, passes no run",)
    return Fault(
        Diagnostic(
            rules.BUDGET_EXCEEDED, span, f"none of {tried:,} runs passes the observations of the program", notes=notes
        )
    )


@dataclass(frozen=True, slots=True)
class _Following:
    """Follows statements in a batch of runs.

    Attributes:
        runs: the batch.
        random: where chance comes from.
        deadline: of all of it.
        only_some: whether runs may be left out that stay long in a loop.
    """

    runs: Runs
    random: Generator
    deadline: Deadline
    only_some: bool = False

    def block(self, statements: Sequence[CoreStatement], rows: Rows) -> Rows:
        """Follow statements in some runs, and return those that observations leave."""
        for statement in statements:
            if not rows.size:
                return rows
            if self.deadline.passed():
                message = "there was no time for so many runs: ask for fewer, or give a larger limit of seconds"
                raise Fault(Diagnostic(rules.TIME_LIMIT, statement.span, message))
            rows = self._statement(statement, rows)
        return rows

    def _statement(self, statement: CoreStatement, rows: Rows) -> Rows:
        match statement:
            case CoreAssign(target=target, value=value):
                self._write(target, rows, self.runs.value(value, rows))
                return rows
            case CoreSample(target=target, distribution=law):
                self._write(target, rows, drawn(law, self.runs, rows, self.random))
                return rows
            case CoreObserve(condition=condition):
                return rows[self.runs.truth(condition, rows)]
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                holds = self.runs.truth(condition, rows)
                left = self.block(consequent, rows[holds]), self.block(alternative, rows[~holds])
                return np.sort(np.concatenate(left))
            case CoreWhile():
                return self._loop(statement, rows)
            case CoreLocal(body=body, span=span):
                return self._local(body, span, rows)
            case _:
                assert_never(statement)

    def _write(self, target: Name | _Index, rows: Rows, values: Column) -> None:
        if isinstance(target, Name):
            self.runs.write(target.id, rows, values)
            return
        for name, part in self.runs.picked(target, rows):
            self.runs.write(name, part, values[np.searchsorted(rows, part)])

    def _loop(self, loop: CoreWhile, rows: Rows) -> Rows:
        ended = [rows[:0]]
        for _ in range(self._most_rounds):
            if self.deadline.passed():
                break
            goes_on = self.runs.truth(loop.condition, rows)
            ended.append(rows[~goes_on])
            rows = self.block(loop.body, rows[goes_on])
            if not rows.size:
                break
        if self.only_some or not rows.size:
            return np.sort(np.concatenate(ended))
        message = f"in {len(rows):,} runs the loop has not ended after {len(ended) - 1:,} rounds, and no run tells that it never will"
        raise Fault(Diagnostic(rules.BUDGET_EXCEEDED, loop.span, message))

    @property
    def _most_rounds(self) -> int:
        return _FEW_ROUNDS if self.only_some else _MOST_ROUNDS

    def _local(self, body: Sequence[CoreStatement], span: Span, rows: Rows) -> Rows:
        before, waiting = dict(self.runs.columns), rows
        for _ in range(self._most_rounds):
            passed = self.block(body, waiting)
            waiting = np.setdiff1d(waiting, passed, assume_unique=True)
            if not waiting.size:
                return rows
            for name, column in self.runs.columns.items():
                old = before.get(name)
                if old is not column:
                    self.runs.write(name, waiting, np.zeros(len(waiting), np.int64) if old is None else old[waiting])
        message = f"in {len(waiting):,} runs none of {_MOST_ROUNDS:,} attempts passes the observations of the draw"
        raise Fault(Diagnostic(rules.BUDGET_EXCEEDED, span, message))
