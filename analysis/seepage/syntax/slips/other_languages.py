"""Habits of other languages: their words, conditionals and operators."""

from __future__ import annotations

from collections.abc import Sequence

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import NO_STATEMENT, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.slips.place import Place, span_of, spelled
from seepage.syntax.tokens import OPERAND_ENDS, Token
from seepage.syntax.vocabulary.measures import MEASURES

_IMPORTS = "'import' reads a file of Seep, whose path stands in quotes; modules of other languages are not read"

MODULE_WORDS = ("import", "from", "library", "using")
"""What asks for modules elsewhere."""

# What begins a statement elsewhere: what to say of it, and what to write in its place, if that is clear.
_ELSEWHERE: dict[str, tuple[str, str | None]] = {
    "elif": ("'elif' is written 'else if'", "else if"),
    "elseif": ("'elseif' is written 'else if'", "else if"),
    "elsif": ("'elsif' is written 'else if'", "else if"),
    "return": ("there is no 'return'; 'output x' declares what the attacker sees", None),
    "fun": ("a procedure begins with 'def'", "def"),
    "func": ("a procedure begins with 'def'", "def"),
    "fn": ("a procedure begins with 'def'", "def"),
    "function": ("a procedure begins with 'def'", "def"),
    "let": ("a variable needs no declaration: remove 'let'", ""),
    "var": ("a variable needs no declaration: remove 'var'", ""),
    "int": ("a variable needs no type: remove 'int'", ""),
    "real": ("a variable needs no type: remove 'real'", ""),
    "float": ("a variable needs no type: remove 'float'", ""),
    "auto": ("a variable needs no type: remove 'auto'", ""),
    "double": ("a variable needs no type: remove 'double'", ""),
    "bool": ("a variable needs no type: remove 'bool'", ""),
    "public": ("what the attacker sees is declared with 'output'", "output"),
    "private": ("what the attacker must not learn is declared with 'secret'", "secret"),
    "input": ("what a program is given is declared with 'param'", "param"),
    "end": ("a block ends with its '}': remove 'end'", ""),
    "endif": ("a block ends with its '}': remove 'endif'", ""),
    "fi": ("a block ends with its '}': remove 'fi'", ""),
    "done": ("a block ends with its '}': remove 'done'", ""),
    "switch": ("there is no 'switch': cases are 'if … { … } else if … { … }'", None),
    "AND": ("'AND' is written 'and'", "and"),
    "OR": ("'OR' is written 'or'", "or"),
    "pass": ("'pass' is written 'skip'", "skip"),
    "assume": ("'assume' is written 'observe'", "observe"),
    "assert": ("'assert' is written 'observe', which discards the runs in which it is false", "observe"),
    "condition": ("'condition' is written 'observe'", "observe"),
    "print": ("there is no 'print'; 'show' shows a measure, 'output' declares what the attacker sees", None),
    **dict.fromkeys(MODULE_WORDS, (_IMPORTS, None)),
    "begin": ("a block stands in braces; the program itself needs none: remove 'begin'", ""),
    "class": ("there are no classes: a procedure is 'def f(x) { … }'", None),
    "lambda": ("a procedure has a name: 'def f(x) { return x + 1 }'", None),
    "match": ("there is no 'match': cases are 'if … { … } else if … { … }'", None),
    "repeat": ("loops are written 'for i in a..b { … }'", None),
    "loop": ("loops are written 'for i in a..b { … }'", None),
    "mod": ("the remainder is written '%'", "%"),
    "div": ("integer division is 'floor(a / b)'", None),
    "is": ("'is' is written '=='", "=="),
}


# What discards runs when it is written of an event, and judges when it is written of a measure.
OBSERVING = tuple(word for word, (_, meant) in _ELSEWHERE.items() if meant == "observe")


def word_of_other_languages(place: Place) -> Diagnostic | None:
    """A word that begins a statement in other languages, and is no variable here: nothing follows that would make it one."""
    first, token = place.tokens[0], place.token
    if (
        first.type != "NAME"
        or place.index != 1
        or first.value not in _ELSEWHERE
        or token.type not in ("$END", "LPAR", "NUMBER")
    ):
        return None
    message, meant = _ELSEWHERE[first.value]
    if meant == "observe" and _begins_with_measure(place.tokens):
        return of_a_measure(first.value, span_of(first), _required(place.tokens))
    if meant is None:
        return Diagnostic(NO_STATEMENT, span_of(first), message)
    title = f"write '{meant}'" if meant else f"remove '{first.value}'"
    fixes = replacement(title, span_of(first), meant, automatic=meant in ("else if", "skip"))
    return Diagnostic(NO_STATEMENT, span_of(first), message, fixes=fixes)


def of_a_measure(word: str, span: Span, edits: tuple[Edit, ...]) -> Diagnostic:
    """Return what to say of a word for 'observe' before a measure; ``edits`` make a ``require`` of it.

    Without parentheses a piece ends behind the word, so what follows is known to the whole text only
    (:mod:`seepage.syntax.offers`).
    """
    message = f"'{word}' of a measure is written 'require', which is judged and removes no runs"
    return Diagnostic(NO_STATEMENT, span, message, fixes=(Fix("write 'require'", edits),))


