r"""How a measure comes about: derivations by weakest pre-expectations, and the formula of Propositions 1–3 put together from them.

The program is the slice that the measure depends on, with its parameters as symbols where they enter probabilities only, else at
their values. The inner pre-expectations are derived statement by statement, with ghost variables that no program assigns; the outer
one by the frame rule, as the paper does: a ghost may be given a value before or after wp, so that the inner result is a table of
probabilities, and the expected logarithm is a sum over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from seepage import rules
from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, over, plus, times
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, polynomials
from seepage.engines.select import core_with
from seepage.engines.wpe.derivation import Derivation, Rule, Step, derive
from seepage.engines.wpe.expectation import Expectation, Language, at, by_ghosts, constant, guarded, weighted
from seepage.engines.wpe.metrics import GHOST
from seepage.engines.wpe.simplify import booleans_of, simplified
from seepage.exact import Number, enclose, show
from seepage.measures.asking import Asking
from seepage.measures.call_parts import condition_of, event_of, need_shape
from seepage.measures.evaluate import evaluate
from seepage.measures.formulas.fixed_parameters import with_fixed
from seepage.measures.formulas.notation import Notation
from seepage.measures.formulas.tree import Logarithm, Node, Verbatim, product_of, sum_of
from seepage.measures.joints import observing
from seepage.measures.result import Result
from seepage.measures.scope import Scope, core_expression, fail, spelled_number, variables
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.evaluate import evaluate as value_of
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, MeasureCall, MeasureExpression

_VALUES = 24  # rows of a table of probabilities that is shown
_NOWHERE = Span(0, 0)

Values: TypeAlias = tuple[Number, ...]
Weights: TypeAlias = Mapping[Values, Quotient]


@dataclass(frozen=True, slots=True)
class Term:
    """``coefficient · [guard] · … · factor · …``; ghosts are names that end with ``@ghost``."""

    coefficient: Node
    guards: tuple[Expression, ...]
    factors: tuple[Expression, ...] = ()


_IN_ORDER_OF_PROGRAM = 4  # terms; longer sums are sorted
Shown: TypeAlias = tuple[Term, ...]  # a sum; empty for 0


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a derivation, ready to be written; attributes as in :class:`seepage.engines.wpe.derivation.Step`."""

    span: Span
    statement: str
    rule: Rule
    before: Shown
    after: Shown
    parts: tuple[tuple[Node, Shown], ...] = ()
    arms: tuple[tuple[ShownStep, ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One pre-expectation wp⟦S⟧(post); ``left_out`` counts the statements at the start that were cut, ``program`` names S."""

    post: Shown
    steps: tuple[ShownStep, ...]
    result: Shown
    left_out: int = 0
    program: str = "S"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A line after the derivations: why it follows, and what; as a sum over brackets, or as a formula."""

    why: str
    expectation: Shown = ()
    formula: Node | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a measure comes about.

    Attributes:
        measure: as it is written.
        source: where in the paper the formula stands.
        kind: of the measure, ``H``, ``H|``, ``KL``, ``I``, ``P`` or ``E``.
        x: the first variables (of ``P`` and ``E`` none).
        y: the second ones: what is given, the right side, …
        argument: of ``P`` and ``E``, else None.
        sections: the derivations.
        conclusions: what follows from them, in order; empty if a derivation was cut.
        result: the number.
        notes: what was cut, and at which values of parameters the program was taken.
        event: what the measure, or its left side, is conditioned on; observed at the end of S, which is then called S₁.
        right_event: the same of the right side of a divergence, there S₂; that of the left side if it is no divergence.
        given: the variables that an information is given, else none.
    """

    measure: str
    source: str
    kind: Literal["H", "H|", "KL", "I", "P", "E"]
    x: tuple[str, ...]
    y: tuple[str, ...]
    argument: Expression | None
    sections: tuple[Section, ...]
    conclusions: tuple[Conclusion, ...]
    result: Result
    notes: tuple[str, ...] = field(default=())
    event: Expression | None = None
    right_event: Expression | None = None
    given: tuple[str, ...] = ()


def explain(asking: Asking, measure: MeasureExpression, offset: int = 0) -> Explanation:
    """Return how a measure of a discrete program comes about.

    Args:
        asking: the program, the values of its parameters, the unit.
        measure: one call of H, I, KL, P or E; its spans are relative to ``offset``.
        offset: absolute place of the measure's text.

    Raises:
        Fault: of the program or of the measure; a measure, or a distribution, that is not explained.
    """
    place = measure.span.shift(offset)
    if not isinstance(measure, MeasureCall) or measure.name not in ("H", "I", "KL", "P", "E"):
        fail(rules.NOT_SUPPORTED, place, f"found '{spell(measure)}', expected one of H, I, KL, P and E to explain")
    result = evaluate(asking, measure, offset)
    scope = asking.scope(offset)
    unit: Literal["bits", "nats"] = asking.unit
    match measure.name:
        case "P" | "E":
            need_shape(scope, measure, None, f"{measure.name}(expression) or {measure.name}(expression | event)")
            core = scope.core
            argument = core_expression(scope, measure.left[0])
            told = _Telling(asking, scope, event_of(scope, measure, measure.given), tuple(_variables(core, argument)))
            return told.of_value(measure, argument, result)
        case "KL":
            need_shape(scope, measure, "||", "KL(x || y)")
            here, there = (event_of(scope, measure, given) for given in (measure.given, measure.right_given))
            x, y = variables(scope, measure.left), variables(scope, measure.right)
            told = _Telling(asking, scope, here, (*x, *y), [there])
            return told.of_divergence(measure, x, y, unit, result)
        case "I":
            need_shape(scope, measure, ";", "I(x; y)")
            given, event = condition_of(scope, measure)
            x, y = variables(scope, measure.left), variables(scope, measure.right)
            told = _Telling(asking, scope, event, (*x, *y, *given))
            return told.of_information(measure, x, y, given, unit, result)
        case _:
            need_shape(scope, measure, None, "H(x, y) or H(x | z)")
            given, event = condition_of(scope, measure)
            x = variables(scope, measure.left)
            told = _Telling(asking, scope, event, (*x, *given))
            return told.of_entropy(measure, x, given, unit, result)


def _variables(core: CoreProgram, expression: Expression) -> Iterable[str]:
    for name in plain_names(expression):
        if name in core.arrays:
            yield from core.elements(name)
        elif name in core.variables:
            yield name


class _Telling:
    """One program under the events of a measure, the ring of its weights, and the derivations made so far."""

    def __init__(
        self,
        asking: Asking,
        scope: Scope,
        event: Expression | None,
        asked: tuple[str, ...],
        right: Sequence[Expression | None] = (),
    ) -> None:
        self.notes: list[str] = []
        right_event = right[0] if right else event
        self.events = tuple(None if each is None else core_expression(scope, each) for each in (event, right_event))
        both = observing(scope, event)
        if right_event != event:
            both = core_with(both, observing(scope, right_event).statements[len(scope.core.statements) :])
        whole = slice_program(both, asked)
        fixed: Mapping[str, Number] = {}
        try:
            self.ring: Polynomials = polynomials(whole)
        except NoPolynomial as reason:
            fixed = {name: value for name, value in asking.parameters.items() if name in whole.parameters}
            whole = slice_program(with_fixed(both, fixed), asked)
            self.ring = polynomials(whole)
            listed = ", ".join(f"{name} = {show(value)}" for name, value in fixed.items())
            self.notes.append(f"at {listed}: {reason}")
        dropped = len(both.statements) - len(whole.statements)
        if dropped:
            what = "statement that does" if dropped == 1 else "statements that do"
            self.notes.append(f"{dropped} {what} not matter to the measure left out")
        self.here = "S" if event is None else "S₁"
        self.there = self.here if right_event == event else "S" if right_event is None else "S₂"
        self.programs = {
            name: slice_program(with_fixed(observing(scope, each), fixed), asked).statements
            for name, each in ((self.here, event), (self.there, right_event))
        }
        self.point = {name: asking.parameters[name] for name in whole.parameters if name in asking.parameters}
        self.language = Language(whole.arrays, frozenset(whole.parameters))
        self.booleans = booleans_of(whole.statements)
        self.observes = any(isinstance(each, CoreObserve) for each in walk(whole.statements))
        self.made: list[Derivation[Polynomial]] = []
        self.names: list[str] = []  # of the program of each derivation

    # --- expectations -------------------------------------------------------------------------------------------------

    def one(self) -> Expectation[Polynomial]:
        return constant(self.ring.one, self.ring, self.language)

    def derived(self, pairs: Sequence[tuple[str, str]], program: str = "") -> int:
        """Derive wp⟦S⟧ of the product of [ghost of g = v] over pairs (g, v), unless that was done; return its number."""
        post = self.one()
        for ghost, variable in reversed(pairs):
            left, right = tree.Name(GHOST.format(ghost), _NOWHERE), tree.Name(variable, _NOWHERE)
            post = guarded(tree.Binary("==", left, right, _NOWHERE), post)
        return self._kept(post, program or self.here)

    def _kept(self, post: Expectation[Polynomial], program: str) -> int:
        post = simplified(post, self.booleans)
        for number, known in enumerate(self.made):
            if self.names[number] == program and dict(known.post.coefficients) == dict(post.coefficients):
                return number
        self.made.append(derive(self.programs[program], post, booleans=self.booleans))
        self.names.append(program)
        return len(self.made) - 1

    @property
    def is_cut(self) -> bool:
        return any(each.left_out for each in self.made)

    # --- measures -----------------------------------------------------------------------------------------------------

    def of_value(self, call: MeasureCall, argument: Expression, result: Result) -> Explanation:
        post = guarded(argument, self.one()) if call.name == "P" else weighted(argument, self.one())
        self._kept(post, self.here)
        if self.observes:
            self.derived(())
        writing = _Writing(self)
        conclusions: list[Conclusion] = []
        if not self.is_cut:
            top = writing.total(self.made[0])
            if self.observes:
                why = "the weight of the runs that pass all observations is divided by"
                conclusions.append(Conclusion(why, formula=writing.node(over(top, writing.total(self.made[1])))))
            else:
                conclusions.append(Conclusion("in every initial state", formula=writing.node(top)))
        kind: Literal["P", "E"] = "P" if call.name == "P" else "E"
        return self._explanation(call, kind, (), (), argument, conclusions, writing, result)

    def of_entropy(
        self,
        call: MeasureCall,
        x: tuple[str, ...],
        given: tuple[str, ...],
        unit: Literal["bits", "nats"],
        result: Result,
    ) -> Explanation:
        names = (*given, *(name for name in x if name not in given))
        joint = self.derived([(name, name) for name in names])
        below = self.derived([(name, name) for name in given]) if given else self._mass()
        writing = _Writing(self)
        conclusions: list[Conclusion] = []
        if not self.is_cut:
            weights = writing.table(self.made[joint], names)
            masses: Weights = {(): writing.alphabet.number(1)}
            if below is not None:
                masses = writing.table(self.made[below], given)
            shares = {values: over(weight, masses[values[: len(given)]]) for values, weight in weights.items()}
            conclusions += writing.renamed(names, shares)
            terms = [(weight, shares[values], -1) for values, weight in writing.normalised(self, weights).items()]
            conclusions += writing.logarithms(
                terms, unit, "the expected value of −log of that, one value at a time (frame rule)"
            )
        kind: Literal["H", "H|"] = "H|" if given else "H"
        return self._explanation(call, kind, x, given, None, conclusions, writing, result)

    def of_information(
        self,
        call: MeasureCall,
        x: tuple[str, ...],
        y: tuple[str, ...],
        given: tuple[str, ...],
        unit: Literal["bits", "nats"],
        result: Result,
    ) -> Explanation:
        names = tuple(dict.fromkeys((*x, *y, *given)))
        groups = [tuple(dict.fromkeys((*x, *given))), tuple(dict.fromkeys((*y, *given))), names]
        numbers = [self.derived([(name, name) for name in group]) for group in groups]
        below = self.derived([(name, name) for name in given]) if given else None
        self._mass()
        writing = _Writing(self)
        conclusions: list[Conclusion] = []
        if not self.is_cut:

            def shares(number: int, group: tuple[str, ...]) -> dict[Values, Quotient]:
                """Return P(group) for all values of all names."""
                table = writing.normalised(self, writing.table(self.made[number], group))
                places = [names.index(name) for name in group]
                return {values: table[tuple(values[place] for place in places)] for values in both}

            both = writing.normalised(self, writing.table(self.made[numbers[2]], names))
            xs, ys = (shares(number, group) for number, group in zip(numbers[:2], groups[:2], strict=True))
            zs = shares(below, given) if below is not None else dict.fromkeys(both, writing.alphabet.number(1))
            terms = [
                (weight, over(times(weight, zs[values]), times(xs[values], ys[values])), 1)
                for values, weight in both.items()
            ]
            conclusions += writing.renamed(names, both)
            conclusions += writing.logarithms(terms, unit, _WHY_GIVEN if given else _WHY)
        return self._explanation(call, "I", x, y, None, conclusions, writing, result, given)

    def of_divergence(
        self, call: MeasureCall, x: tuple[str, ...], y: tuple[str, ...], unit: Literal["bits", "nats"], result: Result
    ) -> Explanation:
        here = self.derived([(name, name) for name in x])
        there = self.derived(list(zip(x, y, strict=True)), self.there)
        self._mass()
        if self.there != self.here and self.observes:
            self.derived((), self.there)
        writing = _Writing(self)
        conclusions: list[Conclusion] = []
        if not self.is_cut:
            p, q = writing.table(self.made[here], x), writing.table(self.made[there], x)
            if self.there != self.here:  # else the weight that passes is the same on both sides
                p, q = writing.normalised(self, p), writing.normalised(self, q)
            if p.keys() <= q.keys():
                ratios = {values: over(weight, q[values]) for values, weight in p.items()}
                conclusions += writing.renamed(x, ratios)
                terms = [(weight, ratios[values], 1) for values, weight in writing.normalised(self, p).items()]
                conclusions += writing.logarithms(
                    terms, unit, "the expected value of log of that, one value at a time (frame rule)"
                )
            else:
                conclusions.append(
                    Conclusion("some value of the left side is none of the right one, so it is infinite")
                )
        return self._explanation(call, "KL", x, y, None, conclusions, writing, result)

    def _mass(self) -> int | None:
        return self.derived(()) if self.observes else None

    def _explanation(
        self,
        call: MeasureCall,
        kind: Literal["H", "H|", "KL", "I", "P", "E"],
        x: tuple[str, ...],
        y: tuple[str, ...],
        argument: Expression | None,
        conclusions: Sequence[Conclusion],
        writing: _Writing,
        result: Result,
        given: tuple[str, ...] = (),
    ) -> Explanation:
        notes = list(self.notes)
        if self.is_cut:
            most = max(each.left_out for each in self.made)
            what = "statement is" if most == 1 else f"{most} statements are"
            notes.append(f"cut: the first {what} not derived, since the expectation has too many terms or steps")
        sections = tuple(writing.section(each, name) for each, name in zip(self.made, self.names, strict=True))
        return Explanation(
            spell(call),
            _SOURCES[kind],
            kind,
            x,
            y,
            argument,
            sections,
            tuple(conclusions),
            result,
            tuple(notes),
            event=self.events[0],
            right_event=self.events[1],
            given=given,
        )


_WHY = "I = H(x) − H(x | y), the expected logarithm of the joint probability over the product of both"
_WHY_GIVEN = (
    "I = H(x | z) − H(x | y, z), the expected logarithm of P(x, y, z)·P(z) over the product of P(x, z) and P(y, z)"
)
_SOURCES = {
    "H": "paper, Proposition 1",
    "H|": "paper, Proposition 2",
    "KL": "paper, Proposition 3",
    "I": "paper, section on basic definitions",
    "P": "paper, definition of cwp",
    "E": "paper, definition of cwp",
}


class _Writing:
    """Polynomials of one ring as formula trees."""

    def __init__(self, telling: _Telling) -> None:
        ring = self.ring = telling.ring
        given = [spelled_number(value, _NOWHERE) for value in telling.point.values()]
        try:
            self.alphabet: Alphabet = alphabet_of(ring.parameters, [*ring.atoms, *given])
        except NoAlgebra as reason:
            fail(rules.NOT_SUPPORTED, Span(0, 0), f"the derivation is not written: {reason}")
        self.generators = [self.alphabet.parameter(name) for name in ring.parameters]
        self.generators += [self.alphabet.translate(atom) for atom in ring.atoms]
        sample = {name: telling.point.get(name, Fraction(1, 3)) for name in ring.parameters}
        letters = tuple(enclose(value_of(letter.meaning, sample)) for letter in self.alphabet.letters)
        self.notation = Notation(self.alphabet, letters)

    def node(self, value: Quotient) -> Node:
        return self.notation.quotient(value)

    def of(self, polynomial: Polynomial) -> Quotient:
        return composed(polynomial, self.generators, self.alphabet)

    def shown(self, expectation: Expectation[Polynomial]) -> Shown:
        return _ordered(
            Term(self.node(self.of(coefficient)), guards, factors)
            for guards, factors, coefficient in expectation.terms()
        )

    def section(self, derivation: Derivation[Polynomial], program: str) -> Section:
        steps = tuple(self._step(step) for step in derivation.steps)
        return Section(self.shown(derivation.post), steps, self.shown(derivation.before), derivation.left_out, program)

    def _step(self, step: Step[Polynomial]) -> ShownStep:
        return ShownStep(
            step.span,
            step.statement,
            step.rule,
            self.shown(step.before),
            self.shown(step.after),
            tuple((self._weight(chance), self.shown(part)) for chance, part in step.parts),
            tuple(tuple(self._step(inner) for inner in arm) for arm in step.arms),
            step.note,
        )

    def _weight(self, chance: Expression) -> Node:
        """Write a probability of a sampling; one that depends on the state as the program has it."""
        if set(plain_names(chance)) <= set(self.ring.parameters):
            return self.node(self.of(self.ring.probability(chance, {})))
        return Verbatim(spell(chance), tight=isinstance(chance, tree.Name))

    # --- results ------------------------------------------------------------------------------------------------------

    def total(self, derivation: Derivation[Polynomial]) -> Quotient:
        """Return the value of a pre-expectation in the initial state."""
        return self.table(derivation, ()).get((), self.alphabet.number(0))

    def table(self, derivation: Derivation[Polynomial], names: Sequence[str]) -> dict[Values, Quotient]:
        ghosts = tuple(GHOST.format(name) for name in names)
        table = by_ghosts(at(derivation.before, {}, frozenset(ghosts)), ghosts)
        return {values: self.of(weight) for values, weight in table.items()}

    def normalised(self, telling: _Telling, weights: Weights) -> dict[Values, Quotient]:
        if not telling.observes:
            return dict(weights)
        total = self.alphabet.number(0)
        for weight in weights.values():
            total = plus(total, weight)
        return {values: over(weight, total) for values, weight in weights.items()}

    def renamed(self, names: Sequence[str], shares: Weights) -> list[Conclusion]:
        """Return what the inner conditional expectation is after its ghosts have become variables."""
        if len(shares) > _VALUES:
            return [Conclusion(f"the ghosts become the variables: a table of {len(shares)} values, too long to show")]
        terms = []
        for values, share in shares.items():
            guards = tuple(
                tree.Binary("==", tree.Name(name, _NOWHERE), spelled_number(value, _NOWHERE), _NOWHERE)
                for name, value in zip(names, values, strict=True)
            )
            terms.append(Term(self.node(share), guards))
        what = "the ghost becomes the variable" if len(names) == 1 else "the ghosts become the variables"
        return [Conclusion(what, tuple(terms))]

    def logarithms(
        self, terms: Sequence[tuple[Quotient, Quotient, int]], unit: Literal["bits", "nats"], why: str
    ) -> list[Conclusion]:
        """Return Σ sign · weight · log(share), weights that are 0 and logarithms of 1 left out."""
        if len(terms) > _VALUES:
            return [Conclusion(f"{why}: a sum of {len(terms)} terms, too long to show")]
        one = self.alphabet.number(1)
        written = [
            (sign < 0, product_of(self.node(weight), Logarithm(self.node(share), unit)))
            for weight, share, sign in terms
            if not weight.is_zero and share != one
        ]
        return [Conclusion(why, formula=sum_of(written))]


def _ordered(terms: Iterable[Term]) -> Shown:
    """Return a sum; a long table of values in ascending order of the values."""
    listed = tuple(terms)
    if len(listed) <= _IN_ORDER_OF_PROGRAM or any(not _is_value(guard) for term in listed for guard in term.guards):
        return listed
    return tuple(sorted(listed, key=lambda term: [_value_of(guard) for guard in term.guards]))


def _is_value(guard: Expression) -> bool:
    """Tell whether a guard gives a name a number."""
    return (
        isinstance(guard, tree.Binary)
        and guard.operator == "=="
        and isinstance(guard.left, tree.Name)
        and isinstance(guard.right, tree.Number)
    )


def _value_of(guard: Expression) -> tuple[str, Fraction]:
    if not (
        isinstance(guard, tree.Binary) and isinstance(guard.left, tree.Name) and isinstance(guard.right, tree.Number)
    ):
        raise AssertionError("the guard gives no name a number")
    return guard.left.id, guard.right.value
