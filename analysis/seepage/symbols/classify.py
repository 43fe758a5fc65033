"""What each name of a program is, for colouring: read off the tree, not off the words."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from seepage.data_classes import dataclass
from seepage.semantics.checked import Checked, Kind
from seepage.semantics.memo import Memo
from seepage.semantics.unit import Entry
from seepage.semantics.units import units_of
from seepage.source import Span
from seepage.symbols.names import Role, Symbol, names_of, symbols_in
from seepage.syntax.tree import Arm, Call, Family, For, GainName, MeasureCall, MetricName, Placed
from seepage.syntax.vocabulary.table import WORDS
from seepage.syntax.walk import Node, nodes


class Category(Enum):
    """What a word names."""

    PARAMETER = "parameter"
    CONSTANT = "constant"
    LOOP = "loop variable"
    VARIABLE = "variable"
    FUNCTION = "function"
    DISTRIBUTION = "distribution"
    MEASURE = "measure"
    ARGUMENT = "argument"
    PROCEDURE = "procedure"
    ENUMERATION = "enumeration"
    MEMBER = "member"
    FIELD = "field"
    MODULE = "module"


class Modifier(Enum):
    """What else is known of it."""

    DECLARATION = "declaration"
    SECRET = "secret"
    OUTPUT = "output"
    DISCRETE = "discrete"
    CONTINUOUS = "continuous"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Classified:
    """A word of the text with what it names."""

    span: Span
    category: Category
    modifiers: frozenset[Modifier] = frozenset()


_OTHERS = Memo[tuple[tuple[Span, Category], ...]]()  # what else than names is coloured in a unit


def classify(checked: Checked) -> tuple[Classified, ...]:
    """Return every name of a program in the order of the text; names that nothing defines are left out."""
    found: list[Classified] = []
    for symbol in symbols_in(checked):
        if symbol.role is not Role.UNKNOWN:
            category, modifiers, definitions = _CATEGORY[symbol.role], _modifiers(symbol), frozenset(symbol.definitions)
            declared = modifiers | {Modifier.DECLARATION}
            found += [
                Classified(span, category, declared if span in definitions else modifiers)
                for span in symbol.occurrences
            ]
    names = names_of(checked)
    if names is not None:
        found += [
            Classified(span, _CALLED[word.sort])
            for span, name in names.called
            if (word := WORDS.get(name)) is not None and word.sort in _CALLED
        ]
        return tuple(sorted(dict.fromkeys(found), key=lambda one: (one.span.start, one.span.end)))
    units = checked.units if checked.units is not None else units_of(checked.tree)
    for entry, unit in zip(units.entries, units.units, strict=True):
        words = _OTHERS.of(unit)
        if words is None:
            words = _OTHERS.keep(unit, tuple(word for root in _roots(entry) for word in _words(root)))
        found += [Classified(place.shift(entry.start), named) for place, named in words]
    return tuple(sorted(found, key=lambda one: (one.span.start, one.span.end)))


def _roots(entry: Entry) -> tuple[Node, ...]:
    match entry:
        case Placed(node=node):
            return (node,)
        case Arm(condition=condition):
            return (condition,)
        case For(low=low, high=high):
            return (low, high)


def _words(root: Node) -> Iterator[tuple[Span, Category]]:
    """Yield what is called in a leaf or expression, with places relative to its piece: kept with its unit while that stays."""
    for node in nodes(root):
        match node:
            case Call(name_span=place):
                yield place, Category.FUNCTION
            case Family(name_span=place):
                yield place, Category.DISTRIBUTION
            case MeasureCall(name_span=place):
                yield place, Category.MEASURE
            case GainName(name=name, span=place) | MetricName(name=name, span=place):
                yield Span(place.start, place.start + len(name)), Category.FUNCTION
            case _:
                pass


_CALLED = {
    "function": Category.FUNCTION,
    "gain": Category.FUNCTION,
    "metric": Category.FUNCTION,
    "distribution": Category.DISTRIBUTION,
    "measure": Category.MEASURE,
}
_CATEGORY = {
    Role.ARGUMENT: Category.ARGUMENT,
    Role.LOCAL: Category.VARIABLE,
    Role.PROCEDURE: Category.PROCEDURE,
    Role.ENUMERATION: Category.ENUMERATION,
    Role.MEMBER: Category.MEMBER,
    Role.FIELD: Category.FIELD,
    Role.MODULE: Category.MODULE,
    Role.PARAMETER: Category.PARAMETER,
    Role.CONSTANT: Category.CONSTANT,
    Role.LOOP: Category.LOOP,
    Role.SECRET: Category.VARIABLE,
    Role.OUTPUT: Category.VARIABLE,
    Role.SECRET_OUTPUT: Category.VARIABLE,
    Role.VARIABLE: Category.VARIABLE,
}
_KIND = {
    Kind.BOOLEAN: Modifier.DISCRETE,
    Kind.DISCRETE: Modifier.DISCRETE,
    Kind.CONTINUOUS: Modifier.CONTINUOUS,
    Kind.MIXED: Modifier.MIXED,
}


def _modifiers(symbol: Symbol) -> frozenset[Modifier]:
    modifiers: set[Modifier] = set()
    if symbol.role in (Role.SECRET, Role.SECRET_OUTPUT):
        modifiers.add(Modifier.SECRET)
    if symbol.role in (Role.OUTPUT, Role.SECRET_OUTPUT):
        modifiers.add(Modifier.OUTPUT)
    if symbol.kind is not None:
        modifiers.add(_KIND[symbol.kind])
    return frozenset(modifiers)
