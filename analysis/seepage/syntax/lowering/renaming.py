"""Names of one text as whole names: what a scope knows is rewritten, what procedures and comprehensions bind hides it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from difflib import get_close_matches
from typing import Any, cast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import IMPORT
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.lowering.definitions import Definition, Module
from seepage.syntax.lowering.facts import Follows, Refused
from seepage.syntax.lowering.forms import respanned
from seepage.syntax.raw import (
    Raw,
    RawCall,
    RawClause,
    RawElement,
    RawField,
    RawGenerated,
    RawHeader,
    RawLeaf,
    children,
)
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Call, For, If, Index, Item, Name, Placed

_LEAST = 0.6  # how alike names are, at least, of which one may be meant for the other
_MOST = 12  # names that are listed


@dataclass(slots=True)
class Scope:
    """What names of one text mean: definitions of modules, and modules."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)
    failed: dict[str, Diagnostic] = field(
        default_factory=dict
    )  # names of imports that brought nothing, with the reason

    def get(self, name: str) -> Definition | Module | None:
        """Return what a name means, None if that is itself."""
        return self.definitions.get(name) or self.modules.get(name)

    def value(self, name: str, span: Span) -> Raw | None:
        """Return what a name of this text stands for, None if that is itself.

        Raises:
            Refused: if it cannot be had.
        """
        if name in self.failed:
            raise Follows(self.failed[name])
        one = self.definitions.get(name)
        return None if one is None else _had(name, one, span)

    def member(self, name: str, of: str, span: Span) -> Raw | None:
        """Return what ``of.name`` stands for, None if ``of`` is no module; raises as :meth:`value`."""
        if of in self.failed:
            raise Follows(self.failed[of])
        module = self.modules.get(of)
        if module is None:
            return None
        one = module.definitions.get(name)
        if one is None:
            raise no_such_name(name, module, span, f"{of}.")
        return _had(name, one, span)


def no_such_name(name: str, module: Module, span: Span, before: str = "") -> Refused:
    """Return the refusal of a name that a module does not give; ``before`` is what stands before it in its place."""
    near = get_close_matches(name, module.definitions, 1, _LEAST)
    if near:
        message = f"'{module.path}' has no '{name}'; did you mean '{near[0]}'?"
        return Refused(IMPORT, span, message, replacement(f"write '{near[0]}'", span, f"{before}{near[0]}"))
    given = sorted(module.definitions)
    more = f" and {len(given) - _MOST} more" if len(given) > _MOST else ""
    return Refused(
        IMPORT, span, f"'{module.path}' has no '{name}'; it gives {', '.join(given[:_MOST]) or 'nothing'}{more}"
    )


def _had(name: str, one: Definition, span: Span) -> Raw:
    if one.cause is not None:
        raise Follows(one.cause)
    if one.missing:
        raise Refused(IMPORT, span, f"'{name}' cannot be had: {one.missing}")
    return cast("Raw", respanned(one.meaning, span))


def renamed(reading: Any, scope: Scope, bound: frozenset[str]) -> Any:
    """Return a reading, or an expression, with whole names; the same object if it has none.

    Raises:
        Refused: if a name cannot be had.
    """
    return _Renamer(scope).renamed(reading, bound)


