"""Numbers that are known before any run: constants, domains, defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault, Label
from seepage.exact import Number, number
from seepage.semantics.calls import takes
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.fold import folded
from seepage.syntax.tree import Call, Const, Expression, Index, Infinity, Name
from seepage.syntax.tree import Number as Literal

MAX_NODES = 2_000  # a static expression is evaluated while typing; beyond, it is left to the analysis


def static_value(expression: Expression, start: int, constants: Mapping[str, Number]) -> Number | None:
    """Return the value of an expression of numbers and constants, None if it is none or is too large to work out while typing.

    Raises:
        Fault: if it has no value.
    """
    if isinstance(expression, Literal):
        return number(expression.value)
    for count, node in enumerate(nodes(expression)):
        if count > MAX_NODES or isinstance(node, Infinity):
            return None
        if isinstance(node, Call) and not takes(node.function, len(node.arguments)):
            return None
        if isinstance(node, Name | Index) and (node.id if isinstance(node, Name) else node.array) not in constants:
            return None
    return evaluate(folded(expression, start, {}), constants)


def quiet_value(expression: Expression, start: int, constants: Mapping[str, Number]) -> Number | None:
    """Return the value of a static expression, None if it is not static or has no value."""
    if isinstance(expression, Name):
        return constants.get(expression.id)
    try:
        return static_value(expression, start, constants)
    except Fault:
        return None


def constant_values(definitions: Iterable[tuple[Const, int]]) -> tuple[dict[str, Number], list[Diagnostic]]:
    """Return the values of constants, each after those it uses, and what is wrong with the others.

    Names that are no constants are reported elsewhere and leave the constant without a value.
    """
    known: dict[str, tuple[Const, int]] = {}
    for const, start in definitions:
        known.setdefault(const.name, (const, start))
    values: dict[str, Number] = {}
    diagnostics: list[Diagnostic] = []
    finished: set[str] = set()
    for first in known:
        path = [first]
        while path:
            name = path[-1]
            const, start = known[name]
            open_names = [n for n in dict.fromkeys(plain_names(const.value)) if n in known and n not in finished]
            circular = next((n for n in open_names if n in path), None)
            if circular is not None:
                diagnostics.append(_cycle(path[path.index(circular) :], known))
                finished.update(path)
                path.clear()
            elif name not in finished and open_names:
                path.append(open_names[0])
            else:
                path.pop()
                finished.add(name)
                try:
                    value = static_value(const.value, start, values)
                except Fault as fault:
                    diagnostics.append(fault.diagnostic)
                else:
                    if value is not None:
                        values[name] = value
    return values, diagnostics


def _cycle(circle: list[str], known: Mapping[str, tuple[Const, int]]) -> Diagnostic:
    places = [known[name][0].name_span.shift(known[name][1]) for name in circle]
    route = " -> ".join([*circle, circle[0]])
    labels = tuple(
        Label(place, f"'{name}' is part of the circle") for name, place in list(zip(circle, places, strict=True))[1:]
    )
    return Diagnostic(rules.CYCLIC_DEFINITION, places[0], f"'{circle[0]}' is defined by itself: {route}", labels=labels)
