"""Loops and blocks as other languages write them."""

from __future__ import annotations

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import MISSING_BRACE, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.slips.place import Place, between_commas, depths, span_of, spelled
from seepage.syntax.tokens import Token

_RUNS = "a loop runs over 'a..b', both ends included"
# What makes a list of numbers elsewhere: by the number of arguments, the first value and what is added to the last one.
_LISTS = {
    ("range", 1): ("0", -1),
    ("range", 2): (None, -1),
    ("seq", 2): (None, 0),
    ("seq_len", 1): ("1", 0),
    ("arange", 1): ("0", -1),
    ("arange", 2): (None, -1),
}


def loop_over_call(place: Place) -> Diagnostic | None:
    """``for i in range(n)``; the fix counts to the last value that is reached, and opens the block in the place of a colon."""
    tokens = place.tokens
    if place.head != "FOR" or len(tokens) < 6 or "DOTS" not in place.expected or place.brackets:
        return None
    if (tokens[2].type, tokens[3].type, tokens[4].type, place.previous.type) != ("IN", "NAME", "LPAR", "RPAR"):
        return None
    call = Span(tokens[3].start, place.previous.end)
    arguments = between_commas(tokens[5 : place.index - 1])
    known = _LISTS.get((tokens[3].value, len(arguments)))
    if known is None or not all(arguments):
        return Diagnostic(UNEXPECTED, call, _RUNS)
    first, added = known
    low = spelled(arguments[0]) if first is None else first
    meant = f"{low}..{_added(arguments[-1], added)}"
    edits = [Edit(call, meant)]
    if place.token.type == "COLON" and place.index == len(tokens) - 1:
        edits.append(Edit(span_of(place.token), " {"))
    message = f"{_RUNS}: '{spelled(tokens[3 : place.index])}' is '{meant}'"
    return Diagnostic(UNEXPECTED, call, message, fixes=(Fix(f"write '{meant}'", tuple(edits), automatic=True),))


def _added(tokens: list[Token], added: int) -> str:
    text = spelled(tokens)
    if added == 0:
        return text
    if len(tokens) == 1 and text.isdecimal():
        return str(int(text) + added)
    return f"{text} - {-added}"


def counted_loop(tokens: list[Token]) -> tuple[Diagnostic, list[Token]] | None:
    """``for (i = 0; i < n; i++) {``: what to say, and the tokens of the header that is meant; None if this is no such loop."""
    if [one.type for one in tokens[:2]] != ["FOR", "LPAR"] or not any(one.type == "SEMICOLON" for one in tokens):
        return None
    closing = max((at for at, one in enumerate(tokens) if one.type == "RPAR"), default=0)
    inside = tokens[2:closing]
    marks = [at for at, one in enumerate(inside) if one.type == "SEMICOLON"]
    span = Span(tokens[0].start, tokens[closing].end if closing else tokens[-1].end)
    message = "a loop is written 'for i in a..b { … }', both ends included"
    rest = tokens[closing + 1 :] if closing else []
    if len(marks) == 2:
        made = _counted(inside[: marks[0]], inside[marks[0] + 1 : marks[1]], inside[marks[1] + 1 :])
        if made is not None:
            name, low, high = made
            meant = f"for {name.value} in {low}..{high}"
            header = [Token(type_, text, *_range(span)) for type_, text in _HEADER]
            header[1] = name
            return Diagnostic(UNEXPECTED, span, message, fixes=replacement(f"write '{meant}'", span, meant)), [
                *header,
                *rest,
            ]
    header = [Token(type_, text, *_range(span)) for type_, text in _HEADER]
    return Diagnostic(UNEXPECTED, span, message), [*header, *rest]


def loop_over_elements(tokens: list[Token]) -> tuple[Diagnostic, list[Token]] | None:
    """``for g in guesses {`` and ``for g in [1, 5] {``: a loop over the indices of the array, in which the element gets the name; None if this is none."""
    if [one.type for one in tokens[:3]] != ["FOR", "NAME", "IN"] or tokens[-1].type not in ("LBRACE", "COLON"):
        return None
    name, inside, last = tokens[1], tokens[3:-1], tokens[-1]
    opening = "" if last.type == "LBRACE" else " "
    if not inside:
        return None
    whole = Span(inside[0].start, inside[-1].end)
    header = [Token(type_, text, *_range(whole)) for type_, text in _HEADER]
    meant_tokens = [tokens[0], name, *header[2:], last]
    edits: list[Edit] = []
    array = inside[0].value
    if [one.type for one in inside] != ["NAME"]:
        brackets = inside[0].type, inside[-1].type
        parts = between_commas(inside[1:-1]) if brackets in _LISTED else [[]]
        if not all(parts) or (brackets != _LISTED[0] and len(parts) < 2):
            return None
        if (ends := _consecutive(parts)) is not None:
            message = f"{_RUNS}: '{spelled(inside)}' is '{ends}'"
            edits = [Edit(whole, ends), *([Edit(span_of(last), " {")] if opening else [])]
            return Diagnostic(
                UNEXPECTED, whole, message, fixes=(Fix(f"write '{ends}'", tuple(edits), True),)
            ), meant_tokens
        array = f"{name.value}_all"
        edits.append(Edit(Span(tokens[0].start, tokens[0].start), f"{array} := [{spelled(inside[1:-1])}]; "))
    index = f"{name.value}_at"
    meant = f"{index} in 0..length({array}) - 1"
    edits.append(Edit(Span(name.start, whole.end), meant))
    edits.append(Edit(span_of(last), f"{opening}{{ {name.value} := {array}[{index}];"))
    message = f"{_RUNS}: over the elements of an array it is 'for {meant}'"
    return Diagnostic(UNEXPECTED, whole, message, fixes=(Fix(f"write 'for {meant}'", tuple(edits)),)), meant_tokens


