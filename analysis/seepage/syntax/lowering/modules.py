"""What ``import`` brings: definitions of other texts under names of their own, so that all texts together are one to the transformations.

A definition of a module goes by its *whole name*, ``noise.respond``; every reading of the program and of the modules is rewritten to whole names, so
that a name means what it means in the text it stands in. Places in modules count from :attr:`Module.base` on, past the end of any program, so that
readings of all texts lie in one mapping; what is found there is told at the import (:meth:`Linked.told`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import IMPORT
from seepage.source import MAX_TEXT, SourceFile, Span
from seepage.syntax.assemble import assemble
from seepage.syntax.comments import blank_comments
from seepage.syntax.layout import Layout
from seepage.syntax.lowering.definitions import Definition, Module
from seepage.syntax.lowering.facts import Refused
from seepage.syntax.lowering.renaming import Scope
from seepage.syntax.piece import parse_piece
from seepage.syntax.pieces import PieceKind, cut
from seepage.syntax.raw import RawHeader, RawLeaf, RawSymbol
from seepage.syntax.shipped import SCHEME
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Item, Name, start_of

MOST_MODULES = 100
GAP = 2 * MAX_TEXT  # between the places of two texts
Reading: TypeAlias = RawLeaf | RawHeader


@dataclass(frozen=True, slots=True)
class Import:
    """One ``import`` of the program: the module, and what is called by which name here.

    Attributes:
        span: of the path, with its quotes.
        alias: the name before the point; empty where names are listed.
        listed: the listed names with their places.
    """

    module: Module
    span: Span
    alias: str
    listed: tuple[tuple[str, Span], ...] = ()


@dataclass(slots=True)
class Linked:
    """All readings with names that mean the same everywhere.

    Attributes:
        readings: of the program and of modules, by where they start.
        operators: as :func:`seepage.syntax.lowering.lower.lower` takes them.
        scope: what names of the program mean.
        refused: statements whose names mean nothing, by where they start.
        imports: those of the program, in its order.
        modules: all texts that were read, each once.
        found: what is wrong.
    """

    readings: Mapping[int, Reading]
    operators: Mapping[int, Span | None]
    scope: Scope = field(default_factory=Scope)
    refused: dict[int, Refused] = field(default_factory=dict)
    imports: list[Import] = field(default_factory=list)
    modules: dict[str, Module] = field(default_factory=dict)
    found: dict[Diagnostic, None] = field(default_factory=dict)
    reached: dict[str, Span] = field(default_factory=dict)

    def told(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield findings as the program tells them: of those in a module the first stands at the import that brought it."""
        broken: set[str] = set()
        for one in found:
            module = next(
                (each for each in self.modules.values() if each.base <= one.span.start < each.base + GAP), None
            )
            if module is None:
                yield one
            elif one.is_error and module.key not in broken:
                broken.add(module.key)
                line, _ = module.source.position(one.span.start - module.base)
                message = f"in '{module.path}', line {line}: {one.message}"
                yield Diagnostic(IMPORT, self.reached[module.key], message)


@dataclass(frozen=True, slots=True)
class ModuleText:
    """A module's text, parsed; places are its own.

    Attributes:
        source: the text.
        items: its tree.
        readings: what each piece says, by where it starts.
        operators: where the ``:=`` or ``~`` of each statement stands in its piece.
        documentation: comments above pieces, by where these start.
        errors: what is wrong with it, in its order.
    """

    source: SourceFile
    items: tuple[Item, ...]
    readings: Mapping[int, Reading]
    operators: Mapping[int, Span | None]
    documentation: Mapping[int, str]
    errors: tuple[Diagnostic, ...]


@lru_cache(maxsize=2 * MOST_MODULES)
def parsed_module(path: str, text: str) -> ModuleText:
    """Parse a module; what nobody has changed is not parsed again."""
    blanked = blank_comments(text)
    pieces = cut(blanked.text)
    nothing = parse_piece("")
    read = tuple(
        parse_piece(one.text) if one.kind in (PieceKind.LEAF, PieceKind.HEADER, PieceKind.ELSE) else nothing
        for one in pieces
    )
    layout = Layout(blanked)
    made = assemble(pieces, read, layout)
    said = [(piece.start, one) for piece, one in zip(pieces, read, strict=True) if one.raw is not None]
    errors = sorted(
        (one for one in (*blanked.diagnostics, *made.found) if one.is_error), key=lambda one: one.span.start
    )
    return ModuleText(
        SourceFile(path, text),
        tuple(made.tree.items),
        {start: one.raw for start, one in said if one.raw is not None},
        {start: one.operator for start, one in said},
        layout.documentation,
        tuple(errors),
    )


def definitions_of(label: str, text: ModuleText, cause: Diagnostic | None) -> dict[str, Definition]:
    """Return the names that a module gives."""
    made: dict[str, Definition] = {}
    for item in text.items:
        start = start_of(item)
        reading = text.readings.get(start)
        if reading is None or reading.name is None or reading.keyword not in ("def", "const", "enum", "table"):
            continue
        name = reading.name.value
        at = placed(reading.name, start)
        documentation = text.documentation.get(start, "")
        arguments = tuple(one.value for one in reading.names) if reading.keyword == "def" else ()
        made[name] = Definition(reading.keyword, Name(f"{label}.{name}", at), at, arguments, documentation, cause=cause)
        if reading.keyword == "enum":
            for one in reading.names:
                where = placed(one, start)
                made.setdefault(one.value, Definition("member", RawSymbol(one.value, where), where, cause=cause))
    return made


def names_brought(reading: RawLeaf) -> list[str]:
    """Return the names that an import is to bring."""
    if reading.names:
        return [one.value for one in reading.names]
    return [
        reading.name.value
        if reading.name is not None
        else module_name(reading.path.value[1:-1] if reading.path else "")
    ]


def module_name(path: str) -> str:
    """Return the name that a module has where none is given: that of its file without the ending."""
    return PurePosixPath(path.removeprefix(SCHEME)).stem


def placed(token: Token, start: int) -> Span:
    """Return where a token of the piece that starts there stands in its text."""
    return Span(token.start + start, token.end + start)
