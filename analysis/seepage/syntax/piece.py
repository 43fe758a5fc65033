"""One piece of text -> its node and what is wrong with it: a pure function of the text, kept in a cache.

All positions are relative to the start of the piece, so a piece that only moved is not read again.

A broken piece still says which names it binds, and that it heads a block.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import STATEMENT_TOO_LONG
from seepage.source import Span
from seepage.syntax import convert
from seepage.syntax.build import Unexpected, read
from seepage.syntax.convert import ElseHeader, ForHeader, Header, IfHeader, zero
from seepage.syntax.explain import explain_all
from seepage.syntax.expressions import too_deep
from seepage.syntax.extended import is_extended, of_modules, outside_members, parts_of
from seepage.syntax.joins import continuations
from seepage.syntax.lexical import prepare
from seepage.syntax.raw import RawHeader, RawLeaf, RawSet
from seepage.syntax.slips.operators import range_inside, repeated_list
from seepage.syntax.slips.rewriting import rewritten
from seepage.syntax.tokens import Token, scan
from seepage.syntax.tree import (
    Assign,
    Boolean,
    Const,
    Index,
    Leaf,
    Name,
    Number,
    Observe,
    Output,
    Param,
    Sample,
    Secret,
    Skip,
    Target,
)


def _repair(tokens: list[Token]) -> Leaf | Header | None:
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


MAX_PIECE = 100_000  # characters: a statement of this size takes about half a second


@dataclass(frozen=True, slots=True)
class ParsedPiece:
    """What a piece says.

    Attributes:
        node: None where nothing can be made of the piece.
        diagnostics: what is wrong with it.
        continuations: where a line of it may join the one above by accident (:mod:`seepage.syntax.joins`).
        is_plain: whether it is a statement with nothing to say about it.
        raw: what the parser read, if it read the whole piece.
        operator: where its ``:=`` or ``~`` stands.
        extends: whether it says anything that the core of the language does not have; ``node`` only stands in for it then.
        of_words: those findings that hold whatever the piece becomes: habits of other languages, words that are no words of this one.
    """

    node: Leaf | Header | None
    diagnostics: tuple[Diagnostic, ...]
    continuations: tuple[tuple[int, str], ...] = ()
    is_plain: bool = False
    raw: RawLeaf | RawHeader | None = None
    operator: Span | None = None
    extends: bool = False
    of_words: tuple[Diagnostic, ...] = ()


def parse_piece(text: str) -> ParsedPiece:
    """Parse a leaf or a header (up to and with its brace); never fails, and depends on nothing but the text."""
    if len(text) > MAX_PIECE:
        return _too_long(text)
    return _parse_short(text) if len(text) < _SHORT else _parse_long(text)


_SHORT = 2_000


@lru_cache(maxsize=16_384)
def _parse_short(text: str) -> ParsedPiece:
    return _judged(text)


@lru_cache(maxsize=32)
def _parse_long(text: str) -> ParsedPiece:
    return _judged(text)


def _judged(text: str) -> ParsedPiece:
    parsed = _parse(text)
    node, places = parsed.node, continuations(text)
    is_plain = isinstance(node, Skip | Assign | Sample | Observe) and not parsed.diagnostics and not places
    is_plain = is_plain and (parsed.raw is None or parsed.raw.keyword not in _HELD_TO_PLACES)
    return replace(parsed, continuations=places, is_plain=is_plain)


_HELD_TO_PLACES = ("enum", "table", "until")


def _too_long(text: str) -> ParsedPiece:
    span = Span(0, len(text))
    message = f"the statement has {len(text)} characters, at most {MAX_PIECE} are read: split it over several variables"
    return ParsedPiece(None, (Diagnostic(STATEMENT_TOO_LONG, span, message),))


def _parse(text: str) -> ParsedPiece:
    scanned = of_modules(scan(text))
    meant, habits = rewritten(scanned) if scanned else (scanned, [])
    if habits and _means_what_it_says(scanned):
        meant, habits = scanned, []
    tokens, found, mended = prepare(meant)
    found = [*habits, *found]
    of_words = tuple(found)
    if not tokens:
        return ParsedPiece(None, tuple(found))
    head = tokens[0].type
    is_header = head in _HEADERS
    operator: Span | None = None
    kept: RawLeaf | RawHeader | None = None
    fed = _with_brace(tokens) if is_header else tokens
    raw = read(fed, "header" if is_header else "leaf")
    match raw:
        case RawHeader() | RawLeaf() if is_extended(raw):
            return _standing_in(raw, tuple(found), _operator(tokens))
        case RawHeader():
            kept = raw
            node: Leaf | Header | None = convert.header(raw, found)
        case RawLeaf():
            kept, operator = raw, _operator(tokens)
            node = convert.leaf(raw, operator, found)
        case Unexpected():
            faults = explain_all(tokens, raw, _read_header if is_header else _read_leaf)
            if not found or (mended and all(one.span.start != faults[0].span.start for one in found)):
                found.extend(faults)
            node = _repair(tokens)
        case _:
            raise AssertionError("leaf and header rules make leaves and headers")
    told = tuple(sorted(found, key=lambda one: (one.span.start, one.span.end)))
    return ParsedPiece(node, told, raw=kept, operator=operator, of_words=of_words)


def _means_what_it_says(scanned: list[Token]) -> bool:
    """Tell whether what looks like a habit of other languages is a construct of this one."""
    tokens, found, _ = prepare(scanned)
    if found or not tokens or range_inside(scanned) is not None or repeated_list(scanned) is not None:
        return False
    is_header = tokens[0].type in _HEADERS
    raw = read(_with_brace(tokens) if is_header else tokens, "header" if is_header else "leaf")
    if not isinstance(raw, RawLeaf | RawHeader) or not is_extended(raw):
        return False
    if raw.keyword == "attacker":
        return True
    return not any(isinstance(one, RawSet) for part in parts_of(raw) for one in outside_members(part))


_HEADERS = ("IF", "FOR", "ELSE", "WHILE", "REPEAT", "NEVER", "DEF")


def _standing_in(raw: RawLeaf | RawHeader, found: tuple[Diagnostic, ...], operator: Span | None) -> ParsedPiece:
    """Return a piece that only the transformation of the whole text can say more of."""
    node: Leaf | Header
    match raw:
        case RawHeader("for", span, name=Token() as token):
            one = Number(Fraction(1), Span(span.end, span.end))
            node = ForHeader(token.value, one, one, Span(token.start, token.end), span)
        case RawHeader("else if"):
            node = IfHeader(Boolean(True, raw.span), raw.span, True)
        case RawHeader():
            node = IfHeader(Boolean(True, raw.span), raw.span)
        case RawLeaf():
            node = Skip(raw.span)
    deep = next((fault for part in parts_of(raw) if (fault := too_deep(part)) is not None), None)
    if deep is not None:
        return ParsedPiece(node, (*found, deep))
    return ParsedPiece(node, found, raw=raw, operator=operator, extends=True, of_words=found)


def _read_leaf(tokens: list[Token]) -> object:
    return read(tokens, "leaf")


def _read_header(tokens: list[Token]) -> object:
    return read(_with_brace(tokens), "header")


def _with_brace(tokens: list[Token]) -> list[Token]:
    """Return a header's tokens with its brace told apart from a table's; where it has none, the blocks are matched later."""
    last = tokens[-1]
    if last.type == "LBRACE":
        return [*tokens[:-1], last._replace(type="OPEN")]
    return [*tokens, Token("OPEN", "{", last.end, last.end)]


def _operator(tokens: list[Token]) -> Span | None:
    for token in tokens:
        if token.type in ("ASSIGN", "TILDE"):
            return Span(token.start, token.end)
    return None
