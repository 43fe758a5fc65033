"""What is written as other languages write it and can be read as what it means: the tokens that mean it, and what to say.

A piece is rewritten before it is read, so that one habit is told once and what follows from it is not told at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import NO_STATEMENT, UNEXPECTED, UNKNOWN_CHARACTER
from seepage.source import Span
from seepage.syntax.fixes import replacement, shortened
from seepage.syntax.slips.counting import counting_loop
from seepage.syntax.slips.loops import counted_loop, loop_over_elements
from seepage.syntax.slips.operators import (
    block_by_colon,
    grown_list,
    operator_as_call,
    range_inside,
    repeated_list,
    swapped,
    tuple_below,
)
from seepage.syntax.slips.place import between_commas, depths, partners, span_of, spelled
from seepage.syntax.tokens import OPERAND_ENDS, Token, scan
from seepage.syntax.vocabulary.measures import MEASURES
from seepage.syntax.vocabulary.modules import MODULES, qualified

_Rewritten = tuple[Diagnostic, list[Token]]
_ASKS = ("SHOW", "REQUIRE")
# Signs without which there is nothing to rewrite in a statement.
_SIGNS = frozenset({"UNKNOWN", "LSQB", "LBRACE", "PERCENT", "BAR", "EQUAL", "COMMA"})
_WORDS = frozenset({"sample", "draw", "div", "range", "is", "<", ">"})


def rewritten(tokens: list[Token]) -> tuple[list[Token], list[Diagnostic]]:
    """Return the tokens that are meant, and what to say about those that were written."""
    found: list[Diagnostic] = []
    for statement in (counting_loop, block_by_colon, grown_list):
        if (meant := statement(tokens)) is not None:
            return meant[1], [meant[0]]
    if tokens[0].type == "FOR" and (loop := counted_loop(tokens) or loop_over_elements(tokens)) is not None:
        return loop[1], [loop[0]]
    if tokens[0].value in ("print", "const", "table") and (whole := _statement(tokens)) is not None:
        return whole[1], [whole[0]]
    if tokens[0].type not in _ASKS and not any(one.type in _SIGNS or one.value in _WORDS for one in tokens):
        return tokens, found
    for _ in range(_MOST):
        for habit in _HABITS:
            if (made := habit(tokens)) is not None:
                found.append(made[0])
                tokens = made[1]
                break
        else:
            break
    return tokens, found


_MOST = 20  # habits in one statement, each of which costs a walk over it


def _statement(tokens: list[Token]) -> _Rewritten | None:
    """``print(…)``, ``const double p = …``, ``table t from t.csv``."""
    first, span = tokens[0], Span(tokens[0].start, tokens[-1].end)
    nothing = [Token("SKIP", "skip", first.start, first.end)]
    match tokens[:4]:
        case [Token(value="print"), Token("LPAR"), *_] if tokens[-1].type == "RPAR":
            shown = tokens[2:-1]
            message = "there is no 'print': 'show' tells a measure, and values have chances, as in 'show P(x == 1)'"
            if shown and shown[0].value in MEASURES:
                edits = (Edit(Span(first.start, tokens[1].end), "show "), Edit(span_of(tokens[-1]), ""))
                return Diagnostic(NO_STATEMENT, span, message, fixes=(Fix("show the measure", edits),)), nothing
            return Diagnostic(NO_STATEMENT, span, message, fixes=replacement("remove it", span, "")), nothing
        case [Token("CONST"), Token("NAME", kind) as type_] if kind in _TYPES:
            message = f"a constant needs no type: remove '{kind}'"
            fixes = replacement(f"remove '{kind}'", span_of(type_), "", automatic=True)
            return Diagnostic(UNEXPECTED, span_of(type_), message, fixes=fixes), nothing
        case [Token(value="table"), Token("NAME"), Token(value="from"), Token("NAME")]:
            return _path(tokens)
        case _:
            return None


def _path(tokens: list[Token]) -> _Rewritten:
    """``table people from people.csv``."""
    first = 3
    last = next((at for at, one in enumerate(tokens) if at > first and one.value == "weight"), len(tokens))
    path = tokens[first:last]
    span = Span(path[0].start, path[-1].end)
    quoted = f'"{spelled(path)}"'
    fixes = replacement(f"write '{quoted}'", span, quoted, automatic=True)
    found = Diagnostic(UNEXPECTED, span, f"the path of a file stands in quotes: {quoted}", fixes=fixes)
    return found, [*tokens[:first], Token("STRING", quoted, span.start, span.end), *tokens[last:]]


_TYPES = ("int", "double", "float", "bool", "real", "auto")


def _choice(tokens: list[Token]) -> _Rewritten | None:
    """``b ? x : y``."""
    mark = next((at for at, one in enumerate(tokens) if one.type == "UNKNOWN" and one.value == "?"), None)
    levels = None if mark is None else depths(tokens)
    if mark is None or levels is None:
        return None
    level = levels[mark]
    colon = next(
        (
            at
            for at in range(mark + 1, len(tokens))
            if tokens[at].type == "COLON" and levels[at] == level and not _marks(tokens[mark + 1 : at])
        ),
        None,
    )
    if colon is None:
        return None
    first = mark
    while (
        first and not (levels[first - 1] == level and tokens[first - 1].type in _BEFORE) and levels[first - 1] >= level
    ):
        first -= 1
    last = colon + 1
    while last < len(tokens) and not (levels[last] == level and tokens[last].type in _BEHIND) and levels[last] >= level:
        last += 1
    if first == mark or mark + 1 == colon or last == colon + 1:
        return None
    span = Span(tokens[first].start, tokens[last - 1].end)
    message = "'b ? x : y' is written 'if b then x else y'"
    alone = first > 0 and tokens[first - 1].type in ("ASSIGN", "EQUAL") and last == len(tokens)
    opening, closing = ("", "") if alone else ("(", ")")
    condition, consequent = spelled(tokens[first:mark]), spelled(tokens[mark + 1 : colon])
    meant = f"{opening}if {condition} then {consequent} else {spelled(tokens[colon + 1 : last])}{closing}"
    words = [
        Token("LPAR", "(", span.start, span.start),
        Token("IF", "if", span.start, span.start),
        *tokens[first:mark],
        Token("THEN", "then", tokens[mark].start, tokens[mark].end),
        *tokens[mark + 1 : colon],
        Token("ELSE", "else", tokens[colon].start, tokens[colon].end),
        *tokens[colon + 1 : last],
        Token("RPAR", ")", span.end, span.end),
    ]
    fixes = replacement(f"write '{shortened(meant)}'", span, meant)
    return Diagnostic(UNKNOWN_CHARACTER, span, message, fixes=fixes), [*tokens[:first], *words, *tokens[last:]]


# At the depth of the choice; a bracket around it ends it too.
_BEFORE = ("ASSIGN", "EQUAL", "COMMA", "TILDE", "OBSERVE", "IF")
_BEHIND = ("COMMA", "SEMICOLON")


def _marks(tokens: Sequence[Token]) -> bool:
    return any(one.type == "UNKNOWN" and one.value == "?" for one in tokens)


def _call_of_module(tokens: list[Token]) -> _Rewritten | None:
    """``np.random.normal(0, 1)`` and ``math.exp(x)``: functions and distributions stand in no modules."""
    brackets = partners(tokens)
    for at, token in enumerate(tokens):
        if token.type != "NAME" or token.value not in MODULES:
            continue
        end = at + 1
        while end + 1 < len(tokens) and tokens[end].value == "." and tokens[end + 1].type == "NAME":
            end += 2
        if end == at + 1 or end >= len(tokens) or tokens[end].type != "LPAR":
            continue
        closing = brackets.get(end)
        if closing is None:
            continue
        arguments = [part for part in between_commas(tokens[end + 1 : closing]) if part]
        name = "".join(one.value for one in tokens[at:end])
        meant = qualified(name, [spelled(part) for part in arguments])
        if meant is None:
            continue
        span = Span(token.start, tokens[closing].end)
        words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
        message = f"'{name}' is written '{shortened(meant)}'; there are no modules"
        fixes = replacement(f"write '{shortened(meant)}'", span, meant)
        return Diagnostic(UNKNOWN_CHARACTER, span, message, fixes=fixes), [*tokens[:at], *words, *tokens[closing + 1 :]]
    return None


def _measure_of_list(tokens: list[Token]) -> _Rewritten | None:
    """``E[x]``, ``H({x, y})``, ``I([x, y]; o)``: a measure has parentheses, and its variables stand without others."""
    if tokens[0].type not in _ASKS:
        return None
    brackets = partners(tokens)
    for at, token in enumerate(tokens[1:], 1):
        before = tokens[at - 1]
        if token.type not in ("LSQB", "LBRACE") or (closing := brackets.get(at)) is None:
            continue
        inside = tokens[at + 1 : closing]
        if (
            token.type == "LSQB"
            and before.type == "NAME"
            and before.value in MEASURES
            and tokens[0].end <= before.start
        ):
            meant = f"{before.value}({spelled(inside)})"
            message = f"'{before.value}' is written with parentheses, '{shortened(meant)}'"
            edits = (Edit(span_of(token), "("), Edit(span_of(tokens[closing]), ")"))
            fix = Fix(f"write '{shortened(meant)}'", edits, automatic=True)
            words = [token._replace(type="LPAR", value="("), *inside, tokens[closing]._replace(type="RPAR", value=")")]
            return Diagnostic(UNEXPECTED, Span(token.start, tokens[closing].end), message, fixes=(fix,)), [
                *tokens[:at],
                *words,
                *tokens[closing + 1 :],
            ]
        is_list = before.type in ("LPAR", "COMMA", "SEMICOLON", "ARROW", "BAR", "BARS")
        if is_list and inside and all(one.type in ("NAME", "COMMA") for one in inside):
            span = Span(token.start, tokens[closing].end)
            meant = spelled(inside)
            message = f"the variables of a measure stand without brackets: '{shortened(meant)}'"
            fixes = replacement("remove the brackets", span, meant, automatic=True)
            return Diagnostic(UNEXPECTED, span, message, fixes=fixes), [
                *tokens[:at],
                *inside,
                *tokens[closing + 1 :],
            ]
    return None


def _membership(tokens: list[Token]) -> _Rewritten | None:
    """``x in [1, 2]``."""
    if tokens[0].type not in ("NAME", "OBSERVE", "IF", "ELSE"):
        return None
    brackets = partners(tokens)
    for at, token in enumerate(tokens):
        if token.type != "IN" or at < 1 or at + 1 >= len(tokens) or tokens[at + 1].type not in ("LSQB", "LBRACE"):
            continue
        closing = brackets.get(at + 1)
        negated = tokens[at - 1].type == "NOT"
        operand = tokens[at - 2] if negated and at > 1 else tokens[at - 1]
        if closing is None or operand.type != "NAME":
            continue
        parts = [part for part in between_commas(tokens[at + 2 : closing]) if part]
        if not parts or any(one.type == "DOTS" for part in parts for one in part):
            continue
        relation, word = ("!=", " and ") if negated else ("==", " or ")
        meant = f"({word.join(f'{operand.value} {relation} {spelled(part)}' for part in parts)})"
        span = Span(operand.start, tokens[closing].end)
        words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
        message = f"whether a value is one of several is written '{shortened(meant)}'"
        fixes = replacement(f"write '{shortened(meant)}'", span, meant)
        before = tokens[: at - (2 if negated else 1)]
        return Diagnostic(UNEXPECTED, span, message, fixes=fixes), [*before, *words, *tokens[closing + 1 :]]
    return None


def _list_in_call(tokens: list[Token]) -> _Rewritten | None:
    """``max([x, y])``: a function takes its arguments one by one."""
    brackets = partners(tokens)
    for at, token in enumerate(tokens[2:], 2):
        if token.type != "LSQB" or tokens[at - 1].type != "LPAR" or tokens[at - 2].type != "NAME":
            continue
        closing = brackets.get(at)
        if closing is None or closing + 1 >= len(tokens) or tokens[closing + 1].type != "RPAR":
            continue
        inside, name = tokens[at + 1 : closing], tokens[at - 2].value
        if not inside or tokens[0].type in _ASKS:
            continue
        form = "uniform_of" if name in _CHOICES else name
        first = at - 2
        while first > 1 and tokens[first - 1].value == "." and tokens[first - 2].type == "NAME":
            first -= 2
        span = Span(tokens[first].start, tokens[closing + 1].end)
        meant = f"{form}({spelled(inside)})"
        message = f"the values stand without brackets: '{shortened(meant)}'"
        fixes = replacement(f"write '{shortened(meant)}'", span, meant)
        words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
        return Diagnostic(UNEXPECTED, span, message, fixes=fixes), [*tokens[:first], *words, *tokens[closing + 2 :]]
    return None


_CHOICES = ("choice", "uniformDraw", "uniform", "discrete", "sample")


_BEHIND_PERCENT = ("RPAR", "COMMA", "THEN", "ELSE", "RBRACE")


def _percent(tokens: list[Token]) -> _Rewritten | None:
    """``50%``: the sign is that of the remainder."""
    for at, token in enumerate(tokens[1:], 1):
        number = tokens[at - 1]
        following = tokens[at + 1].type if at + 1 < len(tokens) else "$END"
        if token.type != "PERCENT" or number.type != "NUMBER" or following not in _BEHIND_PERCENT:
            continue
        span, meant = Span(number.start, token.end), f"{number.value} / 100"
        message = f"'%' is the remainder of a division; {number.value} percent are '{meant}'"
        fixes = replacement(f"write '{meant}'", span, meant, automatic=True)
        words = [one._replace(start=token.start, end=token.end) for one in scan("/ 100")]
        return Diagnostic(UNEXPECTED, span, message, fixes=fixes), [*tokens[:at], *words, *tokens[at + 1 :]]
    return None


def _drawn_by_call(tokens: list[Token]) -> _Rewritten | None:
    """``x = sample(D)``: '~' samples."""
    at = next((at for at, one in enumerate(tokens) if one.type in ("ASSIGN", "EQUAL", "TILDE")), None)
    if at is None or tokens[0].type != "NAME" or len(tokens) < at + 5 or tokens[at + 1].value not in ("sample", "draw"):
        return None
    if (
        tokens[at + 2].type != "LPAR"
        or tokens[at + 3].type != "NAME"
        or partners(tokens).get(at + 2) != len(tokens) - 1
    ):
        return None
    span = Span(tokens[at].start, tokens[-1].end)
    law = tokens[at + 3 : -1]
    meant = f"~ {spelled(law)}"
    message = f"'{tokens[at + 1].value}(D)' is written 'x ~ D'"
    edits = (Edit(Span(tokens[at].start, tokens[at + 3].start), "~ "), Edit(span_of(tokens[-1]), ""))
    fix = Fix(f"write '{shortened(meant)}'", edits, automatic=True)
    return Diagnostic(NO_STATEMENT, span, message, fixes=(fix,)), [
        *tokens[:at],
        tokens[at]._replace(type="TILDE", value="~"),
        *law,
    ]


def _options(tokens: list[Token]) -> _Rewritten | None:
    """``Bernoulli({p: 0.5})``: an argument is named with '='."""
    brackets = partners(tokens)
    for at, token in enumerate(tokens[2:], 2):
        if token.type != "LBRACE" or (tokens[at - 2].type, tokens[at - 1].type) != ("NAME", "LPAR"):
            continue
        closing = brackets.get(at)
        if closing is None or closing + 1 >= len(tokens) or tokens[closing + 1].type != "RPAR":
            continue
        parts = between_commas(tokens[at + 1 : closing])
        if not all([one.type for one in part[:2]] == ["NAME", "COLON"] and len(part) > 2 for part in parts):
            continue
        meant = ", ".join(f"{part[0].value}={spelled(part[2:])}" for part in parts)
        span = Span(token.start, tokens[closing].end)
        words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
        message = f"arguments are named with '=': '{shortened(meant)}'"
        edits: tuple[Edit, ...] = (Edit(span, meant),)
        before = tokens[:at]
        if (
            at == 4 and before[1].type in ("ASSIGN", "EQUAL") and closing + 2 == len(tokens)
        ):  # laws only have names for arguments
            edits = (Edit(span_of(before[1]), "~"), *edits)
            before = [before[0], before[1]._replace(type="TILDE", value="~"), *before[2:]]
        fix = Fix(f"write '{shortened(meant)}'", edits, automatic=True)
        return Diagnostic(UNEXPECTED, span, message, fixes=(fix,)), [*before, *words, *tokens[closing + 1 :]]
    return None


def _several_targets(tokens: list[Token]) -> _Rewritten | None:
    """``x, y = 1, 2`` and ``x = y = 0``: a statement for each."""
    first = next((at for at, one in enumerate(tokens) if one.type in _ASSIGNING), None)
    if first is None or tokens[0].type not in ("NAME", "LPAR"):
        return None
    targets = between_commas(_without_parentheses(tokens[:first]))
    values = between_commas(tokens[first + 1 :])
    if len(values) == 1 < len(targets):
        values = between_commas(_without_parentheses(values[0]))
    sign = "~" if tokens[first].type == "TILDE" else ":="
    if len(targets) == 1:
        parts = _chained(tokens)
        if parts is None:
            return None
        *targets, value = parts
        values = [value] * len(targets)
    elif len(values) == 1 and sign == "~":
        values = values * len(targets)
    if len(values) != len(targets) or not all(values) or not all(part and part[0].type == "NAME" for part in targets):
        return None
    names = {part[0].value for part in targets[:-1]}
    if any(one.value in names for part in values[1:] for one in part):
        return None  # what an earlier one assigns, a later one would read
    span = Span(tokens[0].start, tokens[-1].end)
    lines = [f"{spelled(target)} {sign} {spelled(value)}" for target, value in zip(targets, values, strict=True)]
    message = f"one statement assigns one variable: write '{shortened(lines[0])}' and one for each other"
    fix = Fix("write a statement for each variable", (Edit(span, "\n".join(lines)),))
    type_ = "TILDE" if sign == "~" else "ASSIGN"
    words = [*targets[0], Token(type_, sign, tokens[first].start, tokens[first].end), *values[0]]
    return Diagnostic(NO_STATEMENT, span, message, fixes=(fix,)), words


def _without_parentheses(tokens: list[Token]) -> list[Token]:
    """Return what stands in the parentheses around all of some tokens."""
    if len(tokens) > 2 and tokens[0].type == "LPAR" and partners(tokens).get(0) == len(tokens) - 1:
        return tokens[1:-1]
    return tokens


_ASSIGNING = ("ASSIGN", "EQUAL", "TILDE")


def _chained(tokens: list[Token]) -> list[list[Token]] | None:
    """Return the targets and the value of ``x = y = value``, all written with '='."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "EQUAL":
            parts.append([])
        elif token.type in ("ASSIGN", "TILDE", "LPAR", "LBRACE"):
            return None
        else:
            parts[-1].append(token)
    is_chain = len(parts) > 2 and all(len(part) == 1 for part in parts[:-1]) and bool(parts[-1])
    return parts if is_chain else None


