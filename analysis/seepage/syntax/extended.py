"""What of a piece goes beyond the core of the language, so that a transformation of the whole text has to say what it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage.syntax.raw import (
    EXTENSIONS,
    Raw,
    RawCall,
    RawGenerated,
    RawHeader,
    RawLeaf,
    RawMember,
    RawNamed,
    RawSet,
    RawTuple,
    children,
)
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Call
from seepage.syntax.vocabulary.aggregates import AGGREGATES
from seepage.syntax.vocabulary.array_laws import NEW_LAWS
from seepage.syntax.vocabulary.measures import MEASURES
from seepage.syntax.vocabulary.modules import MODULES

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
        if isinstance(node, EXTENSIONS) or _lists_tuples(node):
            return True
        if isinstance(node, Call) and is_new_call(node.function, node.arguments):
            return True
        if isinstance(node, RawCall) and is_new_call(node.name.value, node.groups[0] if node.groups else ()):
            return True
        stack.extend(children(node))
    return False


def is_new_call(name: str, arguments: Sequence[Raw]) -> bool:
    """Tell whether a call is one that the core does not have."""
    if name in AGGREGATES or name in NEW_LAWS:
        return True
    if any(isinstance(one, RawGenerated) for one in arguments):
        return True
    return name in _OF_ARRAYS and len(arguments) == 1


_OF_ARRAYS = ("min", "max", "categorical", "uniform_of")


def _lists_tuples(node: Raw) -> bool:
    """Tell whether a measure lists its variables in parentheses."""
    match node:
        case Call(function=name, arguments=arguments):
            groups: tuple[tuple[Raw, ...], ...] = (arguments,)
        case RawCall(name=token, groups=groups):
            name = token.value
        case _:
            return False
    return name in MEASURES and any(isinstance(one, RawTuple) for group in groups for one in group)


def outside_members(root: Raw) -> Iterator[Raw]:
    """Yield the nodes of an expression, but for the sets that something is said to be in, or that have a name."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case RawMember(value=value, members=RawSet(members=members)):
                stack += [value, *members]
            case RawNamed(value=RawSet(members=members)):
                stack += members
            case _:
                stack += children(node)


def of_modules(tokens: list[Token]) -> list[Token]:
    """Return tokens in which the point behind the name of a module of another language is none of this one: ``math.exp(1)``."""
    if not any(token.type == "DOT" for token in tokens):
        return tokens
    made = list(tokens)
    for at, token in enumerate(tokens[:-1]):
        if token.type == "NAME" and token.value in MODULES and tokens[at + 1].type == "DOT" and _calls(tokens, at):
            for following in range(at + 1, len(tokens), 2):
                if tokens[following].type != "DOT":
                    break
                made[following] = tokens[following]._replace(type="UNKNOWN")
    return made


def _calls(tokens: list[Token], at: int) -> bool:
    """Tell whether the name at a place begins the name of what is called."""
    while at + 2 < len(tokens) and tokens[at + 1].type == "DOT":
        at += 2
    return at + 1 < len(tokens) and tokens[at + 1].type == "LPAR"
