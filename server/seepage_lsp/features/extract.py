"""A number, or an expression of numbers and constants, gets a name."""

from __future__ import annotations

from itertools import count

from seepage.diagnostics import Edit
from seepage.semantics.checked import Checked
from seepage.semantics.static import quiet_value
from seepage.source import Span
from seepage.symbols.names import symbols_in, tree_of
from seepage.syntax.comments import blank_comments
from seepage.syntax.printer import applied
from seepage.syntax.tree import (
    Binary,
    Call,
    Conditional,
    Const,
    Expression,
    Family,
    Number,
    Param,
    Parenthesized,
    Placed,
    Unary,
)
from seepage.syntax.vocabulary.table import WORDS
from seepage.syntax.walk import nodes, rooted
from seepage_lsp.features.laws import unnamed_arguments
from seepage_lsp.features.rewriting import (
    checked_after,
    is_no_worse,
    line_after,
    line_end,
    line_start,
    with_comments,
)

_VALUES = (Number, Unary, Binary, Call, Conditional, Parenthesized)


def extracted_constant(checked: Checked, selection: Span) -> tuple[str, tuple[Edit, ...]] | None:
    """Return the name of a new constant for what is selected, and the edits; with an empty selection, for the number at the cursor.

    None where no static expression is selected, or where a constant may not stand.
    """
    text = checked.source.text
    found = _selected(checked, _trimmed(text, selection))
    if found is None:
        return None
    expression, start = found
    place = expression.span.shift(start)
    if _is_definition(checked, place) or quiet_value(expression, start, checked.symbols.consts) is None:
        return None
    name = _new_name(checked, _suggested(checked, place))
    at = _place(checked, place)
    if at is None:
        return None
    written = text[place.start : place.end]
    edits = (Edit(Span(at, at), f"const {name} = {written}{line_end(text)}"), Edit(place, name))
    after = checked_after(checked, applied(text, edits))
    return (name, edits) if is_no_worse(checked, after) else None


def _trimmed(text: str, selection: Span) -> Span:
    part = text[selection.start : selection.end]
    start = selection.start + len(part) - len(part.lstrip())
    return Span(start, max(start, selection.end - (len(part) - len(part.rstrip()))))


def _selected(checked: Checked, selection: Span) -> tuple[Expression, int] | None:
    """Return the expression at exactly a range, with the offset that its spans count from; for an empty range the number there."""
    for root, start in rooted(tree_of(checked)):
        if not root.span.shift(start).contains(selection.start):
            continue
        for node in nodes(root):
            span = node.span.shift(start)
            at_cursor = selection.start == selection.end and isinstance(node, Number) and span.contains(selection.start)
            if isinstance(node, _VALUES) and (at_cursor or span == selection):
                return node, start
    return None


def _is_definition(checked: Checked, place: Span) -> bool:
    """Tell whether an expression is what a constant is defined as already."""
    return any(
        isinstance(item, Placed) and isinstance(item.node, Const) and item.node.value.span.shift(item.start) == place
        for item in tree_of(checked).items
    )


def _suggested(checked: Checked, place: Span) -> str:
    """Return the name of the parameter of a distribution that an expression is given for, or ``value``."""
    for root, start in rooted(tree_of(checked)):
        if not root.span.shift(start).contains(place.start):
            continue
        for node in nodes(root):
            if not isinstance(node, Family):
                continue
            for _, span, name in unnamed_arguments(node, start):
                if span == place:
                    return name
            for argument in node.arguments:
                if argument.name is not None and argument.value.span.shift(start) == place:
                    return argument.name
    return "value"


def _new_name(checked: Checked, wanted: str) -> str:
    taken = {symbol.name for symbol in symbols_in(checked)} | set(WORDS)
    tries = (wanted if number == 1 else f"{wanted}_{number}" for number in count(1))
    return next(name for name in tries if name not in taken)


def _place(checked: Checked, used: Span) -> int | None:
    """Return where the declaration goes: below the last constant or parameter before the use, else above the item that uses it."""
    text = checked.source.text
    blanked = blank_comments(text)
    above = [item for item in tree_of(checked).items if item.span.end <= used.start and _is_static(item)]
    if above:
        at = line_after(text, above[-1].span.end)
        if not blanked.text[above[-1].span.end : at].strip() and text[:at].endswith(("\n", "\r")):
            return at
    item = next((item for item in tree_of(checked).items if item.span.start <= used.start < item.span.end), None)
    if item is None:
        return None
    start = line_start(text, item.span.start)
    return None if blanked.text[start : item.span.start].strip() else with_comments(text, blanked, start)


def _is_static(item: object) -> bool:
    return isinstance(item, Placed) and isinstance(item.node, Const | Param)
