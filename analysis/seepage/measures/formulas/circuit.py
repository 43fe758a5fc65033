r"""Measures of which no formula is short enough to read, as circuits: the probabilities with names, and the measure in the names.

With :math:`f(x) = -x \log x` entropies and informations are sums of :math:`\pm f(P)` over the masses P of marginal distributions:
:math:`H(x \mid y) = \sum f(P_{xy}) - \sum f(P_y)`, and so on; a divergence is :math:`\sum P \log (P / Q)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from flint import arb, fmpq_mpoly

from seepage.algebra import Quotient
from seepage.data_classes import dataclass
from seepage.measures.formulas.notation import Notation, value_of_quotient
from seepage.measures.formulas.symbolic import weighted_logarithm
from seepage.measures.formulas.text import definitions_text, text_of
from seepage.measures.formulas.tree import (
    Applied,
    Definition,
    Logarithm,
    Node,
    Numeral,
    Symbol,
    negated,
    numeral,
    product_of,
    ratio_of,
    rebuilt,
    size,
    subtrees,
    sum_of,
)
from seepage.measures.formulas.wording import SHARED, Worded, Wording, after_what_they_use, may_be_named
from seepage.measures.formulas.writing import Writing

_LINES = 24  # of definitions
_LINE = 120  # characters of a definition
_LONGEST = 240  # characters of what the definitions are for
_ROUGH = 400  # to read in all probabilities together: more is not tried
_INLINE = 4  # to read in a probability that needs no name
_FUNCTIONS = ("f", "g", "η")
_PREFIXES = ("a", "b", "c", "d", "k", "m")
_SHARED = 4  # names of repeated parts


@dataclass(slots=True)
class Circuit:
    """A sum of ``count · f(P)``, and of ``P · log(P/Q)``, under construction; equal probabilities are taken as one."""

    surprises: list[tuple[Quotient, int]] = field(default_factory=list)
    divergences: list[tuple[Quotient, Quotient]] = field(default_factory=list)

    def add(self, probability: Quotient, count: int) -> None:
        """Add ``count · f(P)``; for the probability 1 that is 0."""
        if probability.constant() == 1:
            return
        for index, (known, old) in enumerate(self.surprises):
            if known == probability:
                self.surprises[index] = (known, old + count)
                return
        self.surprises.append((probability, count))

    def left(self) -> list[tuple[Quotient, int]]:
        """Return the terms that did not cancel."""
        return [(probability, count) for probability, count in self.surprises if count]

    @property
    def terms(self) -> int:
        """How many terms it has."""
        return len(self.left()) + len(self.divergences)

    def value(self, letters: Sequence[arb]) -> arb:
        """Return an enclosure in nats at values of the letters; no number if a logarithm is of something negative."""
        total = arb(0)
        for probability, count in self.left():
            p = value_of_quotient(probability, letters)
            total -= count * weighted_logarithm(p, p)
        for first, second in self.divergences:
            p, q = value_of_quotient(first, letters), value_of_quotient(second, letters)
            total += weighted_logarithm(p, p) - weighted_logarithm(p, q)
        return total

    def divisors(self) -> list[fmpq_mpoly]:
        """Return the polynomials that are divided by."""
        return [each.denominator for each in self._probabilities()]

    def arguments(self) -> list[fmpq_mpoly]:
        """Return the polynomials under logarithms."""
        return [part for each in self._probabilities() for part in (each.numerator, each.denominator)]

    def _probabilities(self) -> Iterator[Quotient]:
        yield from (probability for probability, _ in self.left())
        yield from (each for pair in self.divergences for each in pair)


def worded_circuit(circuit: Circuit, writing: Writing, wording: Wording) -> Worded | None:
    """Return a circuit as it is shown, None if it does not fit a screen."""
    notation = writing.notation
    if circuit.terms > 2 * _LINES:
        return None
    named = [each.head.name for each in writing.definitions if isinstance(each.head, Symbol)]
    taken = {*wording.taken, *named}
    prefix = next((each for each in _PREFIXES if not any(name.startswith(each) for name in taken)), "a'")
    f = next((each for each in _FUNCTIONS if each not in taken), "f'")
    names = _Names(notation, prefix)
    terms: list[tuple[bool, Node]] = []
    for probability, _ in sorted(circuit.left(), key=lambda term: -len(term[0].numerator)):
        names.of(probability)  # the longest first, to give up early
        if names.read > _ROUGH or len(names.found) > _LINES:
            return None
    names = _Names(notation, prefix)
    terms += [(count < 0, product_of(numeral(abs(count)), Applied(f, names.of(p)))) for p, count in circuit.left()]
    terms.sort(key=lambda term: term[0])
    for (first, second), count in Counter((names.of(p), names.of(q)) for p, q in circuit.divergences).items():
        logarithm = Logarithm(ratio_of(first, second), wording.unit)
        terms.append((False, product_of(numeral(count), product_of(first, logarithm))))
    node = sum_of(terms)
    if names.read > _ROUGH:
        return None
    bodies = _shared(names.found, [name for name in SHARED if name not in taken | {prefix, f}][:_SHARED])
    used = {part for each in (node, *(definition.body for definition in bodies)) for part in subtrees(each)}
    definitions = [*(each for each in writing.definitions if each.head in used), *bodies]
    if circuit.left():
        defined = {each.head.name for each in definitions if isinstance(each.head, Symbol)}
        x = next(name for name in ("x", "u", "v", "w", "x'") if name not in taken | defined | {f, prefix})
        surprise = negated(product_of(Symbol(x), Logarithm(Symbol(x), wording.unit)))
        definitions.append(Definition(Applied(f, Symbol(x)), surprise))
    result = Worded(node, tuple(definitions))
    return result if _fits(result) else None


def _fits(worded: Worded) -> bool:
    texts = definitions_text(worded.definitions)
    return len(text_of(worded.node)) <= _LONGEST and len(texts) <= _LINES and all(len(text) <= _LINE for text in texts)


@dataclass(slots=True)
class _Names:
    """The names of probabilities; a short one stands for itself."""

    notation: Notation
    prefix: str
    found: list[Definition] = field(default_factory=list)
    heads: dict[Node, Symbol] = field(default_factory=dict)
    read: int = 0

    def of(self, probability: Quotient) -> Node:
        body = self.notation.quotient(probability)
        if size(body) < _INLINE:
            return body
        if body not in self.heads:
            head = self.heads[body] = Symbol(f"{self.prefix}{len(self.found) + 1}")
            self.found.append(Definition(head, body))
            self.read += size(body)
        return self.heads[body]


def _shared(definitions: Sequence[Definition], names: Sequence[str]) -> list[Definition]:
    """Return definitions, with further ones in front for parts that come more than once; the largest gain first."""
    bodies, found = list(definitions), list[Definition]()
    for name in names:
        parts = (part for each in (*bodies, *found) for part in subtrees(each.body) if part != each.body)
        counts = Counter(part for part in parts if may_be_named(part) and not isinstance(part, Numeral))
        gains = [((count - 1) * (size(part) - 1), part) for part, count in counts.items() if count > 1]
        if not gains:
            break
        best = max(gains, key=lambda gain: gain[0])[1]
        symbol = Symbol(name)
        bodies, found = _without(bodies, best, symbol), _without(found, best, symbol)
        found.insert(0, Definition(symbol, best))
    return [*after_what_they_use(found), *bodies]


def _without(definitions: Sequence[Definition], part: Node, symbol: Symbol) -> list[Definition]:
    return [
        replace(each, body=rebuilt(each.body, lambda node: symbol if node == part else None)) for each in definitions
    ]
