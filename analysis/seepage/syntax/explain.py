"""Why the tokens of a piece make no sense, in the words of the language."""

from __future__ import annotations

from seepage.diagnostics import Diagnostic
from seepage.rules import CUT_OFF, UNEXPECTED
from seepage.source import Span
from seepage.syntax.build import Unexpected
from seepage.syntax.tokens import Token


def explain(tokens: list[Token], fault: Unexpected, is_header: bool) -> list[Diagnostic]:
    """Return what to say about the token where reading stopped."""
    if fault.index >= len(tokens):
        last = tokens[-1]
        return [Diagnostic(CUT_OFF, Span(last.end, last.end), f"the statement ends after '{last.value}'")]
    token = tokens[fault.index]
    return [Diagnostic(UNEXPECTED, Span(token.start, token.end), f"found '{token.value}' where it cannot stand")]
