"""Names that nothing reads and statements that nothing asked for depends on.

Judged once a program asks for something (an output, a ``show`` or a ``require``) and has no errors, so that half a program is not blamed for
its other half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label, Tag
from seepage.semantics.checked import Symbols
from seepage.semantics.effects import asked_names, idle_units
from seepage.semantics.facts import target_name
from seepage.semantics.removal import remove
from seepage.semantics.units import Units
from seepage.semantics.variables import assignments, mentioned, target_span
from seepage.source import SourceFile, Span
from seepage.syntax.tree import Assign, Boolean, Cell, Const, Module, Name, Number, Param, Placed, Sample, as_told

_FADED = (Tag.UNNECESSARY,)


def unused(tree: Module, symbols: Symbols, source: SourceFile, units: Units) -> Iterator[Diagnostic]:
    """Yield unused declarations and variables, and statements without effect."""
    asked = asked_names(symbols)
    declarations = units.declarations()
    read = set[str]().union(*units.reads())
    read |= units.loop_names()
    read.update(name for leaf in declarations for name in mentioned(leaf.node))
    read |= asked
    yield from _declarations(declarations, read, source)
    never_read = dict.fromkeys(name for name in symbols.variables if name not in read)
    idle_cells = [name for name in never_read if all(map(_is_cell, assignments(units.written.labels[name], units)))]
    for name in idle_cells:  # of a row, of which few columns are looked at
        del never_read[name]
    idle = idle_units(tree, symbols, units)
    if not idle and not never_read:
        return
    for name in never_read:  # what only the first of many findings are asked for is made one by one
        written = assignments(units.written.labels[name], units)
        end = len(source.text)
        ask = Fix(f"show 'H({name})'", (Edit(Span(end, end), f"{_new_line(source.text)}show H({name})\n"),))
        fixes = (
            remove(f"remove '{name}'", (item.span for item in written), source.text),
            ask,
        )
        labels = tuple(Label(place, f"'{name}' is assigned here, too") for place in map(target_span, written[1:]))
        message = f"nothing reads '{name}'"
        place = target_span(written[0])
        yield Diagnostic(rules.UNUSED_VARIABLE, place, message, labels, (), fixes, _FADED, subject=name)
    if any(unit.facts.target not in never_read for unit in idle):
        items = [units.entry(label) for label in sorted(unit.label for unit in idle)]
        statements = [item for item in items if isinstance(item, Placed)]
        dead = [item for item in statements if _target(item) not in never_read and not _is_cell(item)]
        names = dict.fromkeys(map(_target, statements))
        writes = {name: assignments(units.written.labels[name], units) for name in names}
        yield from _without_effect(dead, frozenset(map(id, statements)), writes, source, units)


def _new_line(text: str) -> str:
    return "" if not text or text.endswith("\n") else "\n"


def _is_cell(item: Placed) -> bool:
    return isinstance(item.node, Assign) and isinstance(item.node.value, Cell)


def _target(item: Placed) -> str:
    assert isinstance(item.node, Assign | Sample)
    return target_name(item.node.target)


def _declarations(leaves: Sequence[Placed], read: Set[str], source: SourceFile) -> Iterator[Diagnostic]:
    for item in leaves:
        if isinstance(item.node, Param | Const) and item.node.name not in read:
            name = item.node.name
            is_param = isinstance(item.node, Param)
            rule, what = (rules.UNUSED_PARAMETER, "parameter") if is_param else (rules.UNUSED_CONSTANT, "constant")
            fix = remove(f"remove the {what} '{name}'", (item.span,), source.text)
            place = item.node.name_span.shift(item.start)
            yield Diagnostic(rule, place, f"nothing uses the {what} '{name}'", fixes=(fix,), tags=_FADED)


def _without_effect(
    dead: Sequence[Placed],
    idle: frozenset[int],
    writes: Mapping[str, Sequence[Placed]],
    source: SourceFile,
    units: Units,
) -> Iterator[Diagnostic]:
    readers: dict[str, list[Placed]] = {}
    for items in writes.values():
        for item in items:
            if id(item) in idle:
                for name in units.of(item).facts.reads:
                    readers.setdefault(name, []).append(item)
    for item in dead:
        name = _target(item)
        others = [one for one in writes[name] if id(one) not in idle]
        if others and _is_initial(item, writes[name]):
            continue  # a variable that is set to a number first and assigned in every case after is good style
        message = f"no output, secret, shown measure or observation depends on this value of '{name}'"
        labels = [
            Label(one.span, f"read here, for a value of '{as_told(_target(one))}' that nothing depends on either")
            for one in readers.get(name, ())
            if one is not item
        ]
        same = [one for one in others if _writes_same(one, item)]
        # One before it assigns it again in a loop at most.
        after = next((one for one in same if one.span > item.span), None)
        if after is not None and not labels:
            labels.append(Label(after.span, f"'{name}' is assigned here before anything reads the value"))
        notes = () if others else (_route(name, readers),)
        fixes: tuple[Fix, ...] = ()
        if same and not item.documentation:  # without another assignment of an element there is none of that index
            fixes = (remove(f"remove this assignment of '{name}'", (item.span,), source.text),)
        yield Diagnostic(rules.NO_EFFECT, item.span, message, tuple(labels), notes, fixes, _FADED, subject=name)


def _writes_same(one: Placed, other: Placed) -> bool:
    """Tell whether two statements surely assign one variable, or one element: its index is a number."""
    match one.node, other.node:
        case (Assign(target=first) | Sample(target=first), Assign(target=second) | Sample(target=second)):
            return first == second and (isinstance(first, Name) or isinstance(first.index, Number))
        case _:
            return False


def _is_initial(item: Placed, written: Sequence[Placed]) -> bool:
    return item is written[0] and isinstance(item.node, Assign) and isinstance(item.node.value, Number | Boolean)


def _route(name: str, readers: Mapping[str, Sequence[Placed]]) -> str:
    """Return everything that a value flows into, as a sentence: the proof that nothing asked for is among it."""
    found: dict[str, None] = {}
    stack = [name]
    while stack:
        for item in readers.get(stack.pop(), ()):
            if _target(item) not in found:
                found[_target(item)] = None
                stack.append(_target(item))
    found.pop(name, None)
    if not found:
        return f"only '{name}' itself is computed from it"
    listed = [f"'{one}'" for one in dict.fromkeys(map(as_told, found))]
    shown = (
        " and ".join(([", ".join(listed[:-1])] if listed[:-1] else []) + [listed[-1]])
        if len(listed) <= 6
        else f"{', '.join(listed[:6])}, …"
    )
    return f"'{name}' flows into {shown} only, and none of them is asked for"
