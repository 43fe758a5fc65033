"""All texts of a program as one: modules are read, names become whole names, and what cannot be had is told at the import."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, TypeAlias, cast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.files import Beside, Refusal, Unread
from seepage.rules import DECLARATION_IN_BLOCK, DUPLICATE_DECLARATION, IMPORT, NOT_TRUSTED, STATEMENTS_OF_MODULE
from seepage.source import MAX_TEXT, Span
from seepage.syntax.fixes import replacement, shifted
from seepage.syntax.lowering.data import declared
from seepage.syntax.lowering.definitions import Definition, Module
from seepage.syntax.lowering.facts import Facts, Follows, Procedure, Refused
from seepage.syntax.lowering.modules import (
    GAP,
    MOST_MODULES,
    Import,
    Linked,
    ModuleText,
    Reading,
    definitions_of,
    module_name,
    names_brought,
    parsed_module,
    placed,
)
from seepage.syntax.lowering.renaming import (
    Scope,
    bases,
    bound_in,
    called_in,
    free_names,
    no_such_name,
    pieces_of,
    renamed,
)
from seepage.syntax.moving import moved_item
from seepage.syntax.raw import RawHeader, RawLeaf
from seepage.syntax.shipped import SCHEME, SHIPPED, shipped_text
from seepage.syntax.tokens import Token, scan
from seepage.syntax.tree import For, If, Item, Placed, start_of

_SILENT = ("const", "enum", "def", "import", "table", "param", "secret", "output", "show", "require")
_MOST_BYTES = 4 * MAX_TEXT  # of so many characters in UTF-8
Opened: TypeAlias = tuple[str, str]  # what a file is known by, and its text


def link(
    items: Sequence[Item],
    readings: Mapping[int, Reading],
    operators: Mapping[int, Span | None],
    facts: Facts,
) -> Linked:
    """Return what the program and the modules that it imports say, and note the definitions of modules among the facts."""
    linked = Linked({**readings}, {**operators})
    if not any(isinstance(one, RawLeaf) and one.keyword == "import" for one in readings.values()):
        return linked
    own = own_names(items, readings)
    linker = _Linker(linked, facts, own)
    top = [item.start for item in items if isinstance(item, Placed)]
    for start, reading in readings.items():
        if not isinstance(reading, RawLeaf) or reading.keyword != "import":
            continue
        if start not in top:
            message = "found 'import' inside a block; move it out, it applies to the whole file"
            refused = Refused(DECLARATION_IN_BLOCK, Span(0, len("import")), message)
            linked.found[refused.placed(start)] = None
            continue
        linker.of_program(start, reading, own)
    _rename(linked, items, readings, linked.scope, 0)
    return linked


def _rename(
    linked: Linked, items: Sequence[Item], readings: Mapping[int, Reading], scope: Scope, base: int
) -> dict[int, Reading]:
    """Rewrite the readings of a text; those of procedures know their arguments and variables."""
    bound = dict(bound_in(items, readings))
    made: dict[int, Reading] = {}
    for start, reading in readings.items():
        try:
            made[start + base] = renamed(reading, scope, bound.get(start, frozenset()))
        except Refused as refused:
            made[start + base] = reading
            linked.refused[start + base] = refused
            if not base:
                linked.found[refused.placed(start)] = None
    linked.readings = {**linked.readings, **made}
    return made


def own_names(items: Sequence[Item], readings: Mapping[int, Reading]) -> dict[str, Span]:
    """Return the names that a text declares or assigns itself, each with a place; procedures' own variables are not among them."""
    found: dict[str, Span] = {}

    def note(start: int, name: str, span: Span) -> None:
        found.setdefault(name, span.shift(start))

    stack = list(reversed(items))
    while stack:
        item = stack.pop()
        match item:
            case Placed(start=start):
                reading = readings.get(start)
                if not isinstance(reading, RawLeaf) or reading.keyword == "import":
                    continue
                if reading.name is not None:
                    note(start, reading.name.value, Span(reading.name.start, reading.name.end))
                if reading.keyword in ("assign", "sample", "attacker"):
                    for target in reading.targets:
                        for name in bases(target):
                            note(start, name, Span(target.span.start, target.span.start + len(name)))
            case For(name=name, block=block, start=start, name_span=span):
                note(start, name, span)
                stack += block.items
            case If(arms, otherwise):
                header = readings.get(arms[0].start)
                if isinstance(header, RawHeader) and header.keyword == "def" and header.name is not None:
                    note(arms[0].start, header.name.value, Span(header.name.start, header.name.end))
                    continue
                stack += [one for arm in arms for one in arm.block.items]
                stack += otherwise.items if otherwise is not None else ()
    return found


