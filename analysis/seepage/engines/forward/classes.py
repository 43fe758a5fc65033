r"""Uniform secrets over huge ranges, without enumeration: a state stands for a class of equally likely values.

A *source* is uniform over :math:`k = 0, \dots, n-1`; a variable that depends on sources is a form, :math:`c + \sum q_i k_i`, exactly. What the program asks of it (a
comparison, an equality, ``%``, ``floor``) splits the class into the parts on which the answer is a number, or a form again: at an interval's end, at
a single point, by residues, or a source into two digits (:mod:`seepage.engines.forward.class_forms`). Each part is a source of its own size, and the weights of
the parts are their shares, exact rationals.

A sum modulo n is a source of its own where some source that it has with a unit for its slope is uniform over all residues: that one is determined by the others,
and told as tied to them where it still is read. So is bit_xor.

Two sources are equal on a diagonal, which is one source; where they differ is no product of sources, but the product of both *less* the diagonal: a part with
a negative share. Runs are linear in the weights, so that sums over such parts are right although no single one is a set of runs.

Digits may make one number: sources that only ever stand together as :math:`a (k_i + n_i k_j)` are one source of :math:`n_i n_j` equally likely values.

So bits that a loop packs into a number (``k := 2 * k + b[i]``) are one source once nothing reads them by themselves, and what is asked of the number
splits one source, not all its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.distributions.families import support
from seepage.distributions.gaussian import Affine, Sizes, Slot, State
from seepage.distributions.parameters import Place
from seepage.engines.forward.class_faults import tied, too_many
from seepage.engines.forward.class_forms import PIECES, Factor, Split, Stuck, combined, rational
from seepage.engines.forward.class_reader import Diagonal, Fresh, Reader, read_names
from seepage.engines.forward.class_splits import canonical, digit_of, factored, split
from seepage.engines.forward.class_widths import roots_of
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.liveness import Step
from seepage.engines.forward.running import check_clock
from seepage.engines.forward.states import GAUSSIAN, States
from seepage.engines.outcome import Budget, Ring
from seepage.semantics.core import CoreAssign, CoreSample
from seepage.semantics.expressions import nodes
from seepage.semantics.uniform_laws import UNIFORM, uniform_range
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Uses: TypeAlias = "dict[int, dict[int, Fraction]]"
"""For each source the slots whose values depend on it, with its slopes."""


def packed(state: State, slot: int) -> State:
    """Return a state with digits that always stand together as one source; ``slot`` holds the sizes. Sources that are merged into others stay without use."""
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    if not any(isinstance(value, Affine) and len(value.terms) > 1 for value in state):
        return state
    try:
        uses = _uses(state)
    except Stuck:
        return state
    for tie in sizes.ties:
        for source in tie.members:
            uses.pop(source, None)
    counts = list(sizes.counts)
    gone: set[int] = set()
    for upper in sorted(uses, key=lambda source: min(abs(slope) for slope in uses[source].values())):
        lower = next((one for one in uses if one not in gone and _continues(uses[one], counts[one], uses[upper])), None)
        if lower is not None:
            counts[lower] *= counts[upper]
            gone.add(upper)
    if not gone:
        return state
    after = [
        combined(value.constant, (term for term in value.terms if term[0] not in gone))
        if isinstance(value, Affine)
        else value
        for value in state
    ]
    after[slot] = Sizes(tuple(counts), sizes.ties)
    return tuple(after)


def _uses(state: State) -> Uses:
    found: Uses = {}
    for place, value in enumerate(state):
        if isinstance(value, Affine):
            for source, slope in rational(value)[1]:
                found.setdefault(source, {})[place] = slope
    return found


def _continues(lower: dict[int, Fraction], count: int, upper: dict[int, Fraction]) -> bool:
    """Tell whether a source is the next digit above one of ``count`` values wherever either stands."""
    return lower.keys() == upper.keys() and all(upper[place] == slope * count for place, slope in lower.items())


C = TypeVar("C")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A part of a state that an expression has no value in, yet.

    Attributes:
        state: the part; behind its slots the values of the nodes in ``known``.
        share: of the state's weight, which may be negative.
        apart: the comparisons whose sides are known to differ here.
        known: the nodes (by identity) whose values are sources of their own, with the slots that hold them.
    """

    state: State
    share: Fraction
    apart: frozenset[int] = frozenset()
    known: Mapping[int, int] = field(default_factory=dict)


