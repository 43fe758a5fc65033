r"""Variables that a loop of unknown length only counts with: constants are added to them, and nothing else in the loop reads them.

They are no states of the loop. With a letter z for each time that a round counts, the weights of the chain are polynomials in z, and what a state leads to,
:math:`X(z) = P(z) X(z) + E(z)`, is solved over the field of rational functions: :math:`X` at an end is the generating function of how often was counted, times
the chance of that end. So given where a loop begins and what it ends with, the count has a law with a rational generating function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from math import gcd
from typing import Any

from seepage.algebra import Quotient
from seepage.data_classes import dataclass
from seepage.engines.forward.chain import Ends, Row, solve_chain
from seepage.engines.forward.liveness import Step
from seepage.engines.forward.loops import HUNG, Key, Loops, Round
from seepage.engines.forward.quotients import Quotients
from seepage.engines.laws_as_draws import Count
from seepage.exact import to_fraction
from seepage.semantics.core import CoreAssign, CoreIf, CoreStatement, CoreWhile
from seepage.semantics.expressions import plain_names
from seepage.semantics.signatures import ROUNDS
from seepage.semantics.statements import expressions_of, walk, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

LETTER = "@z"
_NOWHERE = Span(0, 0)


class AsStates(Exception):
    """Counters that count up and down, or apart from each other, are states like other variables."""

    def __init__(self, counters: Sequence[str]) -> None:
        super().__init__(", ".join(counters))
        self.counters = counters


# --- which variables count --------------------------------------------------------------------------------------------


def counters_of(loop: CoreWhile) -> tuple[str, ...]:
    """Return the counters of a loop."""
    counted: dict[str, None] = {}
    others: list[CoreStatement] = [loop, *walk(loop.never or ())]
    for statement in _own(loop.body):
        name = _addition(statement)
        if name is None:
            others.append(statement)
        else:
            counted[name] = None
    read = {name for each in others for part in expressions_of(each) for name in plain_names(part)}
    touched = read | set(written_variables(each for each in others if not isinstance(each, CoreIf | CoreWhile)))
    arrays = {name.partition("[")[0] for name in touched}
    return tuple(name for name in counted if name not in touched and name.partition("[")[0] not in arrays)


def _own(statements: Sequence[CoreStatement]) -> Iterator[CoreStatement]:
    """Yield the statements of a round, in its branches, too; of a loop or local draw inside all that it holds is no count of this loop."""
    for statement in statements:
        if isinstance(statement, CoreIf):
            yield replace(statement, consequent=(), alternative=())
            yield from _own((*statement.consequent, *statement.alternative))
        elif _addition(statement) is None:
            yield from (_inert(each) for each in walk((statement,)))
        else:
            yield statement


def _inert(statement: CoreStatement) -> CoreStatement:
    """Return a statement of an inner loop, so that it is no addition of the loop around it: it reads what it writes."""
    name = _addition(statement)
    if name is None:
        return statement
    return CoreAssign(tree.Name(name, statement.span), tree.Name(name, statement.span), statement.span)


def _addition(statement: CoreStatement) -> str | None:
    """Return the variable to which a statement adds a number."""
    match statement:
        case CoreAssign(
            target=tree.Name(id=name), value=tree.Binary(operator="+" | "-" as operator, left=left, right=right)
        ):
            match left, right:
                case tree.Name(id=read), tree.Number() if read == name:
                    return name
                case tree.Number(), tree.Name(id=read) if read == name and operator == "+":
                    return name
    return None


def restarted(loop: CoreWhile, counters: Sequence[str]) -> CoreWhile:
    """Return a loop whose counters begin each round at 0, so that they are no states, and tell what the round counts."""
    zero = tree.Number(Fraction(0), loop.span)
    begun = tuple(CoreAssign(tree.Name(name, loop.span), zero, loop.span) for name in counters)
    return replace(loop, body=(*begun, *loop.body))


# --- their laws -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tally:
    """How a loop ends and how often it counted, from each of several states.

    Attributes:
        laws: of what is written but for the counters; weights are quotients without the letter.
        counts: by what is read and what is written, the law of the count.
        units: what one count adds to each counter.
    """

    laws: Sequence[tuple[Key, Ends[Key, Any]]]
    counts: Mapping[tuple[Key, Key], Count]
    units: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class _Round:
    """What a round leads to: ends or states, each with what it counts."""

    steps: Mapping[tuple[Key, Key], Any]
    exits: Mapping[tuple[Key, Key], Any]
    hung: Any
    loses: bool


def tallied(
    step: Step,
    keys: Sequence[Key],
    loops: Loops[Any],
    counters: Sequence[str],
    ring: Quotients,
    lifted: Callable[[Any], Quotient],
    checked: Callable[[Quotient], object],
) -> Tally:
    """Return the ends of a loop and its counts.

    Args:
        step: of the loop, restarted.
        keys: values of what it reads, the counters being 0.
        loops: that run its rounds.
        counters: that it writes, of those that are read later.
        ring: of quotients in the parameters and :data:`LETTER`.
        lifted: a weight of ``loops`` in that ring.
        checked: gets each weight on whose sign what is found rests.

    Raises:
        AsStates: if the counters do not all count in one direction together.
        Fault: of the statements in the loop; too many states.
    """
    places = [step.writes.index(name) for name in counters]
    others = [place for place in range(len(step.writes)) if place not in places]
    begun = [loops.start(step, key) for key in keys if not loops.is_over(step, key)]
    counted = [step.reads.index(name) for name in counters]
    rounds = {
        state: _round(step, each, loops, places, others, counted)
        for state, each in loops.rounds_from(step, begun).items()
    }
    unit = _unit([delta for each in rounds.values() for _, delta in (*each.steps, *each.exits)], counters)
    known: dict[Key, Ends[Key, Quotient]] = {}
    rows = {state: _row(each, unit, ring, lifted) for state, each in rounds.items()}
    for row in rows.values():
        for weight in (*row.steps.values(), *row.exits.values()):
            checked(ring.at_one(weight, LETTER))
    solve_chain(rows, known, ring, partial(loops.machine.check_clock, step.statement.span))
    laws: list[tuple[Key, Ends[Key, Any]]] = []
    counts: dict[tuple[Key, Key], Count] = {}
    for key in keys:
        ends = _ends(step, key, loops, known, others, ring)
        chances = {written: ring.at_one(weight, LETTER) for written, weight in ends.exits.items()}
        never = ring.at_one(ends.never, LETTER)
        laws.append((key, Ends(chances, never)))
        for chance in (*chances.values(), never):
            if not chance.is_zero:
                checked(chance)
        for written, weight in ends.exits.items():
            counts[key, written] = _count(ring.divide(weight, chances[written]), ring, checked)
    return Tally(laws, counts, dict(zip(counters, unit, strict=True)))


def _ends(
    step: Step,
    key: Key,
    loops: Loops[Any],
    known: Mapping[Key, Ends[Key, Quotient]],
    others: Sequence[int],
    ring: Quotients,
) -> Ends[Key, Quotient]:
    """Return what a loop ends with from a state; runs that hang are told apart, those that never end go on with its ``never``."""
    assert isinstance(step.statement, CoreWhile)
    if loops.is_over(step, key):
        known_at_entry = dict(zip(step.reads, key, strict=True))
        written = tuple(known_at_entry[step.writes[place]] for place in others)
        return Ends({written: ring.one}, ring.zero)
    ends = known[loops.start(step, key)]
    exits, hung = dict(ends.exits), ends.exits.get(HUNG, ring.zero)
    exits.pop(HUNG, None)
    never = ring.at_one(ends.never, LETTER)
    if step.statement.never is not None and not never.is_zero:
        after, inside = loops.after_never(step, key)
        for values, weight in after.items():
            written = tuple(values[place] for place in others)
            more = ring.multiply(
                never, weight if isinstance(weight, Quotient) else ring.alphabet.number(_rational(weight))
            )
            exits[written] = ring.add(exits[written], more) if written in exits else more
        never = ring.multiply(
            never, inside if isinstance(inside, Quotient) else ring.alphabet.number(_rational(inside))
        )
    return Ends(exits, ring.add(never, ring.at_one(hung, LETTER)))


def _rational(weight: Any) -> Fraction:
    return Fraction(int(weight.p), int(weight.q))


def _round(
    step: Step,
    after: Round[Any],
    loops: Loops[Any],
    places: Sequence[int],
    others: Sequence[int],
    counted: Sequence[int],
) -> _Round:
    steps: dict[tuple[Key, Key], Any] = {}
    exits: dict[tuple[Key, Key], Any] = {}
    for key, written, weight in after.ends:
        if written is None:
            into, target = steps, (loops.start(step, key), tuple(key[place] for place in counted))
        else:
            into = exits
            target = tuple(written[place] for place in others), tuple(written[place] for place in places)
        into[target] = loops.field.add(into[target], weight) if target in into else weight
    return _Round(steps, exits, after.hung, after.loses)


def _unit(deltas: Sequence[Key], counters: Sequence[str]) -> tuple[Fraction, ...]:
    """Return the vector of which all counts of rounds are whole multiples from 0 on, one number for each counter."""
    vectors = [tuple(to_fraction(each) for each in delta) for delta in dict.fromkeys(deltas)]
    known = [tuple(each for each in vector if each is not None) for vector in vectors]
    far = [vector for vector in known if any(vector)]
    if any(len(vector) != len(delta) for vector, delta in zip(known, vectors, strict=True)):
        raise AsStates(counters)
    if not far:
        return (Fraction(0),) * len(counters)
    first = far[0]
    place = next(number for number, each in enumerate(first) if each)
    scales = [vector[place] / first[place] for vector in far]
    if any(scale <= 0 for scale in scales) or any(
        tuple(scale * each for each in first) != vector for scale, vector in zip(scales, far, strict=True)
    ):
        raise AsStates(counters)
    step = reduce(_common, scales)
    return tuple(step * each for each in first)


def _common(one: Fraction, other: Fraction) -> Fraction:
    """Return the largest number of which both are whole multiples."""
    below = one.denominator * other.denominator // gcd(one.denominator, other.denominator)
    return Fraction(gcd(int(one * below), int(other * below)), below)


def _row(
    each: _Round, unit: Sequence[Fraction], ring: Quotients, lifted: Callable[[Any], Quotient]
) -> Row[Key, Key, Quotient]:
    """Return what a round does with z for each count."""

    def gathered(ends: Mapping[tuple[Key, Key], Any]) -> dict[Key, Quotient]:
        made: dict[Key, Quotient] = {}
        for (target, delta), weight in ends.items():
            power = next((_whole(one, size) for one, size in zip(delta, unit, strict=True) if size), 0)
            term = ring.multiply(lifted(weight), ring.power(LETTER, power))
            made[target] = ring.add(made[target], term) if target in made else term
        return made

    exits = gathered(each.exits)
    hung = lifted(each.hung)
    if not hung.is_zero:
        exits[HUNG] = hung
    return Row(gathered(each.steps), exits, each.loses)


def _whole(delta: Any, size: Fraction) -> int:
    value = to_fraction(delta)
    assert value is not None
    return int(value / size)


def _count(law: Quotient, ring: Quotients, checked: Callable[[Quotient], object]) -> Count:
    """Return a law by its generating function, in the plainest form that it has."""
    above, below = ring.coefficients(law, LETTER)
    checked(below[0])
    shift = next(place for place, each in enumerate(above) if not each.is_zero)
    terms = [each for each in above if not each.is_zero]
    if len(below) == 1:
        if len(terms) == 1:
            return None, shift
        entries = tuple(
            (tree.Number(Fraction(place), _NOWHERE), ring.written(ring.divide(each, below[0])))
            for place, each in enumerate(above)
            if not each.is_zero
        )
        return tree.Table(entries, _NOWHERE), 0
    if len(below) == 2 and len(terms) == 1:
        ends = ring.written(ring.add(ring.one, ring.divide(below[1], below[0])))
        return tree.Family("geometric", (tree.Argument(None, ends, _NOWHERE),), _NOWHERE, _NOWHERE), shift
    parts: list[Expression] = [tree.Number(Fraction(len(above)), _NOWHERE)]
    parts += [ring.written(each) for each in (*above, *below)]
    arguments = tuple(tree.Argument(None, each, _NOWHERE) for each in parts)
    return tree.Family(ROUNDS, arguments, _NOWHERE, _NOWHERE), 0
