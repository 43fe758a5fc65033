"""Operators and lists of other languages inside expressions: ``a div b``, ``a %/% b``, ``a << 2``, ``sum(x for i in range(3))``."""

from __future__ import annotations

from collections.abc import Mapping

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import NO_STATEMENT, UNEXPECTED
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.slips.place import between_commas, partners, span_of, spelled
from seepage.syntax.tokens import Token, scan

_Rewritten = tuple[Diagnostic, list[Token]]

# What stands between two operands, and the call that it means.
_CALLS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("%", "/", "%"), "floor({0} / {1})", "integer division is 'floor(a / b)'"),
    (("%", "%"), "{0} % {1}", "the remainder is written '%'"),
    (("div",), "floor({0} / {1})", "integer division is 'floor(a / b)'"),
    (("is", "not"), "{0} != {1}", "'is not' is written '!='"),
    (("is",), "{0} == {1}", "'is' is written '=='"),
    (("&",), "bit_and({0}, {1})", "the bits that two numbers share are 'bit_and(a, b)'"),
    (("|",), "bit_or({0}, {1})", "the bits of one number and those of another are 'bit_or(a, b)'"),
    (("<", "<"), "shift_left({0}, {1})", "bits are moved by 'shift_left(a, n)'"),
    ((">", ">"), "shift_right({0}, {1})", "bits are moved by 'shift_right(a, n)'"),
)
_FIRST = frozenset(signs[0] for signs, _, _ in _CALLS)
_OF_BITS = ("&", "|")
_SINGLE = ("NAME", "NUMBER")


def operator_as_call(tokens: list[Token]) -> _Rewritten | None:
    """Operators whose meaning is a call here, between two operands of one word or in parentheses."""
    asks = tokens[0].type in ("SHOW", "REQUIRE")
    places = [at for at in range(1, len(tokens) - 1) if tokens[at].value in _FIRST]
    brackets = partners(tokens) if places else {}
    for at in places:
        for signs, form, told in _CALLS:
            behind = at + len(signs)
            if tuple(one.value for one in tokens[at:behind]) != signs or behind >= len(tokens):
                continue
            first, last = _operand_before(tokens, at, brackets), _operand_behind(tokens, behind, brackets)
            if first is None or last is None:
                continue
            if signs[0] in _OF_BITS and (asks or not {tokens[first].type, tokens[last].type} & {"NUMBER"}):
                continue  # of truth values elsewhere, and a condition in measures
            span = Span(tokens[first].start, tokens[last].end)
            meant = form.format(spelled(tokens[first:at]), spelled(tokens[behind : last + 1]))
            words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
            fixes = replacement(f"write '{meant}'", span, meant)
            return Diagnostic(UNEXPECTED, span, told, fixes=fixes), [*tokens[:first], *words, *tokens[last + 1 :]]
    return None


def _operand_before(tokens: list[Token], end: int, brackets: Mapping[int, int]) -> int | None:
    """Return where the operand begins that ends before a place."""
    if tokens[end - 1].type in _SINGLE:
        return end - 1
    at = brackets.get(end - 1) if tokens[end - 1].type == "RPAR" else None
    return None if at is None or (at and tokens[at - 1].type == "NAME") else at


def _operand_behind(tokens: list[Token], first: int, brackets: Mapping[int, int]) -> int | None:
    """Return where the operand ends that begins at a place."""
    if tokens[first].type in _SINGLE and (first + 1 == len(tokens) or tokens[first + 1].type not in ("LPAR", "LSQB")):
        return first
    return brackets.get(first) if tokens[first].type == "LPAR" else None


def range_inside(tokens: list[Token]) -> _Rewritten | None:
    """``sum(x for i in range(3))`` and ``[x for i in range(1, 4)]``: a comprehension runs over ``a..b``."""
    if tokens[0].type == "FOR":
        return None
    brackets = partners(tokens)
    for at in range(1, len(tokens) - 3):
        if (tokens[at].type, tokens[at + 1].value, tokens[at + 2].type) != ("IN", "range", "LPAR"):
            continue
        closing = brackets.get(at + 2)
        arguments = between_commas(tokens[at + 3 : closing]) if closing is not None else []
        if closing is None or len(arguments) not in (1, 2) or not all(arguments):
            continue
        low = "0" if len(arguments) == 1 else spelled(arguments[0])
        high = spelled(arguments[-1])
        meant = f"{low}..{int(high) - 1 if high.isascii() and high.isdecimal() else f'{high} - 1'}"
        span = Span(tokens[at + 1].start, tokens[closing].end)
        written = spelled(tokens[at + 1 : closing + 1])
        message = f"a comprehension runs over 'a..b', both ends included: '{written}' is '{meant}'"
        if all(one.type != "FOR" for one in tokens[:at]):
            meant = f"{{{meant}}}"
            message = f"whether a value is one of several is written 'x in {{a, b}}': '{written}' is '{meant}'"
        words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
        found = Diagnostic(
            UNEXPECTED, span, message, fixes=replacement(f"write '{meant}'", span, meant, automatic=True)
        )
        return found, [*tokens[: at + 1], *words, *tokens[closing + 1 :]]
    return None