@dataclass(slots=True)
class _Linker:
    """The work at hand: modules are read when they are first imported, those that they import before them."""

    linked: Linked
    facts: Facts
    own: Mapping[str, Span]
    reading: list[tuple[str, str]] = field(default_factory=list)  # keys and paths of the modules that wait for others
    labels: set[str] = field(default_factory=set)
    count: int = 0

    def of_program(self, start: int, reading: RawLeaf, own: Mapping[str, Span]) -> None:
        """Add what an import of the program brings."""
        path = reading.path
        assert path is not None  # the grammar has no import without one
        span = Span(path.start + start, path.end + start)
        try:
            module = self.module("", path, span)
            bindings = self.bindings(reading, module)
        except Refused as refused:
            cause = refused.placed(start)
            self.linked.found[cause] = None
            self.linked.scope.failed.update(dict.fromkeys(names_brought(reading), cause))
            return
        for name, token, one in bindings:
            if isinstance(one, Definition) and one.missing:
                message = f"'{name}' cannot be had from '{module.path}': {one.missing}"
                cause = Diagnostic(IMPORT, placed(token, start), message)
                self.linked.found[cause] = None
                self.linked.scope.failed[name] = cause
                continue
            before = own.get(name)
            if before is not None or self.linked.scope.get(name) not in (None, one):
                labels = () if before is None else (Label(before, f"'{name}' is declared or assigned here"),)
                message = f"'{name}' is imported, and has another meaning here"
                self.linked.found[Diagnostic(DUPLICATE_DECLARATION, placed(token, start), message, labels)] = None
                continue
            _bind(self.linked.scope, name, one)
        listed = tuple((one.value, placed(one, start)) for one in reading.names)
        alias = "" if reading.names else bindings[0][0]
        self.linked.imports.append(Import(module, span, alias, listed))

    def bindings(self, reading: RawLeaf, module: Module) -> list[tuple[str, Token, Definition | Module]]:
        """Return the names that an import brings, with where they stand and what they mean."""
        path = reading.path
        assert path is not None
        if not reading.names:
            if reading.name is not None:
                return [(reading.name.value, reading.name, module)]
            stem = module_name(module.path)
            if [one.type for one in scan(stem)] != ["NAME"]:
                fitting = re.sub(r"\W", "_", stem)
                fixes = (Fix("name the module", (Edit(Span(path.end, path.end), f" as {fitting}"),)),)
                message = f"'{stem}' cannot be a name; write 'as {fitting}' behind the path"
                raise Refused(IMPORT, Span(path.start, path.end), message, fixes)
            return [(stem, path, module)]
        made: list[tuple[str, Token, Definition | Module]] = []
        for token in reading.names:
            definition = module.definitions.get(token.value)
            if definition is None:
                raise no_such_name(token.value, module, Span(token.start, token.end))
            made.append((token.value, token, definition))
        return made

    def module(self, importer: str, path: Token, at: Span) -> Module:
        """Return the module that an import names; ``at`` is the import of the program that leads there.

        Raises:
            Refused: if it cannot be had.
        """
        named = path.value[1:-1]
        span = Span(path.start, path.end)
        key, text = self.opened(importer, named, span)
        known = self.linked.modules.get(key)
        if known is not None:
            return known
        if key in [one for one, _ in self.reading]:
            waiting = [shown for one, shown in self.reading][[one for one, _ in self.reading].index(key) :]
            chain = " → ".join(f"'{one}'" for one in (*waiting, named))
            raise Refused(IMPORT, span, f"a cycle: {chain}")
        self.count += 1
        if self.count > MOST_MODULES:
            raise Refused(IMPORT, span, f"more than {MOST_MODULES} files are imported")
        self.linked.reached[key] = at
        self.reading.append((key, named))
        try:
            module = self.made(key, named, parsed_module(named, text), at)
        finally:
            self.reading.pop()
        self.linked.modules[key] = module
        return module

    def opened(self, importer: str, named: str, span: Span) -> Opened:
        """Return what a path names."""
        if named.startswith(SCHEME):
            if named in SHIPPED:
                return named, shipped_text(named)
            known = ", ".join(f"'{one}'" for one in SHIPPED)
            fixes = replacement(f"import {SHIPPED[0]}", span, f'"{SHIPPED[0]}"')
            raise Refused(IMPORT, span, f"there is no '{named}'; Seepage brings {known}", fixes)
        if f"{SCHEME}{named}" in SHIPPED:
            fixes = replacement(f"import {SCHEME}{named}", span, f'"{SCHEME}{named}"')
            raise Refused(IMPORT, span, f"'{named}' names no file; Seepage's own is '{SCHEME}{named}'", fixes)
        if "://" in named:
            raise Refused(IMPORT, span, f"'{named}' is an address; modules are files in the program's folder")
        if not named.endswith(".seep"):
            raise Refused(IMPORT, span, f"'{named}' does not end in '.seep'")
        located = self.facts.files.find(named, importer or None)
        data = located if isinstance(located, Unread) else self.facts.files.read(located, _MOST_BYTES)
        if isinstance(located, Unread) or isinstance(data, Unread):
            found = data if isinstance(data, Unread) else located
            assert isinstance(found, Unread)
            raise Refused(NOT_TRUSTED if found.why is Refusal.NOT_TRUSTED else IMPORT, span, found.message)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Refused(IMPORT, span, f"'{named}' is no text in UTF-8") from None
        if len(text) > MAX_TEXT:
            raise Refused(IMPORT, span, f"'{named}' has {len(text):,} characters, at most {MAX_TEXT:,} are read")
        return located.path, text

    def made(self, key: str, named: str, text: ModuleText, at: Span) -> Module:
        """Read a module, and those that it imports."""
        base, label = GAP * self.count, module_name(named)
        while label in self.own or label in self.labels:
            label += "_"
        self.labels.add(label)
        if key not in SHIPPED:
            return self.read(key, named, text, label, base, at)
        module, linked, facts = _shipped(key, label, base)
        self.linked.readings = {**self.linked.readings, **linked.readings}
        self.linked.operators = {**self.linked.operators, **linked.operators}
        self.facts.procedures |= facts.procedures
        self.facts.imported |= facts.imported
        self.facts.enumerations |= facts.enumerations
        return module

    def read(self, key: str, named: str, text: ModuleText, label: str, base: int, at: Span) -> Module:
        """Read a module whose whole names begin with a label, and whose places begin at ``base``."""
        scope = Scope()
        errors = [shifted(one, base) for one in text.errors]
        definitions = definitions_of(label, text, errors[0] if errors else None)
        scope.definitions.update(definitions)
        module = Module(key, named, label, text.source, base, definitions)
        self.linked.found.update(dict.fromkeys(errors))
        self.imported(key, text, scope, at, module)
        self.defined(module, text, scope, definitions)
        for start in text.readings:
            reading = text.readings[start]
            if reading.keyword not in _SILENT and not _is_inside(start, text):
                line, _ = text.source.position(start)
                message = f"statements of '{named}' do not run here, that of line {line} among them"
                self.linked.found[Diagnostic(STATEMENTS_OF_MODULE, at, message)] = None
                break
        return module

    def imported(self, key: str, text: ModuleText, scope: Scope, at: Span, module: Module) -> None:
        """Add what the imports of a module bring to its names."""
        for start, reading in text.readings.items():
            if not isinstance(reading, RawLeaf) or reading.keyword != "import" or reading.path is None:
                continue
            try:
                other = self.module(key, reading.path, at)
                for name, _, one in self.bindings(reading, other):
                    _bind(scope, name, one)
            except Refused as refused:
                cause = refused.placed(start + module.base)
                self.linked.found[cause] = None
                scope.failed.update(dict.fromkeys(names_brought(reading), cause))

    def defined(self, module: Module, text: ModuleText, scope: Scope, definitions: dict[str, Definition]) -> None:
        """Note the procedures, constants, enumerations and tables of a module; say of those that cannot be had why."""
        readings = _rename(self.linked, text.items, text.readings, scope, module.base)
        self.linked.operators = {
            **self.linked.operators,
            **{start + module.base: one for start, one in text.operators.items()},
        }
        for item in text.items:
            head = start_of(item)
            reading = readings.get(head + module.base)
            if reading is None or reading.name is None:
                continue
            whole = f"{module.label}.{reading.name.value}"
            match item, reading:
                case If(), RawHeader("def"):
                    moved = moved_item(item, module.base)
                    assert isinstance(moved, If)
                    arguments = tuple(one.value for one in reading.names)
                    header = reading.span.shift(moved.arms[0].start)
                    self.facts.procedures[whole] = Procedure(
                        whole, arguments, moved.arms[0].block.items, header, False, False
                    )
                case Placed(start=start), RawLeaf("table"):
                    beside = Beside(self.facts.files, module.key)
                    self.facts.data[whole], wrong = declared(reading, start + module.base, beside)
                    self.linked.found.update(dict.fromkeys(wrong))
                case Placed(), RawLeaf("enum"):
                    self.facts.enumerations[whole] = tuple(one.value for one in reading.names)
                case Placed(), RawLeaf("table"):
                    self.facts.data[whole], wrong = declared(reading, head + module.base, self.facts.files, module.key)
                    self.linked.found.update(dict.fromkeys(wrong))
                case Placed(), RawLeaf("const", value=value) if value is not None:
                    self.facts.imported[whole] = value
                case _:
                    pass
        for name, fault in _faults(module, text, self.linked).items():
            changes = {"cause": fault} if isinstance(fault, Diagnostic) else {"missing": fault}
            definitions[name] = replace(definitions[name], **cast("Any", changes))


