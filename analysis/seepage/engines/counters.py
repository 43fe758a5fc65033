"""Variables that a loop of unknown length only counts with: constants are added to them, and nothing else in the loop reads them.

They are no states of the loop. Where all rounds are alike, the number of rounds is 1 plus a geometric number, whatever the loop ends with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from seepage.engines.forward.liveness import Step
from seepage.engines.forward.loops import Key, Loops
from seepage.engines.laws_as_draws import Leaf, Statements, decided
from seepage.semantics.core import CoreAssign, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.expressions import plain_names
from seepage.semantics.statements import expressions_of, walk, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_ONE = Fraction(1)


def counters_of(loop: CoreWhile) -> dict[str, Fraction]:
    """Return what each round adds to the counters of a loop."""
    added: dict[str, Fraction] = {}
    others: list[CoreStatement] = [*walk(loop.never or ())]
    for statement in loop.body:
        found = _addition(statement)
        if found is None:
            others += walk((statement,))
        else:
            added[found[0]] = added.get(found[0], Fraction(0)) + found[1]
    read = {name for each in (loop, *others) for part in expressions_of(each) for name in plain_names(part)}
    touched = {name.partition("[")[0] for name in (*read, *written_variables(others))} | read
    return {name: size for name, size in added.items() if name not in touched and name.partition("[")[0] not in touched}


def without_counters(loop: CoreWhile, counters: Sequence[str]) -> CoreWhile:
    """Return a loop that does not count."""
    kept = tuple(each for each in loop.body if (found := _addition(each)) is None or found[0] not in counters)
    return replace(loop, body=kept)


def _addition(statement: CoreStatement) -> tuple[str, Fraction] | None:
    match statement:
        case CoreAssign(
            target=tree.Name(id=name), value=tree.Binary(operator="+" | "-" as operator, left=left, right=right)
        ):
            match left, right:
                case tree.Name(id=read), tree.Number(value=size) if read == name:
                    return name, size if operator == "+" else -size
                case tree.Number(value=size), tree.Name(id=read) if read == name and operator == "+":
                    return name, size
    return None


def are_alike(step: Step, keys: Sequence[Key], loops: Loops[Any]) -> bool:
    """Tell whether from each of some states all rounds of a loop are the same: none leads to another state than it began in."""
    rows = loops.rows.get(id(step), {})
    starts = [loops.start(step, key) for key in keys if not loops.is_over(step, key)]
    return all(set(rows[start].steps) <= {start} and rows[start].exits for start in starts)


def are_finite(step: Step, loops: Loops[Any]) -> bool:
    """Tell whether no state of a loop, of those that were met, comes again."""
    rows = loops.rows.get(id(step), {})
    left = {state: set(row.steps) for state, row in rows.items()}
    while left:
        last = [state for state, steps in left.items() if not steps & left.keys()]
        if not last:
            return False
        for state in last:
            del left[state]
    return True


def counted(
    step: Step,
    keys: Sequence[Key],
    loops: Loops[Any],
    counters: dict[str, Fraction],
    written: Callable[[Any], Expression],
    name: str,
) -> Statements:
    """Return statements, to stand before a loop whose rounds are alike, that draw their number and add it to the counters."""
    span, field = step.statement.span, loops.field
    rows: list[tuple[Key, Leaf]] = []
    for key in keys:
        if loops.is_over(step, key):
            rows.append((key, ((Fraction(0), tree.Number(_ONE, span)),)))
        else:
            start = loops.start(step, key)
            again = loops.rows[id(step)][start].steps.get(start, field.zero)
            rows.append((key, ((_ONE, written(field.complement(again))),)))
    rounds = tree.Name(name, span)

    def drawn(leaf: Leaf) -> Statements:
        ((any_round, ends),) = leaf
        if any_round == 0 or ends == tree.Number(_ONE, span):
            return (CoreAssign(rounds, tree.Number(any_round, span), span),)
        law = tree.Family("geometric", (tree.Argument(None, ends, span),), span, span)
        return (
            CoreSample(rounds, law, span),
            CoreAssign(rounds, tree.Binary("+", rounds, tree.Number(_ONE, span), span), span),
        )

    return (
        *decided(step.reads, rows, drawn, span),
        *(_add(each, size, rounds, span) for each, size in counters.items()),
    )


def _add(counter: str, size: Fraction, rounds: tree.Name, span: Span) -> CoreStatement:
    more = rounds if size == 1 else tree.Binary("*", tree.Number(size, span), rounds, span)
    target = tree.Name(counter, span)
    return CoreAssign(target, tree.Binary("+", target, more, span), span)
