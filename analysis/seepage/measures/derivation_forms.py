"""Expectations and tables of probabilities of a derivation as formula trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from seepage import rules
from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, over, plus
from seepage.engines.forward.polynomials import Polynomial, Polynomials
from seepage.engines.wpe.derivation import Derivation, Step
from seepage.engines.wpe.expectation import Expectation, at, by_ghosts
from seepage.engines.wpe.metrics import GHOST
from seepage.exact import Number, enclose
from seepage.measures.formulas.notation import Notation
from seepage.measures.formulas.tree import Logarithm, Node, Verbatim, product_of, sum_of
from seepage.measures.scope import fail, spelled_number
from seepage.measures.told_derivation import Conclusion, Section, Shown, ShownStep, Term
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

_VALUES = 24  # rows of a table of probabilities that is shown
_IN_ORDER_OF_PROGRAM = 4  # terms; longer sums are sorted
_NOWHERE = Span(0, 0)

Values: TypeAlias = tuple[Number, ...]
Weights: TypeAlias = Mapping[Values, Quotient]


class Writing:
    """Polynomials of one ring as formula trees.

    Raises:
        Fault: on making one, for weights that are no algebra of the parameters.
    """

    def __init__(self, ring: Polynomials, point: Mapping[str, Number]) -> None:
        """Prepare to write what a ring holds; values of parameters at a point order the terms."""
        self.ring = ring
        given = [spelled_number(value, _NOWHERE) for value in point.values()]
        try:
            self.alphabet: Alphabet = alphabet_of(ring.parameters, [*ring.atoms, *given])
        except NoAlgebra as reason:
            fail(rules.NOT_SUPPORTED, _NOWHERE, f"the derivation is not written: {reason}")
        self.generators = [self.alphabet.parameter(name) for name in ring.parameters]
        self.generators += [self.alphabet.translate(atom) for atom in ring.atoms]
        sample = {name: point.get(name, Fraction(1, 3)) for name in ring.parameters}
        letters = tuple(enclose(evaluate(letter.meaning, sample)) for letter in self.alphabet.letters)
        self.notation = Notation(self.alphabet, letters)

    def node(self, value: Quotient) -> Node:
        """Return a function of the parameters as it is written."""
        return self.notation.quotient(value)

    def of(self, polynomial: Polynomial) -> Quotient:
        """Return a weight as a function of the parameters."""
        return composed(polynomial, self.generators, self.alphabet)

    def shown(self, expectation: Expectation[Polynomial]) -> Shown:
        """Write an expectation as a sum over brackets."""
        return _ordered(
            Term(self.node(self.of(coefficient)), guards, factors)
            for guards, factors, coefficient in expectation.terms()
        )

    def section(self, derivation: Derivation[Polynomial], program: str) -> Section:
        """Write a derivation of a program that is called by a name."""
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
        return Verbatim(spell(chance), tight=isinstance(chance, tree.Name), meaning=chance)

    # --- results ------------------------------------------------------------------------------------------------------

    def total(self, derivation: Derivation[Polynomial]) -> Quotient:
        """Return the value of a pre-expectation in the initial state."""
        return self.table(derivation, ()).get((), self.alphabet.number(0))

    def table(self, derivation: Derivation[Polynomial], names: Sequence[str]) -> dict[Values, Quotient]:
        """Return the value of a pre-expectation in the initial state for each choice of values of the ghosts of some variables."""
        ghosts = tuple(GHOST.format(name) for name in names)
        table = by_ghosts(at(derivation.before, {}, frozenset(ghosts)), ghosts)
        return {values: self.of(weight) for values, weight in table.items()}

    def normalised(self, weights: Weights) -> dict[Values, Quotient]:
        """Return weights divided by their sum."""
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
