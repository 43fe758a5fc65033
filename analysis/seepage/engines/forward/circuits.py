r"""Weights as circuits: what a run adds and multiplies, written down once, to be evaluated at many choices of the parameters.

A weight is the number of a node; nodes are probabilities of the program (expressions of its parameters), their complements,
rational constants, sums and products. Nothing is expanded: a hundred respondents are some ten thousand nodes, where the polynomials of their outcomes have
a million terms.

Evaluation is in double precision, vectorised over the points, with proof. All is sums and products of numbers that are not negative, so
that errors stay relative: with unit roundoff u, a node is within :math:`(1 + u)^k - 1` of its true value, relatively, where k is 2 for a
probability (rounded from a ball), the larger of two plus 1 for their sum, and their sum plus 1 for a product. Products that underflow err by
at most the least positive number more, which is carried along beside k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.exact import Number, enclose, sub, to_fraction
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.semantics.substitute import is_closed, substitute
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Floats: TypeAlias = NDArray[np.float64]

_NODES = 2_000_000
_LEAST = 2.0**-1074  # the spacing of numbers that have underflowed
_BITS = 128


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability, or 1 minus it: an expression of parameters alone."""

    expression: Expression
    complemented: bool = False


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Values of some nodes.

    Attributes:
        values: one row for each node asked for, one column for each point.
        roundings: for each node, k.
        lost: for each node, what underflow may have taken, absolutely.
    """

    values: Floats
    roundings: tuple[int, ...]
    lost: tuple[float, ...]


class Circuits:
    """The ring whose elements are numbers of nodes; equal numbers mean equal weights, different ones may, too."""

    zero = 0
    one = 1

    def __init__(self, parameters: Sequence[str]) -> None:
        self.parameters = frozenset(parameters)
        self.leaves: dict[int, Chance | Fraction] = {0: Fraction(0), 1: Fraction(1)}
        self._numbers: dict[Chance | Fraction, int] = {Fraction(0): 0, Fraction(1): 1}
        self.nodes: list[tuple[bool, int, int]] = [(False, 0, 0), (False, 0, 0)]  # whether a product, and of what
        self._known: dict[tuple[int, tuple[Number, ...]], tuple[Expression, int]] = {}

    def _leaf(self, leaf: Chance | Fraction) -> int:
        if leaf not in self._numbers:
            self._numbers[leaf] = self._node(False, 0, 0)
            self.leaves[self._numbers[leaf]] = leaf
        return self._numbers[leaf]

    def _node(self, product: bool, a: int, b: int) -> int:
        if len(self.nodes) >= _NODES:
            raise NoPolynomial("the circuit has too many nodes")
        self.nodes.append((product, a, b))
        return len(self.nodes) - 1

    def add(self, a: int, b: int) -> int:
        """Return a + b.

        Raises:
            NoPolynomial: past the limit on nodes.
        """
        if not a or not b:
            return a or b
        return self._node(False, a, b)

    def multiply(self, a: int, b: int) -> int:
        """Return a · b.

        Raises:
            NoPolynomial: past the limit on nodes.
        """
        if not a or not b:
            return 0
        if a == 1 or b == 1:
            return b if a == 1 else a
        return self._node(True, a, b)

    def complement(self, a: int) -> int:
        """Return 1 − a.

        Raises:
            NoPolynomial: if a is a sum or a product, of which the difference from 1 would lose its digits.
        """
        match self.leaves.get(a):
            case Fraction() as value:
                return self._leaf(1 - value)
            case Chance(expression=expression, complemented=complemented):
                return self._leaf(Chance(expression, not complemented))
            case _:
                raise NoPolynomial("the complement of a sum")

    def rational(self, numerator: int, denominator: int = 1) -> int:
        """Return a rational number."""
        return self._leaf(Fraction(numerator, denominator))

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[int]:
        """Raise, since where an infinite support is cut depends on the parameters.

        Raises:
            NoPolynomial: always.
        """
        raise NoPolynomial("the probabilities of an infinite support")

    def is_zero(self, a: int) -> bool:
        """Tell whether ``a`` is the constant 0."""
        return a == 0

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> int:
        """Return a probability in a state; free names are parameters. Its range is checked where it is evaluated.

        Raises:
            Fault: if a part without parameters is undefined.
            NoPolynomial: if an irrational value enters.
        """
        names = dict.fromkeys(name for name in plain_names(expression) if name not in self.parameters)
        key = (id(expression), tuple(state.get(name, 0) for name in names))
        if key not in self._known:
            values: dict[str, Expression] = {}
            for name in names:
                fraction = to_fraction(state.get(name, 0))
                if fraction is None:
                    raise NoPolynomial(f"the irrational value of '{name}' enters a probability")
                values[name] = tree.Number(fraction, expression.span)
            closed = substitute(expression, values, {})
            # The expression is kept beside its node, so that its id stays its own.
            self._known[key] = (expression, self._of_closed(closed))
        return self._known[key][1]

    def _of_closed(self, closed: Expression) -> int:
        value = to_fraction(evaluate(closed, {})) if is_closed(closed) else None
        return self._leaf(Chance(closed) if value is None else Fraction(value))

    # --- evaluation ---------------------------------------------------------------------------------------------------

    def chances(self) -> list[Chance]:
        """Return the probabilities that occur."""
        return [leaf for leaf in self.leaves.values() if isinstance(leaf, Chance)]

    def evaluate(self, wanted: Sequence[int], chances: Mapping[Chance, Floats], points: int) -> Evaluated:
        """Return the values of nodes at some points.

        Args:
            wanted: nodes.
            chances: the value of each probability that occurs, a nearest double at each point.
            points: how many.
        """
        needed = self._needed(wanted)
        last = self._last_uses(needed, wanted)
        values: dict[int, Floats] = {}
        free: list[Floats] = []
        nodes, leaves = self.nodes, self.leaves
        for node in needed:
            if node in leaves:
                leaf = leaves[node]
                values[node] = chances[leaf].copy() if isinstance(leaf, Chance) else np.full(points, float(leaf))
                continue
            product, a, b = nodes[node]
            # Buffers are used again: fresh memory would cost more than the arithmetic.
            into = free.pop() if free else np.empty(points)
            values[node] = (np.multiply if product else np.add)(values[a], values[b], out=into)
            if last[a] == node:
                free.append(values.pop(a))
            if last[b] == node and a != b:
                free.append(values.pop(b))
        rows = np.array([values[node] for node in wanted]).reshape(len(wanted), points)
        roundings, lost = self._errors(needed)
        return Evaluated(rows, tuple(roundings[node] for node in wanted), tuple(lost[node] for node in wanted))

    def _needed(self, wanted: Iterable[int]) -> list[int]:
        seen = set(wanted)
        for node in range(max(seen, default=0), -1, -1):
            if node in seen and node not in self.leaves:
                seen.update(self.nodes[node][1:])
        return sorted(seen)

    def _last_uses(self, needed: Sequence[int], wanted: Sequence[int]) -> dict[int, int]:
        last: dict[int, int] = {}
        for node in needed:
            if node not in self.leaves:
                for part in self.nodes[node][1:]:
                    last[part] = node
        last.update((node, -1) for node in wanted)
        return last

    def _errors(self, needed: Sequence[int]) -> tuple[dict[int, int], dict[int, float]]:
        """Return for each node k and what underflow may have taken."""
        roundings: dict[int, int] = {}
        lost: dict[int, float] = {}
        most: dict[int, float] = {}
        for node in needed:
            leaf = self.leaves.get(node)
            if leaf is not None:
                exact = isinstance(leaf, Fraction) and Fraction(float(leaf)) == leaf
                roundings[node], lost[node] = 0 if exact else 2, 0.0 if isinstance(leaf, Fraction) else _LEAST
                most[node] = float(leaf) * 1.0001 if isinstance(leaf, Fraction) else 1.0001
                continue
            product, a, b = self.nodes[node]
            if product:
                roundings[node] = roundings[a] + roundings[b] + 1
                lost[node] = 1.01 * (lost[a] * most[b] + lost[b] * most[a]) + _LEAST
                most[node] = most[a] * most[b]
            else:
                roundings[node] = max(roundings[a], roundings[b]) + 1
                lost[node] = 1.01 * (lost[a] + lost[b])
                most[node] = most[a] + most[b]
        return roundings, lost


def chance_at(chance: Chance, point: Mapping[str, Number]) -> float | None:
    """Return a probability at a choice of the parameters as a nearest double; None if it is not known to be one.

    Raises:
        Fault: if it is undefined there.
    """
    value = evaluate(chance.expression, point)
    ball = enclose(sub(1, value) if chance.complemented else value, _BITS)
    if not (ball >= 0 and ball <= 1) or not (ball.is_exact() or int(ball.rel_accuracy_bits()) >= 64):
        return None
    return float(ball.mid())
