"""The error of a measure that has no number."""

from __future__ import annotations

from seepage.diagnostics import Diagnostic
from seepage.source import SourceFile


class MeasureError(Exception):
    """A measure has no number; ``diagnostic`` says why.

    Attributes:
        diagnostic: the finding; its span counts from the start of ``source``.
        source: what the span points into: the program, or the text of the measure.
        line: of the finding in ``source``, counted from 1.
        column: counted from 1, in code points.
    """

    def __init__(self, diagnostic: Diagnostic, source: SourceFile) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.source = source
        self.line, self.column = source.position(diagnostic.span.start)

    def __reduce__(self) -> tuple[type[MeasureError], tuple[Diagnostic, SourceFile]]:
        return MeasureError, (self.diagnostic, self.source)
