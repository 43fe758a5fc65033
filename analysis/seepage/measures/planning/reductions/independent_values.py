r"""Chances, means and variances of what is put together from independent parts.

Means are linear, and multiply where the factors are independent; independent conditions multiply under ``and``, their complements under ``or``; variances of independent
terms add up (constants have none), and :math:`\mathrm{Var}(ab) = (\mathrm{Var}\,a + (\mathrm{E}a)^2)(\mathrm{Var}\,b + (\mathrm{E}b)^2) - (\mathrm{E}a)^2(\mathrm{E}b)^2`.
Terms that differ in names only are asked once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import reduce
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.measures.arithmetic import Operator
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.arithmetic import constant_formula
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.folding import sum_of
from seepage.measures.planning.likeness import Likeness, likeness
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.quantity import Quantity, combined
from seepage.measures.scope import core_expression
from seepage.semantics.expressions import plain_names, without_parentheses
from seepage.semantics.separation import Extraction, Separation, separate
from seepage.syntax.tree import Binary, Conditional, Expression, Unary

Wanted: TypeAlias = Literal["P", "E", "Var"]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The number of a question, by its place among those that are posed."""

    place: int


@dataclass(frozen=True, slots=True)
class _Sum:
    """Terms, each with how often and with which sign it is added."""

    terms: tuple[tuple[int, _Node], ...]


@dataclass(frozen=True, slots=True)
class _Product:
    """Factors."""

    factors: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Rest:
    """1 less a number."""

    node: _Node


_Node: TypeAlias = _Asked | _Sum | _Product | _Rest


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape != "value":
        return None
    written = question.call.left[0]
    shifted = (
        question.measure.functional == "variance" and len(list(_terms(written))) > 1
    )  # what is added may be a constant
    if len(question.x) < (1 if shifted else 2):
        return None
    separation = separate(question.core, question.x)
    reading = _Reading(question, separation)
    node = reading.variance(written) if question.measure.functional == "variance" else reading.mean(written)
    if isinstance(node, _Asked):
        return None
    count = len(separation.parts)
    because = f"because the terms are independent, or means of sums ({count:,} independent parts)"
    return Reduced(tuple(reading.posed), lambda claims: _told(node, claims, question), "=", because)


@dataclass
class _Reading:
    """An expression being taken apart.

    Attributes:
        question: whose value it is.
        separation: of the variables that it reads.
        posed: questions about its pieces.
    """

    question: Question
    separation: Separation
    posed: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._part_of = {name: place for place, part in enumerate(self.separation.parts) for name in part.names}
        self._extraction = Extraction(self.separation)
        self._known: dict[tuple[Wanted, Likeness], int] = {}

    def mean(self, written: Expression) -> _Node:
        """Take a mean or a chance apart."""
        written = without_parentheses(written)
        match written:
            case Binary(operator="+" | "-") | Unary(operator="-"):
                return self._sum(written)
            case Binary(operator="*", left=left, right=right) if self._are_apart((left, right)):
                return _Product((self.mean(left), self.mean(right)))
            case Unary(operator="not" | "!", operand=operand):
                return _Rest(self.chance(operand))
            case Binary(operator="and" | "or"):
                return self._joined(written)
            case Conditional(condition=condition, consequent=yes, alternative=no) if self._are_apart(
                (condition, _both(yes, no))
            ):
                chance = self.chance(condition)
                arms = _Product((chance, self.mean(yes))), _Product((_Rest(chance), self.mean(no)))
                return _Sum(tuple((1, arm) for arm in arms))
            case _:
                return self._asked("P" if self.question.measure.functional == "chance" else "E", written)

    def chance(self, written: Expression) -> _Node:
        """Take the chance of a condition apart."""
        written = without_parentheses(written)
        match written:
            case Unary(operator="not" | "!", operand=operand):
                return _Rest(self.chance(operand))
            case Binary(operator="and" | "or"):
                return self._joined(written)
            case _:
                return self._asked("P", written)

    def variance(self, written: Expression) -> _Node:
        """Take a variance apart."""
        written = without_parentheses(written)
        terms = list(_terms(written))
        clusters = self._clusters([term for _, term in terms])
        if len(clusters) > 1:
            told = (self._variance_of([terms[place] for place in cluster]) for cluster in clusters)
            return _Sum(tuple((1, node) for node in told))
        match written:
            case Binary(operator="*", left=left, right=right) if self._are_apart((left, right)):
                squares = [_Product((mean, mean)) for mean in (self.mean(left), self.mean(right))]
                seconds = [
                    _Sum(((1, self.variance(each)), (1, square)))
                    for each, square in zip((left, right), squares, strict=True)
                ]
                return _Sum(((1, _Product(tuple(seconds))), (-1, _Product(tuple(squares)))))
            case _:
                return self._asked("Var", written)

    def _variance_of(self, terms: Sequence[tuple[int, Expression]]) -> _Node:
        if len(terms) == 1:
            return self.variance(terms[0][1])  # whatever its sign
        return self._asked("Var", _added(terms))

    def _sum(self, written: Expression) -> _Node:
        terms = list(_terms(written))
        clusters = self._clusters([term for _, term in terms])
        if len(clusters) == 1:
            return _Sum(tuple((sign, self.mean(term)) for sign, term in terms))
        found: list[tuple[int, _Node]] = []
        for cluster in clusters:
            if len(cluster) == 1:
                sign, term = terms[cluster[0]]
                found.append((sign, self.mean(term)))
            else:
                found.append((1, self._asked("E", _added([terms[place] for place in cluster]))))
        return _Sum(tuple(found))

    def _joined(self, written: Binary) -> _Node:
        """Take ``and`` or ``or`` of conditions apart."""
        operator = written.operator
        pieces = list(_flattened(written, operator))
        clusters = self._clusters(pieces)
        if len(clusters) == 1:
            return self._asked("P", written)
        chances: list[_Node] = []
        for cluster in clusters:
            members = [pieces[place] for place in cluster]
            whole = reduce(lambda a, b: Binary(operator, a, b, written.span), members)
            chances.append(self.chance(whole) if len(members) == 1 else self._asked("P", whole))
        if operator == "and":
            return _Product(tuple(chances))
        return _Rest(_Product(tuple(_Rest(chance) for chance in chances)))

    def _clusters(self, pieces: Sequence[Expression]) -> list[list[int]]:
        """Return which pieces share parts with each other, as groups of their places, in order."""
        of_part: dict[int, int] = {}
        leader = list(range(len(pieces)))

        def first(place: int) -> int:
            while leader[place] != place:
                leader[place] = leader[leader[place]]
                place = leader[place]
            return place

        for place, piece in enumerate(pieces):
            for part in self._parts(piece):
                other = first(of_part.setdefault(part, place))
                own = first(place)
                leader[max(own, other)] = min(own, other)
        groups: dict[int, list[int]] = {}
        for place in range(len(pieces)):
            groups.setdefault(first(place), []).append(place)
        return list(groups.values())

    def _are_apart(self, pieces: Sequence[Expression]) -> bool:
        return len(self._clusters(pieces)) == len(pieces)

    def _parts(self, written: Expression) -> set[int]:
        return {self._part_of[name] for name in self._names(written) if name in self._part_of}

    def _names(self, written: Expression) -> frozenset[str]:
        core = self.question.core
        return core.expanded(plain_names(core_expression(self.question.evaluation.scope, written)))

    def _asked(self, wanted: Wanted, written: Expression) -> _Asked:
        """Pose a question about a piece, unless one like it was posed."""
        core, names = self.question.core, self._names(written)
        named = {
            part: tuple(sorted(each for each in names if self._part_of.get(each) == part))
            for part in sorted(self._parts(written))
        }
        value = core_expression(self.question.evaluation.scope, written)
        statements = (
            each
            for part, read in named.items()
            for each in self._extraction.statements(self.separation.parts[part], read)
        )
        constants = [name for name in self.separation.constants if name in names]
        key = likeness(statements, (), (*core.parameters, *constants), value, core.arrays)
        if (wanted, key) not in self._known:
            self._known[wanted, key] = len(self.posed)
            self.posed.append(self.question.valued(wanted, written))
        return _Asked(self._known[wanted, key])


