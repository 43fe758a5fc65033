"""A program with other values of its constants: an edit of the text, since a constant may decide how often loops run and how large arrays are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seepage import exact
from seepage.exact import Number
from seepage.pipeline import check
from seepage.semantics.checked import Checked
from seepage.syntax.tree import Const, Placed


def with_constants(checked: Checked, values: Mapping[str, Number]) -> Checked:
    """Return the program in which some constants have other values.

    Raises:
        ValueError: there is no such constant, or it cannot have such a value.
    """
    if not values:
        return checked
    places = {
        item.node.name: item.node.value.span.shift(item.start)
        for item in checked.tree.items
        if isinstance(item, Placed) and isinstance(item.node, Const)
    }
    text = checked.source.text
    unknown = [name for name in values if name not in places or name not in checked.symbols.consts]
    if unknown:
        known = ", ".join(f"'{name}'" for name in places) or "none"
        raise ValueError(f"the program has no constant '{unknown[0]}', expected one of: {known}")
    for name in sorted(values, key=lambda each: places[each].start, reverse=True):
        span = places[name]
        text = f"{text[: span.start]}{exact.spelled(values[name])}{text[span.end :]}"
    source = checked.source
    found = check(replace(source, text=text))
    for name, value in values.items():
        if name not in found.symbols.consts or exact.compare(found.symbols.consts[name], value) != 0:
            raise ValueError(f"the constant '{name}' cannot be {exact.show(value)}")
    return found
