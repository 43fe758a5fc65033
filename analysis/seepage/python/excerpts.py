"""What of a file a function reaches: the analysis of one depends on that much of the text, and an edit elsewhere leaves it as it is.

A text is cut at lines that begin a statement at the left edge, and each piece is parsed once: texts of two versions share most pieces. A
piece that only defines functions and classes is left out of an excerpt that names none of them; any other stays, and so does a definition
that imports, names globals, writes attributes of something else or calls others of the file when it is imported, which the whole file is read for.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.python.module_changes import reaches_out
from seepage.python.module_scopes import names_bound_by, own_nodes, run_at_import
from seepage.python.reading import parsed
from seepage.source import Span

_START = re.compile(r"^(?:@|(?!(?:elif|else|except|finally)\b)[^\W\d])|\"\"\"|'''", re.MULTILINE)
_QUOTES = ('"""', "'''")
_KNOWN_PIECES = 8_192
FUNCTION_LAW = "function:"


@dataclass(frozen=True, slots=True)
class Defined:
    """A function or method: its full name, and what decorates it."""

    name: str
    decorators: tuple[ast.expr, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some whole statements of a file.

    Attributes:
        text: of them.
        is_kept: whether every excerpt holds them.
        binds: the functions and classes that they define.
        holds: these, and the variables that they bind.
        uses: the names that they read.
        runs: those of them that act when the file is imported: in decorators, bases, and calls of defaults and classes.
        functions: functions and methods.
    """

    text: str
    is_kept: bool
    binds: frozenset[str]
    holds: frozenset[str]
    uses: frozenset[str]
    runs: frozenset[str]
    functions: tuple[Defined, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a file; ``starts`` are the offsets of its pieces in itself and ``places`` those in the file, both ascending."""

    text: str
    starts: tuple[int, ...]
    places: tuple[int, ...]

    def in_file(self, span: Span) -> Span:
        """Return a place of the excerpt as one of the file."""
        return Span(self._offset(span.start), self._offset(span.end))

    def _offset(self, offset: int) -> int:
        at = bisect_right(self.starts, offset) - 1
        return self.places[at] + offset - self.starts[at]


@lru_cache(4)  # each marked function of a file asks for them
def pieces_of(text: str) -> tuple[Piece, ...] | Diagnostic:
    """Return a text in pieces; one piece where it cannot be cut, and why Python cannot read it where that is so."""
    starts = [0, *_starts(text), len(text)]
    found: list[Piece] = []
    for start, end in pairwise(starts):
        piece = _piece(text[start:end])
        if isinstance(piece, Diagnostic):
            whole = _piece(text)
            return whole if isinstance(whole, Diagnostic) else (whole,)
        found.append(piece)
    return tuple(found)


def _starts(text: str) -> Iterator[int]:
    """Yield where statements begin at the left edge; decorators begin what they decorate, and long texts hold no statements.

    A quote in a comment misleads this: then pieces cannot be read, and the text is one piece.
    """
    decorated, quote = False, ""
    for match in _START.finditer(text):
        if match[0] in _QUOTES:
            quote = match[0] if not quote else "" if quote == match[0] else quote
        elif not quote:
            if not decorated and match.start():
                yield match.start()
            decorated = match[0] == "@"


@lru_cache(_KNOWN_PIECES)
def _piece(text: str) -> Piece | Diagnostic:
    tree = parsed(text)
    if isinstance(tree, Diagnostic):
        return tree
    defined: list[Defined] = []
    for statement in tree.body:
        match statement:
            case ast.FunctionDef():
                defined.append(_defined(statement))
            case ast.ClassDef(name=owner, body=body):
                defined += [_defined(one, f"{owner}.") for one in body if isinstance(one, ast.FunctionDef)]
            case _:
                pass
    definitions = [one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)]
    return Piece(
        text,
        len(definitions) < len(tree.body) or not tree.body or any(reaches_out(node) for node in ast.walk(tree)),
        frozenset(one.name for one in definitions),
        frozenset(_held(tree)),
        frozenset(name for node in ast.walk(tree) for name in _names(node)),
        frozenset(name for node in _acting(tree) for inner in ast.walk(node) for name in _names(inner)),
        tuple(defined),
    )


def _held(tree: ast.Module) -> Iterator[str]:
    for node in own_nodes(tree.body):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            yield from names_bound_by(node)


def _acting(tree: ast.Module) -> Iterator[ast.AST]:
    for node in run_at_import(tree.body):
        match node:
            case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
                yield from decorators
            case ast.ClassDef(decorator_list=decorators, bases=bases):
                yield from (*decorators, *bases)
            case ast.Call():
                yield node
            case _:
                pass


def _defined(node: ast.FunctionDef, owner: str = "") -> Defined:
    return Defined(owner + node.name, tuple(node.decorator_list))


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Constant(value=str(text)) if text.strip().startswith(FUNCTION_LAW):
            yield text.strip().removeprefix(FUNCTION_LAW).strip()
        case _:
            pass


def excerpt(pieces: Iterable[Piece], names: Iterable[str]) -> Excerpt:
    """Return the pieces that every excerpt holds, with those that define some names, what these use, and so on."""
    every = tuple(pieces)
    held = frozenset[str]().union(*(one.holds for one in every))
    kept = {one for one in every if one.is_kept or one.runs & held}
    wanted, reached = set(names), set[str]()
    wanted.update(*(one.uses for one in kept))
    while wanted - reached:
        fresh, reached = wanted - reached, reached | wanted
        wanted.update(*(one.uses for one in every if one not in kept and one.binds & fresh))
    texts, starts, places = list[str](), list[int](), list[int]()
    inside = outside = 0
    for one in every:
        if one in kept or one.binds & reached:
            texts.append(one.text)
            starts.append(inside)
            places.append(outside)
            inside += len(one.text)
        outside += len(one.text)
    return Excerpt("".join(texts), tuple(starts) or (0,), tuple(places) or (0,))
