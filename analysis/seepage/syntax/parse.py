"""Text -> tree and findings; never raises, whatever the text."""

from __future__ import annotations

from dataclasses import replace

from seepage.diagnostics import Diagnostic
from seepage.rules import CUT_OFF, NO_STATEMENT, TEXT_TOO_LARGE, UNEXPECTED
from seepage.source import SourceFile, Span
from seepage.syntax.build import Unexpected, read
from seepage.syntax.comments import blank_comments
from seepage.syntax.convert import directed, whole_measure
from seepage.syntax.explain import explain
from seepage.syntax.expressions import expression, too_deep
from seepage.syntax.extended import is_new
from seepage.syntax.incremental import parse_text
from seepage.syntax.lexical import prepare
from seepage.syntax.lowering.lower import in_core_measure
from seepage.syntax.raw import Raw, RawHeader, RawLeaf
from seepage.syntax.tokens import Token, scan
from seepage.syntax.tree import Expression, MeasureExpression, ParseResult

MAX_EXPRESSION = 100_000


def parse(source: SourceFile) -> ParseResult:
    """Parse a file: a tree always, with every fault of the text in its order."""
    return parse_text(source.text, source.files).result


def parse_measure(text: str, context: object | None = None) -> tuple[MeasureExpression | None, tuple[Diagnostic, ...]]:
    """Parse a measure typed by hand, as ``I(x; y) / H(x)``; spans are offsets in ``text``.

    The measure is None exactly if there is a finding. ``context`` is that of the text it asks of (:class:`ParseResult`).
    """
    raw, found, direction = _whole(text, "SHOW")
    if raw is not None and (context is not None or is_new(raw)):
        raw, refused = in_core_measure(raw, context)
        if refused is not None:
            return None, (*found, refused)
    made = None if raw is None else directed(whole_measure(raw, found), direction)
    return (None if found else made), tuple(found)


def parse_expression(text: str) -> tuple[Expression | None, tuple[Diagnostic, ...]]:
    """Parse an expression typed by hand, as ``1/2``; spans are offsets in ``text``.

    The expression is None exactly if there is a finding.
    """
    raw, found, _ = _whole(text, "")
    if raw is not None and is_new(raw):
        raw, refused = in_core_measure(raw, None)
        found += [] if refused is None else [refused]
        raw = None if refused is not None else raw
    made = None if raw is None else expression(raw, found)
    return (None if found else made), tuple(found)


def _whole(text: str, head: str) -> tuple[Raw | None, list[Diagnostic], Token | None]:
    """Read the whole text as one expression, behind a ``max`` or ``min`` of measures; ``head`` is the keyword it would stand after in a file."""
    if len(text) > MAX_EXPRESSION:
        message = f"the text has {len(text)} characters, at most {MAX_EXPRESSION} are read"
        return None, [Diagnostic(TEXT_TOO_LARGE, Span(0, 0), message)], None
    blanked = blank_comments(text)
    found = list(blanked.diagnostics)
    before = [Token(head, head.lower(), 0, 0)] if head else [Token("OBSERVE", "observe", 0, 0)]
    prepared, lexical, _ = prepare([*before, *scan(blanked.text)])
    found.extend(lexical)
    tokens = prepared[1:]
    direction = tokens.pop(0) if tokens and tokens[0].type in ("MAXIMUM", "MINIMUM") else None
    raw = read(tokens, "expression")
    match raw:
        case Unexpected():
            if (
                not found
                and head == "SHOW"
                and [one.type for one in tokens[-2:]] in (["UNIT_IN", "BITS"], ["UNIT_IN", "NATS"])
            ):
                found.append(_unit(tokens))
            if not found:
                found.append(_no_expression(explain(tokens, raw), head) if tokens else _empty(text))
            return None, found, None
        case RawLeaf() | RawHeader():
            raise AssertionError("the rule for expressions makes expressions")
    if (deep := too_deep(raw)) is not None:
        return None, [*found, deep], None
    return raw, found, direction


def _unit(tokens: list[Token]) -> Diagnostic:
    """Say that a measure typed by hand has its unit given apart."""
    unit = tokens[-1].value
    message = (
        f"found 'in {unit}' behind the measure: the unit is given apart ('--unit {unit}', or unit='{unit}' in Python)"
    )
    return Diagnostic(UNEXPECTED, Span(tokens[-2].start, tokens[-1].end), message)


def _no_expression(told: Diagnostic, head: str) -> Diagnostic:
    """Return what is told of words that are no expression: among statements, it would say how statements begin."""
    if told.rule is not NO_STATEMENT:
        return told
    kind, such = ("a measure", "'I(x; y)' or '2 * H(x | y)'") if head == "SHOW" else ("an expression", "'1/2'")
    return replace(told, message=f"found what is no expression, expected {kind} such as {such}", fixes=())


def _empty(text: str) -> Diagnostic:
    return Diagnostic(CUT_OFF, Span(0, len(text)), "found nothing, expected an expression")
