"""Programs for tests of engines, from text."""

from __future__ import annotations

import seepage
from seepage.semantics.check import check
from seepage.semantics.core import CoreProgram
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile


def outcome(text: str, measure: str) -> tuple[float, float] | str:
    """Return the bounds of a measure, or why it has none."""
    try:
        result = seepage.parse(text).measure(measure)
    except seepage.MeasureError as error:
        return str(error)
    return result.lower, result.upper


def core_of(text: str) -> CoreProgram:
    return unroll(check(SourceFile("test.seep", text)))
