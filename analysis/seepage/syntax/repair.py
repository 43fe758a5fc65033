"""What a broken piece still says: the names that it binds, and that it heads a block."""

from __future__ import annotations

from fractions import Fraction

from seepage.source import Span
from seepage.syntax.convert import ElseHeader, ForHeader, Header, IfHeader, zero
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Assign, Boolean, Const, Index, Leaf, Name, Number, Output, Param, Secret, Target


def repair(tokens: list[Token]) -> Leaf | Header | None:
    """Return a leaf or header with harmless parts in the place of what cannot be read, or None."""
    last = tokens[-2] if tokens[-1].type == "LBRACE" and len(tokens) > 1 else tokens[-1]
    span = Span(tokens[0].start, last.end)
    names = [token for token in tokens[1:] if token.type == "NAME"]
    match tokens[0].type:
        case "IF":
            return IfHeader(Boolean(True, span), span)
        case "ELSE":
            return IfHeader(Boolean(True, span), span, continues=True) if len(tokens) > 2 else ElseHeader(span)
        case "FOR":
            one = Number(Fraction(1), Span(span.end, span.end))
            name = names[0] if names and tokens[1].type in ("NAME", "LPAR") else None
            name_span = Span(name.start, name.end) if name else span
            return ForHeader(name.value if name else "_", one, one, name_span, span)
        case "PARAM" if names:
            return Param(names[0].value, None, None, Span(names[0].start, names[0].end), span)
        case "CONST" if names:
            return Const(names[0].value, zero(span.end), Span(names[0].start, names[0].end), span)
        # 'secret x ~ D' most of all gives 'x' a value: without it, whatever uses 'x' would seem wrong.
        case "SECRET" | "OUTPUT" if (
            (rest := tokens[2:] if tokens[1:2] and tokens[1].type == "INITIAL" else tokens[1:])[1:]
            and rest[1].type != "COMMA"
            and (target := _assigned(rest))
        ):
            return Assign(target, zero(span.end), span)
        case "SECRET" if targets := _listed(tokens):
            return Secret(None, targets, span)
        case "OUTPUT" if targets := _listed(tokens):
            return Output(targets, span)
        case "NAME" if (target := _assigned(tokens)) is not None:
            return Assign(target, zero(span.end), span)
        case _:
            return None


def _listed(tokens: list[Token]) -> tuple[Target, ...]:
    """Return the plain names of a list; an index that cannot be read makes it the whole array."""
    targets: list[Target] = []
    depth = 0
    for token in tokens:
        if token.type in ("TILDE", "ASSIGN", "EQUAL"):
            break  # what follows is a value: it names a law, or variables that are declared elsewhere
        depth += {"LSQB": 1, "RSQB": -1}.get(token.type, 0)
        if token.type == "NAME" and depth == 0:
            targets.append(Name(token.value, Span(token.start, token.end)))
    return tuple(targets)


def _assigned(tokens: list[Token]) -> Target | None:
    """Return the variable or element that stands before ``:=``, ``~`` or, by mistake, ``=``."""
    if not tokens or tokens[0].type != "NAME":
        return None
    name = Name(tokens[0].value, Span(tokens[0].start, tokens[0].end))
    operators = ("ASSIGN", "TILDE", "EQUAL")
    match tokens[1:3]:
        case [Token("ASSIGN" | "TILDE" | "EQUAL" | "COLON"), *_]:
            return name
        case [Token("LT"), Token("MINUS")] | [Token(), Token("EQUAL")] | [Token("COMMA"), Token("NAME")]:
            return name
        case [Token("PLUS"), Token("PLUS")] | [Token("MINUS"), Token("MINUS")]:
            return name
    match tokens[1:5]:
        case [Token("LSQB"), Token("NUMBER" | "NAME") as index, Token("RSQB"), Token(type_)] if type_ in operators:
            where = Span(index.start, index.end)
            inner = Number(Fraction(index.value), where) if index.type == "NUMBER" else Name(index.value, where)
            return Index(name.id, inner, name.span, Span(name.span.start, tokens[3].end))
        case [Token("LSQB"), *_] if (end := _first(tokens, ("ASSIGN", "TILDE"))) is not None:
            return Index(name.id, zero(end), name.span, Span(name.span.start, end))
        case _:
            return None


def _first(tokens: list[Token], types: tuple[str, ...]) -> int | None:
    """Return where the first token of these types starts."""
    return next((token.start for token in tokens if token.type in types), None)
