"""Marks: what of a function is secret, fixed, a parameter, and seen; read as literals from a decorator or a table, never run."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.python.mark_keys import MARK_KEYS
from seepage.python.module import Module
from seepage.python.places import Places
from seepage.source import Span

DECORATOR = "seepage_marks.leakage"
_OBSERVABLE = ("raises", "assertions")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a mark says; ``place`` is that of the decorator, or of the function's head for one in a table.

    Attributes:
        secret: laws by path of what they are of: an argument, or a field of one.
        fixed: values of arguments.
        param: ``value`` or ``value in domain`` of arguments that stay symbolic.
        output: what is seen.
        show: measures to tell.
        require: budgets.
        observed: ``raises`` and ``assertions`` if runs that raise, or fail to assert, are left out.
        places: of single values, by key.
    """

    place: Span
    secret: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    param: Mapping[str, str] = field(default_factory=dict)
    output: tuple[str, ...] = ("result",)
    show: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    observed: frozenset[str] = frozenset()
    places: Mapping[str, Span] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Return a number that equal marks share."""
        return hash((self.place, self.output, self.show, self.require, self.observed))

    def place_of(self, key: str) -> Span:
        """Return the place of a value, or of the mark."""
        return self.places.get(key, self.place)


def is_mark(module: Module, decorator: ast.expr) -> bool:
    """Whether a decorator is a mark, by the imports of the file."""
    return isinstance(decorator, ast.Call) and module.path_of(decorator.func) == DECORATOR


def decorated(module: Module, node: ast.FunctionDef, places: Places) -> tuple[Mark | None, list[Diagnostic]]:
    """Return the mark of a function's decorator, and what is wrong with it."""
    marks = [one for one in node.decorator_list if is_mark(module, one)]
    if not marks:
        return None, []
    call = marks[0]
    assert isinstance(call, ast.Call)
    where: dict[str, Span] = {}
    values: dict[str, object] = {}
    found: list[Diagnostic] = []
    if call.args or any(one.arg is None for one in call.keywords):
        found.append(_wrong(places.span(call), "a mark takes keys with values only, as secret={…}"))
    for keyword in call.keywords:
        if keyword.arg is None:
            continue
        try:
            values[keyword.arg] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            found.append(
                _wrong(places.span(keyword.value), f"'{keyword.arg}' of a mark must be written out as literals")
            )
            continue
        where[keyword.arg] = places.span(keyword.value)
        if isinstance(keyword.value, ast.Dict):
            for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    where[f"{keyword.arg}.{key.value}"] = places.span(value)
        if isinstance(keyword.value, ast.List | ast.Tuple):
            for number, value in enumerate(keyword.value.elts):
                where[f"{keyword.arg}.{number}"] = places.span(value)
    if len(marks) > 1:
        found.append(_wrong(places.span(marks[1]), f"'{node.name}' has two marks"))
    mark, wrong = read(values, places.span(call), where)
    return mark, [*found, *wrong]


def read(
    values: Mapping[str, Any], place: Span, places: Mapping[str, Span] | None = None
) -> tuple[Mark, list[Diagnostic]]:
    """Return what the keys of a mark say, and what is wrong with them."""
    where = places or {}
    found: list[Diagnostic] = []

    def wrong(key: str, message: str) -> None:
        found.append(_wrong(where.get(key, place), message))

    for key in values:
        if key not in MARK_KEYS:
            wrong(key, f"a mark has no key '{key}', expected one of: {', '.join(MARK_KEYS)}")
    secret, fixed, param = (_table(values, key, wrong) for key in ("secret", "fixed", "param"))
    for table, name in ((secret, "secret"), (param, "param")):
        for path, value in table.items():
            if not isinstance(value, str | int | float) or isinstance(value, bool):
                wrong(f"{name}.{path}", f"'{path}' must be a text: {'a law' if name == 'secret' else 'a value'}")
    lists = {key: _texts(values, key, wrong) for key in ("output", "show", "require")}
    observed = set()
    for key in _OBSERVABLE:
        if values.get(key, "output") not in ("output", "observe"):
            wrong(key, f'\'{key}\' is "output" or "observe"')
        if values.get(key) == "observe":
            observed.add(key)
    mark = Mark(
        place,
        {path: str(law) for path, law in secret.items()},
        fixed,
        {path: str(value) for path, value in param.items()},
        lists["output"] if "output" in values else ("result",),
        lists["show"],
        lists["require"],
        frozenset(observed),
        dict(where),
    )
    return mark, found


def _wrong(place: Span, message: str) -> Diagnostic:
    return Diagnostic(rules.PYTHON_MARK, place, message)


def _table(values: Mapping[str, Any], key: str, wrong: Any) -> dict[str, Any]:
    found = values.get(key, {})
    if not isinstance(found, Mapping) or not all(isinstance(each, str) for each in found):
        wrong(key, f"'{key}' must be a table of names and values")
        return {}
    return dict(found)


def _texts(values: Mapping[str, Any], key: str, wrong: Any) -> tuple[str, ...]:
    found = values.get(key, ())
    if not isinstance(found, Sequence) or isinstance(found, str) or not all(isinstance(each, str) for each in found):
        wrong(key, f"'{key}' must be a list of texts")
        return ()
    return tuple(found)
