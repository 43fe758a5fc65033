"""What a text has of modules: names that are listed, and those behind the point of a module's name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from seepage.data_classes import dataclass
from seepage.symbols.procedures import WrittenProcedure, written_procedure
from seepage.syntax.lowering.definitions import Definition, Module
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.lowering.modules import Import, parsed_module
from seepage.syntax.raw import RawHeader
from seepage.syntax.shipped import SHIPPED, shipped_text
from seepage.syntax.tree import If


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A definition of a module.

    Attributes:
        name: what its module calls it.
        module: where it stands.
        definition: what it is.
        procedure: as it is written, if it is one; places are those of the module's text.
    """

    name: str
    module: Module
    definition: Definition
    procedure: WrittenProcedure | None


@dataclass(frozen=True, slots=True)
class Imports:
    """The imports of a text.

    Attributes:
        modules: by the names that stand before a point.
        listed: by the names that are used as they are.
        files: each module once.
    """

    modules: Mapping[str, Import]
    listed: Mapping[str, Imported]
    files: tuple[Module, ...] = ()

    def behind(self, module: str) -> Mapping[str, Imported]:
        """Return what stands behind the point of a module's name; nothing of what is no module."""
        found = self.modules.get(module)
        return {} if found is None else imported_of(found.module)


def imports_of(lowered: Lowered) -> Imports:
    """Return the imports of a text."""
    modules: dict[str, Import] = {}
    listed: dict[str, Imported] = {}
    for one in lowered.linked.imports:
        if one.alias:
            modules.setdefault(one.alias, one)
        given = imported_of(one.module) if one.listed else {}
        listed.update({name: given[name] for name, _ in one.listed if name in given})
    files = {one.module.key: one.module for one in lowered.linked.imports}
    return Imports(modules, listed, tuple(files.values()))


def member_of(module: Module, name: str) -> Imported | None:
    """Return a member of an enumeration of a module."""
    found = module.definitions.get(name)
    return Imported(name, module, found, None) if found is not None and found.kind == "member" else None


@lru_cache(maxsize=128)
def _procedures(path: str, text: str) -> Mapping[str, WrittenProcedure]:
    module = parsed_module(path, text)
    found: dict[str, WrittenProcedure] = {}
    for item in module.items:
        header = module.readings.get(item.arms[0].start) if isinstance(item, If) else None
        if isinstance(item, If) and isinstance(header, RawHeader) and header.keyword == "def":
            procedure = written_procedure(item, header, module.readings, text)
            if procedure is not None:
                found[procedure.name] = procedure
    return found


def imported_of(module: Module) -> dict[str, Imported]:
    """Return what a module gives, by name."""
    procedures = _procedures(module.path, module.source.text)
    return {
        name: Imported(name, module, one, procedures.get(name) if one.kind == "def" else None)
        for name, one in module.definitions.items()
    }


def shipped_procedures(path: str = SHIPPED[0]) -> Mapping[str, tuple[WrittenProcedure, str]]:
    """Return the procedures of a module that Seepage brings, by name, each with its documentation."""
    text = shipped_text(path)
    documentation = parsed_module(path, text).documentation
    return {name: (one, documentation.get(one.span.start, "")) for name, one in _procedures(path, text).items()}


def import_at(lowered: Lowered, offset: int) -> Import | None:
    """Return the import whose path stands at an offset."""
    return next((one for one in lowered.linked.imports if one.span.contains(offset)), None)