def repeated_list(tokens: list[Token]) -> _Rewritten | None:
    """``[0] * 3``: an array of equal values is a comprehension."""
    brackets = partners(tokens)
    for at in range(1, len(tokens) - 3):
        if tokens[at].type != "LSQB" or tokens[at - 1].type not in ("ASSIGN", "EQUAL"):
            continue
        closing = brackets.get(at)
        if closing is None or closing + 2 >= len(tokens) or tokens[closing + 1].type != "STAR":
            continue
        value, count = tokens[at + 1 : closing], tokens[closing + 2 :]
        if (
            not value
            or len(between_commas(value)) != 1
            or _operand_behind(tokens, closing + 2, brackets) != len(tokens) - 1
        ):
            continue
        meant = f"[{spelled(value)} for _ in 1..{spelled(count)}]"
        span = Span(tokens[at].start, tokens[-1].end)
        words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
        message = f"an array of equal values is written '{meant}'"
        return Diagnostic(UNEXPECTED, span, message, fixes=replacement(f"write '{meant}'", span, meant)), [
            *tokens[:at],
            *words,
        ]
    return None


def grown_list(tokens: list[Token]) -> _Rewritten | None:
    """``l.append(x)``."""
    if [one.type for one in tokens[:4]] != ["NAME", "DOT", "NAME", "LPAR"] or tokens[2].value not in _GROWING:
        return None
    name, whole = tokens[0].value, Span(tokens[0].start, tokens[-1].end)
    message = (
        f"arrays do not grow: '{name} := [a, b]' lists all values, and '{name}[i] := e' gives one element its value"
    )
    return Diagnostic(NO_STATEMENT, whole, message), [Token("SKIP", "skip", whole.start, whole.start)]


_GROWING = ("append", "push", "push_back", "add", "extend", "insert")


def tuple_below(tokens: list[Token]) -> _Rewritten | None:
    """``(a, b) := (1, 2)`` on a line of its own, which continues the line above."""
    brackets = partners(tokens)
    for at in range(1, len(tokens) - 5):
        if tokens[at].type != "LPAR" or tokens[at - 1].type not in (*_SINGLE, "RPAR", "RSQB"):
            continue
        closing = brackets.get(at)
        if closing is None or closing + 2 >= len(tokens) or tokens[closing + 1].type not in _SIGNS:
            continue
        targets = between_commas(tokens[at + 1 : closing])
        if len(targets) < 2 or any([one.type for one in part] != ["NAME"] for part in targets):
            continue
        behind = tokens[closing + 2 :]
        if behind[0].type == "LPAR" and partners(behind).get(0) == len(behind) - 1:
            behind = behind[1:-1]
        values = between_commas(behind)
        sign = "~" if tokens[closing + 1].type == "TILDE" else ":="
        span = Span(tokens[at].start, tokens[-1].end)
        head = f"{', '.join(spelled(part) for part in targets)} {sign} {spelled(behind)}"
        message = f"one statement assigns one variable: write '{spelled(targets[0])} {sign} …' and one for each other"
        fixes: tuple[Fix, ...] = (Fix("remove the parentheses", (Edit(span, head),)),)
        names = {part[0].value for part in targets[:-1]}
        if (
            len(values) == len(targets)
            and all(values)
            and not any(one.value in names for part in values[1:] for one in part)
        ):
            lines = [
                f"{spelled(target)} {sign} {spelled(value)}" for target, value in zip(targets, values, strict=True)
            ]
            fixes = (Fix("write a statement for each variable", (Edit(span, "\n".join(lines)),)),)
        return Diagnostic(NO_STATEMENT, span, message, fixes=fixes), tokens[:at]
    return None


_SIGNS = ("ASSIGN", "EQUAL", "TILDE")


def swapped(tokens: list[Token]) -> _Rewritten | None:
    """``x, y = y, x``, where the second statement would read what the first one has assigned."""
    sign = next((at for at, one in enumerate(tokens) if one.type in ("ASSIGN", "EQUAL")), None)
    if sign is None or tokens[0].type != "NAME" or sign + 1 == len(tokens):
        return None
    targets, values = between_commas(tokens[:sign]), between_commas(tokens[sign + 1 :])
    if len(targets) < 2 or len(values) != len(targets) or not all(values):
        return None
    if any([one.type for one in part] != ["NAME"] for part in targets):
        return None
    span = Span(tokens[0].start, tokens[-1].end)
    names = [part[0].value for part in targets]
    kept = [f"{name}_new := {spelled(value)}" for name, value in zip(names, values, strict=True)]
    lines = [*kept, *(f"{name} := {name}_new" for name in names)]
    message = "one statement assigns one variable; what later ones read of it is kept first"
    fix = Fix("write a statement for each variable", (Edit(span, "\n".join(lines)),))
    return Diagnostic(NO_STATEMENT, span, message, fixes=(fix,)), [
        *targets[0],
        Token("ASSIGN", ":=", tokens[sign].start, tokens[sign].end),
        *values[0],
    ]


def block_by_colon(tokens: list[Token]) -> _Rewritten | None:
    """``def f(x):`` and ``while b:``, whose blocks the whole text tells (:mod:`seepage.syntax.offers`)."""
    last = tokens[-1]
    if tokens[0].value not in ("def", "while") or last.type != "COLON":
        return None
    found = Diagnostic(UNEXPECTED, span_of(last), "blocks stand in braces: found ':', expected '{'")
    return found, [Token("SKIP", "skip", tokens[0].start, tokens[0].start)]