class Classes(Generic[C]):
    """The statements of a run where some values are classes; implements ``Continuous`` of the forward machine."""

    def __init__(self, ring: Ring[C], budget: Budget, least: int) -> None:
        self.ring = ring
        self.budget = budget
        self.least = least  # values of a law that is a source
        self.signed = False  # whether some part has a negative share

    def assign(self, step: Step, value: Expression, state: State, scope: Scope) -> Iterable[tuple[Slot, State, C]]:
        """Yield the value of an expression in each part that it splits a state into."""
        yield from self._splitting(state, scope, step, value.span, lambda reader: reader.stored(value))

    def sample(
        self, step: Step, distribution: tree.Distribution, state: State, scope: Scope
    ) -> Iterable[tuple[Slot, State, C]]:
        """Yield the values drawn; a huge uniform law is one source."""
        for drawn, part, share in self._splitting(
            state, scope, step, distribution.span, lambda reader: reader.law(distribution)
        ):
            wide = uniform_range(drawn, scope.mapping(part, step.reads))
            slot = scope.slots[GAUSSIAN]
            if wide is not None and wide[1] - wide[0] + 1 >= self.least:
                sizes = part[slot]
                assert isinstance(sizes, Sizes)
                count = wide[1] - wide[0] + 1
                after = (*part[:slot], Sizes((*sizes.counts, count), sizes.ties), *part[slot + 1 :])
                yield Affine(wide[0], ((len(sizes.counts), 1),)), after, share
                continue
            place = Place(scope.mapping(part, step.reads), scope.arrays, scope.unknown)
            for value, mass in support(drawn, place, self.ring, self.budget.states):
                yield value, part, self.ring.multiply(share, mass)

    def observe(self, step: Step, condition: Expression, state: State, scope: Scope) -> Iterable[tuple[State, C]]:
        """Yield the parts in which a condition holds."""
        for holds, part, share in self.decide(step, condition, state, scope):
            if holds:
                yield part, share

    def passed(self, condition: Expression, held: bool) -> None:
        """Take note of nothing."""

    def impossible(self, condition: Expression) -> Diagnostic | None:
        """Explain nothing beyond what the machine says."""
        return None

    def decide(self, step: Step, condition: Expression, state: State, scope: Scope) -> Iterable[tuple[bool, State, C]]:
        """Yield the parts of a state with the truth of a condition there."""
        yield from self._splitting(state, scope, step, condition.span, lambda reader: reader.truth(condition))

    def is_continuous(self, distribution: tree.Distribution) -> bool:
        """Tell whether a law needs these rules even where it reads numbers only."""
        known = UNIFORM if self.least == 2 else ("uniform_int",)
        return isinstance(distribution, tree.Family) and distribution.name in known

    def settle(self, states: States[C]) -> States[C]:
        """Keep all states."""
        return states

    def tidy(self, states: States[C]) -> States[C]:
        """Number the sources of each state by first use, so that equal classes are one."""
        slot = states.layout.index(GAUSSIAN)
        weights: dict[State, C] = {}
        for state, weight in states.weights.items():
            key = canonical(packed(state, slot), slot)
            weights[key] = self.ring.add(weights[key], weight) if key in weights else weight
        return States(states.layout, weights)

    def _splitting(
        self, state: State, scope: Scope, step: Step, span: Span, compute: Callable[[Reader], T]
    ) -> Iterator[tuple[T, State, C]]:
        """Yield what is computed in each part of a state, with the part's share; parts are split until all have a result."""
        slot, width = scope.slots[GAUSSIAN], len(state)
        waiting = [_Waiting(state, Fraction(1))]
        done = 0
        while waiting:
            check_clock(self.budget, span)  # a part of one state may take tens of milliseconds
            part = waiting.pop()
            try:
                try:
                    result = compute(Reader(part.state, scope, part.apart, part.known))
                except Split as need:
                    sizes = _sizes(part.state, slot)
                    if _is_tied(part.state[slot], need.source):
                        ((apart, _),) = factored(part.state, need.source, digit_of(need.parts), slot)
                        waiting.append(replace(part, state=apart))
                        continue
                    shares = [(split(part.state, need.source, one), one.count) for one in reversed(need.parts)]
                    size = sizes[need.source]
                    waiting.extend(replace(part, state=one, share=part.share * Fraction(n, size)) for one, n in shares)
                except Factor as need:
                    pieces = factored(part.state, need.source, need.modulus, slot)
                    waiting.extend(replace(part, state=one, share=part.share * share) for one, share in pieces)
                except Diagonal as need:
                    waiting.extend(self._apart(part, need, _sizes(part.state, slot)))
                except Fresh as need:
                    waiting.append(_with_fresh(part, need, scope, step))
                else:
                    done += 1
                    share = part.share
                    yield result, part.state[:width], self.ring.rational(share.numerator, share.denominator)
            except Stuck:
                raise tied(span) from None
            if len(waiting) + done > PIECES:
                raise too_many(span, len(waiting) + done)

    def _apart(self, part: _Waiting, need: Diagonal, sizes: tuple[int, ...]) -> list[_Waiting]:
        """Return the diagonal, and the whole less the diagonal for the rest."""
        share, common = part.share, need.parts[0].count
        whole = replace(part, apart=part.apart | {need.place})
        if not common:
            return [whole]
        self.signed = True
        first, second = (sizes[source] for source in need.sources)
        equal = share * Fraction(common, first * second)
        diagonal = need.on(part.state)
        # The whole is the last, so that it is looked at first: what it cannot say is told before anything of a part that no run reaches.
        return [replace(part, state=diagonal, share=equal), replace(whole, state=diagonal, share=-equal), whole]


