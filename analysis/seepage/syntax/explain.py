"""Why the tokens of a piece make no sense, in the words of the language.

First the slips with a name of their own (:mod:`seepage.syntax.slips`), then what was found and what the grammar
allows there. A statement that is cut off is reported at its last token.
"""

from __future__ import annotations

from seepage.diagnostics import Diagnostic, Label
from seepage.rules import CUT_OFF, NO_STATEMENT, UNEXPECTED
from seepage.source import Span
from seepage.syntax.build import Unexpected
from seepage.syntax.fixes import replacement
from seepage.syntax.slips import SLIPS, Place
from seepage.syntax.tokens import OPERAND_ENDS, Token

_CLOSERS = {"LPAR": ("RPAR", ")"), "LSQB": ("RSQB", "]"), "LBRACE": ("RBRACE", "}")}
_KINDS = {
    "OBSERVE": "observation",
    "PARAM": "declaration",
    "CONST": "declaration",
    "SECRET": "declaration",
    "OUTPUT": "declaration",
    "SHOW": "declaration",
    "REQUIRE": "declaration",
    "IF": "condition",
    "ELSE": "condition",
    "FOR": "loop",
}
_COMPARISONS = {"LE", "LT", "GE", "GT", "EQ"}


def explain(tokens: list[Token], fault: Unexpected) -> Diagnostic:
    """Return what to say about the token where reading stopped; ``tokens`` are those of the piece, at least one."""
    place = Place(tokens, fault.index, fault.expected, _open_brackets(tokens[: fault.index]))
    for slip in SLIPS:
        if (known := slip(place)) is not None:
            return known
    if fault.index >= len(tokens):
        return _cut_off(place)
    return _unexpected(place)


def _open_brackets(tokens: list[Token]) -> tuple[Token, ...]:
    brackets: list[Token] = []
    for token in tokens:
        if token.type in _CLOSERS:
            brackets.append(token)
        elif token.type in ("RPAR", "RSQB", "RBRACE") and brackets:
            brackets.pop()
    return tuple(brackets)


def _cut_off(place: Place) -> Diagnostic:
    last = place.tokens[-1]
    span = Span(last.start, last.end)
    bracket = place.brackets[-1] if place.brackets else None
    if bracket is not None and last.type in OPERAND_ENDS:
        closer = _CLOSERS[bracket.type][1]
        return Diagnostic(
            CUT_OFF,
            span,
            f"the '{bracket.value}' is never closed: expected '{closer}' after '{last.value}'",
            labels=(Label(Span(bracket.start, bracket.end), "opened here"),),
            fixes=replacement(f"add '{closer}'", Span(last.end, last.end), closer),
        )
    what = _KINDS.get(place.tokens[0].type, "statement")
    return Diagnostic(CUT_OFF, span, f"the {what} ends too early: expected {_expected(place)} after '{last.value}'")


def _unexpected(place: Place) -> Diagnostic:
    token = place.tokens[place.index]
    span = Span(token.start, token.end)
    if token.type in ("RPAR", "RSQB", "RBRACE"):
        if not place.brackets:
            fixes = replacement(f"remove the '{token.value}'", span, "")
            return Diagnostic(UNEXPECTED, span, f"the '{token.value}' closes nothing", fixes=fixes)
        bracket = place.brackets[-1]
        type_, closer = _CLOSERS[bracket.type]
        if token.type != type_ and place.index and place.tokens[place.index - 1].type in OPERAND_ENDS:
            label = Label(Span(bracket.start, bracket.end), "opened here")
            fixes = replacement(f"write '{closer}'", span, closer)
            message = f"found '{token.value}', expected '{closer}'"
            return Diagnostic(UNEXPECTED, span, message, labels=(label,), fixes=fixes)
    if place.index == 0:
        message = f"found '{token.value}', expected a statement or a declaration"
        return Diagnostic(NO_STATEMENT, span, message)
    return Diagnostic(UNEXPECTED, span, f"found '{token.value}', expected {_expected(place)}")


def _expected(place: Place) -> str:
    """Say what the grammar allows, as far as the context leaves it open.

    The parser's tables merge states, so closing brackets and the like are named only where something is open.
    """
    expected = place.expected
    previous = place.tokens[place.index - 1].type if place.index else ""
    if "NUMBER" in expected:
        return "an expression"
    if "NAME" in expected:
        return "a name"
    things: list[str] = []
    if {"LSQB", "LPAR"} <= expected and previous == "IN":
        return "an interval such as '[0, 1]'"
    if {"BITS", "NATS"} <= expected and previous == "IN":
        return "'bits' or 'nats'"
    if "EQUAL" in expected:
        things.append("'='")
    if "ASSIGN" in expected:
        things.append("':='")
    if "TILDE" in expected:
        things.append("'~'")
    if previous in OPERAND_ENDS and "PLUS" in expected:
        things.append("an operator")
    if place.brackets:
        bracket = place.brackets[-1]
        type_, closer = _CLOSERS[bracket.type]
        things += [f"'{text}'" for name, text in (("COMMA", ","), (type_, closer)) if name in expected]
        if bracket.type == "LBRACE" and "COLON" in expected:
            things.append("':'")
    else:
        things += _outside_brackets(place)
    if not things:
        things.append("a new statement")
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} or {things[-1]}"


def _outside_brackets(place: Place) -> list[str]:
    expected = place.expected
    before = {token.type for token in place.tokens[: place.index]}
    head = place.tokens[0].type
    ifs = sum({"IF": 1, "THEN": -1}.get(token.type, 0) for token in place.tokens[: place.index])
    if "THEN" in expected and ifs > (head in ("IF", "ELSE")):
        return ["'then'"]
    thens = sum({"THEN": 1, "ELSE": -1}.get(token.type, 0) for token in place.tokens[1 : place.index])
    if "ELSE" in expected and thens > 0:
        return ["'else'"]
    if head == "FOR":
        if "DOTS" in expected and "DOTS" not in before:
            return ["'..'"]
        if "IN" in expected and "IN" not in before:
            return ["'in'"]
    if head == "REQUIRE" and "LE" in expected and not before & _COMPARISONS:
        return ["a comparison such as '<='"]
    if "OPEN" in expected:
        return ["'{'"]
    return ["a new statement"] if "$END" in expected else []
