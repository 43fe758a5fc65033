"""From a measure's form to the formula that is shown: names for what is repeated, the binary entropy explained, all within a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seepage.algebra import Quotient
from seepage.data_classes import dataclass
from seepage.measures.formulas.condition import Condition
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.mathml import mathml_of
from seepage.measures.formulas.symbolic import BinarySum, LogarithmSum, Unit, entropy_definition
from seepage.measures.formulas.text import definitions_text, text_of
from seepage.measures.formulas.tree import (
    Applied,
    Definition,
    Node,
    Power,
    Product,
    Ratio,
    Sum,
    Symbol,
    rebuilt,
    size,
    subtrees,
)
from seepage.measures.formulas.writing import Writing
from seepage.measures.result import Formula

_READABLE = 200  # characters of a formula
_DEFINITION = 120  # characters of a definition
_DEFINITIONS = 6
_BURDEN = 40.0  # names and numbers in a formula that people still follow
_ROUGH = 4  # times as much may be there before parts that come more than once get names
SHARED = ("u", "v", "w", "s", "t", "a", "b", "c", "d")
"""Names for parts that a formula repeats, the first free ones are taken."""

_ENTROPIES = ("h", "b", "H")
_ARGUMENTS = ("x", "u", "v", "w")
_WORTH = 4  # to read in a part that gets a name, if it comes at least twice
_EXPLAINED = 3.0  # what the binary entropy costs a reader, who knows it
_NAMED = 1.0  # what a name for an expression of the program costs


@dataclass(frozen=True, slots=True)
class Wording:
    """What all writings of one formula share: the unit, and the names that the program uses."""

    unit: Unit
    taken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Worded:
    """A formula as a tree with the definitions that it needs."""

    node: Node
    definitions: tuple[Definition, ...]

    @property
    def weight(self) -> float:
        """How much there is to read; names for what stands in the program count little, other definitions half."""
        return size(self.node) + sum(map(_weight, self.definitions))

    @property
    def fits(self) -> bool:
        """Whether people can read it, on less than a screen."""
        if self.weight > _BURDEN or len(text_of(self.node)) > _READABLE:
            return False
        texts = definitions_text(self.definitions)
        return len(texts) <= _DEFINITIONS and all(len(text) <= _DEFINITION for text in texts)

    def formula(self, conditions: tuple[Condition, ...]) -> Formula:
        """Return the record that is shown."""
        return Formula(
            text_of(self.node),
            latex_of(self.node, self.definitions),
            conditions,
            mathml_of(self.node, self.definitions),
            definitions_text(self.definitions),
            self.node,
            self.definitions,
        )


def _weight(definition: Definition) -> float:
    if isinstance(definition.head, Applied):
        return _EXPLAINED
    return _NAMED if definition.of_program else size(definition.body) / 2


def worded(form: LogarithmSum | BinarySum | Quotient, writing: Writing, wording: Wording) -> Worded | None:
    """Return a form as it is shown, None if that is too long."""
    named = [each.head.name for each in writing.definitions if isinstance(each.head, Symbol)]
    taken = {*wording.taken, *named}
    h = next((name for name in _ENTROPIES if name not in taken), "h'")
    if not isinstance(form, Quotient) and form.is_longer(writing.notation, _ROUGH * _BURDEN):
        return None
    match form:
        case LogarithmSum():
            node = form.written(writing.notation, wording.unit)
        case BinarySum():
            node = form.written(writing.notation, wording.unit, h)
        case Quotient():
            node = writing.notation.quotient(form)
    return composed_of(node, writing.definitions, h, wording.unit, taken | {h})


def composed_of(node: Node, definitions: Sequence[Definition], h: str, unit: Unit, taken: set[str]) -> Worded | None:
    """Return a tree with names for what it repeats and the definitions of the names that it uses, None if that is too long."""
    if size(node) > _ROUGH * _BURDEN:
        return None
    node, definitions = _without_single_uses(node, definitions)
    node, shared = _with_shared(node, [name for name in SHARED if name not in taken])
    used = [*(each for each in definitions if _mentions(each.head, node, shared)), *shared]
    if any(isinstance(part, Applied) and part.function == h for part in _parts(node, used)):
        names = taken | {each.head.name for each in shared if isinstance(each.head, Symbol)}
        used.append(entropy_definition(h, next((name for name in _ARGUMENTS if name not in names), "x'"), unit))
    result = Worded(node, tuple(used))
    return result if result.fits else None


def _without_single_uses(node: Node, definitions: Sequence[Definition]) -> tuple[Node, list[Definition]]:
    """Put in what a name stands for if the name comes only once."""
    kept: list[Definition] = []
    for each in definitions:
        if sum(part == each.head for part in subtrees(node)) == 1:
            node = _replaced(node, each.head, each.body)
        else:
            kept.append(each)
    return node, kept


def _parts(node: Node, definitions: Sequence[Definition]) -> Iterator[Node]:
    for body in (node, *(each.body for each in definitions)):
        yield from subtrees(body)


def _mentions(head: Symbol | Applied, node: Node, definitions: Sequence[Definition]) -> bool:
    return any(part == head for part in _parts(node, definitions))


def _with_shared(node: Node, names: Sequence[str]) -> tuple[Node, list[Definition]]:
    """Return a tree in which parts that come more than once have names, with the names' definitions; the largest gain first."""
    found: list[Definition] = []
    for name in names:
        counts = Counter(part for part in _parts(node, found) if may_be_named(part))
        gains = [((count - 1) * (size(part) - 1), part) for part, count in counts.items() if count > 1]
        if not gains:
            break
        best = max(gains, key=lambda gain: gain[0])[1]
        symbol = Symbol(name)
        node = _replaced(node, best, symbol)
        found = [replace(each, body=_replaced(each.body, best, symbol)) for each in found]
        found.insert(0, Definition(symbol, best))
    found = after_what_they_use(found)
    # The names in alphabetical order; marks in between, since new and old names are the same letters.
    marks = [Symbol(f"@{place}") for place in range(len(found))]
    old = [each.head for each in found]
    for before, after in ((old, marks), (marks, [Symbol(name) for name in names])):
        for head, symbol in zip(before, after, strict=False):
            node = _replaced(node, head, symbol)
            found = [replace(each, body=_replaced(each.body, head, symbol)) for each in found]
    return node, [Definition(Symbol(name), each.body) for name, each in zip(names, found, strict=False)]


def after_what_they_use(definitions: Sequence[Definition]) -> list[Definition]:
    """Return definitions in an order in which each stands after those that it uses."""
    left, result = list(definitions), list[Definition]()
    while left:
        heads = [each.head for each in left]
        ready = [each for each in left if not any(part in heads for part in subtrees(each.body))]
        result += ready
        left = [each for each in left if each not in ready]
    return result


def may_be_named(part: Node) -> bool:
    """Tell whether a part of a formula is worth a name if it comes more than once."""
    return isinstance(part, Sum | Product | Ratio | Power) and size(part) >= _WORTH


def _replaced(node: Node, old: Node, new: Node) -> Node:
    return rebuilt(node, lambda part: new if part == old else None)