def _with_fresh(part: _Waiting, need: Fresh, scope: Scope, step: Step) -> _Waiting:
    """Return the part where the value of a node is a source; it is tied to the others, unless nothing reads one of the pivots any more.

    If k is uniform over all residues mod n and independent of x, then so is (x + a k) mod n for a unit a, and likewise with bit_xor.
    """
    slot = scope.slots[GAUSSIAN]
    sizes = part.state[slot]
    assert isinstance(sizes, Sizes)
    if any(source in tie.members for tie in sizes.ties for source, _ in need.tie.terms):
        raise Stuck
    ties = sizes.ties
    if all(_is_read(part, pivot, need.node, scope, step) for pivot in need.pivots):
        if any(sizes.counts[source] != need.tie.modulus for source, _ in need.tie.terms) or len(need.pivots) < len(
            need.tie.terms
        ):
            raise Stuck
        ties = (*ties, need.tie)
    new_sizes = Sizes((*sizes.counts, need.tie.modulus), ties)
    state = (*part.state[:slot], new_sizes, *part.state[slot + 1 :], need.value)
    return replace(part, state=state, known={**part.known, id(need.node): len(part.state)})


def _is_tied(sizes: Slot, source: int) -> bool:
    return isinstance(sizes, Sizes) and any(source in tie.members for tie in sizes.ties)


def _is_read(part: _Waiting, source: int, node: Expression, scope: Scope, step: Step) -> bool:
    """Tell whether something but a node may read what depends on a source, in a statement or after it."""
    names = {name for name in scope.slots if name not in step.forget}
    statement = step.statement
    if isinstance(statement, CoreAssign | CoreSample):
        if isinstance(statement.target, tree.Name):
            names.discard(statement.target.id)  # its old value
        else:
            names.update(read_names((statement.target.index,), scope))
    inside = {id(one) for one in nodes(node)}
    for root in roots_of(statement):
        names.update(read_names((one for one in nodes(root) if id(one) not in inside), scope))
    places = [scope.slots[name] for name in names if name in scope.slots] + list(part.known.values())
    values = (part.state[place] for place in places)
    return any(isinstance(value, Affine) and source in dict(value.terms) for value in values)


def _sizes(state: State, slot: int) -> tuple[int, ...]:
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    return sizes.counts
