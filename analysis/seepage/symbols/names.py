"""Names: what stands at a place, where it gets its meaning, where else it stands, and how far it is known."""

from __future__ import annotations

from bisect import bisect_left
from enum import Enum

from seepage.data_classes import dataclass
from seepage.semantics.checked import Checked, Kind
from seepage.source import Span
from seepage.symbols.imports import Imported
from seepage.symbols.written import Bound, Space, Use, Written, written
from seepage.syntax.comments import blank_comments
from seepage.syntax.layout import Layout
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.raw import RawHeader, RawLeaf
from seepage.syntax.tree import For, Module, array_of


class Role(Enum):
    """What a name is for."""

    PARAMETER = "param"
    CONSTANT = "const"
    LOOP = "loop variable"
    SECRET = "secret"
    OUTPUT = "output"
    SECRET_OUTPUT = "secret and output"
    VARIABLE = "variable"
    ARGUMENT = "argument"
    LOCAL = "variable of a procedure"
    PROCEDURE = "procedure"
    ENUMERATION = "enumeration"
    MEMBER = "member of an enumeration"
    FIELD = "field"
    MODULE = "module"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Symbol:
    """One named thing: loops over the same name are different things.

    Attributes:
        name: NFKC-normalised.
        role: what it is for.
        kind: what values it can have, if it is a variable.
        definitions: where it gets its meaning: its declaration as parameter, constant or loop variable, else its assignments.
        occurrences: every place of the name, definitions included, in the order of the text.
        scope: where it is known: the loop of a loop variable, the procedure of its arguments and variables, None for the whole file.
        documentation: the text above its declaration or first assignment.
        imported: what it is in the module that gives it, if one does.
    """

    name: str
    role: Role
    kind: Kind | None
    definitions: tuple[Span, ...]
    occurrences: tuple[Span, ...]
    scope: Span | None
    documentation: str
    imported: Imported | None = None


def names_of(checked: Checked) -> Written | None:
    """Return the names of a text beyond the core as they are written; None of a text of the core."""
    return written(checked.context) if isinstance(checked.context, Lowered) else None


def tree_of(checked: Checked) -> Module:
    """Return the tree of a text as it is written: what stands at a place is asked of it, not of its core."""
    return checked.context.written if isinstance(checked.context, Lowered) else checked.tree


def reading_at(checked: Checked, start: int) -> RawLeaf | RawHeader | None:
    """Return what the piece says that starts at an offset, in a text beyond the core."""
    return checked.context.readings.get(start) if isinstance(checked.context, Lowered) else None


def occurrence_at(checked: Checked, offset: int) -> tuple[Span, str] | None:
    """Return the name at an offset with its place; a cursor right behind a name still means it."""
    names = names_of(checked)
    if names is not None:
        use = _use_at(names, offset)
        return None if use is None else (use.span, use.bound.name)
    occurrences = checked.symbols.occurrences
    after = bisect_left(occurrences, offset, key=lambda one: one[0].start)
    # The name that starts at the cursor comes first, then the one that ends there or holds it.
    for index in (after, after - 1):
        if 0 <= index < len(occurrences) and occurrences[index][0].contains(offset):
            return occurrences[index]
    return None


def symbol_at(checked: Checked, offset: int) -> Symbol | None:
    """Return the symbol whose name stands at an offset."""
    names = names_of(checked)
    if names is not None:
        use = _use_at(names, offset)
        return None if use is None else _written_symbol(checked, names, use.bound, _uses(names, use.bound))
    found = occurrence_at(checked, offset)
    if found is None:
        return None
    place, name = found
    loops = [item for item in checked.tree.walk() if isinstance(item, For) and item.name == name]
    loop = _innermost(loops, place.start)
    same = (span for span, other in checked.symbols.occurrences if other == name)
    return _symbol(checked, name, loop, tuple(span for span in same if _innermost(loops, span.start) is loop))


def symbols_in(checked: Checked) -> tuple[Symbol, ...]:
    """Return every symbol of a file, in the order in which their names first stand in the text."""
    names = names_of(checked)
    if names is not None:
        uses: dict[Bound, list[Use]] = {}
        for use in names.uses:
            uses.setdefault(use.bound, []).append(use)
        return tuple(_written_symbol(checked, names, bound, found) for bound, found in uses.items())
    loops: dict[str, list[For]] = {}
    for item in checked.tree.walk():
        if isinstance(item, For):
            loops.setdefault(item.name, []).append(item)
    places: dict[tuple[str, Span | None], list[Span]] = {}
    scopes: dict[Span, For] = {}
    for span, name in checked.symbols.occurrences:
        loop = _innermost(loops[name], span.start) if name in loops else None
        if loop is not None:
            scopes[loop.span] = loop
        places.setdefault((name, None if loop is None else loop.span), []).append(span)
    return tuple(
        _symbol(checked, name, None if scope is None else scopes[scope], tuple(spans))
        for (name, scope), spans in places.items()
    )


