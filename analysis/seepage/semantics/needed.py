"""The part of a program text that some names need, found before anything is unrolled.

Coarser than slices of core programs: a statement at the top level is kept whole or left out whole, arrays are taken as one, and the order of
statements counts for nothing. All observations are kept, with what they read, so that each law of what is kept is that of the whole program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.semantics.checked import Checked
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.memo import Same
from seepage.semantics.unroll import unroll
from seepage.syntax.tree import Assign, Expression, For, If, Index, Item, Module, Observe, Placed, Sample, While

_MOST = 8  # statements too large to unroll that are looked for: each may take a second


def unroll_for(checked: Checked, names: Iterable[str]) -> CoreProgram:
    """Return the core program of a checked program, or where that grows too large, of what some names need.

    Raises:
        Fault: as :func:`seepage.semantics.unroll.unroll`, if what the names need is too large, too.
    """
    try:
        return _unrolled(Same(checked))
    except Fault as fault:
        if fault.diagnostic.rule is not rules.BUDGET_EXCEEDED:
            raise
        return unroll(needed_for(checked, names))


@lru_cache(maxsize=2)
def _unrolled(key: Same[Checked]) -> CoreProgram:
    """Unroll a program once for many questions, one after the other."""
    return unroll(key.one)


def unroll_part(checked: Checked) -> CoreProgram:
    """Return the core program of a checked program, or where that grows too large, of the names that do not depend on what is too large.

    The others are ``left_out``: all of them where an observation depends on it.

    Raises:
        Fault: as :func:`seepage.semantics.unroll.unroll`; of growth only if too much is too large.
    """
    part = checked
    left_out: dict[str, Diagnostic] = {}
    for _ in range(_MOST):
        try:
            return replace(unroll(part), left_out=left_out)
        except Fault as fault:
            smaller = _without(part, fault.diagnostic)
            if fault.diagnostic.rule is not rules.BUDGET_EXCEEDED or smaller is None:
                raise
            lost = (name for name in part.symbols.variables if name not in smaller.symbols.variables)
            left_out.update(dict.fromkeys(lost, fault.diagnostic))
            part = smaller
    return replace(unroll(part), left_out=left_out)


def _without(checked: Checked, growth: Diagnostic) -> Checked | None:
    """Return a program without the statement of its text that grows too large, and all that reads or writes what is not known then.

    None if no statement is to blame.
    """
    items, place = checked.tree.items, growth.span
    lost = {
        number for number, item in enumerate(items) if item.span.start <= place.start and place.end <= item.span.end
    }
    if not lost:
        return None
    names: set[str] = set()
    while lost:
        names.update(name for number in lost for name in writes_of(items[number]))
        if any(observes(items[number]) for number in lost):
            names.update(checked.symbols.variables)
        items = tuple(item for number, item in enumerate(items) if number not in lost)
        touched = (names.intersection((*writes_of(item), *reads_of(item))) for item in items)
        lost = {number for number, each in enumerate(touched) if each and not is_declaration(items[number])}
    known = {name: symbol for name, symbol in checked.symbols.variables.items() if name not in names}
    symbols = replace(checked.symbols, variables=known)
    return replace(checked, tree=replace(checked.tree, items=items), symbols=symbols)


def needed_for(checked: Checked, names: Iterable[str]) -> Checked:
    """Return a program without the statements of its text that do not matter for the joint distribution of some names.

    Declarations and what is known of names stay: nothing may be asked of it but these names.
    """
    items = checked.tree.items
    writers: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        for name in set(writes_of(item)):
            writers.setdefault(name, []).append(number)
    kept = {number for number, item in enumerate(items) if is_declaration(item)}
    waiting = [number for number, item in enumerate(items) if observes(item)]
    waiting.extend(number for name in names for number in writers.get(name, ()))
    while waiting:
        number = waiting.pop()
        if number not in kept:
            kept.add(number)
            waiting.extend(writer for name in reads_of(items[number]) for writer in writers.get(name, ()))
    return replace(checked, tree=replace(checked.tree, items=tuple(items[number] for number in sorted(kept))))


def is_declaration(item: Item) -> bool:
    """Tell whether an item declares something, and runs nothing."""
    return isinstance(item, Placed) and not isinstance(item.node, Assign | Sample | Observe)


def _parts(item: Item) -> Iterator[Item]:
    """Yield a statement and all in its blocks."""
    return Module((item,), item.span).walk()


def observes(item: Item) -> bool:
    """Tell whether a statement may leave runs out: by an observation, or a loop that may not end."""
    return any(
        isinstance(part, While) or (isinstance(part, Placed) and isinstance(part.node, Observe))
        for part in _parts(item)
    )


def writes_of(item: Item) -> Iterator[str]:
    """Yield the names (an array's without an index) that a statement and all in its blocks may write."""
    for part in _parts(item):
        if isinstance(part, Placed) and isinstance(part.node, Assign | Sample):
            target = part.node.target
            yield target.array if isinstance(target, Index) else target.id


def reads_of(item: Item) -> Iterator[str]:
    """Yield the names (an array's without an index) that a statement and all in its blocks read, those of their targets' indices included."""
    for part in _parts(item):
        for expression in _expressions(part):
            yield from plain_names(expression)


def _expressions(item: Item) -> Iterator[Expression]:
    match item:
        case If(arms=arms):
            yield from (arm.condition for arm in arms)
        case While(arm=arm):
            yield arm.condition
        case For(low=low, high=high):
            yield from (low, high)
        case Placed(node=Assign(target=target, value=value)):
            yield from (target, value)
        case Placed(node=Sample(target=target, distribution=distribution)):
            yield target
            yield from arguments_of(distribution)
        case Placed(node=Observe(condition=condition)):
            yield condition
        case _:
            pass
