"""Names that Python gives to what a class may say of its objects."""

from __future__ import annotations

import ast
from collections.abc import Mapping

OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
"""Operators by the name within ``__…__``, ``__r…__`` and ``__i…__``."""

COMPARED: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("__eq__", "__eq__"),
    ast.NotEq: ("__ne__", "__ne__"),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
}
"""Comparisons by the method of the left side and that of the right side."""

SIGNS: Mapping[type[ast.unaryop], str] = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}

OWN_OPERATORS = frozenset(
    {
        *(f"__{side}{name}__" for name in OPERATORS.values() for side in ("", "r", "i")),
        *(name for pair in COMPARED.values() for name in pair),
        *SIGNS.values(),
        *(f"__{name}__" for name in ("bool", "len", "getitem", "setitem", "delitem", "contains", "iter")),
    }
)
"""What a class may define that is followed wherever its objects are used so."""

ORDERS = frozenset(name for pair in COMPARED.values() for name in pair)
