"""Secrets that declare one element where the author means the whole array: ``secret salary[10]`` declares ``salary[10]``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.exact import Number
from seepage.semantics.checked import Symbols
from seepage.semantics.expressions import nodes
from seepage.semantics.static import quiet_value
from seepage.semantics.units import Units
from seepage.source import Span
from seepage.syntax.tree import Assign, Expression, For, Index, Item, Module, Name, Placed, Sample, Secret, array_of


def sized_secrets(tree: Module, symbols: Symbols, units: Units) -> Iterator[Diagnostic]:
    """Yield an information for each ``secret a[n]``, n a constant or a number, where a loop over 1..n, or 0..n - 1, assigns ``a[i]``.

    So many elements are written as stands where other languages say the size: the array is meant, and the other elements would be taken
    for no secrets. An element beside others of that array in the declarations is one picked on purpose.
    """
    arrays = [array_of(symbol.name) for symbol in symbols.secrets]
    if not any("[" in symbol.name for symbol in symbols.secrets):
        return
    for item in tree.walk():
        if not isinstance(item, Placed) or not isinstance(item.node, Secret):
            continue
        for target in item.node.targets:
            if not isinstance(target, Index) or arrays.count(target.array) > 1:
                continue
            size = quiet_value(target.index, item.start, symbols.consts)
            if not isinstance(size, int) or size <= 1:
                continue
            name = target.index.id if isinstance(target.index, Name) else None
            if (loop := _filling(target.array, size, name, symbols.consts, units)) is not None:
                yield _one_element(target, size, target.span.shift(item.start), loop)


def _one_element(target: Index, size: int, span: Span, loop: For) -> Diagnostic:
    element = f"{target.array}[{size}]"
    return Diagnostic(
        rules.ELEMENT_FOR_ARRAY,
        span,
        f"only the element '{element}' is secret here: 'secret {target.array}' declares all elements of the array",
        labels=(Label(loop.header, f"{size} elements are assigned here"),),
        fixes=(Fix(f"declare all of '{target.array}' secret", (Edit(span, target.array),)),),
    )


def _filling(array: str, size: int, name: str | None, constants: Mapping[str, Number], units: Units) -> For | None:
    """Return a loop over 1..size, or 0..size - 1, that assigns the element of each round, and says the size by the name that has it, if one has."""
    for loop in units.loops({array}):
        ends = tuple(quiet_value(end, loop.start, constants) for end in (loop.low, loop.high))
        is_whole = ends in ((1, size), (0, size - 1)) and (name is None or _names(loop.high, name))
        if is_whole and _assigns(loop.block.items, array, loop.name):
            return loop
    return None


def _names(end: Expression, name: str) -> bool:
    return any(isinstance(node, Name) and node.id == name for node in nodes(end))


def _assigns(items: Sequence[Item], array: str, round_: str) -> bool:
    """Tell whether some statement of a block assigns the element of the array whose index is the loop's variable."""
    return any(
        isinstance(item.node.target, Index)
        and item.node.target.array == array
        and isinstance(item.node.target.index, Name)
        and item.node.target.index.id == round_
        for item in items
        if isinstance(item, Placed) and isinstance(item.node, Assign | Sample)
    )
