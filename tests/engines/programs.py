"""Programs for tests of engines, from text."""

from __future__ import annotations

from seepage.semantics.check import check
from seepage.semantics.core import CoreProgram
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile


def core_of(text: str) -> CoreProgram:
    return unroll(check(SourceFile("test.seep", text)))
