"""Slips in declarations, measures shown and budgets."""

from __future__ import annotations

from difflib import get_close_matches

from seepage.diagnostics import Cause, Diagnostic, Edit, Fix
from seepage.rules import KEYWORD_AS_NAME, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.slips.place import Place, between_commas, span_of, spelled
from seepage.syntax.tokens import OPERAND_ENDS, Token
from seepage.syntax.vocabulary.keywords import KEYWORDS

# Words that continue an expression or a declaration and are no likely names.
_CONNECTIVES = frozenset({"IF", "THEN", "ELSE", "IN", "AND", "OR", "XOR", "NOT", "TRUE", "FALSE", "INF"})


def keyword_as_name(place: Place) -> Diagnostic | None:
    """A keyword where a name is due."""
    token, previous = place.token, place.previous
    if token.type in ("ASSIGN", "TILDE", "EQUAL") and place.index == 1 and previous.type.lower() in KEYWORDS:
        return _keyword(previous)
    if token.value not in KEYWORDS or token.type.lower() != token.value:
        return None
    following = place.tokens[place.index + 1].type if place.index + 1 < len(place.tokens) else ""
    if place.index == 0:
        return _keyword(token) if following in ("ASSIGN", "TILDE", "EQUAL", "LSQB") else None
    if place.expected == {"NAME"} or ("NAME" in place.expected and token.type not in _CONNECTIVES):
        return _keyword(token)
    return None


def _keyword(token: Token) -> Diagnostic:
    message = f"'{token.value}' is a keyword and cannot be a name; choose another one"
    return Diagnostic(KEYWORD_AS_NAME, span_of(token), message)


def declared_value(place: Place) -> Diagnostic | None:
    """``secret x ~ D``; the fix declares ``x`` on a line of its own, and gives each of several names its own value."""
    if place.head not in ("SECRET", "OUTPUT") or place.token.type not in ("ASSIGN", "EQUAL", "EQ", "TILDE"):
        return None
    word, operator = place.tokens[0].value, span_of(place.token)
    message = f"'{word}' only declares names; assign or sample in a statement of its own"
    cause = Cause.GIVEN_A_VALUE
    first = 2 if place.tokens[1].type == "INITIAL" else 1
    names = place.tokens[first : place.index]
    targets = between_commas(names)
    if any(not target or target[0].type != "NAME" for target in targets) or place.index + 1 == len(place.tokens):
        return Diagnostic(UNEXPECTED, operator, message, cause=cause)
    if len(targets) > 1:
        sign, value = "~" if place.token.type == "TILDE" else ":=", spelled(place.tokens[place.index + 1 :])
        lines = "".join(f"\n{spelled(target)} {sign} {value}" for target in targets)
        fixes = replacement("give each its own value", Span(place.previous.end, place.tokens[-1].end), lines)
        return Diagnostic(UNEXPECTED, operator, message, fixes=fixes, cause=cause)
    own_line = Edit(Span(place.previous.end, place.previous.end), f"\n{spelled(names)}")
    written = () if place.token.type in ("ASSIGN", "TILDE") else (Edit(operator, ":="),)
    fix = Fix(f"declare '{spelled(names)}' on a line of its own", (own_line, *written), place.token.type != "EQ")
    return Diagnostic(UNEXPECTED, operator, message, fixes=(fix,), cause=cause)


def domain_after_value(place: Place) -> Diagnostic | None:
    """``param p = 1 in [0, 2]``; the fix moves the domain before the value."""
    tokens, at = place.tokens, place.index
    if (
        place.head != "PARAM"
        or place.token.type not in ("IN", "UNIT_IN")
        or place.brackets
        or at < 4
        or tokens[2].type != "EQUAL"
    ):
        return None
    span = Span(place.token.start, tokens[-1].end)
    message = "the domain of a parameter stands before its value: 'param p in [a, b] = e'"
    if at + 1 == len(tokens) or tokens[at + 1].type not in ("LSQB", "LPAR") or tokens[-1].type not in ("RSQB", "RPAR"):
        return Diagnostic(UNEXPECTED, span_of(place.token), message)
    moved = f"{spelled(tokens[at:])} {spelled(tokens[2:at])}"
    fixes = replacement("move the domain before the value", Span(tokens[2].start, span.end), moved, automatic=True)
    return Diagnostic(UNEXPECTED, span, message, fixes=fixes)


