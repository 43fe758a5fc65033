r"""How a measure comes about: derivations by weakest pre-expectations, and the formula of Propositions 1–3 put together from them.

The program is the slice that the measure depends on, with its parameters as symbols where they enter probabilities only, else at
their values. The inner pre-expectations are derived statement by statement, with ghost variables that no program assigns; the outer
one by the frame rule, as the paper does: a ghost may be given a value before or after wp, so that the inner result is a table of
probabilities, and the expected logarithm is a sum over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from seepage import rules
from seepage.algebra import Quotient, over, times
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, polynomials
from seepage.engines.select import core_with
from seepage.engines.wpe.derivation import Derivation, derive
from seepage.engines.wpe.expectation import Expectation, Language, constant, guarded, weighted
from seepage.engines.wpe.metrics import GHOST
from seepage.engines.wpe.ranges import ranges_of
from seepage.engines.wpe.simplify import simplified
from seepage.exact import Number, show
from seepage.measures.asking import Asking
from seepage.measures.call_parts import condition_of, event_of, need_shape
from seepage.measures.derivation_forms import Values, Weights, Writing
from seepage.measures.evaluate import evaluate
from seepage.measures.evaluation import Evaluation
from seepage.measures.formulas.fixed_parameters import with_fixed
from seepage.measures.joints import observing
from seepage.measures.planning.estimate import is_small
from seepage.measures.planning.question import question_of
from seepage.measures.planning.reductions.independent_parts import parts_asked, posed_of
from seepage.measures.planning.table import Measure, row_of
from seepage.measures.result import Result
from seepage.measures.scope import Scope, core_expression, fail, variables
from seepage.measures.told_derivation import Conclusion, Explanation
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, MeasureCall, MeasureExpression

_NOWHERE = Span(0, 0)
_TERMS = 3  # kinds of parts that are written out


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
    if not isinstance(measure, MeasureCall) or not _is_explained(row_of(measure)):
        fail(rules.NOT_SUPPORTED, place, f"found '{spell(measure)}', expected one of H, I, KL, P and E to explain")
    result = evaluate(asking, measure, offset)
    if (part := _of_parts(asking, measure, offset)) is not None:
        call, because = part
        told_of_part = explain(asking, call, offset)
        whole = f"{spell(measure)} = {because}"
        return replace(told_of_part, notes=(whole, *told_of_part.notes))
    scope = asking.scope(offset)
    unit: Literal["bits", "nats"] = asking.unit
    match row_of(measure).functional:
        case "chance" | "mean":
            need_shape(scope, measure, None, f"{measure.name}(expression) or {measure.name}(expression | event)")
            core = scope.core
            argument = core_expression(scope, measure.left[0])
            told = _Telling(asking, scope, event_of(scope, measure, measure.given), tuple(_variables(core, argument)))
            return told.of_value(measure, argument, result)
        case "divergence":
            need_shape(scope, measure, "||", "KL(x || y)")
            here, there = (event_of(scope, measure, given) for given in (measure.given, measure.right_given))
            x, y = variables(scope, measure.left), variables(scope, measure.right)
            told = _Telling(asking, scope, here, (*x, *y), [there])
            return told.of_divergence(measure, x, y, unit, result)
        case _ if row_of(measure).is_information:
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


def _is_explained(measure: Measure) -> bool:
    return measure.is_sum_of_logarithms or measure.functional in ("chance", "mean")


def _of_parts(asking: Asking, measure: MeasureCall, offset: int) -> tuple[MeasureCall, str] | None:
    """Return the measure of the first of a program's independent parts, and how those of all parts add up; None where few states are asked, or of one part."""
    if not row_of(measure).is_of_entropies or asking.method is not None:
        return None
    question = question_of(Evaluation(asking.inquiry(offset=offset), asking.unit, False, {}), measure)
    if question is None or is_small(question) or (parts := parts_asked(question)) is None:
        return None
    posed = [(kind.count, posed_of(question, kind).call) for kind in parts.kinds]
    terms = [f"{count:,}·{spell(call)}" if count > 1 else spell(call) for count, call in posed]
    more = " + …" if len(terms) > _TERMS else ""
    first = "" if len(terms) == 1 else "; the first one is derived"
    return posed[0][1], f"{' + '.join(terms[:_TERMS])}{more}, {parts.because()}{first}"


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
        self.ranges = ranges_of(whole.statements)
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
        post = simplified(post, self.ranges)
        for number, known in enumerate(self.made):
            if self.names[number] == program and dict(known.post.coefficients) == dict(post.coefficients):
                return number
        self.made.append(derive(self.programs[program], post, ranges=self.ranges))
        self.names.append(program)
        return len(self.made) - 1

    def _normalised(self, writing: Writing, weights: Weights) -> dict[Values, Quotient]:
        return writing.normalised(weights) if self.observes else dict(weights)

    @property
    def is_cut(self) -> bool:
        return any(each.left_out for each in self.made)

    # --- measures -----------------------------------------------------------------------------------------------------

    def of_value(self, call: MeasureCall, argument: Expression, result: Result) -> Explanation:
        is_chance = row_of(call).functional == "chance"
        post = guarded(argument, self.one()) if is_chance else weighted(argument, self.one())
        self._kept(post, self.here)
        if self.observes:
            self.derived(())
        writing = Writing(self.ring, self.point)
        conclusions: list[Conclusion] = []
        if not self.is_cut:
            top = writing.total(self.made[0])
            if self.observes:
                why = "the weight of the runs that pass all observations is divided by"
                conclusions.append(Conclusion(why, formula=writing.node(over(top, writing.total(self.made[1])))))
            else:
                conclusions.append(Conclusion("in every initial state", formula=writing.node(top)))
        kind: Literal["P", "E"] = "P" if is_chance else "E"
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
        writing = Writing(self.ring, self.point)
        conclusions: list[Conclusion] = []
        if not self.is_cut:
            weights = writing.table(self.made[joint], names)
            masses: Weights = {(): writing.alphabet.number(1)}
            if below is not None:
                masses = writing.table(self.made[below], given)
            shares = {values: over(weight, masses[values[: len(given)]]) for values, weight in weights.items()}
            conclusions += writing.renamed(names, shares)
            terms = [(weight, shares[values], -1) for values, weight in self._normalised(writing, weights).items()]
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
        writing = Writing(self.ring, self.point)
        conclusions: list[Conclusion] = []
        if not self.is_cut:

            def shares(number: int, group: tuple[str, ...]) -> dict[Values, Quotient]:
                """Return P(group) for all values of all names."""
                table = self._normalised(writing, writing.table(self.made[number], group))
                places = [names.index(name) for name in group]
                return {values: table[tuple(values[place] for place in places)] for values in both}

            both = self._normalised(writing, writing.table(self.made[numbers[2]], names))
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
        writing = Writing(self.ring, self.point)
        conclusions: list[Conclusion] = []
        if not self.is_cut:
            p, q = writing.table(self.made[here], x), writing.table(self.made[there], x)
            if self.there != self.here:  # else the weight that passes is the same on both sides
                p, q = self._normalised(writing, p), self._normalised(writing, q)
            if p.keys() <= q.keys():
                ratios = {values: over(weight, q[values]) for values, weight in p.items()}
                conclusions += writing.renamed(x, ratios)
                terms = [(weight, ratios[values], 1) for values, weight in self._normalised(writing, p).items()]
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
        writing: Writing,
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
