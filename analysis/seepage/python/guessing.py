"""A guess of the law of an argument: uniform over what the function compares it with, as somebody would begin who knows nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.python.module import Module

_Plain: TypeAlias = bool | int | float | str
_OTHER = "another"  # a text that is none of those that an argument is compared with
_MOST = 64  # values in a law
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


@dataclass(slots=True)
class _Met:
    """What an argument meets: values, the length of a list that it goes along with, whether it is asked for its truth."""

    values: list[_Plain] = field(default_factory=list)
    elements: list[_Plain] = field(default_factory=list)
    size: int | None = None
    is_truth: bool = False
    past: bool = False


def guessed_law(module: Module, node: ast.FunctionDef, argument: ast.arg) -> str | None:
    """Return a law for an argument of a function; None where nothing in the function tells its values."""
    if isinstance(argument.annotation, ast.Name) and argument.annotation.id == "bool":
        return "bernoulli(1/2)"
    met = _met(module, node, argument.arg)
    if met.size is not None and met.elements:
        law = _uniform(met.elements, past=met.past)
        return None if law is None else f"[{met.size}] {law}"
    if met.values and not met.elements:
        return _uniform(met.values, past=met.past)
    return "bernoulli(1/2)" if met.is_truth and not met.elements else None


def _uniform(values: Sequence[_Plain], *, past: bool) -> str | None:
    """Return the uniform law over values; over one between 0 and a number, and beyond it where only that tells them apart."""
    if len(values) > _MOST:
        return None
    texts = [one for one in values if isinstance(one, str)]
    if texts:
        listed: dict[str, None] = dict.fromkeys([*texts, *([] if len(set(texts)) > 1 else [_OTHER])])
        plain = len(texts) == len(values) and all(
            '"' not in one and "\\" not in one and one.isprintable() for one in texts
        )
        return f"uniform_of({', '.join(chr(34) + one + chr(34) for one in listed)})" if plain else None
    numbers = [one for one in values if not isinstance(one, str)]
    if all(isinstance(one, bool) for one in numbers):
        return "bernoulli(1/2)"
    low, high = min(0, *numbers), max(0, *numbers)
    if all(isinstance(one, int) for one in numbers):
        return f"uniform_int({int(low)}, {int(high) + (1 if past or low == high else 0)})"
    return f"uniform({low}, {high})" if low < high else None


def _met(module: Module, node: ast.FunctionDef, name: str) -> _Met:
    met, scope = _Met(), _Scope(module, node, name)
    for inner in ast.walk(node):
        match inner:
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [left, *others]
                for one, sign, other in zip(sides, ops, others, strict=False):
                    scope.compare(met, one, sign, other)
                    scope.compare(met, other, _TURNED.get(type(sign), type(sign))(), one)
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.UnaryOp(ast.Not(), test):
                met.is_truth |= scope.is_argument(test)
            case ast.BoolOp(values=parts):
                met.is_truth |= any(scope.is_argument(one) for one in parts)
            case _:
                pass
    return met


class _Scope:
    """What names in a function stand for: the argument, an element of it, or values that are known."""

    def __init__(self, module: Module, node: ast.FunctionDef, name: str) -> None:
        self._module, self._name = module, name
        self._elements: set[str] = set()
        self._sizes: dict[str, int] = {}
        self._known: dict[str, tuple[_Plain, ...]] = {}
        for inner in ast.walk(node):
            if isinstance(inner, ast.For | ast.comprehension):
                self._loop(inner.target, inner.iter)

    def _loop(self, target: ast.expr, over: ast.expr) -> None:
        match target, over:
            case ast.Tuple(elts=targets), ast.Call(ast.Name("zip"), parts):
                known = [size for one in parts if (size := self._length(one)) is not None]
                for one, part in zip(targets, parts, strict=False):
                    self._bind(one, part, min(known, default=None))
            case ast.Tuple(elts=[_, one]), ast.Call(ast.Name("enumerate"), [part, *_]):
                self._bind(one, part, None)
            case ast.Name(), _:
                self._bind(target, over, None)
            case _:
                pass

    def _bind(self, target: ast.expr, part: ast.expr, size: int | None) -> None:
        if not isinstance(target, ast.Name):
            return
        if self.is_argument(part):
            self._elements.add(target.id)
            if size is not None:
                self._sizes[target.id] = size
        elif (values := self._values(part)) is not None:
            self._known[target.id] = values

    def is_argument(self, node: ast.expr) -> bool:
        """Whether an expression is the argument itself."""
        return isinstance(node, ast.Name) and node.id == self._name

    def compare(self, met: _Met, one: ast.expr, sign: ast.cmpop, other: ast.expr) -> None:
        """Take up what the argument, or an element of it, is compared with."""
        is_whole, is_element = self.is_argument(one), self._is_element(one)
        if not is_whole and not is_element:
            return
        found = [*self._met_values(other, whole=is_whole and not isinstance(sign, ast.In | ast.NotIn))]
        if not found:
            return
        met.past |= isinstance(
            sign, ast.Gt | ast.LtE
        )  # the largest of the values alone would not tell the two sides apart
        listed = self._values(other)
        if is_whole and listed is not None and not isinstance(sign, ast.In | ast.NotIn):
            met.elements += found
            met.size = len(listed)
        elif is_whole:
            met.values += found
        else:
            met.elements += found
            met.size = met.size or self._size(one, other)

    def _is_element(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Subscript):
            return self.is_argument(node.value) and not isinstance(node.slice, ast.Slice)
        return isinstance(node, ast.Name) and node.id in self._elements

    def _size(self, one: ast.expr, other: ast.expr) -> int | None:
        if isinstance(one, ast.Name) and one.id in self._sizes:
            return self._sizes[one.id]
        return self._length(other.value) if isinstance(other, ast.Subscript) else None

    def _met_values(self, node: ast.expr, *, whole: bool) -> Iterator[_Plain]:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                yield value
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int() | float() as value)):
                yield -value
            case ast.Subscript(value=inner, slice=place) if not isinstance(place, ast.Slice):
                yield from self._values(inner) or ()
            case ast.Name(id=name) if name in self._known:
                yield from self._known[name]
            case ast.Call(ast.Name("range"), [ast.Constant(value=int() as count)]) if not whole:
                yield from range(min(count, _MOST + 1))
            case _:
                constant = self._constant(node)
                values = self._values(node)
                if values is not None:
                    yield from values
                elif constant is not None and constant is not node:
                    yield from self._met_values(constant, whole=whole)

    def _values(self, node: ast.expr) -> tuple[_Plain, ...] | None:
        """Return the values of a list that is written out, here or as a constant of the file; None for what is no such list."""
        node = self._constant(node) or node
        if not isinstance(node, ast.List | ast.Tuple | ast.Set):
            return None
        found = [one.value for one in node.elts if isinstance(one, ast.Constant)]
        plain = tuple(one for one in found if isinstance(one, bool | int | float | str))
        return plain if len(plain) == len(node.elts) else None

    def _length(self, node: ast.expr) -> int | None:
        values = self._values(node)
        return None if values is None else len(values)

    def _constant(self, node: ast.expr) -> ast.expr | None:
        """Return what a constant of the file is bound to."""
        statements = self._module.bound.get(node.id, []) if isinstance(node, ast.Name) else []
        if len(statements) == 1 and isinstance(statements[0], ast.Assign) and len(statements[0].targets) == 1:
            return statements[0].value
        return None