def values_for_domain(place: Place) -> Diagnostic | None:
    """``param k in {0, 1, 2}``; the fix has the interval from the first to the last of ascending numbers."""
    tokens, at = place.tokens, place.index
    if place.head != "PARAM" or place.token.type != "LBRACE" or place.previous.type not in ("IN", "UNIT_IN"):
        return None
    closing = next((number for number, one in enumerate(tokens) if number > at and one.type == "RBRACE"), None)
    message = "the domain of a parameter is an interval, such as '[0, 1]'"
    parts = [] if closing is None else between_commas(tokens[at + 1 : closing])
    values = [
        int(part[0].value) for part in parts if len(part) == 1 and part[0].value.isascii() and part[0].value.isdecimal()
    ]
    if closing is None or not values or len(values) < len(parts) or sorted(values) != values:
        return Diagnostic(UNEXPECTED, span_of(place.token), message)
    meant = f"[{values[0]}, {values[-1]}]"
    span = Span(place.token.start, tokens[closing].end)
    return Diagnostic(UNEXPECTED, span, message, fixes=replacement(f"write '{meant}'", span, meant))


def list_without_commas(place: Place) -> Diagnostic | None:
    """Names of a declaration without the comma between them."""
    token, previous = place.token, place.previous
    if (
        place.head not in ("SECRET", "OUTPUT")
        or place.brackets
        or token.type != "NAME"
        or previous.type not in OPERAND_ENDS
    ):
        return None
    message = f"found '{token.value}', expected ',' before another name"
    fixes = replacement("add ','", Span(previous.end, previous.end), ",", automatic=True)
    return Diagnostic(UNEXPECTED, span_of(token), message, fixes=fixes)


def misplaced_unit(place: Place) -> Diagnostic | None:
    """Units at a place or with a word that is not theirs."""
    token = place.token
    span = span_of(token)
    if place.head == "SHOW" and token.type == "NAME" and place.expected == {"BITS", "NATS"}:
        close = get_close_matches(token.value, ("bits", "nats"), 1)
        fixes = replacement(f"write '{close[0]}'", span, close[0]) if close else ()
        return Diagnostic(UNEXPECTED, span, f"found '{token.value}', expected 'bits' or 'nats'", fixes=fixes)
    if place.head == "SHOW" and token.type in ("BITS", "NATS") and "UNIT_IN" in place.expected and not place.brackets:
        fixes = replacement(f"write 'in {token.value}'", span, f"in {token.value}", automatic=True)
        return Diagnostic(UNEXPECTED, span, f"the unit of 'show' follows 'in': write 'in {token.value}'", fixes=fixes)
    if place.head != "REQUIRE" or place.brackets:
        return None
    if token.type == "IN" and "BITS" in place.expected:
        fixes = replacement("remove 'in'", span, "", automatic=True)
        return Diagnostic(UNEXPECTED, span, "the unit of a budget follows it directly: remove 'in'", fixes=fixes)
    if token.type in ("BITS", "NATS") and any(one.type == "OVER" for one in place.tokens[: place.index]):
        return Diagnostic(UNEXPECTED, span, f"the unit stands before 'over': found '{token.value}' after it")
    return None


def budget_of_many(place: Place) -> Diagnostic | None:
    """A budget that is no single comparison."""
    if place.head != "REQUIRE" or place.brackets or "PLUS" not in place.expected:
        return None
    token = place.token
    if token.type in ("LE", "LT", "GE", "GT", "EQ") and place.previous.type in OPERAND_ENDS:
        message = "found a second comparison; write a 'require' for each bound"
        return Diagnostic(UNEXPECTED, span_of(token), message)
    if token.type == "NE":
        return Diagnostic(UNEXPECTED, span_of(token), "found '!=', expected one of <= < >= > ==")
    if token.type in ("AND", "OR", "XOR"):
        message = f"a budget is one comparison; write a 'require' for each, or parentheses around the '{token.value}'"
        return Diagnostic(UNEXPECTED, span_of(token), message)
    return None
