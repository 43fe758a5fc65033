"""What statements assign, and where names stand: read off the tree, each when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import overload

from seepage.semantics.checked import Occurrence, OutputSymbol, SecretSymbol, VariableSymbol
from seepage.semantics.expressions import arguments_of, nodes
from seepage.semantics.measure_names import names_in
from seepage.semantics.memo import Memo
from seepage.semantics.units import Units
from seepage.source import Span
from seepage.syntax.tree import (
    Arm,
    Assign,
    Const,
    Expression,
    For,
    Index,
    Leaf,
    Name,
    Observe,
    Output,
    Param,
    Placed,
    Require,
    Sample,
    Secret,
    Show,
    Skip,
    Target,
    is_made,
)


class Variables(Mapping[str, VariableSymbol]):
    """Variables by name; a symbol is made when it is asked for, as a large file has thousands and a key press asks for few.

    A variable is documented above its first assignment that is, else above its declaration as a secret or an output.
    """

    __slots__ = ("_arrays", "_declared", "_known", "_names", "_units", "_written")

    def __init__(
        self,
        written: Mapping[str, Sequence[int]],
        units: Units,
        declared: Sequence[SecretSymbol | OutputSymbol],
        names: frozenset[str],
    ) -> None:
        self._names = names
        self._written = written
        self._units = units
        self._arrays = units.written.arrays
        self._declared = declared
        self._known: dict[str, VariableSymbol] = {}

    def __getitem__(self, name: str) -> VariableSymbol:
        if name not in self._known:
            written = assignments(self._written[name], self._units)
            texts = [item.documentation for item in written if item.documentation]
            texts += [one.documentation for one in self._declared if one.name == name and one.documentation]
            spans = tuple(target_span(item) for item in written)
            self._known[name] = VariableSymbol(name, spans, name in self._arrays, texts[0] if texts else "")
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._written

    def __iter__(self) -> Iterator[str]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)

    def __repr__(self) -> str:
        return repr(dict(self))

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self._names

    @property
    def arrays(self) -> frozenset[str]:
        """The names of arrays, some of which may be no variables."""
        return self._arrays

    def count(self, name: str) -> int:
        """Return how many statements assign a variable."""
        return len(self._written[name])


class Named(Mapping[str, VariableSymbol]):
    """The variables that a text names, of all that its core has."""

    __slots__ = ("_all",)

    def __init__(self, variables: Mapping[str, VariableSymbol]) -> None:
        self._all = variables

    def __getitem__(self, name: str) -> VariableSymbol:
        if is_made(name):
            raise KeyError(name)
        return self._all[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and not is_made(name) and name in self._all

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._all if not is_made(name))

    def __len__(self) -> int:
        return sum(not is_made(name) for name in self._all)

    def __eq__(self, other: object) -> bool:
        return dict(self) == other

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return repr(dict(self))


def names_of(variables: Mapping[str, VariableSymbol]) -> frozenset[str]:
    """Return the names of variables."""
    return variables.names if isinstance(variables, Variables) else frozenset(variables)


def assignments(labels: Sequence[int], units: Units) -> list[Placed]:
    """Return the assignments and samplings with such labels."""
    return [entry for entry in map(units.entry, labels) if isinstance(entry, Placed)]


def target_span(item: Placed) -> Span:
    """Return where the name of the variable or array stands that a statement assigns."""
    assert isinstance(item.node, Assign | Sample)
    target = item.node.target
    return (target.name_span if isinstance(target, Index) else target.span).shift(item.start)


_NAMES = Memo[tuple[tuple[Span, str], ...]]()  # that stand in a unit, with places relative to its piece


class Occurrences(Sequence[Occurrence]):
    """Every use and declaration of a name, sorted by place; found when first asked for."""

    __slots__ = ("_found", "_units")

    def __init__(self, units: Units) -> None:
        self._units = units
        self._found: tuple[Occurrence, ...] | None = None

    def _all(self) -> tuple[Occurrence, ...]:
        if self._found is None:
            found: list[Occurrence] = []
            for entry, unit in zip(self._units.entries, self._units.units, strict=True):
                names = _NAMES.of(unit)
                if names is None:
                    names = _NAMES.keep(unit, tuple(names_of_entry(entry)))
                start = entry.start
                found += [(Span(span.start + start, span.end + start), name) for span, name in names]
            self._found = tuple(sorted(found, key=lambda one: (one[0].start, one[0].end)))
        return self._found

    @overload
    def __getitem__(self, index: int) -> Occurrence: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Occurrence, ...]: ...
    def __getitem__(self, index: int | slice) -> Occurrence | tuple[Occurrence, ...]:
        return self._all()[index]

    def __iter__(self) -> Iterator[Occurrence]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return self._all() == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


def names_of_entry(entry: Placed | Arm | For) -> Iterator[Occurrence]:
    """Yield the names in a leaf or header, with places relative to its piece."""
    match entry:
        case Placed(node=node):
            yield from _names_of_leaf(node)
        case Arm(condition=condition):
            yield from _names((condition,))
        case For(name=name, low=low, high=high, name_span=name_span):
            yield name_span, name
            yield from _names((low, high))


def _names_of_leaf(node: Leaf) -> Iterator[Occurrence]:
    match node:
        case Assign(target=target, value=value):
            yield from _target(target, (value,))
        case Sample(target=target, distribution=distribution):
            yield from _target(target, tuple(arguments_of(distribution)))
        case Observe(condition=condition):
            yield from _names((condition,))
        case Param(name=name, domain=domain, default=default, name_span=name_span):
            yield name_span, name
            ends = () if domain is None else (domain.low, domain.high)
            yield from _names((*ends, *(() if default is None else (default,))))
        case Const(name=name, value=value, name_span=name_span):
            yield name_span, name
            yield from _names((value,))
        case Secret(targets=targets) | Output(targets=targets):
            for target in targets:
                yield (target.name_span, target.array) if isinstance(target, Index) else (target.span, target.id)
        case Show(measure=measure):
            yield from names_in(measure)
        case Require(measure=measure, bound=bound, ranges=ranges):
            yield from names_in(measure)
            yield from names_in(bound)
            yield from ((one.name_span, one.name) for one in ranges)
        case Skip():
            pass


def mentioned(node: Leaf) -> Iterator[str]:
    """Yield the names in a leaf, without the one that it declares itself."""
    found = (name for _, name in _names_of_leaf(node))
    return islice(found, 1, None) if isinstance(node, Param | Const) else found


def _target(target: Target, values: tuple[Expression, ...]) -> Iterator[Occurrence]:
    if isinstance(target, Index):
        yield target.name_span, target.array
        yield from _names((target.index, *values))
    else:
        yield target.span, target.id
        yield from _names(values)


def _names(expressions: tuple[Expression, ...]) -> Iterator[Occurrence]:
    for expression in expressions:
        for node in nodes(expression):
            if isinstance(node, Name):
                yield node.span, node.id
            elif isinstance(node, Index):
                yield node.name_span, node.array
