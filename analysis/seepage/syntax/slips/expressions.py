"""Slips inside of expressions, and commas between statements."""

from __future__ import annotations

from seepage.diagnostics import Diagnostic, Fix
from seepage.rules import UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.slips.place import Place, span_of, spelled
from seepage.syntax.tokens import OPERAND_ENDS
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS


def comma_outside(place: Place) -> Diagnostic | None:
    """A comma that separates statements, or the thousands of a number."""
    if place.token.type != "COMMA" or place.brackets or place.head != "NAME" or place.previous.type not in OPERAND_ENDS:
        return None
    previous, span = place.previous, span_of(place.token)
    following = place.tokens[place.index + 1] if place.index + 1 < len(place.tokens) else None
    if following is None:
        fixes = replacement("write ';'", span, ";", automatic=True)
        return Diagnostic(UNEXPECTED, span, "found ',', expected ';' or nothing between statements", fixes=fixes)
    grouped = previous.end == span.start and span.end == following.start and previous.type == following.type == "NUMBER"
    if grouped and following.value.isdecimal() and len(following.value) == 3:
        message = f"numbers are not grouped; write '{previous.value}{following.value}'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("remove the ','", span, ""))
    return None


def call_without_parentheses(place: Place) -> Diagnostic | None:
    """``exp 2``, ``bernoulli 1/2``."""
    token, previous = place.token, place.previous
    if previous.type != "NAME" or token.type not in ("NUMBER", "TRUE", "FALSE", "LBRACE", "LSQB"):
        return None
    if (
        (previous.value not in DISTRIBUTIONS and previous.value not in FUNCTIONS)
        or place.index < 2
        or token.type == "LBRACE"
    ):
        return None
    message = f"'{previous.value}' is written with its arguments in parentheses, '{previous.value}(…)'"
    fixes: tuple[Fix, ...] = ()
    if token.type != "LSQB":
        end = place.index + 1
        while [one.type for one in place.tokens[end : end + 2]] == ["COMMA", "NUMBER"]:
            end += 2
        given = place.tokens[place.index : end]
        meant = f"{previous.value}({spelled(given)})"
        fixes = replacement(f"write '{meant}'", Span(previous.start, given[-1].end), meant)
    return Diagnostic(UNEXPECTED, span_of(previous), message, fixes=fixes)


def end_of_comment(place: Place) -> Diagnostic | None:
    """``*/`` where no comment is open."""
    token, previous = place.token, place.previous
    if (previous.type, token.type) != ("STAR", "SLASH") or previous.end != token.start:
        return None
    span = Span(previous.start, token.end)
    return Diagnostic(UNEXPECTED, span, "the '*/' ends no comment", fixes=replacement("remove the '*/'", span, ""))


def table_without_weights(place: Place) -> Diagnostic | None:
    """``{a, b}`` where a table is due."""
    if place.token.type not in ("COMMA", "RBRACE") or "COLON" not in place.expected or not place.brackets:
        return None
    if place.brackets[-1].type != "LBRACE":
        return None
    message = f"found '{place.token.value}', expected ':': a table is '{{value: probability, …}}'; 'uniform_of(…)' takes values alone"
    return Diagnostic(UNEXPECTED, span_of(place.token), message)


def missing_parentheses(place: Place) -> Diagnostic | None:
    """``not`` and ``if`` behind an operator that binds more tightly."""
    token = place.token
    if "NUMBER" not in place.expected:
        return None
    if token.type == "NOT":
        message = "'not' binds less tightly than the operator before it; put it and its operand in parentheses"
        return Diagnostic(UNEXPECTED, span_of(token), message)
    if token.type == "IF":
        message = "a conditional expression inside another expression needs parentheses"
        return Diagnostic(UNEXPECTED, span_of(token), message)
    return None


def named_argument(place: Place) -> Diagnostic | None:
    """``f(x = 1)`` where arguments have no names."""
    if place.token.type != "NAMED":
        return None
    span = span_of(place.token)
    fixes = replacement("compare with '=='", span, "==")
    return Diagnostic(
        UNEXPECTED, span, "only arguments of distributions and measures have names; '==' compares", fixes=fixes
    )