def _absolute(tokens: list[Token]) -> _Rewritten | None:
    """``|x|``."""
    if tokens[0].type in _ASKS:
        return None
    bars = [at for at, one in enumerate(tokens) if one.type == "BAR"]
    if len(bars) != 2 or tokens[bars[0] - 1].type in OPERAND_ENDS or bars[1] == bars[0] + 1 or bars[0] == 0:
        return None
    first, last = bars
    span = Span(tokens[first].start, tokens[last].end)
    meant = f"abs({spelled(tokens[first + 1 : last])})"
    words = [one._replace(start=span.start, end=span.end) for one in scan(meant)]
    fixes = replacement(f"write '{shortened(meant)}'", span, meant)
    message = "found '|', expected an expression; absolute values are written 'abs(x)'"
    return Diagnostic(UNEXPECTED, span, message, fixes=fixes), [*tokens[:first], *words, *tokens[last + 1 :]]


_HABITS: tuple[Callable[[list[Token]], _Rewritten | None], ...] = (
    _list_in_call,
    _call_of_module,
    _drawn_by_call,
    _options,
    _measure_of_list,
    _membership,
    operator_as_call,
    range_inside,
    repeated_list,
    tuple_below,
    _several_targets,
    swapped,
    _choice,
    _percent,
    _absolute,
)
