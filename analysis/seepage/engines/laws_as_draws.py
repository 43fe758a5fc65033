"""A law in each of several states, written as draws of plain variables: one after the other, each given those before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias, TypeVar

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.forward.chain import Ends
from seepage.exact import Number, to_fraction
from seepage.semantics.core import ENDLESS, CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement
from seepage.semantics.signatures import MOMENTS, REMAINDER
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

Key: TypeAlias = tuple[Number, ...]
Law: TypeAlias = tuple[Key, Ends[Key, Any]]
Leaf: TypeAlias = tuple[tuple[Fraction, Expression], ...]
Statements: TypeAlias = tuple[CoreStatement, ...]
Count: TypeAlias = tuple[Distribution | None, int]
L = TypeVar("L")

_ONE = tree.Number(Fraction(1), Span(0, 0))
_ZERO = tree.Number(Fraction(0), Span(0, 0))


@dataclass(frozen=True, slots=True)
class Scope:
    """What a loop or local draw reads and writes, but for counters.

    Attributes:
        span: of its header.
        reads: names, in the order of keys.
        writes: names, in the order of ends.
        counts: by what is read and what is written, how often was counted: a law (None: the point 0) and what is added to it.
        units: what one count adds to each counter.
    """

    span: Span
    reads: Sequence[str]
    writes: Sequence[str]
    counts: Mapping[tuple[Key, Key], Count] = field(default_factory=dict)
    units: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(slots=True)
class Writing:
    """Names of variables that hold what was before a statement, or whether it ended; each statement has its own.

    Attributes:
        count: how many statements were written.
        endings: for each loop that some runs never end, by its place, the variables that tell so.
    """

    count: int = 0
    endings: dict[Span, tuple[str, ...]] = field(default_factory=dict)
    in_branch: bool = False  # whether perhaps only some runs get to the statement

    def drawn(
        self, scope: Scope, laws: Sequence[Law], written: Callable[[Any], Expression], left: Sequence[Fraction] = ()
    ) -> Statements:
        """Return statements that draw what a loop or local draw writes.

        Args:
            scope: what it reads and writes.
            laws: for each value of what it reads, the law of what it writes.
            written: a weight as an expression; divides nothing.
            left: the chance of runs that were not followed, in every state alike, if there are any; the laws are those of the others. Then
                bounds of the moments of the largest absolute value in those runs, times that chance, as far as they are known.

        Raises:
            Fault: if a value is irrational.
        """
        self.count += 1
        span = scope.span
        before = {name: f"{name}@before{self.count}" if name in scope.writes else name for name in scope.reads}
        result: list[CoreStatement] = [
            CoreAssign(tree.Name(kept, span), tree.Name(name, span), span)
            for name, kept in before.items()
            if kept != name
        ]
        inputs = [before[name] for name in scope.reads]
        result += self._ended(inputs, laws, written, span)
        rows = [
            ((*key, *values), weight) for key, ends in laws for values, weight in ends.exits.items() if len(ends.exits)
        ]
        for place, name in enumerate(scope.writes):
            given = [*inputs, *scope.writes[:place]]
            leaves: dict[Key, dict[Fraction, Any]] = {}
            for key, weight in rows:
                here = leaves.setdefault(key[: len(given)], {})
                value = _fraction(key[len(given)], span)
                here[value] = here[value] + weight if value in here else weight
            told = [(key, _leaf(leaf, written)) for key, leaf in leaves.items()]
            result += decided(given, told, partial(_drawn, name, span), span)
        if scope.units:
            result += self._rounds([*inputs, *scope.writes], scope)
            rounds = tree.Name(f"@rounds{self.count}", span)
            result += [_add(name, size, rounds) for name, size in scope.units.items() if size]
        if left:
            result += _beyond(tree.Name(f"@left{self.count}", span), left, scope.writes)
        return tuple(result)

    def _rounds(self, names: Sequence[str], scope: Scope) -> Statements:
        """Return the draw of how often was counted: which of several laws it has is decided first, so that each is drawn from at one place."""
        rounds, which = (tree.Name(f"@{word}{self.count}", scope.span) for word in ("rounds", "law"))
        laws = {law: place for place, law in enumerate(dict.fromkeys(scope.counts.values()))}
        if len(laws) == 1:
            return _counted(rounds, next(iter(laws)))
        chosen = [((*key, *values), Fraction(laws[law])) for (key, values), law in scope.counts.items()]
        drawn = [((Fraction(place),), law) for law, place in laws.items()]
        return (
            *decided(names, chosen, partial(_assigned, which), scope.span),
            *decided([which.id], drawn, partial(_counted, rounds), scope.span),
        )

    def _ended(
        self, inputs: Sequence[str], laws: Sequence[Law], written: Callable[[Any], Expression], span: Span
    ) -> Statements:
        """Return an observation that the statement ends, and that what it observes holds; nothing where it always does."""
        told = [(key, _fates(ends, written, span)) for key, ends in laws]
        if all(len(leaf) == 1 and leaf[0][0] == 1 for _, leaf in told):
            return ()
        if told and not self.in_branch and all(len(leaf) == 1 and leaf[0][0] != 1 for _, leaf in told):
            raise Fault(Diagnostic(rules.IMPOSSIBLE_OBSERVATION, span, "impossible observation: no run ends this loop"))
        name = f"@ended{self.count}"
        if any(fate == ENDLESS for _, leaf in told for fate, _ in leaf):
            self.endings[span] = (*self.endings.get(span, ()), name)
        holds = tree.Binary("==", tree.Name(name, span), _ONE, span)
        return (*decided(inputs, told, partial(_drawn, name, span), span), CoreObserve(holds, span))


def _fates(ends: Ends[Key, Any], written: Callable[[Any], Expression], span: Span) -> Leaf:
    """Return the chances that a run ends (1), is left out by an observation (0), or never ends."""
    exits = list(ends.exits.values())
    mass, never = _written_sum(exits, written), written(ends.never)
    if mass == _ONE:
        return ((Fraction(1), _ONE),)
    fates: list[tuple[Fraction, Expression]] = []
    if never != _ZERO:
        fates.append((Fraction(ENDLESS), never))
    if _written_sum([*exits, ends.never], written) != _ONE:
        rest: Expression = tree.Binary("-", _ONE, mass, span) if mass is not None else _ONE
        fates.append((Fraction(0), rest if never == _ZERO else tree.Binary("-", rest, never, span)))
    if mass is not None:
        fates.append((Fraction(1), mass))
    return tuple((fate, _ONE if len(fates) == 1 else chance) for fate, chance in fates)


def decided(
    names: Sequence[str],
    rows: Sequence[tuple[Key, L]],
    statements: Callable[[L], Statements],
    span: Span,
) -> Statements:
    """Return the statements of the row that fits the values of some names: branches by halves, none where the rows are alike."""
    if not rows:
        return ()
    if all(leaf == rows[0][1] for _, leaf in rows):
        return statements(rows[0][1])
    groups: dict[Fraction, list[tuple[Key, L]]] = {}
    for key, leaf in rows:
        groups.setdefault(_fraction(key[0], span), []).append((key[1:], leaf))
    return _halved(names, sorted(groups.items(), key=lambda each: each[0]), statements, span)


def _halved(
    names: Sequence[str],
    groups: Sequence[tuple[Fraction, list[tuple[Key, L]]]],
    statements: Callable[[L], Statements],
    span: Span,
) -> Statements:
    if len(groups) == 1:
        return decided(names[1:], groups[0][1], statements, span)
    middle = len(groups) // 2
    arms = [_halved(names, half, statements, span) for half in (groups[:middle], groups[middle:])]
    if arms[0] == arms[1]:
        return arms[0]
    at_most = tree.Binary("<=", tree.Name(names[0], span), tree.Number(groups[middle - 1][0], span), span)
    return (CoreIf(at_most, arms[0], arms[1], span),)


def _beyond(left: tree.Name, known: Sequence[Fraction], names: Sequence[str]) -> Statements:
    """Return the draw of whether a run was not followed, which moves what is written then: anywhere, or as far as bounds of moments allow."""
    span = left.span
    parts = zip((None, *MOMENTS), known, strict=False)
    arguments = tuple(tree.Argument(name, tree.Number(value, span), span) for name, value in parts)
    law = tree.Family(REMAINDER, arguments, span, span)
    return (CoreSample(left, law, span), *(_add(name, Fraction(1), left) for name in names))


def _counted(rounds: tree.Name, count: Count) -> Statements:
    """Return the draw of a count."""
    law, shift = count
    more = tree.Number(Fraction(shift), rounds.span)
    if law is None:
        return (CoreAssign(rounds, more, rounds.span),)
    drawn = CoreSample(rounds, law, rounds.span)
    if not shift:
        return (drawn,)
    return (drawn, CoreAssign(rounds, tree.Binary("+", rounds, more, rounds.span), rounds.span))


def _assigned(target: tree.Name, value: Fraction) -> Statements:
    return (CoreAssign(target, tree.Number(value, target.span), target.span),)


def _add(counter: str, size: Fraction, rounds: tree.Name) -> CoreStatement:
    """Return what adds so many counts to a counter."""
    span, target = rounds.span, tree.Name(counter, rounds.span)
    more: Expression = rounds if size == 1 else tree.Binary("*", tree.Number(size, span), rounds, span)
    return CoreAssign(target, tree.Binary("+", target, more, span), span)


def _drawn(name: str, span: Span, leaf: Leaf) -> Statements:
    target = tree.Name(name, span)
    if len(leaf) == 1:
        return (CoreAssign(target, tree.Number(leaf[0][0], span), span),)
    entries = tuple((tree.Number(value, span), weight) for value, weight in leaf)
    return (CoreSample(target, tree.Table(entries, span), span),)


def _leaf(weights: Mapping[Fraction, Any], written: Callable[[Any], Expression]) -> Leaf:
    """Return values with their chances, which are normalised."""
    if len(weights) == 1:
        return ((next(iter(weights)), _ONE),)
    total = None
    for weight in weights.values():
        total = weight if total is None else total + weight
    return tuple((value, written(weights[value] / total)) for value in sorted(weights))


def _written_sum(weights: Sequence[Any], written: Callable[[Any], Expression]) -> Expression | None:
    total = None
    for weight in weights:
        total = weight if total is None else total + weight
    return None if total is None else written(total)


def _fraction(value: Number, span: Span) -> Fraction:
    found = to_fraction(value)
    if found is None:
        message = "irrational values in loops of unknown length and in local draws are not supported yet"
        raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, message))
    return found
