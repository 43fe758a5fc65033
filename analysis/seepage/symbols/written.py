"""The names of a text beyond the core, read off what is written: its core, made by a transformation, says nothing of places.

Each name is resolved where it stands: variables of the program, arguments and variables of procedures, variables of loops and of
comprehensions, procedures, enumerations with their members, and fields, of which all of one name are one, since records are told by them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import Enum
from functools import lru_cache

from seepage.data_classes import dataclass
from seepage.semantics.variables import names_of_entry
from seepage.source import Span
from seepage.symbols.imports import Imported, Imports, imports_of, member_of
from seepage.symbols.procedures import WrittenProcedure, leaf_starts, written_procedure
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.raw import (
    Raw,
    RawCall,
    RawField,
    RawGenerated,
    RawHeader,
    RawInterval,
    RawLeaf,
    RawNamed,
    RawSymbol,
    children,
)
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Arm, Call, For, If, Index, Item, Name, Placed


class Space(Enum):
    """Kinds of names that do not meet."""

    VARIABLE = "variable"
    PARAMETER = "param"
    CONSTANT = "const"
    LOOP = "loop variable"
    ARGUMENT = "argument"
    LOCAL = "variable of a procedure"
    PROCEDURE = "procedure"
    ENUMERATION = "enumeration"
    MEMBER = "member"
    FIELD = "field"
    MODULE = "module"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class Bound:
    """One named thing: ``owner`` is the offset of what binds a name that is not known in the whole file, else -1; of an import, its module's places."""

    space: Space
    name: str
    owner: int = -1


@dataclass(frozen=True, slots=True)
class Use:
    """A place of a name; ``defines`` where it gets its meaning there."""

    span: Span
    bound: Bound
    defines: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What the names of a text are.

    Attributes:
        uses: every place of a name, in the order of the text.
        called: where functions, laws and measures are called, in no order.
        arguments: the values in calls of procedures with several, each with the name of its argument.
        scopes: where names are known that are not known in the whole file.
        procedures: by name; the first of several.
        enumerations: their members, by name.
        fields: the fields that are written behind each variable.
        declared: the names of secrets and of outputs.
        imports: what modules give.
        imported: the definitions of modules that are named.
    """

    uses: tuple[Use, ...]
    called: tuple[tuple[Span, str], ...]
    arguments: tuple[tuple[Span, str], ...]
    scopes: Mapping[Bound, Span]
    procedures: Mapping[str, WrittenProcedure]
    enumerations: Mapping[str, tuple[str, ...]]
    fields: Mapping[str, tuple[str, ...]]
    declared: Mapping[str, frozenset[str]]
    imports: Imports
    imported: Mapping[Bound, Imported]

    def called_as(self, name: str) -> WrittenProcedure | None:
        """Return the procedure that is called by a name, behind the point of a module's, too."""
        module, point, member = name.partition(".")
        if name in self.procedures:
            return self.procedures[name]
        found = self.imports.behind(module).get(member) if point else self.imports.listed.get(name)
        return None if found is None else found.procedure


@lru_cache(maxsize=4)
def written(lowered: Lowered) -> Written:
    """Return what the names of a text are, kept for the next questions about it."""
    walk = _Walk(lowered, imports_of(lowered))
    walk.declare(lowered.written.items)
    walk.block(lowered.written.items, {})
    uses = sorted(dict.fromkeys(walk.uses), key=lambda one: (one.span.start, one.span.end))
    fields = {name: tuple(found) for name, found in walk.fields.items()}
    declared = {word: frozenset(names) for word, names in walk.declared.items()}
    return Written(
        tuple(uses),
        tuple(walk.called),
        tuple(walk.arguments),
        walk.scopes,
        walk.procedures,
        walk.enumerations,
        fields,
        declared,
        walk.imports,
        walk.imported,
    )


Scope = Mapping[str, Bound]