def _consecutive(parts: list[list[Token]]) -> str | None:
    """Return ``2..4`` for the numbers 2, 3 and 4; None for others."""
    values = [
        int(part[0].value) for part in parts if len(part) == 1 and part[0].value.isascii() and part[0].value.isdecimal()
    ]
    if len(values) < len(parts) or values != list(range(values[0], values[0] + len(values))):
        return None
    return f"{values[0]}..{values[-1]}"


_LISTED = (("LSQB", "RSQB"), ("LPAR", "RPAR"), ("LBRACE", "RBRACE"))
_HEADER = (("FOR", "for"), ("NAME", "_"), ("IN", "in"), ("NUMBER", "1"), ("DOTS", ".."), ("NUMBER", "1"))
_STEPS = (
    ["NAME", "PLUS", "PLUS"],
    ["PLUS", "PLUS", "NAME"],
    ["NAME", "PLUS", "EQUAL", "NUMBER"],
)


def _range(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _counted(first: list[Token], test: list[Token], step: list[Token]) -> tuple[Token, str, str] | None:
    """Return the variable, the first value and the last one of a loop that counts up by one."""
    equal = next((at for at, one in enumerate(first) if one.type in ("EQUAL", "ASSIGN")), 0)
    if equal < 1 or any(one.type != "NAME" for one in first[:equal]) or equal + 1 == len(first):
        return None
    name = first[equal - 1]
    if len(test) < 3 or test[0].value != name.value or test[1].type not in ("LT", "LE"):
        return None
    if [one.type for one in step] not in _STEPS or all(one.value != name.value for one in step):
        return None
    if step[-1].type == "NUMBER" and step[-1].value != "1":
        return None
    return name, spelled(first[equal + 1 :]), _added(test[2:], -1 if test[1].type == "LT" else 0)


def loop_in_parentheses(place: Place) -> Diagnostic | None:
    """``for (…)`` and loops over lists."""
    if place.head != "FOR":
        return None
    token, tokens = place.token, place.tokens
    if place.index == 1 and token.type == "LPAR":
        closing = next((one for one in reversed(tokens) if one.type == "RPAR"), None)
        edits = (
            (Edit(span_of(token), ""),) if closing is None else (Edit(span_of(token), ""), Edit(span_of(closing), ""))
        )
        whole = closing is not None and depths(tokens[2 : tokens.index(closing)]) is not None
        fix = Fix("remove the parentheses", edits, automatic=whole)
        return Diagnostic(UNEXPECTED, span_of(token), "a loop has no parentheses: 'for i in a..b { … }'", fixes=(fix,))
    if place.index == 3 and token.type in ("LSQB", "LBRACE") and token is not tokens[-1]:
        return Diagnostic(UNEXPECTED, span_of(token), f"found '{token.value}'; {_RUNS}")
    return None


def colon_for_brace(place: Place) -> Diagnostic | None:
    """``if b:`` and ``for i in 1:3``; where the block ends is known once the whole text is (:mod:`seepage.syntax.offers`)."""
    if place.token.type != "COLON" or place.head not in ("IF", "ELSE", "FOR") or place.brackets:
        return None
    span = span_of(place.token)
    if place.head == "FOR" and all(one.type != "DOTS" for one in place.tokens[: place.index]):
        behind = place.tokens[place.index + 1 :]
        if not behind or (place.previous.type == "NAME" and behind[-1].type != "LBRACE"):  # a block of Python
            return Diagnostic(UNEXPECTED, span, _RUNS)
        return Diagnostic(UNEXPECTED, span, "a range is written 'a..b'", fixes=replacement("write '..'", span, ".."))
    return Diagnostic(MISSING_BRACE, span, "blocks stand in braces: found ':', expected '{'")
