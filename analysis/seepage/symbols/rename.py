"""Renaming: the edits that give a symbol another name, or why that cannot be done."""

from __future__ import annotations

import unicodedata

from seepage.diagnostics import Edit
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import Role, Symbol, occurrence_at, symbol_at, symbols_in
from seepage.syntax.shipped import SHIPPED
from seepage.syntax.vocabulary.contextual import CONTEXTUAL
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.table import WORDS

_FIRST_BEYOND_SYNTAX = "SEEP100"


class CannotRename(ValueError):
    """Why a name stays as it is, in words for the author of the program."""


def renamed_range(checked: Checked, offset: int) -> Span:
    """Return the range of the name at an offset.

    Raises:
        CannotRename: no name stands there, it comes with Seepage, or not all places of it can be known.
    """
    found = occurrence_at(checked, offset)
    if found is None:
        raise CannotRename("no variable, parameter or constant stands here")
    symbol = symbol_at(checked, offset)
    if symbol is not None and symbol.imported is not None and symbol.imported.module.key in SHIPPED:
        path = symbol.imported.module.path
        raise CannotRename(f"'{symbol.name}' is a name of '{path}', which comes with Seepage: it cannot be renamed")
    if has_hidden_places(checked):
        raise CannotRename("the file has syntax errors, so that places of the name may be hidden: mend them first")
    return found[0]


def has_hidden_places(checked: Checked) -> bool:
    """Tell whether a text has syntax errors, so that not all places of its names are known."""
    return any(one.is_error and one.rule.code < _FIRST_BEYOND_SYNTAX for one in checked.diagnostics)


def rename(checked: Checked, offset: int, name: str) -> tuple[Edit, ...]:
    """Return the edits that rename the symbol at an offset.

    Raises:
        CannotRename: as :func:`renamed_range`, or the new name is none, or it is taken where the symbol is known.
    """
    renamed_range(checked, offset)
    symbol = symbol_at(checked, offset)
    assert symbol is not None
    if symbol.imported is not None:
        raise CannotRename(f"'{symbol.name}' is defined in '{symbol.imported.module.path}': rename it there")
    if symbol.role is Role.MODULE and not _is_named_here(checked, symbol):
        raise CannotRename(f"'{symbol.name}' is the name of a file: write 'as' and another name behind its path")
    written = unicodedata.normalize("NFKC", name.strip())
    if written in KEYWORDS or (written in CONTEXTUAL and symbol.role is not Role.FIELD):
        raise CannotRename(f"'{written}' is a word of the language, expected a name")
    if not written.isidentifier():
        raise CannotRename(f"'{name}' is no name: a letter or '_', then letters, digits and '_'")
    if written == symbol.name:
        return ()
    if symbol.role is Role.PROCEDURE and written in WORDS:
        raise CannotRename(f"'{written}' is a {WORDS[written].sort} of the language, expected another name")
    for other in symbols_in(checked):
        if other.name == written and _meet(symbol, other):
            line, _ = checked.source.position(other.occurrences[0].start)
            raise CannotRename(f"'{written}' is a name already, on line {line}: choose another one")
    return tuple(Edit(span, written) for span in symbol.occurrences)


def _is_named_here(checked: Checked, module: Symbol) -> bool:
    """Tell whether a module has its name from an 'as'."""
    return checked.source.text[: module.definitions[0].start].rstrip().endswith("as")


def _meet(one: Symbol, other: Symbol) -> bool:
    """Tell whether both are known at some place; fields stand behind a point only."""
    if (one.role is Role.FIELD) != (other.role is Role.FIELD):
        return False
    if one.scope is None or other.scope is None:
        return True
    return one.scope.start < other.scope.end and other.scope.start < one.scope.end
