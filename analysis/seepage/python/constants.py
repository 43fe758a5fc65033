"""Texts and ``None`` as values."""

from __future__ import annotations

from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import NONE, TEXT, Num, Value


def text_value(run: Run, text: str) -> Num:
    """Return a known text."""
    return constant(run.codes.code("str", text), TEXT)


def none_value(run: Run) -> Num:
    """Return ``None``."""
    return constant(run.codes.code("none"), NONE)


def text_of(run: Run, value: Value) -> str | None:
    """Return the text that a value is for certain."""
    if isinstance(value, Num) and value.kinds == TEXT and value.known is not None:
        return run.codes.text_of(value.known)
    return None