@lru_cache(maxsize=16)
def _shipped(key: str, label: str, base: int) -> tuple[Module, Linked, Facts]:
    """Return a module that Seepage brings, and what it comes to: no file and no other text has a say in that, so it is made once."""
    linker = _Linker(Linked({}, {}), Facts(), {})
    module = linker.read(key, key, parsed_module(key, shipped_text(key)), label, base, Span(0, 0))
    assert not linker.linked.found
    return module, linker.linked, linker.facts


def _faults(module: Module, text: ModuleText, linked: Linked) -> dict[str, str | Diagnostic]:
    """Return which definitions of a module cannot be had: why, or the fault that is told of them."""
    params = {
        one.name.value
        for one in text.readings.values()
        if isinstance(one, RawLeaf) and one.keyword == "param" and one.name is not None
    }
    bound = dict(bound_in(text.items, text.readings))
    faults: dict[str, str | Diagnostic] = {}
    uses: dict[str, set[str]] = {}
    for start, name in _parts(text):
        reading = linked.readings[start + module.base]
        refused = linked.refused.get(start + module.base)
        if refused is not None:
            faults.setdefault(name, refused.cause if isinstance(refused, Follows) else refused.message)
        for free, _ in free_names(reading):
            if free not in bound.get(start, frozenset()) and "." not in free:  # whole names have a point
                what = "a parameter of its file" if free in params else "which its file does not define"
                faults.setdefault(name, f"it reads '{free}', {what}")
        read = (one for one, _ in free_names(reading))
        own = [one.partition(".")[2] for one in (*called_in(reading), *read) if one.startswith(f"{module.label}.")]
        uses.setdefault(name, set()).update(own)
    return _spread(faults, uses)