@dataclass(frozen=True, slots=True)
class _Renamer:
    scope: Scope

    def renamed(self, node: Any, bound: frozenset[str]) -> Any:
        match node:
            case Name(name, span):
                return self.named(name, span, bound) or node
            case RawField(Name(module), field_name, span) if module not in bound:
                found = self.scope.member(field_name.value, module, span)
                return self.parts(node, bound) if found is None else found
            case Index(array=array, name_span=name_span):
                return self.element(node, bound, self.named(array, name_span, bound))
            case RawElement(base, subscripts, span):
                inner = self.renamed(base, bound)
                if isinstance(inner, Name) and len(subscripts) == 1 and inner is not base:
                    return Index(inner.id, self.renamed(subscripts[0], bound), base.span, span)
                return self.parts(node, bound)
            case Call(function=function, name_span=span):
                made = self.parts(node, bound)
                whole = self.called(function, span, bound)
                return made if whole is None else replace(made, function=whole)
            case RawCall(name=token):
                made = self.parts(node, bound)
                whole = self.called(token.value, Span(token.start, token.end), bound)
                return made if whole is None else replace(made, name=token._replace(value=whole))
            case RawGenerated():
                return self.generated(node, bound)
            case _:
                return self.parts(node, bound)

    def parts(self, node: Any, bound: frozenset[str]) -> Any:
        """Return a node with its parts rewritten."""
        if isinstance(node, tuple) and not isinstance(node, Token):
            made = tuple(self.renamed(one, bound) for one in node)
            return made if any(one is not old for one, old in zip(made, node, strict=True)) else node
        if not is_dataclass(node) or isinstance(node, Span | type):
            return node
        changes: dict[str, Any] = {}
        for one in fields(node):
            old = getattr(node, one.name)
            if isinstance(old, tuple) or (is_dataclass(old) and not isinstance(old, Span)):
                new = self.renamed(old, bound)
                if new is not old:
                    changes[one.name] = new
        return replace(node, **changes) if changes else node

    def named(self, name: str, span: Span, bound: frozenset[str]) -> Raw | None:
        return None if name in bound else self.scope.value(name, span)

    def element(self, node: Index, bound: frozenset[str], meant: Raw | None) -> Any:
        made: Index = self.parts(node, bound)
        if meant is None:
            return made
        if isinstance(meant, Name):
            return replace(made, array=meant.id)
        return RawElement(meant, (made.index,), made.span)

    def called(self, function: str, span: Span, bound: frozenset[str]) -> str | None:
        """Return the whole name of what is called, None if it is no definition of a module."""
        first, point, rest = function.partition(".")
        if first in bound:
            return None
        meant = self.scope.member(rest, first, span) if point else self.scope.value(first, span)
        return meant.id if isinstance(meant, Name) else None

    def generated(self, node: RawGenerated, bound: frozenset[str]) -> RawGenerated:
        """Return a comprehension: each clause binds its name for its condition, the clauses behind it and the body."""
        clauses: list[RawClause] = []
        for clause in node.clauses:
            domain = self.renamed(clause.domain, bound)
            bound = bound | {clause.name.value}
            condition = None if clause.condition is None else self.renamed(clause.condition, bound)
            clauses.append(replace(clause, domain=domain, condition=condition))
        return replace(node, body=self.renamed(node.body, bound), clauses=tuple(clauses))


def bound_in(
    items: Sequence[Item], readings: Mapping[int, RawLeaf | RawHeader]
) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield where each piece of a procedure starts, with the names that the procedure binds: its arguments and variables."""
    for item in items:
        if not isinstance(item, If):
            continue
        header = readings.get(item.arms[0].start)
        if isinstance(header, RawHeader) and header.keyword == "def":
            inner = list(pieces_of(item.arms[0].block.items))
            names = {one.value for one in header.names}
            for start, name in inner:
                reading = readings.get(start)
                names |= {name} if name else set()
                if isinstance(reading, RawLeaf):
                    names |= {base for target in reading.targets for base in bases(target)}
            for start, _ in inner:
                yield start, frozenset(names)


def pieces_of(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Yield where the pieces of a block start, inner blocks included, each with the loop variable that it binds, or ""."""
    for item in items:
        match item:
            case Placed(start=start):
                yield start, ""
            case For(name=name, block=block, start=start):
                yield start, name
                yield from pieces_of(block.items)
            case If(arms, otherwise):
                for arm in arms:
                    yield arm.start, ""
                    yield from pieces_of(arm.block.items)
                if otherwise is not None:
                    yield from pieces_of(otherwise.items)


def bases(target: Raw) -> Iterator[str]:
    """Yield the variable that a place begins with."""
    match target:
        case Name(name) | Index(array=name):
            yield name
        case RawElement(base=base) | RawField(base=base):
            yield from bases(base)
        case _:
            pass


def expressions_of(reading: Any) -> list[Raw]:
    """Return the expressions of a piece that are read, or the expression itself."""
    if isinstance(reading, RawHeader):
        return [one for one in (reading.condition, reading.low, reading.high) if one is not None]
    if isinstance(reading, RawLeaf):
        parts = [one for one in (reading.value, reading.bound, reading.given, *reading.values) if one is not None]
        return [*parts, *(inner for target in reading.targets for inner in children(target))]
    return [reading]


def free_names(reading: Any) -> Iterator[tuple[str, Span]]:
    """Yield the variables that a piece, or an expression, reads, but for those of its comprehensions."""
    stack: list[tuple[Raw, frozenset[str]]] = [(one, frozenset()) for one in expressions_of(reading)]
    while stack:
        node, bound = stack.pop()
        match node:
            case Name(name, span) if name not in bound:
                yield name, span
            case Index(array=name, name_span=span) if name not in bound:
                yield name, span
            case RawGenerated(clauses=clauses):
                bound = bound | {one.name.value for one in clauses}
            case _:
                pass
        stack += [(one, bound) for one in children(node)]


def called_in(reading: Any) -> Iterator[str]:
    """Yield the names of what a piece calls."""
    stack = expressions_of(reading)
    while stack:
        node = stack.pop()
        match node:
            case Call(function=name):
                yield name
            case RawCall(name=token):
                yield token.value
            case _:
                pass
        stack.extend(children(node))
