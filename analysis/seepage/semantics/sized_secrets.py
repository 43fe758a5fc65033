"""Secrets that declare one element where the author means the whole array: ``const n = 10  secret salary[n]`` declares ``salary[10]``."""

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
    """Yield an information for each ``secret a[n]`` where n is a constant and a loop over 1..n, or 0..n - 1, assigns ``a[i]``.

    So many elements as the constant says are written, and its name stands where other languages say the size: the array is meant. A number
    (``secret a[10]``) is an element picked on purpose, and so is an element beside others of that array in the declarations.
    """
    arrays = [array_of(symbol.name) for symbol in symbols.secrets]
    if not any("[" in symbol.name for symbol in symbols.secrets):
        return
    for item in tree.walk():
        if not isinstance(item, Placed) or not isinstance(item.node, Secret):
            continue
        for target in item.node.targets:
            if not isinstance(target, Index) or not isinstance(target.index, Name) or arrays.count(target.array) > 1:
                continue
            size = symbols.consts.get(target.index.id)
            loop = _filling(target.array, target.index.id, symbols.consts, units)
            if isinstance(size, int) and size > 1 and loop is not None:
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


def _filling(array: str, size: str, constants: Mapping[str, Number], units: Units) -> For | None:
    """Return a loop over 1..size, or 0..size - 1, as text has it, that assigns the element of each round."""
    for loop in units.loops({array}):
        low, high = (quiet_value(end, loop.start, constants) for end in (loop.low, loop.high))
        count = constants.get(size)
        whole = (low == 1 and high == count) or (low == 0 and isinstance(count, int) and high == count - 1)
        if whole and _names(loop.high, size) and _assigns(loop.block.items, array, loop.name):
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
