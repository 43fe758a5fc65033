"""Why the tokens of a piece make no sense, in the words of the language.

First the slips with a name of their own (:mod:`seepage.syntax.slips`), then what was found and what the grammar
allows there. A statement that is cut off is reported at its last token.
"""

from __future__ import annotations

from collections.abc import Callable

from seepage.diagnostics import Diagnostic, Fix, Label
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
_CLOSING = ("RPAR", "RSQB", "RBRACE")
_COMPARISONS = {"LE", "LT", "GE", "GT", "EQ"}


def explain(tokens: list[Token], fault: Unexpected) -> Diagnostic:
    """Return what to say about the token where reading stopped; ``tokens`` are those of the piece, at least one."""
    place = Place(tokens, fault.index, fault.expected, _open_brackets(tokens[: fault.index]))
    following = tokens[fault.index + 1].type if fault.index + 1 < len(tokens) else ""
    if place.token.type in _CLOSING and not place.brackets and following in ("ASSIGN", "TILDE"):
        return _unexpected(place)
    if (bracket := _unclosed(place)) is not None:
        return _never_closed(place, bracket, place.previous)
    for slip in SLIPS:
        if (known := slip(place)) is not None:
            return known
    if fault.index >= len(tokens):
        return _cut_off(place)
    return _unexpected(place)


def explain_all(
    tokens: list[Token], fault: Unexpected, again: Callable[[list[Token]], object]
) -> tuple[Diagnostic, ...]:
    """Return what to say about every fault of a piece that is plainly one of its own.

    A fault that leaves no doubt what is missing inside brackets is mended and the piece read ``again``; what is wrong then further on
    has nothing to do with it. ``again`` returns a place where reading stopped, or anything else.
    """
    found = [explain(tokens, fault)]
    while len(found) < _MOST_FAULTS and len(tokens) <= _LONGEST_PIECE:
        mended = _mended(tokens, fault)
        if mended is None:
            break
        following = again(mended)
        # A fault at the same place would be a consequence.
        if not isinstance(following, Unexpected) or following.index <= fault.index + 1:
            break
        tokens, fault = mended, following
        found.append(explain(tokens, fault))
    return tuple(found)


_MOST_FAULTS = 5
_LONGEST_PIECE = 2_000  # tokens: each fault costs a reading


def _mended(tokens: list[Token], fault: Unexpected) -> list[Token] | None:
    """Return the tokens with the one that is missing, or without the one too many, if that is clear."""
    at = fault.index
    if at >= len(tokens):
        return None
    token = tokens[at]
    brackets = _open_brackets(tokens[:at])
    if "NUMBER" in fault.expected and brackets and token.type in ("COMMA", "RPAR", "RSQB"):
        if token.type != "COMMA" and _CLOSERS[brackets[-1].type][0] != token.type:
            return None
        return [*tokens[:at], Token("NUMBER", "0", token.start, token.start), *tokens[at:]]
    if token.type in _CLOSING and not brackets:
        return [*tokens[:at], *tokens[at + 1 :]]
    if _lacks_comma(tokens, at, brackets, fault.expected):
        return [*tokens[:at], Token("COMMA", ",", token.start, token.start), *tokens[at:]]
    return None


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
        return _never_closed(place, bracket, last)
    what = _KINDS.get(place.tokens[0].type, "statement")
    return Diagnostic(CUT_OFF, span, f"the {what} ends too early: expected {_expected(place)} after '{last.value}'")


def _unclosed(place: Place) -> Token | None:
    """Return the innermost bracket if what was read is complete but for it, and its end is where the statement goes on without it."""
    if not place.brackets or place.previous.type not in OPERAND_ENDS:
        return None
    *outer, bracket = place.brackets
    match place.token.type:
        case "LBRACE" if place.head in ("IF", "FOR", "ELSE") and place.index == len(place.tokens) - 1:
            return bracket
        case "DOTS" if place.head == "FOR":
            return bracket
        case "ASSIGN" | "TILDE" if place.head == "NAME" and place.brackets == (place.tokens[1],):
            return bracket
        case "RPAR" | "RSQB" | "RBRACE" as closer if _CLOSERS[bracket.type][0] != closer:
            return bracket if any(_CLOSERS[one.type][0] == closer for one in outer) else None
        case _:
            return None


def _never_closed(place: Place, bracket: Token, last: Token) -> Diagnostic:
    closer = _CLOSERS[bracket.type][1]
    # An interval has two ends, an entry of a table a probability: without them, closing the bracket mends nothing.
    inside = {token.type for token in place.tokens if token.start > bracket.start}
    needed = "COLON" if bracket.type == "LBRACE" else "COMMA" if _is_interval(place.tokens, bracket) else ""
    fixes = replacement(f"add '{closer}'", Span(last.end, last.end), closer) if not needed or needed in inside else ()
    return Diagnostic(
        CUT_OFF,
        Span(last.start, last.end),
        f"the '{bracket.value}' is never closed: expected '{closer}' after '{last.value}'",
        labels=(Label(Span(bracket.start, bracket.end), "opened here"),),
        fixes=fixes,
    )