def visible_at(checked: Checked, offset: int) -> tuple[Symbol, ...]:
    """Return the symbols that a statement at an offset can name; what is unknown everywhere is left out."""
    names = names_of(checked)
    procedures = () if names is None else names.procedures.values()
    in_procedure = any(one.header.end < offset < one.span.end for one in procedures)
    return tuple(
        one
        for one in symbols_in(checked)
        if one.role not in (Role.UNKNOWN, Role.FIELD)
        and not (in_procedure and one.role in _OF_THE_PROGRAM)
        and (one.scope is None or one.scope.start < offset < one.scope.end)
    )


def _use_at(names: Written, offset: int) -> Use | None:
    after = bisect_left(names.uses, offset, key=lambda one: one.span.start)
    for index in (after, after - 1):
        if 0 <= index < len(names.uses) and names.uses[index].span.contains(offset):
            return names.uses[index]
    return None


def _uses(names: Written, bound: Bound) -> list[Use]:
    return [one for one in names.uses if one.bound == bound]


_ROLES = {
    Space.PARAMETER: Role.PARAMETER,
    Space.CONSTANT: Role.CONSTANT,
    Space.LOOP: Role.LOOP,
    Space.ARGUMENT: Role.ARGUMENT,
    Space.LOCAL: Role.LOCAL,
    Space.PROCEDURE: Role.PROCEDURE,
    Space.ENUMERATION: Role.ENUMERATION,
    Space.MEMBER: Role.MEMBER,
    Space.FIELD: Role.FIELD,
    Space.MODULE: Role.MODULE,
}
_IMPORTED = {
    "def": Role.PROCEDURE,
    "const": Role.CONSTANT,
    "table": Role.CONSTANT,
    "enum": Role.ENUMERATION,
    "member": Role.MEMBER,
}


def _written_symbol(checked: Checked, names: Written, bound: Bound, uses: list[Use]) -> Symbol:
    name, symbols = bound.name, checked.symbols
    definitions = tuple(one.span for one in uses if one.defines) or tuple(one.span for one in uses[:1])
    role, kind, documentation = _ROLES.get(bound.space), None, ""
    imported = names.imported.get(bound)
    if imported is not None:
        role = _IMPORTED[imported.definition.kind]
        places = tuple(one.span for one in uses)
        return Symbol(name, role, None, definitions, places, None, imported.definition.documentation, imported)
    if role is None:
        kind = checked.kinds.get(name)
        secret, output = name in names.declared["secret"], name in names.declared["output"]
        role = Role.SECRET_OUTPUT if secret and output else Role.SECRET if secret else Role.OUTPUT
        if not secret and not output:
            role = Role.VARIABLE if any(one.defines for one in uses) else Role.UNKNOWN
        variable = symbols.variables.get(name)
        documentation = "" if variable is None else variable.documentation
    elif role is Role.PARAMETER and name in symbols.params:
        documentation = symbols.params[name].documentation
    elif role is Role.PROCEDURE and name in names.procedures:
        documentation = documentation_at(checked, names.procedures[name].span.start)
    places = tuple(one.span for one in uses)
    return Symbol(name, role, kind, definitions, places, names.scopes.get(bound), documentation)


def documentation_at(checked: Checked, start: int) -> str:
    """Return the text of the ``///`` lines above what starts at an offset."""
    return Layout(blank_comments(checked.source.text)).documentation.get(start, "")


_OF_THE_PROGRAM = (Role.VARIABLE, Role.SECRET, Role.OUTPUT, Role.SECRET_OUTPUT)


def _symbol(checked: Checked, name: str, loop: For | None, places: tuple[Span, ...]) -> Symbol:
    symbols = checked.symbols
    if loop is not None:
        return Symbol(name, Role.LOOP, None, (loop.name_span.shift(loop.start),), places, loop.span, "")
    variable = symbols.variables.get(name)
    definitions = places[:1]
    documentation = ""
    if name in symbols.declarations:
        definitions = (symbols.declarations[name],)
        documentation = symbols.params[name].documentation if name in symbols.params else ""
    elif variable is not None and variable.spans:
        definitions, documentation = variable.spans, variable.documentation
    return Symbol(name, role_of(checked, name), checked.kinds.get(name), definitions, places, None, documentation)


def role_of(checked: Checked, name: str) -> Role:
    """Return what a name that is known in the whole file is for."""
    symbols = checked.symbols
    if name in symbols.declarations:
        return Role.PARAMETER if name in symbols.params else Role.CONSTANT
    secret = any(array_of(one.name) == name for one in symbols.secrets)
    output = any(array_of(one.name) == name for one in symbols.outputs)
    if secret and output:
        return Role.SECRET_OUTPUT
    if secret or output:
        return Role.SECRET if secret else Role.OUTPUT
    return Role.VARIABLE if name in symbols.variables else Role.UNKNOWN


def _innermost(loops: list[For], offset: int) -> For | None:
    """Return the loop whose variable a name at an offset is: its bounds are outside of it."""
    held = [
        loop
        for loop in loops
        if loop.block.span.start <= offset < loop.block.span.end or offset == loop.name_span.start + loop.start
    ]
    return max(held, key=lambda loop: loop.span.start, default=None)
