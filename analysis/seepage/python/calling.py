"""Functions of libraries, as the walk follows them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from seepage.python.run import Run
from seepage.python.values import (
    Value,
)
from seepage.python.world import World

Named = Mapping[str, Value]
Builtin = Callable[[Run, ast.AST, list[Value], Named, World], list[World]]
"""Follows a call with positional and named values; the result is on top of each world that it ends in."""
