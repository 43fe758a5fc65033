"""Slips that have a name: habits of other languages and half-typed statements, each with its mending.

A slip is a function of the place where reading stopped; it returns what to say, or None if it does not know the place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import KEYWORD_AS_NAME, MISSING_BRACE, NO_STATEMENT, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.tokens import KEYWORDS, OPENERS, OPERAND_ENDS, Token
from seepage.syntax.words import MEASURES


@dataclass(frozen=True, slots=True)
class Place:
    """Where reading stopped: the tokens of the piece, the index of the one that does not fit, and the brackets open there."""

    tokens: list[Token]
    index: int
    expected: frozenset[str]
    brackets: tuple[Token, ...]

    @property
    def token(self) -> Token:
        """The token that does not fit; an empty one past the end."""
        if self.index < len(self.tokens):
            return self.tokens[self.index]
        end = self.tokens[-1].end
        return Token("$END", "", end, end)

    @property
    def previous(self) -> Token:
        """The token before, or an empty one at the start."""
        return self.tokens[self.index - 1] if self.index else Token("", "", 0, 0)

    @property
    def head(self) -> str:
        """The terminal that the piece begins with."""
        return self.tokens[0].type


# Words that continue an expression or a declaration and are no likely names.
_CONNECTIVES = frozenset({"IF", "THEN", "ELSE", "IN", "AND", "OR", "XOR", "NOT", "TRUE", "FALSE", "INF"})
_STATEMENT_WORDS = sorted(word for word in KEYWORDS if word.upper() in OPENERS or word in ("if", "else"))


def _span(token: Token) -> Span:
    return Span(token.start, token.end)


def _keyword_as_name(place: Place) -> Diagnostic | None:
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
    return Diagnostic(KEYWORD_AS_NAME, _span(token), message)


def _bare_expression(place: Place) -> Diagnostic | None:
    """An expression where a statement is due: it starts with a name, and what follows is no assignment."""
    if place.head != "NAME" or any(token.type in ("ASSIGN", "TILDE") for token in place.tokens[: place.index]):
        return None
    first, token = place.tokens[0], place.token
    if "ASSIGN" not in place.expected and token.type != "LPAR":
        return None
    whole = Span(first.start, place.tokens[-1].end)
    if token.type == "LPAR" and first.value in MEASURES:
        fix = Fix("show the measure", (Edit(Span(first.start, first.start), "show "),))
        return Diagnostic(
            NO_STATEMENT, whole, f"a measure alone is no statement; 'show {first.value}(…)' shows it", fixes=(fix,)
        )
    if token.type == "LPAR":
        return Diagnostic(
            NO_STATEMENT, whole, f"a call of '{first.value}' alone is no statement; 'x := e' assigns, 'x ~ D' samples"
        )
    if token.type in ("PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "CARET") and place.index == 1:
        if len(place.tokens) > 2 and place.tokens[2].type == "EQUAL":
            return _augmented(place)
    elif token.type == "COLON":
        return _spaced_assignment(place)
    elif token.type == "LSQB":
        return Diagnostic(UNEXPECTED, _span(token), "found a second index; arrays have one")
    elif token.type == "EQ":
        fixes = replacement("assign with ':='", _span(token), ":=")
        message = "'==' compares and is no statement; ':=' assigns, 'observe' conditions"
        return Diagnostic(NO_STATEMENT, _span(token), message, fixes=fixes)
    close = get_close_matches(first.value, _STATEMENT_WORDS, 1, 0.75) if place.index == 1 else []
    if close:
        fixes = replacement(f"write '{close[0]}'", _span(first), close[0])
        return Diagnostic(
            NO_STATEMENT, _span(first), f"'{first.value}' begins no statement; did you mean '{close[0]}'", fixes=fixes
        )
    what = f"'{first.value}'" if len(place.tokens) == 1 else "an expression"
    message = f"{what} alone is no statement; 'x := e' assigns, 'x ~ D' samples"
    return Diagnostic(NO_STATEMENT, whole, message)


def _augmented(place: Place) -> Diagnostic:
    name, operator, equal = place.tokens[:3]
    span = Span(operator.start, equal.end)
    meant = f":= {name.value} {operator.value}"
    message = f"there is no '{operator.value}='; write '{name.value} {meant} …'"
    return Diagnostic(NO_STATEMENT, span, message, fixes=replacement(f"write '{meant}'", span, meant))


def _spaced_assignment(place: Place) -> Diagnostic:
    colon = place.token
    end = colon.end
    if place.index + 1 < len(place.tokens) and place.tokens[place.index + 1].type == "EQUAL":
        end = place.tokens[place.index + 1].end
    span = Span(colon.start, end)
    return Diagnostic(
        NO_STATEMENT, span, "found ':', expected ':=' or '~'", fixes=replacement("write ':='", span, ":=")
    )


def _assignment_inside(place: Place) -> Diagnostic | None:
    token = place.token
    if token.type != "ASSIGN":
        return None
    match place.head:
        case "PARAM" | "CONST":
            word, why = "=", "declarations are written with '='"
        case "FOR" if place.index == 2:
            word, why = "in", "loops are written 'for i in a..b'"
        case "SECRET" | "OUTPUT":
            message = f"'{place.tokens[0].value}' only declares names; assign the value in a statement of its own"
            return Diagnostic(UNEXPECTED, _span(token), message)
        case _:
            word, why = "==", "':=' assigns and compares nothing"
    message = f"{why}; write '{word}'"
    return Diagnostic(UNEXPECTED, _span(token), message, fixes=replacement(f"write '{word}'", _span(token), word))


def _declared_value(place: Place) -> Diagnostic | None:
    if place.head not in ("SECRET", "OUTPUT") or place.token.type not in ("EQUAL", "EQ", "TILDE"):
        return None
    message = f"'{place.tokens[0].value}' only declares names; assign or sample in a statement of its own"
    return Diagnostic(UNEXPECTED, _span(place.token), message)


def _then_in_statement(place: Place) -> Diagnostic | None:
    if place.token.type != "THEN" or place.head not in ("IF", "ELSE") or place.brackets:
        return None
    span = _span(place.token)
    braced = place.index + 1 < len(place.tokens) and place.tokens[place.index + 1].type == "LBRACE"
    if braced:
        fixes = replacement("remove 'then'", span, "")
        return Diagnostic(UNEXPECTED, span, "an 'if' statement has no 'then': its branch stands in braces", fixes=fixes)
    message = (
        "the branches of an 'if' statement stand in braces; 'if … then … else' is an expression and stands after ':='"
    )
    return Diagnostic(UNEXPECTED, span, message)


def _colon_for_brace(place: Place) -> Diagnostic | None:
    if place.token.type != "COLON" or place.head not in ("IF", "ELSE", "FOR") or place.brackets:
        return None
    fixes = replacement("write '{'", _span(place.token), "{") if place.index == len(place.tokens) - 1 else ()
    return Diagnostic(MISSING_BRACE, _span(place.token), "blocks stand in braces: found ':', expected '{'", fixes=fixes)


def _operators_of_other_languages(place: Place) -> Diagnostic | None:
    token, previous = place.token, place.previous
    span = _span(token)
    if token.type == "BARS":
        message = "'||' separates the sides of 'KL'; the logical operator is 'or'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write 'or'", span, "or"))
    if token.type == "BAR" and place.head not in ("SHOW", "REQUIRE"):
        message = "'|' stands in measures before a condition; the logical operator is 'or'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write 'or'", span, "or"))
    if token.type == "STAR" and previous.type == "STAR" and previous.end == token.start:
        span = Span(previous.start, token.end)
        return Diagnostic(UNEXPECTED, span, "powers are written with '^'", fixes=replacement("write '^'", span, "^"))
    if token.type == "TILDE":
        if "NOT" in place.expected or "BANG" in place.expected:
            message = "'~' samples; negation is written '!' or 'not'"
            return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write '!'", span, "!"))
        return Diagnostic(
            UNEXPECTED, span, "'~' samples a variable and stands right after it, at the start of a statement"
        )
    if token.type == "ARROW" and place.head not in ("SHOW", "REQUIRE"):
        return Diagnostic(UNEXPECTED, span, "'->' stands in measures only, as in 'DP(x -> y)'")
    return None


def _needs_parentheses(place: Place) -> Diagnostic | None:
    token = place.token
    if "NUMBER" not in place.expected:
        return None
    if token.type == "NOT":
        message = "'not' binds less tightly than the operator before it; put it and its operand in parentheses"
        return Diagnostic(UNEXPECTED, _span(token), message)
    if token.type == "IF":
        message = "a conditional expression inside another expression needs parentheses"
        return Diagnostic(UNEXPECTED, _span(token), message)
    return None


def _units(place: Place) -> Diagnostic | None:
    token = place.token
    span = _span(token)
    if place.head == "SHOW" and token.type in ("BITS", "NATS") and "IN" in place.expected and not place.brackets:
        fixes = replacement(f"write 'in {token.value}'", span, f"in {token.value}")
        return Diagnostic(UNEXPECTED, span, f"the unit of 'show' follows 'in': write 'in {token.value}'", fixes=fixes)
    if place.head != "REQUIRE" or place.brackets:
        return None
    if token.type == "IN" and "BITS" in place.expected:
        fixes = replacement("remove 'in'", span, "")
        return Diagnostic(UNEXPECTED, span, "the unit of a budget follows it directly: remove 'in'", fixes=fixes)
    if token.type in ("BITS", "NATS") and any(one.type == "OVER" for one in place.tokens[: place.index]):
        return Diagnostic(UNEXPECTED, span, f"the unit stands before 'over': found '{token.value}' after it")
    return None


def _budgets(place: Place) -> Diagnostic | None:
    if place.head != "REQUIRE" or place.brackets or "PLUS" not in place.expected:
        return None
    token = place.token
    if token.type in ("LE", "LT", "GE", "GT", "EQ") and place.previous.type in OPERAND_ENDS:
        message = "found a second comparison; write a 'require' for each bound"
        return Diagnostic(UNEXPECTED, _span(token), message)
    if token.type == "NE":
        return Diagnostic(UNEXPECTED, _span(token), "found '!=', expected one of <= < >= > ==")
    if token.type in ("AND", "OR", "XOR"):
        message = f"a budget is one comparison; write a 'require' for each, or parentheses around the '{token.value}'"
        return Diagnostic(UNEXPECTED, _span(token), message)
    return None


def _named_in_function(place: Place) -> Diagnostic | None:
    if place.token.type != "NAMED":
        return None
    span = _span(place.token)
    fixes = replacement("compare with '=='", span, "==")
    return Diagnostic(
        UNEXPECTED, span, "only arguments of distributions and measures have names; '==' compares", fixes=fixes
    )


SLIPS: tuple[Callable[[Place], Diagnostic | None], ...] = (
    _keyword_as_name,
    _declared_value,
    _bare_expression,
    _assignment_inside,
    _then_in_statement,
    _colon_for_brace,
    _needs_parentheses,
    _operators_of_other_languages,
    _units,
    _budgets,
    _named_in_function,
)
