"""What a text that is imported gives: its definitions, by name."""

from __future__ import annotations

from collections.abc import Mapping

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.source import SourceFile, Span
from seepage.syntax.raw import Raw


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a module gives.

    Attributes:
        kind: the word that declares it; ``member`` for one of an enumeration.
        meaning: what stands for it in readings.
        span: of its name in the module's text.
        arguments: of a procedure.
        documentation: the comment above it.
        missing: why it cannot be had; empty if it can.
        cause: the fault of its file, if that has one: then it cannot be had, either.
    """

    kind: str
    meaning: Raw
    span: Span
    arguments: tuple[str, ...] = ()
    documentation: str = ""
    missing: str = ""
    cause: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class Module:
    """A text that is imported.

    Attributes:
        key: what its file is known by.
        path: as the first import names it.
        label: what whole names begin with.
        source: its text.
        base: where its places begin.
        definitions: what it gives, by name.
    """

    key: str
    path: str
    label: str
    source: SourceFile
    base: int
    definitions: Mapping[str, Definition]