def _unexpected(place: Place) -> Diagnostic:
    token = place.tokens[place.index]
    span = Span(token.start, token.end)
    if token.type in _CLOSING:
        if not place.brackets:
            fixes = replacement(f"remove the '{token.value}'", span, "")
            return Diagnostic(UNEXPECTED, span, f"the '{token.value}' closes nothing", fixes=fixes)
        bracket = place.brackets[-1]
        type_, closer = _CLOSERS[bracket.type]
        if token.type != type_ and place.index and place.tokens[place.index - 1].type in OPERAND_ENDS:
            label = Label(Span(bracket.start, bracket.end), "opened here")
            fixes = replacement(f"write '{closer}'", span, closer, automatic=True)
            message = f"found '{token.value}', expected '{closer}'"
            return Diagnostic(UNEXPECTED, span, message, labels=(label,), fixes=fixes)
    if place.index == 0:
        message = f"found '{token.value}', expected a statement or a declaration"
        return Diagnostic(NO_STATEMENT, span, message)
    message = f"found '{token.value}', expected {_expected(place)}"
    return Diagnostic(UNEXPECTED, span, message, fixes=_comma(place, span))


def _comma(place: Place, span: Span) -> tuple[Fix, ...]:
    """Return the fix for a comma that is missing or too many in a list."""
    at = Span(span.start, span.start)
    if place.token.type == "COMMA" and place.brackets and place.previous.type in ("COMMA", *_CLOSERS):
        return replacement("remove the ','", span, "")
    if _lacks_comma(place.tokens, place.index, place.brackets, place.expected):
        end = Span(place.previous.end, place.previous.end)
        return replacement("add ','", end if place.previous.end < at.start else at, ",")
    return ()


def _lacks_comma(tokens: list[Token], at: int, brackets: tuple[Token, ...], expected: frozenset[str]) -> bool:
    """Tell whether two operands follow each other in a list."""
    token, previous = tokens[at], tokens[at - 1]
    begins_operand = token.type in OPERAND_ENDS and token.type not in _CLOSING
    return begins_operand and "COMMA" in expected and previous.type in OPERAND_ENDS and _holds_list(tokens, brackets)


def _holds_list(tokens: list[Token], brackets: tuple[Token, ...]) -> bool:
    """Tell whether commas may stand in the innermost bracket: not so in that of an index."""
    return bool(brackets) and (brackets[-1].type != "LSQB" or _is_interval(tokens, brackets[-1]))


def _is_interval(tokens: list[Token], bracket: Token) -> bool:
    before = tokens[tokens.index(bracket) - 1]
    return before.type == "IN" and tokens[0].type in ("PARAM", "REQUIRE")


def _expected(place: Place) -> str:
    """Say what the grammar allows, as far as the context leaves it open.

    The parser's tables merge states, so closing brackets and the like are named only where something is open.
    """
    expected = place.expected
    previous = place.tokens[place.index - 1].type if place.index else ""
    if "NUMBER" in expected:
        return {"TILDE": "a distribution", "SHOW": "a measure", "REQUIRE": "a measure"}.get(previous, "an expression")
    if "NAME" in expected:
        return "a name"
    things: list[str] = []
    if {"LSQB", "LPAR"} <= expected and previous == "IN":
        return "an interval such as '[0, 1]'"
    if previous == "IN" and "LBRACE" in expected and place.head != "FOR":
        return "'{'"
    if {"BITS", "NATS"} <= expected and previous in ("IN", "UNIT_IN"):
        return "'bits' or 'nats'"
    if "EQUAL" in expected:
        things.append("'='")
    is_assigned = any(token.type in ("ASSIGN", "TILDE") for token in place.tokens[: place.index])
    if "ASSIGN" in expected and not is_assigned and place.head == "NAME" and not place.brackets:
        things.append("':='")
    if "TILDE" in expected and not is_assigned and place.head == "NAME" and not place.brackets:
        things.append("'~'")
    if previous in OPERAND_ENDS and "PLUS" in expected:
        things.append("an operator")
    if place.brackets:
        bracket = place.brackets[-1]
        type_, closer = _CLOSERS[bracket.type]
        if "COMMA" in expected and _holds_list(place.tokens, place.brackets):
            things.append("','")
        things += [f"'{closer}'"] if type_ in expected else []
        if bracket.type == "LBRACE" and "COLON" in expected:
            things.append("':'")
    else:
        things += _outside_brackets(place)
    if not things:
        things.append("a new statement")
    if things == ["an operator", "a new statement"]:
        return "an operator between the two, or a new statement"
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
    if head == "REQUIRE" and "IN" in expected and "OVER" in before and place.previous.type == "NAME":
        return ["'in'"]
    if head == "REQUIRE" and "LE" in expected and not before & _COMPARISONS:
        return ["a comparison such as '<='"]
    if "OPEN" in expected and head in ("IF", "ELSE", "FOR"):
        return ["'{'"]
    return ["a new statement"] if "$END" in expected else []
