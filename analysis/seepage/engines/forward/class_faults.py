"""What classes cannot say, as faults: enumeration may say it, or a smaller range."""

from __future__ import annotations

from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.forward.class_forms import PIECES
from seepage.rules import BUDGET_EXCEEDED
from seepage.semantics.evaluate import spelled
from seepage.source import Span
from seepage.syntax.tree import Expression


class Beyond(Fault):
    """What classes cannot say exactly; enumeration may."""


def tied(span: Span) -> Fault:
    """Return the fault that values which determine each other would have to be split."""
    message = "values from huge ranges that determine each other, as a sum determines what was added, are asked for more than this version knows here"
    notes = ("asking for fewer variables at once, or a smaller range, would help",)
    return Beyond(Diagnostic(BUDGET_EXCEEDED, span, message, notes=notes))


def too_many(span: Span, pieces: int) -> Fault:
    """Return the fault that a class splits into too many parts."""
    message = f"a uniform law splits into {pieces:,} parts or more here, the limit is {PIECES:,}"
    notes = ("fewer different remainders, quotients or comparisons of the value would help, or a smaller range",)
    return Beyond(Diagnostic(BUDGET_EXCEEDED, span, message, notes=notes))


def beyond(expression: Expression, what: str) -> Beyond:
    """Return the fault of what classes cannot say."""
    message = f"'{spelled(expression)}' needs every single value of a uniform law over a huge range"
    notes = (
        "comparisons with constants, '%', 'floor' of a quotient by and bit operations with constants, and sums modulo a number are exact over any "
        f"range; a range of fewer values makes {what} exact, too",
    )
    return Beyond(Diagnostic(BUDGET_EXCEEDED, expression.span, message, notes=notes))
