r"""Uniform secrets over huge ranges, without enumeration: a state stands for a class of equally likely values.

A *source* is uniform over :math:`k = 0, \dots, n-1`; a variable that depends on sources is a form, :math:`c + \sum q_i k_i`, exactly. What the program asks of it (a
comparison, an equality, ``%``, ``floor``) splits the class into the parts on which the answer is a number, or a form again: at an interval's end, at
a single point, by residues, or a source into two digits (:mod:`seepage.engines.forward.class_forms`). Each part is a source of its own size, and the weights of
the parts are their shares, exact rationals.

A sum modulo n is a source of its own where some source that it has with a unit for its slope is uniform over all residues: that one is determined by the others,
and told as tied to them where it still is read. So is bit_xor.

Two sources are equal on a diagonal, which is one source; where they differ is no product of sources, but the product of both *less* the diagonal: a part with
a negative share. Runs are linear in the weights, so that sums over such parts are right although no single one is a set of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Generic, TypeVar, assert_never

from seepage import exact
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import support
from seepage.distributions.gaussian import Affine, Sizes, Slot, State, Tie
from seepage.distributions.parameters import Place
from seepage.engines.forward.class_forms import (
    PIECES,
    Factor,
    Form,
    Part,
    Split,
    Stuck,
    combined,
    ends,
    floor_of,
    intervals,
    is_one_to_one,
    masked,
    rational,
    scaled,
    sign_of,
    sum_of,
)
from seepage.engines.forward.class_packing import packed
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.liveness import Step, parts_of
from seepage.engines.forward.running import check_clock
from seepage.engines.forward.states import GAUSSIAN, States
from seepage.engines.outcome import Budget, Ring
from seepage.exact import Number
from seepage.rules import BUDGET_EXCEEDED
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.evaluate import ORDER, element, evaluate, spelled, truth
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

C = TypeVar("C")
T = TypeVar("T")

WIDE = 4_096
"""Values from which on a uniform law is a source; below, it is enumerated."""
MANY = 1 << 22
"""Values of all uniform draws together from which on draws of fewer values are sources, too."""
_SOME = 64
"""Values of a draw that is worth to be a source among many; draws of fewer values are, where they may be digits of one number, or are compared."""
_SHIFT = 4_096  # bits
_UNIFORM = ("uniform_int", "bernoulli", "flip")


class Beyond(Fault):
    """What classes cannot say exactly; enumeration may."""


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


class _Fresh(Exception):
    """The value of a node is a form of one source, independent of all others but one (any one of ``pivots``, which it determines with the others)."""

    def __init__(self, node: Expression, tie: Tie, pivots: tuple[int, ...], start: int = 0, step: int = 1) -> None:
        super().__init__(node, tie, pivots)
        self.node = node
        self.tie = tie  # its target is the source
        self.pivots = pivots
        self.value = Affine(start, ((tie.target, step),))


class _Diagonal(Exception):
    """Two sources must be equal, or known to differ, before a comparison has a truth: at ``common`` many places, from the first in steps, for each source."""

    def __init__(self, place: int, sources: tuple[int, int], parts: tuple[Part, Part]) -> None:
        super().__init__(place, sources, parts)
        self.place = place
        self.sources = sources
        self.parts = parts

    def on(self, state: State) -> State:
        """Return the state on the diagonal."""
        first, second = self.sources
        both = split(split(state, first, self.parts[0]), second, self.parts[1])
        return _replaced(both, second, 0, ((first, 1),))


def width_of(statement: CoreStatement, parameters: Mapping[str, Number]) -> int:
    """Return how many values a statement draws from uniformly, if it does; else 0."""
    found = range_of(statement.distribution, parameters) if isinstance(statement, CoreSample) else None
    return 0 if found is None else found[1] - found[0] + 1


def least_width(statements: Sequence[CoreStatement], parameters: Mapping[str, Number]) -> int:
    """Return from how many values on the uniform laws of a program are sources; 0 where single values serve it better."""
    widths = [width for each in walk(statements) if (width := width_of(each, parameters))]
    if any(width > WIDE for width in widths):
        return WIDE + 1
    if prod(widths) <= MANY:
        return 0
    return 2 if any(map(_has_few_classes, walk(statements))) else _SOME + 1 if max(widths) > _SOME else 0


def _has_few_classes(statement: CoreStatement) -> bool:
    """Tell whether a statement goes from digit to digit (``k := 2 * k + b``), or compares or combines two values that may both be sources."""
    return any(
        _is_of_few_classes(node, statement)
        for root in _roots(statement)
        for node in nodes(root)
        if isinstance(node, tree.Binary | tree.Call)
    )


def _is_of_few_classes(node: tree.Binary | tree.Call, statement: CoreStatement) -> bool:
    if isinstance(node, tree.Call):
        return node.function == "bit_xor" and all(map(_reads, node.arguments))
    if node.operator == "*":
        target = statement.target if isinstance(statement, CoreAssign) else None
        return isinstance(target, tree.Name) and target.id in plain_names(node)
    return node.operator in ("==", "!=") and _reads(node.left) and _reads(node.right)


def _reads(expression: Expression) -> bool:
    return any(True for _ in plain_names(expression))


def range_of(distribution: tree.Distribution, values: Mapping[str, Number]) -> tuple[int, int] | None:
    """Return the ends of a uniform law, of fair coins too, where they are known; None for other laws."""
    if not isinstance(distribution, tree.Family) or distribution.name not in _UNIFORM:
        return None
    arguments = bind(distribution).named
    try:
        if distribution.name != "uniform_int":
            is_known = all(name in values for name in plain_names(arguments["p"]))
            return (0, 1) if is_known and evaluate(arguments["p"], values) == Fraction(1, 2) else None
        low, high = (evaluate(arguments[name], values) for name in ("a", "b"))
    except (Fault, KeyError):
        return None
    return (low, high) if isinstance(low, int) and isinstance(high, int) and high > low else None


def split(state: State, source: int, part: Part) -> State:
    """Return the state in which a source has only the values of a part; one with a single value is a number.

    Raises:
        Stuck: if the source is tied to others.
    """
    after = _replaced(state, source, part.start, ((source, part.step),) if part.count > 1 else ())
    return tuple(_resized(value, {source: part.count}) if isinstance(value, Sizes) else value for value in after)


def factored(state: State, source: int, modulus: int, slot: int) -> tuple[tuple[State, Fraction], ...]:
    """Return the parts k = modulus · q + r, two independent sources, and what is left of k above, with their shares of the source.

    Raises:
        Stuck: if the source is tied to others, but by bit_xor and with a power of 2 for its modulus.
    """
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    if any(source in tie.members for tie in sizes.ties):
        return ((_with_bits_apart(state, source, modulus, slot), Fraction(1)),)
    size, new = sizes.counts[source], len(sizes.counts)
    blocks, rest = divmod(size, modulus)
    digits = ((source, modulus), (new, 1)) if blocks > 1 else ((new, 1),)
    after = _replaced(state, source, 0, digits)
    whole = (*after[:slot], _resized(sizes, {source: blocks}, (modulus,)), *after[slot + 1 :])
    parts = [(whole, Fraction(blocks * modulus, size))]
    if rest:
        parts.append((split(state, source, Part(blocks * modulus, 1, rest)), Fraction(rest, size)))
    return tuple(parts)


def _with_bits_apart(state: State, source: int, modulus: int, slot: int) -> State:
    """Return a state in which sources that are tied by bit_xor are two digits each: those above, and those below, are tied likewise."""
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    tie, *others = (tie for tie in sizes.ties if source in tie.members)
    if tie.operator != "bit_xor" or modulus.bit_count() != 1 or not 1 < modulus < tie.modulus:
        raise Stuck
    if others or any(set(tie.members) & set(other.members) for other in sizes.ties if other is not tie):
        raise Stuck
    counts, below = list(sizes.counts), dict[int, int]()
    for member in tie.members:
        below[member] = len(counts)
        state = _replaced(state, member, 0, ((member, modulus), (below[member], 1)))
        counts[member] //= modulus
        counts.append(modulus)
    upper = replace(tie, modulus=tie.modulus // modulus)
    ties = (*(other for other in sizes.ties if other is not tie), upper, replace(tie.renamed(below), modulus=modulus))
    return (*state[:slot], Sizes(tuple(counts), ties), *state[slot + 1 :])


def _digit(parts: Sequence[Part]) -> int:
    """Return the modulus m of parts that tell one of the digits of k = m q + r.

    Raises:
        Stuck: if they tell neither.
    """
    if (
        all(part.step == parts[0].step and part.start == place for place, part in enumerate(parts))
        and parts[0].step > 1
    ):
        return parts[0].step
    if all(part.step == 1 and part.count == parts[0].count for part in parts):
        return parts[0].count
    raise Stuck


def _resized(sizes: Sizes, changed: Mapping[int, int], new: tuple[int, ...] = ()) -> Sizes:
    if any(source in changed for tie in sizes.ties for source in tie.members):
        raise Stuck
    return Sizes((*(changed.get(i, size) for i, size in enumerate(sizes.counts)), *new), sizes.ties)


def _replaced(state: State, source: int, start: int, digits: tuple[tuple[int, int], ...]) -> State:
    """Return the state with start + Σ step · digit for a source."""

    def within(value: Slot) -> Slot:
        slope = dict(value.terms).get(source) if isinstance(value, Affine) else None
        if slope is None:
            return value
        assert isinstance(value, Affine)
        others = [term for term in value.terms if term[0] != source]
        constant = exact.add(value.constant, exact.mul(slope, start))
        return combined(constant, (*others, *((digit, exact.mul(slope, step)) for digit, step in digits)))

    return tuple(within(value) for value in state)


def canonical(state: State, slot: int) -> State:
    """Return the state with its sources numbered by first use; those that no variable depends on are gone, and ties that miss one with them."""
    number: dict[int, int] = {}
    for value in state:
        if isinstance(value, Affine):
            for source, _ in value.terms if len(value.terms) == 1 else rational(value)[1]:
                number.setdefault(source, len(number))
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    renamed = [
        combined(value.constant, ((number[source], slope) for source, slope in value.terms))
        if isinstance(value, Affine)
        else value
        for value in state
    ]
    ties = tuple(tie.renamed(number) for tie in sizes.ties if all(source in number for source in tie.members))
    renamed[slot] = Sizes(tuple(sizes.counts[source] for source in number), ties)
    return tuple(renamed)


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
            wide = range_of(drawn, scope.mapping(part, step.reads))
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
        known = _UNIFORM if self.least == 2 else ("uniform_int",)
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
        self, state: State, scope: Scope, step: Step, span: Span, compute: Callable[[_Reader], T]
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
                    result = compute(_Reader(part.state, scope, part.apart, part.known))
                except Split as need:
                    sizes = _sizes(part.state, slot)
                    if _is_tied(part.state[slot], need.source):
                        ((apart, _),) = factored(part.state, need.source, _digit(need.parts), slot)
                        waiting.append(replace(part, state=apart))
                        continue
                    shares = [(split(part.state, need.source, one), one.count) for one in reversed(need.parts)]
                    size = sizes[need.source]
                    waiting.extend(replace(part, state=one, share=part.share * Fraction(n, size)) for one, n in shares)
                except Factor as need:
                    pieces = factored(part.state, need.source, need.modulus, slot)
                    waiting.extend(replace(part, state=one, share=part.share * share) for one, share in pieces)
                except _Diagonal as need:
                    waiting.extend(self._apart(part, need, _sizes(part.state, slot)))
                except _Fresh as need:
                    waiting.append(_with_fresh(part, need, scope, step))
                else:
                    done += 1
                    share = part.share
                    yield result, part.state[:width], self.ring.rational(share.numerator, share.denominator)
            except Stuck:
                raise tied(span) from None
            if len(waiting) + done > PIECES:
                raise too_many(span, len(waiting) + done)

    def _apart(self, part: _Waiting, need: _Diagonal, sizes: tuple[int, ...]) -> list[_Waiting]:
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


def _with_fresh(part: _Waiting, need: _Fresh, scope: Scope, step: Step) -> _Waiting:
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
    for root in _roots(statement):
        names.update(read_names((one for one in nodes(root) if id(one) not in inside), scope))
    places = [scope.slots[name] for name in names if name in scope.slots] + list(part.known.values())
    values = (part.state[place] for place in places)
    return any(isinstance(value, Affine) and source in dict(value.terms) for value in values)


def _roots(statement: CoreStatement) -> tuple[Expression, ...]:
    """Return the expressions that a statement evaluates."""
    match statement:
        case CoreAssign(value=value):
            return (value,)
        case CoreSample(distribution=distribution):
            return parts_of(distribution)
        case CoreObserve(condition=condition) | CoreIf(condition=condition):
            return (condition,)
        case CoreWhile() | CoreLocal():
            unsettled(statement)
        case _:
            assert_never(statement)


def read_names(found: Iterable[Expression], scope: Scope) -> Iterator[str]:
    """Yield the variables that some nodes, each by itself, read."""
    for node in found:
        match node:
            case tree.Name(id=name):
                yield name
            case tree.Index(array=array):
                yield from (f"{array}[{i}]" for i in scope.arrays.get(array, ()))
            case _:
                pass


def _sizes(state: State, slot: int) -> tuple[int, ...]:
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    return sizes.counts


def tied(span: Span) -> Fault:
    """Return the fault that values which determine each other would have to be split."""
    message = "values from huge ranges that determine each other, as a sum determines what was added, are asked for more than this version knows here"
    notes = ("asking for fewer variables at once, or a smaller range, would help",)
    return Beyond(Diagnostic(BUDGET_EXCEEDED, span, message, notes=notes))


def too_many(span: Span, pieces: int) -> Fault:
    """Return the fault that a class splits into too many parts."""
    message = f"a uniform law splits into {pieces:,} parts or more here, the limit is {PIECES:,}"
    notes = ("fewer different remainders, quotients or comparisons of the value would help, or a smaller range",)
    return Beyond(Diagnostic(BUDGET_EXCEEDED, span, message, notes=notes))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Expressions in one state; ``apart`` and ``known`` as in :class:`_Waiting`."""

    state: State
    scope: Scope
    apart: frozenset[int] = frozenset()
    known: Mapping[int, int] = field(default_factory=dict)

    def stored(self, expression: Expression) -> Form:
        """Return the value of an expression where it is to be kept: the values of a class are equally likely, each with one state of its sources."""
        form = self.value(expression)
        if isinstance(form, Affine) and not is_one_to_one(form, self.sizes):
            raise _single(self.sizes, form, expression)
        return form

    def value(self, expression: Expression) -> Form:
        """Return the value of an expression.

        Raises:
            Split, Factor, _Diagonal, _Fresh: if it is not of the form that classes have before the state is split so.
            Fault: undefined, or beyond what classes say.
        """
        if id(expression) in self.known:
            value = self.state[self.known[id(expression)]]
            assert isinstance(value, int | Fraction | exact.Irrational | Affine)
            return value
        if self._is_plain(expression):
            return evaluate(expression, self._numbers(), self.scope.arrays)
        match expression:
            case tree.Number() | tree.Boolean() | tree.Infinity():
                return evaluate(expression, {})
            case tree.Name(id=name):
                return self._name(name)
            case tree.Parenthesized(inner=inner):
                return self.value(inner)
            case tree.Index():
                return self._element(expression)
            case tree.Conditional(condition=condition, consequent=first, alternative=second):
                return self.value(first if self.truth(condition) else second)
            case tree.Unary(operator="-", operand=operand):
                return scaled(self.value(operand), -1)
            case tree.Unary():
                return int(self.truth(expression))
            case tree.Binary(operator=operator):
                if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                    return int(self.truth(expression))
                return self._arithmetic(expression)
            case tree.Call():
                return self._call(expression)
            case tree.Cell(row=row):
                return evaluate(replace(expression, row=self._fixed(row)), {})
            case _:
                assert_never(expression)

    def truth(self, condition: Expression) -> bool:
        """Return the truth of a condition; raises as :meth:`value`."""
        if self._is_plain(condition):
            return truth(condition, self._numbers(), self.scope.arrays)
        match condition:
            case tree.Parenthesized(inner=inner):
                return self.truth(inner)
            case tree.Unary(operator="not" | "!", operand=operand):
                return not self.truth(operand)
            case tree.Binary(operator="and", left=left, right=right):
                return self.truth(left) and self.truth(right)
            case tree.Binary(operator="or", left=left, right=right):
                return self.truth(left) or self.truth(right)
            case tree.Binary(operator="xor", left=left, right=right):
                return self.truth(left) != self.truth(right)
            case tree.Binary(operator=operator, left=left, right=right) if operator in tree.COMPARISONS:
                a, b = self.value(left), self.value(right)
                if not isinstance(a, Affine) and not isinstance(b, Affine):
                    if id(condition) not in self.apart:
                        return truth(_with(condition, a, b), {})
                elif operator in ("==", "!=") and isinstance(a, Affine) and isinstance(b, Affine):
                    self._diagonal(condition, a, b)
                if id(condition) in self.apart:
                    return operator == "!="
                form = sum_of(a, scaled(b, -1))
                if operator in ("==", "!="):
                    return (self._sign(condition, form, equal=True) == 0) == (operator == "==")
                return ORDER[operator](self._sign(condition, form))
            case _:
                value = self.value(condition)
                if isinstance(value, Affine):
                    raise _first(self.sizes, value)
                return value == 1 if value in (0, 1) else truth(condition, self._numbers(), self.scope.arrays)

    def law(self, distribution: tree.Distribution) -> tree.Distribution:
        """Return a law whose parameters are numbers."""
        match distribution:
            case tree.Family(name=name, arguments=arguments, name_span=name_span, span=span):
                fixed = tuple(tree.Argument(one.name, self._fixed(one.value), one.span) for one in arguments)
                return tree.Family(name, fixed, name_span, span)
            case tree.Table(entries=entries, span=span):
                return tree.Table(tuple((self._fixed(v), self._fixed(w)) for v, w in entries), span)
            case tree.Mixture(parts=parts, span=span):
                return tree.Mixture(tuple((self._fixed(w), self.law(part)) for w, part in parts), span)
            case tree.Rows():
                return distribution
            case _:
                assert_never(distribution)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the sources."""
        sizes = self.state[self.scope.slots[GAUSSIAN]]
        assert isinstance(sizes, Sizes)
        return sizes.counts

    def _fixed(self, expression: Expression) -> Expression:
        """Return an expression with the value it has here where it reads classes; it must be a number then."""
        if self._is_plain(expression):
            return expression
        value = self.value(expression)
        if isinstance(value, Affine):
            raise beyond(expression, "a parameter of a law")
        return _literal(value, expression)

    def _is_plain(self, expression: Expression) -> bool:
        """Tell whether an expression has the value here that its numbers give it."""
        return not self.apart and not self.known and not self._reads_classes(expression)

    def _reads_classes(self, expression: Expression) -> bool:
        """Tell whether an expression reads a value that is a class; a random index may read all elements."""
        return any(isinstance(self._name(name), Affine) for name in read_names(nodes(expression), self.scope))

    def _numbers(self) -> dict[str, Number]:
        return self.scope.mapping(self.state, [name for name in self.scope.slots if name != GAUSSIAN])

    def _name(self, name: str) -> Form:
        if name in self.scope.slots:
            value = self.state[self.scope.slots[name]]
            assert isinstance(value, int | Fraction | exact.Irrational | Affine)
            return value
        if name in self.scope.unknown:
            raise ValueError(f"the parameter {name!r} has no value, and a value or a guard depends on it")
        return self.scope.parameters.get(name, 0)

    def _element(self, expression: tree.Index) -> Form:
        index = self.value(expression.index)
        if isinstance(index, Affine):
            raise _single(self.sizes, index, expression.index)
        fixed = tree.Index(expression.array, _literal(index, expression.index), expression.name_span, expression.span)
        return self._name(element(fixed, {}, self.scope.arrays))

    def _arithmetic(self, expression: tree.Binary) -> Form:
        a, b = self.value(expression.left), self.value(expression.right)
        if not isinstance(a, Affine) and not isinstance(b, Affine):
            return evaluate(_with(expression, a, b), {})
        match expression.operator:
            case "+":
                return sum_of(a, b)
            case "-":
                return sum_of(a, scaled(b, -1))
            case "*" if not isinstance(b, Affine):
                return scaled(a, b)
            case "*" if not isinstance(a, Affine):
                return scaled(b, a)
            case "/" if isinstance(a, Affine) and not isinstance(b, Affine) and b != 0:
                return scaled(a, exact.div(1, b))
            case "%" if isinstance(a, Affine) and not isinstance(b, Affine) and b != 0:
                return self._modulo(expression, a, b)
            case _:
                if not isinstance(b, Affine) and b == 0:  # undefined, whatever the other side is
                    return evaluate(_with(expression, 1, b), {})
                raise _single(self.sizes, a if isinstance(a, Affine) else b, expression)

    def _modulo(self, expression: Expression, a: Affine, b: Number) -> Form:
        """Return a - b · floor(a / b), or, where that is no form, a source that all residues are equally likely for."""
        try:
            return sum_of(a, scaled(floor_of(scaled(a, exact.div(1, b)), self.sizes), exact.neg(b)))
        except Stuck as stuck:
            if not isinstance(b, int) or b < 1:
                raise _single(self.sizes, a, expression, stuck.pieces) from None
        constant, terms = self._whole(expression, a)
        # (c + g · x) % (g · n) is c % g + g · ((floor(c / g) + x) % n).
        common = gcd(b, *(slope for _, slope in terms))
        modulus = b // common
        remainders = tuple((source, slope // common % modulus) for source, slope in terms if slope // common % modulus)
        pivots = [
            source for source, slope in remainders if gcd(slope, modulus) == 1 and self.sizes[source] % modulus == 0
        ]
        if not pivots:
            raise _single(self.sizes, a, expression)
        for source in pivots:
            if self.sizes[source] != modulus:
                raise Factor(source, modulus)
        tie = Tie("%", modulus, constant // common % modulus, remainders, len(self.sizes))
        raise _Fresh(expression, tie, tuple(pivots), constant % common, common)

    def _whole(self, expression: Expression, form: Affine) -> tuple[int, list[tuple[int, int]]]:
        """Return a form that is whole with all its terms; others are not known."""
        try:
            constant, terms = rational(form)
        except Stuck:
            raise _single(self.sizes, form, expression) from None
        if constant.denominator != 1 or any(slope.denominator != 1 for _, slope in terms):
            raise _single(self.sizes, form, expression)
        return int(constant), [(source, int(slope)) for source, slope in terms]

    def _bits(self, expression: tree.Call, a: Form, b: Form) -> Form:
        """Return a bit operation on a class."""
        if expression.function == "bit_xor" and isinstance(a, Affine) and isinstance(b, Affine):
            raise self._xor(expression, a, b)
        if not isinstance(a, Affine) and not expression.function.startswith("shift"):
            a, b = b, a
        if not isinstance(a, Affine) or not isinstance(b, int) or b < 0:
            raise _single(self.sizes, a if isinstance(a, Affine) else b, expression)
        constant, terms = self._whole(expression, a)
        if ends(Fraction(constant), [(source, Fraction(slope)) for source, slope in terms], self.sizes)[0] < 0:
            raise _single(self.sizes, a, expression)
        try:
            match expression.function:
                case "shift_left" if b <= _SHIFT:
                    return scaled(a, 2**b)
                case "shift_right" if b <= _SHIFT:
                    return floor_of(scaled(a, Fraction(1, 2**b)), self.sizes)
                case "bit_and":
                    return masked(a, b, self.sizes)
                case "bit_or":
                    return sum_of(sum_of(a, b), scaled(masked(a, b, self.sizes), -1))
                case "bit_xor":
                    return sum_of(sum_of(a, b), scaled(masked(a, b, self.sizes), -2))
                case _:
                    raise _single(self.sizes, a, expression)
        except Stuck as stuck:
            raise _single(self.sizes, a, expression, stuck.pieces) from None

    def _xor(self, expression: Expression, a: Affine, b: Affine) -> Exception:
        """Return what makes bit_xor of two sources one of its own."""
        (constant, terms), (other_constant, others) = self._whole(expression, a), self._whole(expression, b)
        both = (*terms, *others)
        if constant or other_constant or len(both) != 2 or both[0][0] == both[1][0] or any(one[1] != 1 for one in both):
            return _single(self.sizes, a, expression)
        size = max(self.sizes[source] for source, _ in both)
        if size.bit_count() != 1:
            return _single(self.sizes, a, expression)
        pivots = tuple(source for source, _ in both if self.sizes[source] == size)
        return _Fresh(expression, Tie("bit_xor", size, 0, both, len(self.sizes)), pivots)

    def _call(self, expression: tree.Call) -> Form:
        values = [self.value(argument) for argument in expression.arguments]
        affine = [value for value in values if isinstance(value, Affine)]
        if not affine:
            fixed = tuple(
                _literal(value, argument)
                for value, argument in zip(values, expression.arguments, strict=True)
                if not isinstance(value, Affine)
            )
            return evaluate(tree.Call(expression.function, fixed, expression.name_span, expression.span), {})
        match expression.function:
            case "floor":
                return self._floor(expression, values[0])
            case "ceil":
                return scaled(self._floor(expression, scaled(values[0], -1)), -1)
            case "abs":
                return scaled(values[0], -1) if self._sign(expression, values[0]) < 0 else values[0]
            case "bit_and" | "bit_or" | "bit_xor" | "shift_left" | "shift_right":
                return self._bits(expression, values[0], values[1])
            case "min" | "max":
                best = values[0]
                wanted = 1 if expression.function == "max" else -1
                for value in values[1:]:
                    if self._sign(expression, sum_of(value, scaled(best, -1))) == wanted:
                        best = value
                return best
            case _:
                raise _single(self.sizes, affine[0], expression)

    def _diagonal(self, condition: Expression, a: Affine, b: Affine) -> None:
        """Ask for the diagonal of two sources, unless it was; where they are few values, enumeration may say more of what follows."""
        (first, slope), (second, other) = a.terms[0], b.terms[0]
        if len(a.terms) + len(b.terms) > 2 or first == second or id(condition) in self.apart:
            return
        parts = _meeting((a.constant, slope, self.sizes[first]), (b.constant, other, self.sizes[second]))
        if parts is None:
            raise beyond(condition, "this")
        raise _Diagonal(id(condition), (first, second), parts)

    def _floor(self, expression: Expression, form: Form) -> Form:
        try:
            return floor_of(form, self.sizes)
        except Stuck as stuck:
            raise _single(self.sizes, form, expression, stuck.pieces) from None

    def _sign(self, expression: Expression, form: Form, equal: bool = False) -> int:
        try:
            return sign_of(form, self.sizes, equal)
        except Stuck:
            raise _single(self.sizes, form, expression) from None


def _meeting(a: tuple[Number, Number, int], b: tuple[Number, Number, int]) -> tuple[Part, Part] | None:
    """Return where two progressions, each a constant, a step and a number of values, are equal: t ↦ the same value; None for irrational ones."""
    numbers = [exact.to_fraction(number) for number in (a[0], a[1], b[0], b[1])]
    if any(number is None for number in numbers):
        return None
    scale = lcm(*(number.denominator for number in numbers if number is not None))
    c, p, d, q = (int(number * scale) for number in numbers if number is not None)
    common = gcd(p, q)
    if (d - c) % common:
        return Part(0, 1, 0), Part(0, 1, 0)
    step, other = q // common, p // common  # of k in c + pk, and of l in d + ql, from one solution to the next
    first = (d - c) // common * pow(other, -1, abs(step)) % abs(step)
    second = (c + p * first - d) // q
    low, high = _within(first, step, a[2])
    other_low, other_high = _within(second, other, b[2])
    start, count = max(low, other_low), min(high, other_high) - max(low, other_low) + 1
    if count <= 0:
        return Part(0, 1, 0), Part(0, 1, 0)
    return Part(first + step * start, step, count), Part(second + other * start, other, count)


def _within(first: int, step: int, size: int) -> tuple[int, int]:
    """Return the least and the greatest t with 0 <= first + step t < size."""
    ends = (-first, size - 1 - first) if step > 0 else (first - size + 1, first)
    return -(-ends[0] // abs(step)), ends[1] // abs(step)


def _with(expression: Expression, a: Number, b: Number) -> Expression:
    """Return a binary expression with numbers for its sides."""
    assert isinstance(expression, tree.Binary)
    left, right = _literal(a, expression.left), _literal(b, expression.right)
    return tree.Binary(expression.operator, left, right, expression.span)


def _literal(value: Number, expression: Expression) -> tree.Number:
    """Return a number in the place of an expression."""
    fraction = exact.to_fraction(value)
    if fraction is None:
        raise beyond(expression, "an irrational value beside it")
    return tree.Number(fraction, expression.span)


def _first(sizes: tuple[int, ...], form: Affine) -> Split:
    """Return the split that makes one value of a form a number."""
    source = form.terms[0][0]
    return Split(source, intervals(sizes[source], [1]))


def _single(sizes: tuple[int, ...], form: Form, expression: Expression, pieces: int = 0) -> Exception:
    """Return the split into single values, if they are few; else what classes cannot say."""
    assert isinstance(form, Affine)
    source = min((source for source, _ in form.terms), key=lambda source: sizes[source])
    if sizes[source] > PIECES // 4:
        return too_many(expression.span, pieces) if pieces else beyond(expression, "this")
    return Split(source, intervals(sizes[source], range(1, sizes[source])))


def beyond(expression: Expression, what: str) -> Beyond:
    """Return the fault of what classes cannot say."""
    message = f"'{spelled(expression)}' needs every single value of a uniform law over a huge range"
    notes = (
        "comparisons with constants, '%', 'floor' of a quotient by and bit operations with constants, and sums modulo a number are exact over any "
        f"range; a range of fewer values makes {what} exact, too",
    )
    return Beyond(Diagnostic(BUDGET_EXCEEDED, expression.span, message, notes=notes))