def _parts(text: ModuleText) -> Iterator[tuple[int, str]]:
    """Yield where the pieces that make up definitions start, each with the name that is defined."""
    for item in text.items:
        match item:
            case If(arms=arms):
                header = text.readings.get(arms[0].start)
                if isinstance(header, RawHeader) and header.keyword == "def" and header.name is not None:
                    for start, _ in pieces_of(arms[0].block.items):
                        if start in text.readings:
                            yield start, header.name.value
            case Placed(start=start):
                reading = text.readings.get(start)
                if isinstance(reading, RawLeaf) and reading.keyword == "const" and reading.name is not None:
                    yield start, reading.name.value
            case For():
                pass


def _spread(faults: dict[str, str | Diagnostic], uses: Mapping[str, set[str]]) -> dict[str, str | Diagnostic]:
    """Return what cannot be had, with the definitions that use it."""
    while True:
        more: dict[str, str | Diagnostic] = {}
        for name, others in uses.items():
            if name not in faults and (used := sorted(others & faults.keys())):
                fault = faults[used[0]]
                more[name] = fault if isinstance(fault, Diagnostic) else f"it uses '{used[0]}', and {fault}"
        if not more:
            return faults
        faults |= more


def _is_inside(start: int, text: ModuleText) -> bool:
    """Tell whether a piece stands in a procedure."""
    for item in text.items:
        if isinstance(item, If) and item.span.start <= start < item.span.end:
            header = text.readings.get(item.arms[0].start)
            return isinstance(header, RawHeader) and header.keyword == "def"
    return False


def _bind(scope: Scope, name: str, meant: Definition | Module) -> None:
    if isinstance(meant, Module):
        scope.modules[name] = meant
    else:
        scope.definitions[name] = meant
