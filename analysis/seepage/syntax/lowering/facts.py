"""What a text declares and assigns, as far as the transformations to the core ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fix, Rule
from seepage.files import NO_FOLDER, AnyFiles
from seepage.source import Span
from seepage.syntax.data.table import Table
from seepage.syntax.fixes import shifted
from seepage.syntax.raw import Raw
from seepage.syntax.tree import Item

Path = tuple[int | str, ...]  # the indices and fields behind a name
Environment = Mapping[str, "Raw"]  # what names stand for: loop variables, arguments, local variables


@dataclass(frozen=True, slots=True)
class Procedure:
    """A ``def``: its arguments, its block and where it stands."""

    name: str
    arguments: tuple[str, ...]
    items: Sequence[Item]
    header: Span
    draws: bool
    observes: bool


@dataclass(frozen=True, slots=True)
class Data:
    """A declared table: its data, None if they could not be read, and the column of the weights of rows, None for equal ones."""

    table: Table | None
    weight: str | None


class Refused(Exception):
    """A construct that means nothing here, or that this version does not have; the finding is told where it stands."""

    def __init__(self, rule: Rule, span: Span, message: str, fixes: tuple[Fix, ...] = ()) -> None:
        super().__init__(message)
        self.rule, self.span, self.message, self.fixes = rule, span, message, fixes

    def placed(self, start: int) -> Diagnostic:
        """Return the finding of a piece that starts there."""
        return shifted(Diagnostic(self.rule, self.span, self.message, fixes=self.fixes), start)


class Follows(Refused):
    """What cannot be had because of a fault that is told elsewhere: nothing more is said of it where it is used."""

    def __init__(self, cause: Diagnostic) -> None:
        super().__init__(cause.rule, cause.span, cause.message)
        self.cause = cause

    def placed(self, start: int) -> Diagnostic:
        """Return the finding that it follows from."""
        return self.cause


@dataclass(frozen=True, slots=True)
class Inlined:
    """What a call of a procedure becomes that is written out.

    Attributes:
        statements: how many statements.
        shapes: the paths behind each of its results.
    """

    statements: int
    shapes: Sequence[Sequence[Path]]


@dataclass(slots=True)
class Facts:
    """The names of a text.

    Attributes:
        constants: numbers that are known here.
        tables: arrays that are constants, by their paths.
        enumerations: their members in order.
        members: which names are members.
        procedures: by name.
        shapes: the paths that some statement writes behind each name; ``()`` for a plain variable.
        looked_up: constant arrays that are read at a random index: they become variables.
        files: where the files are that the text names.
        imported: constants of modules, by their whole names.
        refused: pieces with names that cannot be had, by where they start.
        data: declared tables.
        rows: from which table what stands at a place is drawn.
        given_tables: procedures with the arguments for which some call passes a table.
        has_choices: whether an attacker chooses anything.
        misplaced: where choices start that may not stand there.
        inlined: what calls become, by the procedure with the values of arguments that are numbers, the paths of those that are arrays, and None.
    """

    constants: dict[str, Raw] = field(default_factory=dict)
    tables: dict[str, dict[Path, Raw]] = field(default_factory=dict)
    enumerations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    shapes: dict[str, dict[Path, None]] = field(default_factory=dict)
    looked_up: dict[str, None] = field(default_factory=dict)
    files: AnyFiles = NO_FOLDER
    imported: dict[str, Raw] = field(default_factory=dict)
    refused: Mapping[int, Refused] = field(default_factory=dict)
    data: dict[str, Data] = field(default_factory=dict)
    rows: dict[tuple[str, Path], Data] = field(default_factory=dict)
    given_tables: set[tuple[str, str]] = field(default_factory=set)
    has_choices: bool = False
    misplaced: frozenset[int] = frozenset()
    inlined: dict[tuple[object, ...], Inlined] = field(default_factory=dict)

    def is_special(self, name: str) -> bool:
        """Tell whether a name means something that the core does not have."""
        if name in self.data:
            return True
        if name in self.members or name in self.enumerations or name in self.tables or name in self.procedures:
            return True
        if name in self.imported:
            return True
        return any(len(path) != 1 or isinstance(path[0], str) for path in self.shapes.get(name, {}) if path)