def _both(yes: Expression, no: Expression) -> Expression:
    return Binary("+", yes, no, yes.span)


def _terms(written: Expression, sign: int = 1) -> Iterator[tuple[int, Expression]]:
    """Yield what a sum adds up, with signs."""
    stack = [(sign, written)]
    while stack:
        sign, node = stack.pop()
        match without_parentheses(node):
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                stack += [(sign if operator == "+" else -sign, right), (sign, left)]
            case Unary(operator="-", operand=operand):
                stack.append((-sign, operand))
            case term:
                yield sign, term


def _added(terms: Iterable[tuple[int, Expression]]) -> Expression:
    signed = [(sign, term) for sign, term in terms]
    first = signed[0][1] if signed[0][0] > 0 else Unary("-", signed[0][1], signed[0][1].span)
    return reduce(
        lambda found, each: Binary("+" if each[0] > 0 else "-", found, each[1], found.span), signed[1:], first
    )


def _flattened(written: Expression, operator: str) -> Iterator[Expression]:
    stack = [written]
    while stack:
        match without_parentheses(stack.pop()):
            case Binary(operator=joined, left=left, right=right) if joined == operator:
                stack += [right, left]
            case piece:
                yield piece


# --- the number -------------------------------------------------------------------------------------------------------


def _told(node: _Node, claims: Sequence[Claim], question: Question) -> Claim:
    place = question.call.span.shift(question.evaluation.scope.offset)

    def joined(operator: Operator, left: Claim, right: Claim) -> Claim:
        return combined(operator, left, right, place)

    def told(node: _Node) -> Claim:
        match node:
            case _Asked(place=which):
                return claims[which]
            case _Product(factors=factors):
                return reduce(lambda a, b: joined("*", a, b), map(told, factors))
            case _Rest(node=inner):
                return joined("-", _one(), told(inner))
            case _Sum(terms=terms):
                counts: dict[_Node, int] = {}
                for sign, term in terms:
                    counts[term] = counts.get(term, 0) + sign
                added = [(told(term), count) for term, count in counts.items()]
                more, less = ([(claim, sign * count) for claim, count in added if sign * count > 0] for sign in (1, -1))
                if not less:
                    return sum_of(more) if more else joined("-", added[0][0], added[0][0])
                return joined("-", sum_of(more) if more else _one(0), sum_of(less))

    return told(node)


def _one(value: int = 1) -> Claim:
    number = Fraction(value)
    return Quantity(Enclosure.of_rational(number), 0, "dependence", formula=constant_formula(number))


INDEPENDENT_VALUES = Reduction("independent terms", "linearity of the mean; independence", _apply)
