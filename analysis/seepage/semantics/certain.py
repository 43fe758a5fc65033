"""What goes wrong in an expression whatever the run: values that are undefined at their literals, and what must be boolean or an integer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import Number, is_integer, show
from seepage.semantics.classify import Issue
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import bottom_up, children, without_parentheses
from seepage.semantics.kinds import Value
from seepage.semantics.static import quiet_value, static_value
from seepage.syntax.tree import (
    COMPARISONS,
    LOGICAL,
    Binary,
    Boolean,
    Call,
    Conditional,
    Expression,
    Index,
    Name,
    Parenthesized,
    Unary,
)
from seepage.syntax.tree import Number as Literal

_PARTIAL = frozenset("/%^")  # operators that have no value for some operands


def evaluated(expression: Expression) -> Iterator[Expression]:
    """Yield the parts of an expression that are evaluated whatever the state: not those behind ``and``, ``or``, ``then`` and ``else``."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case Name() | Literal():
                pass
            case Conditional(condition=condition):
                stack.append(condition)
            case Binary(operator="and" | "or", left=left):
                stack.append(left)
            case _:
                stack.extend(reversed(children(node)))


def operands(node: Expression) -> tuple[Expression, ...]:
    """Return the parts of one operation that it evaluates, that must be boolean, and that are not so by their form."""
    match node:
        case Conditional(condition=condition):
            parts: tuple[Expression, ...] = (condition,)
        case Unary(operator="not" | "!", operand=operand):
            parts = (operand,)
        case Binary(operator="and" | "or", left=left):
            parts = (left,)
        case Binary(operator="xor", left=left, right=right):
            parts = (left, right)
        case _:
            return ()
    return tuple(part for part in parts if not _is_boolean(without_parentheses(part)))


def _is_boolean(node: Expression) -> bool:
    match node:
        case Binary(operator=operator):
            return operator in LOGICAL or operator in COMPARISONS
        case Unary(operator=operator):
            return operator != "-"
        case _:
            return isinstance(node, Boolean)


def undefined(expression: Expression, start: int, constants: Mapping[str, Number]) -> Iterator[Diagnostic]:
    """Yield the undefined values of the parts made of numbers and constants only: ``1 / 0``, ``log(0)``, ``10^10^10``.

    Each is what the analysis says of the same place, so that it is one finding.
    """
    parts = [*evaluated(expression)]
    if not any(isinstance(part, Call) or (isinstance(part, Binary) and part.operator in _PARTIAL) for part in parts):
        return
    known = _static_parts(expression, constants)
    covered: set[int] = set()  # parts of a part that was looked at
    for part in parts:
        if id(part) in covered:
            covered.update(map(id, children(part)))
        elif id(part) in known and isinstance(part, Binary | Call | Unary):
            covered.update(map(id, children(part)))
            try:
                static_value(part, start, constants)
            except Fault as fault:
                if fault.diagnostic.rule in (rules.UNDEFINED_VALUE, rules.NUMBER_TOO_LARGE):
                    yield fault.diagnostic


def _static_parts(expression: Expression, constants: Mapping[str, Number]) -> set[int]:
    known: set[int] = set()

    def visit(node: Expression, parts: list[bool]) -> bool:
        static = not isinstance(node, Index) and all(parts) and (not isinstance(node, Name) or node.id in constants)
        if static:
            known.add(id(node))
        return static

    bottom_up(expression, visit)
    return known


def index_issue(index: Expression, value: Value, constants: Mapping[str, Number]) -> Issue | None:
    """Return what keeps an expression from being an index: it is known and no integer, or can be continuous.

    That it surely is continuous is for the caller to say, who knows whether it is reached.
    """
    index = without_parentheses(index)
    if value.is_continuous:
        message = f"the index '{spelled(index)}' can be continuous, and then picks no element"
        return Issue(rules.INDEX_ON_CONTINUOUS, index, message)
    known = quiet_value(index, 0, constants)
    if known is not None and not is_integer(known):
        return Issue(rules.INVALID_INDEX, index, f"an index must be an integer, found {show(known)}")
    return None


def continuous_index(index: Expression) -> str:
    """Return the message for an index that surely is continuous."""
    return f"the index '{spelled(without_parentheses(index))}' is continuous: found a real number, expected an integer"


def wrapped(operand: Expression, of: Expression) -> bool:
    """Tell whether ``!= 0`` behind an operand needs parentheses around both: ``!n`` becomes ``!(n != 0)``."""
    return isinstance(of, Unary) and of.operator == "!" and not isinstance(operand, Parenthesized)