def _begins_with_measure(tokens: Sequence[Token]) -> bool:
    """Tell whether a measure stands behind the first word: ``assert I(s; o) <= b``, also in parentheses."""
    behind = [each for each in tokens[1:4] if each.type != "LPAR"]
    return bool(behind) and behind[0].value in MEASURES


def _required(tokens: Sequence[Token]) -> tuple[Edit, ...]:
    """Return what makes ``assert(…)`` a ``require``, without parentheses around all of it."""
    first, second, last = tokens[0], tokens[1], tokens[-1]
    depth, closed = 0, len(tokens)
    for at, token in enumerate(tokens[1:], start=1):
        depth += {"LPAR": 1, "RPAR": -1}.get(token.type, 0)
        if depth == 0:
            closed = at
            break
    if second.type != "LPAR" or closed != len(tokens) - 1:
        return (Edit(span_of(first), "require"),)
    return (Edit(Span(first.start, second.end), "require "), Edit(span_of(last), ""))


def comment_of_other_languages(place: Place) -> Diagnostic | None:
    """``-- …`` and ``% …`` where a statement may begin."""
    if place.index != 0:
        return None
    match place.tokens[:2]:
        case [Token("MINUS", end=end) as first, Token("MINUS", start=start, end=last)] if end == start:
            span = Span(first.start, last)
        case [Token("PERCENT") as first, *_]:
            span = span_of(first)
        case _:
            return None
    return Diagnostic(NO_STATEMENT, span, "comments begin with '//'", fixes=replacement("write '//'", span, "//"))


def then_in_statement(place: Place) -> Diagnostic | None:
    """``if b then { … }``."""
    if place.token.type != "THEN" or place.head not in ("IF", "ELSE") or place.brackets:
        return None
    span = span_of(place.token)
    braced = place.index + 1 < len(place.tokens) and place.tokens[place.index + 1].type == "LBRACE"
    if braced:
        fixes = replacement("remove 'then'", span, "", automatic=True)
        return Diagnostic(UNEXPECTED, span, "an 'if' statement has no 'then': its branch stands in braces", fixes=fixes)
    message = (
        "the branches of an 'if' statement stand in braces; 'if … then … else' is an expression and stands after ':='"
    )
    return Diagnostic(UNEXPECTED, span, message)


def conditional_of_other_languages(place: Place) -> Diagnostic | None:
    """``a if b else c``; the fix moves the condition to the front."""
    token, tokens = place.token, place.tokens
    if token.type != "IF" or place.head != "NAME" or place.previous.type not in OPERAND_ENDS:
        return None
    message = "the conditional expression is written 'if b then e1 else e2'"
    others = [at for at, one in enumerate(tokens) if one.type in ("IF", "THEN", "ELSE", "ASSIGN", "TILDE")]
    match [tokens[at].type for at in others]:
        case ["ASSIGN", "IF", "ELSE"] if others[1] == place.index and not place.brackets:
            operator, _, alternative = others
            condition = spelled(tokens[place.index + 1 : alternative])
            front = Span(tokens[operator + 1].start, tokens[operator + 1].start)
            edits = (Edit(front, f"if {condition} then "), Edit(Span(token.start, tokens[alternative].start), ""))
            return Diagnostic(
                UNEXPECTED, span_of(token), message, fixes=(Fix("put the condition first", edits, automatic=True),)
            )
        case _:
            return Diagnostic(UNEXPECTED, span_of(token), message)


def operator_of_other_languages(place: Place) -> Diagnostic | None:
    """``||``, ``|``, ``**``, ``~`` and ``->`` in expressions."""
    token, previous = place.token, place.previous
    span = span_of(token)
    if token.type == "BARS":
        message = "'||' separates the sides of 'KL'; the logical operator is 'or'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write 'or'", span, "or", automatic=True))
    if token.type == "BAR" and "NUMBER" in place.expected and not place.brackets and place.head != "SHOW":
        return Diagnostic(UNEXPECTED, span, "found '|', expected an expression; absolute values are written 'abs(x)'")
    if token.type == "BAR" and place.head not in ("SHOW", "REQUIRE"):
        message = "'|' stands in measures before a condition; the logical operator is 'or'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write 'or'", span, "or"))
    if token.type == "STAR" and previous.type == "STAR" and previous.end == token.start:
        span = Span(previous.start, token.end)
        fixes = replacement("write '^'", span, "^", automatic=True)
        return Diagnostic(UNEXPECTED, span, "powers are written with '^'", fixes=fixes)
    if token.type == "TILDE":
        if previous.type == "TILDE":
            fixes = replacement("remove it", span, "", automatic=True)
            return Diagnostic(UNEXPECTED, span, "found a second '~'", fixes=fixes)
        if "NOT" in place.expected or "BANG" in place.expected:
            message = "'~' samples; negation is written '!' or 'not'"
            return Diagnostic(UNEXPECTED, span, message, fixes=replacement("write '!'", span, "!"))
        return Diagnostic(
            UNEXPECTED, span, "'~' samples a variable and stands right after it, at the start of a statement"
        )
    if token.type == "ARROW" and place.head not in ("SHOW", "REQUIRE"):
        return Diagnostic(UNEXPECTED, span, "'->' stands in measures only, as in 'DP(x -> y)'")
    return None
