"""Slips where a statement is due: expressions alone, and assignments that are written otherwise."""

from __future__ import annotations

from difflib import get_close_matches

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import NO_STATEMENT, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.slips.place import Place, depths, span_of, spelled
from seepage.syntax.tokens import OPENERS
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.measures import MEASURES

_ARITHMETIC = ("PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "CARET")
_OPERATORS = (*_ARITHMETIC, "NE", "LT", "LE", "GT", "GE", "AND", "OR", "XOR")
_OPERANDS = ("NAME", "NUMBER", "TRUE", "FALSE", "INF", "LPAR", "RPAR", "LSQB", "RSQB")
_STATEMENT_WORDS = sorted(word for word in KEYWORDS if word.upper() in OPENERS or word in ("if", "else"))


def bare_expression(place: Place) -> Diagnostic | None:
    """An expression where a statement is due: it starts with a name, and what follows is no assignment."""
    if place.head != "NAME" or any(token.type in ("ASSIGN", "TILDE") for token in place.tokens[: place.index]):
        return None
    first, token = place.tokens[0], place.token
    following = place.tokens[place.index + 1] if place.index + 1 < len(place.tokens) else None
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
    if token.type in _ARITHMETIC and following is not None and following.type == "EQUAL" and _is_target(place):
        return _augmented(place)
    if token.type in _ARITHMETIC and place.index == 1:
        if following is not None and following.type == token.type in ("PLUS", "MINUS") and following.end == whole.end:
            meant = f":= {first.value} {token.value} 1"
            span = Span(token.start, following.end)
            message = f"there is no '{token.value * 2}'; write '{first.value} {meant}'"
            blank = " " if token.start == first.end else ""
            fixes = replacement(f"write '{meant}'", span, f"{blank}{meant}", automatic=True)
            return Diagnostic(NO_STATEMENT, span, message, fixes=fixes)
    elif token.type == "LT" and following is not None and following.type == "MINUS" and following.start == token.end:
        span = Span(token.start, following.end)
        message = "'<-' assigns nothing; write ':='"
        compares = place.index + 2 < len(place.tokens) and place.tokens[place.index + 2].start == following.end
        fixes = replacement("write ':='", span, ":=", automatic=not compares)  # 'x <-1' may be a condition
        return Diagnostic(NO_STATEMENT, span, message, fixes=fixes)
    elif token.type == "COMMA":
        message = "one statement assigns one variable: found ',', expected ':=' or '~'"
        return Diagnostic(NO_STATEMENT, span_of(token), message)
    elif token.type == "COLON":
        return _spaced_assignment(place)
    elif token.type == "LSQB":
        return Diagnostic(UNEXPECTED, span_of(token), "found a second index; arrays have one")
    elif token.type == "EQ":
        assigned = replacement("assign with ':='", span_of(token), ":=")
        fixes = (*assigned, *replacement("condition on it with 'observe'", Span(first.start, first.start), "observe "))
        message = "'==' compares and is no statement; ':=' assigns, 'observe' conditions"
        return Diagnostic(NO_STATEMENT, span_of(token), message, fixes=fixes)
    close = _close_words(first.value) if place.index == 1 and token.type not in _OPERATORS else []
    if close:
        fixes = replacement(f"write '{close[0]}'", span_of(first), close[0])
        return Diagnostic(
            NO_STATEMENT, span_of(first), f"'{first.value}' begins no statement; did you mean '{close[0]}'", fixes=fixes
        )
    what = f"'{first.value}'" if len(place.tokens) == 1 else "an expression"
    message = f"{what} alone is no statement; 'x := e' assigns, 'x ~ D' samples"
    return Diagnostic(NO_STATEMENT, whole, message)


def _close_words(word: str) -> list[str]:
    """Return the keyword that a word may be the beginning or a misspelling of."""
    begun = [one for one in _STATEMENT_WORDS if len(word) >= 3 and one.startswith(word)]
    return begun[:1] or get_close_matches(word, _STATEMENT_WORDS, 1, 0.75)


def _is_target(place: Place) -> bool:
    """Tell whether what was read is a variable or an element, whole."""
    types = [one.type for one in place.tokens[: place.index]]
    return types == ["NAME"] or (types[:2] == ["NAME", "LSQB"] and types.index("RSQB") == len(types) - 1)


def _augmented(place: Place) -> Diagnostic:
    """``x -= e``; the fix keeps ``e`` together. ``^=`` may mean the bits that differ, so its fix is none that is clear."""
    target = spelled(place.tokens[: place.index])
    operator, equal = place.tokens[place.index : place.index + 2]
    rest = place.tokens[place.index + 2 :]
    span = Span(operator.start, equal.end)
    meant = f":= {target} {operator.value}"
    message = f"there is no '{operator.value}='; write '{target} {meant} …'"
    levels = depths(rest)
    if levels is None:
        return Diagnostic(NO_STATEMENT, span, message)
    tight = ("STAR", "SLASH", "PERCENT", "CARET") if operator.type in ("PLUS", "MINUS") else ()
    outer = [one.type for one, depth in zip(rest, levels, strict=True) if depth == 0]
    edits: tuple[Edit, ...] = (Edit(span, meant),)
    products = any(one.type == "NUMBER" and one.end - one.start > len(one.value) for one in rest)  # '2x', read as '2'
    if products or any(one not in (*tight, *_OPERANDS) for one in outer):
        edits = (Edit(Span(span.start, rest[0].start), f"{meant} ("), Edit(Span(rest[-1].end, rest[-1].end), ")"))
    chained = any(
        one.type in ("ASSIGN", "TILDE", "EQUAL") or (one.type == "EQ" and one.end - one.start < 2) for one in rest
    )
    clear = operator.type != "CARET" and not chained
    return Diagnostic(NO_STATEMENT, span, message, fixes=(Fix(f"write '{meant}'", edits, automatic=clear),))


def _spaced_assignment(place: Place) -> Diagnostic:
    colon = place.token
    end = colon.end
    if place.index + 1 < len(place.tokens) and place.tokens[place.index + 1].type == "EQUAL":
        end = place.tokens[place.index + 1].end
    span = Span(colon.start, end)
    fixes = replacement("write ':='", span, ":=", automatic=end > colon.end)
    return Diagnostic(NO_STATEMENT, span, "found ':', expected ':=' or '~'", fixes=fixes)


def assignment_inside(place: Place) -> Diagnostic | None:
    """``:=`` where a value is declared, compared or looped over."""
    token = place.token
    if token.type != "ASSIGN":
        return None
    match place.head:
        case "PARAM" | "CONST":
            word, why = "=", "declarations are written with '='"
        case "FOR" if place.index == 2:
            word, why = "in", "loops are written 'for i in a..b'"
        case "NAME" if "NUMBER" in place.expected:
            return None
        case _:
            word, why = "==", "':=' assigns and compares nothing"
    message = f"{why}; write '{word}'"
    # 'x := y := 1' may assign to both, and what has an end may be followed by an assignment that lost its name.
    inside = place.head in ("CONST", "FOR", "IF", "ELSE") or (place.head != "NAME" and bool(place.brackets))
    fixes = replacement(f"write '{word}'", span_of(token), word, automatic=inside)
    return Diagnostic(UNEXPECTED, span_of(token), message, fixes=fixes)