@dataclass(slots=True)
class _Walk:
    lowered: Lowered
    imports: Imports
    imported: dict[Bound, Imported] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    called: list[tuple[Span, str]] = field(default_factory=list)
    arguments: list[tuple[Span, str]] = field(default_factory=list)
    scopes: dict[Bound, Span] = field(default_factory=dict)
    procedures: dict[str, WrittenProcedure] = field(default_factory=dict)
    enumerations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    fields: dict[str, dict[str, None]] = field(default_factory=dict)
    declared: dict[str, set[str]] = field(default_factory=lambda: {"secret": set(), "output": set()})
    known: dict[str, Bound] = field(default_factory=dict)  # in the whole file
    start: int = 0  # of the piece at hand

    # --- what the whole file knows ------------------------------------------------------------------------------------

    def declare(self, items: Sequence[Item]) -> None:
        """Note what is known in the whole file."""
        for item in items:
            match item:
                case Placed():
                    self._declare_leaf(item)
                case If(arms, otherwise):
                    reading = self._header(arms[0].start)
                    if reading is not None and reading.keyword == "def":
                        self._declare_procedure(item, reading)
                        continue
                    for block in (*(arm.block for arm in arms), *(() if otherwise is None else (otherwise,))):
                        self.declare(block.items)
                case For(block=block):
                    self.declare(block.items)

    def _declare_leaf(self, item: Placed) -> None:
        reading = self.lowered.readings.get(item.start)
        if not isinstance(reading, RawLeaf):
            return
        if reading.keyword in ("secret", "output"):
            self.declared[reading.keyword].update(filter(None, map(base_of, reading.targets)))
        elif reading.keyword in ("assign", "sample", "attacker"):
            for name in filter(None, map(base_of, reading.targets)):
                self.known.setdefault(name, Bound(Space.VARIABLE, name))
        if reading.name is None:
            return
        name = _text(reading.name)
        match reading.keyword:
            case "param":
                self.known[name] = Bound(Space.PARAMETER, name)
            case "const" | "table":
                self.known[name] = Bound(Space.CONSTANT, name)
            case "enum":
                self.enumerations.setdefault(name, tuple(map(_text, reading.names)))
                self.members.update(map(_text, reading.names))
            case _:
                pass

    def _declare_procedure(self, item: If, reading: RawHeader) -> None:
        procedure = written_procedure(item, reading, self.lowered.readings, self.lowered.text)
        if procedure is not None:
            self.procedures.setdefault(procedure.name, procedure)

    def _leaf(self, start: int) -> tuple[int, RawLeaf] | None:
        reading = self.lowered.readings.get(start)
        return (start, reading) if isinstance(reading, RawLeaf) else None

    def _header(self, start: int) -> RawHeader | None:
        reading = self.lowered.readings.get(start)
        return reading if isinstance(reading, RawHeader) else None

    # --- the walk -----------------------------------------------------------------------------------------------------

    def block(self, items: Sequence[Item], scope: Scope) -> None:
        """Resolve the names of a block."""
        for item in items:
            match item:
                case Placed(start=start):
                    self.start = start
                    reading = self.lowered.readings.get(start)
                    if isinstance(reading, RawLeaf):
                        self._of_leaf(reading, scope)
                    else:
                        self._unread(item, scope)
                case For():
                    self._loop(item, scope)
                case If(arms, otherwise):
                    self._branch(arms, scope, item)
                    if otherwise is not None:
                        self.block(otherwise.items, scope)

    def _unread(self, entry: Placed | Arm | For, scope: Scope) -> None:
        """Resolve names where only a part of a piece could be read."""
        for span, name in names_of_entry(entry):
            self._use(name, span, scope)

    def _loop(self, item: For, scope: Scope) -> None:
        self.start = item.start
        reading = self._header(item.start)
        if reading is None:
            self.expression(item.low, scope)
            self.expression(item.high, scope)
        else:
            for one in (reading.low, reading.high):
                if one is not None:
                    self.expression(one, scope)
        inner = Bound(Space.LOOP, item.name, item.start)
        self.scopes[inner] = item.span
        self.uses.append(Use(item.name_span.shift(item.start), inner, True))
        self.block(item.block.items, {**scope, item.name: inner})

    def _branch(self, arms: Sequence[Arm], scope: Scope, item: If) -> None:
        for arm in arms:
            self.start = arm.start
            reading = self._header(arm.start)
            inner = scope
            if reading is None:
                self._unread(arm, scope)
            elif reading.keyword == "def":
                inner = self._procedure(reading, item)
            elif reading.condition is not None:
                self.expression(reading.condition, scope)
            self.block(arm.block.items, inner)

    def _procedure(self, reading: RawHeader, item: If) -> Scope:
        start = self.start
        if reading.name is not None:
            name = _text(reading.name)
            self.uses.append(Use(_place(reading.name).shift(start), Bound(Space.PROCEDURE, name), True))
        inner: dict[str, Bound] = {}
        whole = Span(start, item.span.end)
        for token in reading.names:
            bound = Bound(Space.ARGUMENT, _text(token), start)
            inner[bound.name] = bound
            self.scopes[bound] = whole
            self.uses.append(Use(_place(token).shift(start), bound, True))
        for at in leaf_starts(item.arms[0].block.items):
            found = self._leaf(at)
            if found is None or found[1].keyword not in ("assign", "sample"):
                continue
            for name in filter(None, map(base_of, found[1].targets)):
                if name not in inner:
                    inner[name] = Bound(Space.LOCAL, name, start)
                    self.scopes[inner[name]] = whole
        return inner

    def _of_leaf(self, reading: RawLeaf, scope: Scope) -> None:
        if reading.keyword == "import":
            self._import(reading)
            return
        if reading.name is not None:
            self._names_of_declaration(reading)
        defines = reading.keyword in ("assign", "sample", "attacker")
        for target in reading.targets:
            self.target(target, scope, defines=defines)
        inner = scope
        for one in (reading.value, reading.bound, reading.given, *reading.values):
            if one is not None:
                self.expression(one, inner)
        intervals = [reading.interval] if reading.interval is not None else []
        for part in reading.ranges:
            self._use(_text(part.name), _place(part.name), scope)
            intervals.append(part.interval)
        for interval in intervals:
            self._interval(interval, scope)

    def _import(self, reading: RawLeaf) -> None:
        if reading.name is not None:
            self.uses.append(
                Use(_place(reading.name).shift(self.start), Bound(Space.MODULE, _text(reading.name)), True)
            )
        for token in reading.names:
            found = self.imports.listed.get(_text(token))
            if found is not None:
                self.uses.append(Use(_place(token).shift(self.start), self._bound_of(found), True))

    def _bound_of(self, found: Imported) -> Bound:
        bound = Bound(Space.IMPORTED, found.name, found.module.base)
        self.imported[bound] = found
        return bound

    def _member(self, module: str, name: str, span: Span, *, of: Span) -> bool:
        """Note a name behind the point of a module's; tell whether it is one."""
        found = self.imports.behind(module).get(name)
        if module not in self.imports.modules:
            return False
        self.uses.append(Use(of.shift(self.start), Bound(Space.MODULE, module)))
        if found is not None:
            self.uses.append(Use(span.shift(self.start), self._bound_of(found)))
        return True

    def _imported_member(self, base: Raw, name: str, scope: Scope) -> Imported | None:
        """Return the member that stands behind the point of an imported enumeration."""
        match base:
            case Name(listed) if listed not in scope and listed not in self.known:
                found = self.imports.listed.get(listed)
            case RawField(Name(module), token) if module not in scope:
                found = self.imports.behind(module).get(_text(token))
            case _:
                found = None
        if found is None or found.definition.kind != "enum":
            return None
        return member_of(found.module, name)

    def _symbol(self, text: str, place: Span) -> None:
        """Note the text of a symbol that an enumeration declares, here or in an imported file: it is one and the same."""
        if text in self.members:
            self.uses.append(Use(place.shift(self.start), Bound(Space.MEMBER, text)))
            return
        found = filter(None, (member_of(one, text) for one in self.imports.files))
        if (first := next(found, None)) is not None:
            self.uses.append(Use(place.shift(self.start), self._bound_of(first)))

    def _interval(self, interval: RawInterval, scope: Scope) -> None:
        self.expression(interval.low, scope)
        self.expression(interval.high, scope)

    def _names_of_declaration(self, reading: RawLeaf) -> None:
        assert reading.name is not None
        name, place = _text(reading.name), _place(reading.name).shift(self.start)
        match reading.keyword:
            case "enum":
                self.uses.append(Use(place, Bound(Space.ENUMERATION, name), True))
                for token in reading.names:
                    self.uses.append(Use(_place(token).shift(self.start), Bound(Space.MEMBER, _text(token)), True))
            case "param" | "const" | "table":
                self.uses.append(Use(place, self.known[name], True))
            case _:
                pass

    # --- expressions --------------------------------------------------------------------------------------------------

    def target(self, raw: Raw, scope: Scope, *, defines: bool) -> None:
        """Resolve the names of what is written or declared."""
        path: list[str] = []
        node: Raw = raw
        while isinstance(node, RawField):
            bound = Bound(Space.FIELD, _text(node.name))
            self.uses.append(Use(_place(node.name).shift(self.start), bound, defines))
            path.append(bound.name)
            node = node.base
        match node:
            case Name(name, span):
                self._use(name, span, scope, defines=defines)
            case Index(array, index, name_span):
                self._use(array, name_span, scope, defines=defines)
                self.expression(index, scope)
            case _ if inner := children(node):
                self.target(inner[0], scope, defines=defines)
                for one in inner[1:]:
                    self.expression(one, scope)
            case _:
                self.expression(node, scope)
        if path and (base := base_of(raw)) is not None:
            self.fields.setdefault(base, {}).update(dict.fromkeys(reversed(path)))

    def expression(self, raw: Raw, scope: Scope) -> None:
        """Resolve the names of an expression."""
        match raw:
            case Name(name, span):
                self._use(name, span, scope)
            case Index(array, index, name_span):
                self._use(array, name_span, scope)
                self.expression(index, scope)
            case RawField(Name(name, span), token) if name in self.enumerations and name not in scope:
                self._use(name, span, scope)
                self.uses.append(Use(_place(token).shift(self.start), Bound(Space.MEMBER, _text(token))))
            case RawField(Name(name, span), token) if name not in scope and self._member(
                name, _text(token), _place(token), of=span
            ):
                pass
            case RawField(base, token):
                self.expression(base, scope)
                member = self._imported_member(base, _text(token), scope)
                bound = Bound(Space.FIELD, _text(token)) if member is None else self._bound_of(member)
                self.uses.append(Use(_place(token).shift(self.start), bound))
            case RawSymbol(text, span):
                self._symbol(text, Span(span.start + 1, span.end - 1))
            case RawGenerated():
                self._generated(raw, scope)
            case Call(function, arguments, name_span):
                self._call(function, name_span, arguments)
                for argument in arguments:
                    self.expression(argument, scope)
            case RawCall(name=token, groups=groups):
                self._call(_text(token), _place(token), groups[0] if groups else ())
                for part in (part for group in groups for part in group):
                    self.expression(part, scope)
            case RawNamed(value=value):
                self.expression(value, scope)
            case _:
                for child in children(raw):
                    self.expression(child, scope)

    def _generated(self, raw: RawGenerated, scope: Scope) -> None:
        inner = dict(scope)
        for clause in raw.clauses:
            self.expression(clause.domain, inner)
            bound = Bound(Space.LOOP, _text(clause.name), self.start + clause.span.start)
            self.scopes[bound] = raw.span.shift(self.start)
            self.uses.append(Use(_place(clause.name).shift(self.start), bound, True))
            inner[bound.name] = bound
            if clause.condition is not None:
                self.expression(clause.condition, inner)
        self.expression(raw.body, inner)

    def _call(self, name: str, span: Span, arguments: Sequence[Raw]) -> None:
        place = span.shift(self.start)
        module, point, member = name.partition(".")
        found = self.imports.behind(module).get(member) if point else self.imports.listed.get(name)
        procedure = self.procedures.get(name) or (None if found is None else found.procedure)
        if procedure is not None and len(arguments) > 1:
            named = zip(arguments, procedure.arguments, strict=False)
            self.arguments += [(one.span.shift(self.start), argument) for one, argument in named]
        if name in self.procedures:
            self.uses.append(Use(place, Bound(Space.PROCEDURE, name)))
        elif point and module in self.imports.modules:
            behind = Span(span.end - len(member), span.end)
            self._member(module, member, behind, of=Span(span.start, span.start + len(module)))
        elif found is not None:
            self.uses.append(Use(place, self._bound_of(found)))
        else:
            self.called.append((place, name))

    def _use(self, name: str, span: Span, scope: Scope, *, defines: bool = False) -> None:
        bound = scope.get(name) or self.known.get(name)
        if bound is None and name in self.members:
            bound = Bound(Space.MEMBER, name)
        if bound is None and name in self.enumerations:
            bound = Bound(Space.ENUMERATION, name)
        if bound is None and name in self.procedures:
            bound = Bound(Space.PROCEDURE, name)
        if bound is None and name in self.imports.listed:
            bound = self._bound_of(self.imports.listed[name])
        if bound is None and name in self.imports.modules:
            bound = Bound(Space.MODULE, name)
        if bound is None:
            bound = Bound(Space.VARIABLE, name)
        self.uses.append(Use(span.shift(self.start), bound, defines))


def base_of(raw: Raw) -> str | None:
    """Return the variable that a place begins with."""
    node: Raw = raw
    while not isinstance(node, Name):
        if isinstance(node, Index):
            return node.array
        inner = children(node)
        if not inner:
            return None
        node = inner[0]
    return node.id


def _text(token: Token) -> str:
    return unicodedata.normalize("NFKC", token.value)


def _place(token: Token) -> Span:
    return Span(token.start, token.end)
