"""What of a piece goes beyond the core of the language, so that a transformation of the whole text has to say what it means."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.syntax.raw import EXTENSIONS, Raw, RawCall, RawGenerated, RawHeader, RawLeaf, children
from seepage.syntax.tree import Call
from seepage.syntax.vocabulary.aggregates import AGGREGATES
from seepage.syntax.vocabulary.array_laws import LATER_LAWS, NEW_LAWS

_STATEMENTS = ("break", "continue", "return", "until", "attacker", "enum", "table", "import")
_BLOCKS = ("while", "repeat", "never", "def")


def is_extended(raw: RawLeaf | RawHeader) -> bool:
    """Tell whether a piece says anything that the core does not have."""
    if raw.keyword in (_STATEMENTS if isinstance(raw, RawLeaf) else _BLOCKS):
        return True
    if isinstance(raw, RawLeaf) and (raw.given is not None or raw.direction is not None or _many_targets(raw)):
        return True
    return any(is_new(part) for part in parts_of(raw))


def _many_targets(raw: RawLeaf) -> bool:
    return raw.keyword in ("assign", "sample") and len(raw.targets) > 1


def parts_of(raw: RawLeaf | RawHeader) -> list[Raw]:
    """Return the expressions of a piece."""
    if isinstance(raw, RawHeader):
        return [one for one in (raw.condition, raw.low, raw.high) if one is not None]
    return [one for one in (*raw.targets, raw.value, raw.bound, raw.given, *raw.values) if one is not None]


def is_new(root: Raw) -> bool:
    """Tell whether an expression holds what the core does not have, whatever names mean."""
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, EXTENSIONS):
            return True
        if isinstance(node, Call) and is_new_call(node.function, node.arguments):
            return True
        if isinstance(node, RawCall) and is_new_call(node.name.value, node.groups[0] if node.groups else ()):
            return True
        stack.extend(children(node))
    return False


def is_new_call(name: str, arguments: Sequence[Raw]) -> bool:
    """Tell whether a call is one that the core does not have."""
    if name in AGGREGATES or name in NEW_LAWS or name in LATER_LAWS:
        return True
    if any(isinstance(one, RawGenerated) for one in arguments):
        return True
    return name in _OF_ARRAYS and len(arguments) == 1


_OF_ARRAYS = ("min", "max", "categorical", "uniform_of")
