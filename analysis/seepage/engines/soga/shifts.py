r"""Whether draws from infinite laws only *shift* Gaussians: then what was cut off looks like what was followed, moved elsewhere.

A variable is *tainted* if it depends on a draw from an infinite law, *continuous* if it may hold a density. As long as tainted values are only added to continuous
ones (with untainted factors), and decide neither branches with continuous values in them, nor variances, nor which part of a mixture is drawn, every
component that was cut off has the affine coefficients and the covariance matrix of one that was followed, made by the same untainted choices, and observes as many
densities as that one. Everything else is refused here, so that nobody has to trust an estimate of a tail.

Then the weight of a component that was cut off is its prior weight w times a density :math:`d \le D`, the product over all observations of equalities of
the greatest density that any component has there at its mean (at least 1, since an observation may stand in a branch), and

.. math:: -\sum w d \log (w d) = \sum d (-w \log w) + \sum w (-d \log d) \le \max(1, D)\, \eta + \tau / e

bounds what :class:`seepage.engines.outcome.Cut` calls the entropy. A continuous value u of mean m and variance V has, given one of these equalities, of residual r,
variance S and covariance g with u, the mean :math:`m - g r / S` and a variance of at most V, and with :math:`r^2 d \le S D \cdot 2 / \mathrm e` and :math:`g^2 \le S V`

.. math:: d\, E(u^2) \le d\, (V + 2 m^2 + 2 g^2 r^2 / S^2) \le D (V (1 + 4 / \mathrm e) + 2 m^2) \le \tfrac52 D (V + m^2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import assert_never

from flint import arb

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.kinds import is_continuous, is_gaussian, is_infinite
from seepage.engines.outcome import Cut
from seepage.rules import NOT_SUPPORTED
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.expressions import arguments_of, bottom_up, conjuncts, nodes, plain_names, without_parentheses
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Shifts:
    """What holds of the components that were cut off.

    Attributes:
        to_the_end: each has the covariance matrix of a component that was followed.
        unlike: the first observation of an equality of continuous values before which that is not known; None if there is none.
        tainted: every variable that is tainted somewhere.
        continuous: every variable that may be continuous somewhere.
    """

    to_the_end: bool
    unlike: Span | None
    tainted: frozenset[str]
    continuous: frozenset[str]


class _TooDeep(Exception):
    """Branches are nested too deeply to be walked."""


def shifts(core: CoreProgram) -> Shifts:
    """Return what is known of the components of a program that infinite supports were cut off from."""
    walker = _Walker(core)
    try:
        walker.block(core.statements, False)
    except _TooDeep:
        return Shifts(False, core.statements[-1].span, frozenset(core.variables), frozenset(core.variables))
    alike = walker.alike and not (walker.discarding and walker.choices)
    unlike = walker.unlike
    if unlike is None and walker.discarding and walker.choices:
        # All that was followed of some choice may have been discarded.
        unlike = walker.densities[0] if walker.densities else None
    return Shifts(alike, unlike, frozenset(walker.ever), frozenset(walker.ever_continuous))


def any_infinite(core: CoreProgram) -> bool:
    """Tell whether some statement samples a discrete law with infinite support."""
    return any(isinstance(each, CoreSample) and is_infinite(each.distribution) for each in walk(core.statements))


def reweighted(cut: Cut, known: Shifts, shifted: Span | None, peaks: Sequence[arb], asked: Iterable[str]) -> Cut:
    """Return what was cut off a mixture, after the observations that the run met.

    Args:
        cut: by prior weights.
        known: of the program.
        shifted: an equality that was no density, in some component, and reads tainted variables; None if there was none.
        peaks: for each equality that was a density, the greatest density of any component.
        asked: the variables of the joint.

    Raises:
        Fault: not supported, if nothing bounds the weights.
    """
    alike, discrete = known.to_the_end and shifted is None, frozenset(asked) - known.continuous
    if not peaks:
        return replace(cut, alike=alike, discrete=discrete)
    place = known.unlike or shifted
    if place is not None:
        message = (
            "an equality of continuous values cannot be observed here yet: a draw from an infinite support decides more about them than "
            "their means, so that nothing bounds the weight of the values beyond the largest that is tried"
        )
        note = "a draw with finitely many values, such as 'binomial' or 'uniform_int', would help"
        raise Fault(Diagnostic(NOT_SUPPORTED, place, message, notes=(note,)))
    factor = arb(1)
    for peak in peaks:
        factor *= peak.max(arb(1)).upper()
    moments = {}
    for name, (first, second) in cut.moments.items():
        more = factor * second * (1 if name in discrete else arb(5) / 2) ** len(peaks)
        moments[name] = (
            factor * first if name in discrete else (factor * cut.mass * more).sqrt().upper(),
            more.upper(),
        )
    entropy = factor * cut.entropy + cut.mass * arb(-1).exp()
    return Cut((factor * cut.mass).upper(), _upper(entropy), moments, alike, discrete)


def _upper(ball: arb) -> arb:
    return ball.upper() if ball.is_finite() else arb("inf")


@dataclass(slots=True)
class _Walker:
    """The state of a walk; ``choices``: whether untainted draws or signs of continuous values choose between kinds of components."""

    core: CoreProgram
    tainted: set[str] = field(default_factory=set)
    ever: set[str] = field(default_factory=set)
    ever_continuous: set[str] = field(default_factory=set)
    continuous: set[str] = field(default_factory=set)
    alike: bool = True
    choices: bool = False
    discarding: bool = False
    densities: list[Span] = field(default_factory=list)
    unlike: Span | None = None
    depth: int = 0

    def block(self, statements: Sequence[CoreStatement], inside: bool) -> None:
        """Walk statements; ``inside`` tells whether a tainted condition decides about them."""
        self.depth += 1
        if self.depth > _DEPTH:
            raise _TooDeep
        for statement in statements:
            match statement:
                case CoreAssign(target=target, value=value):
                    self._assign(target, value, inside)
                case CoreSample():
                    self._sample(statement, inside)
                case CoreObserve(condition=condition):
                    for conjunct in conjuncts(condition):
                        self._observe(conjunct, statement.span, inside)
                case CoreIf():
                    self._branch(statement, inside)
                case CoreWhile() | CoreLocal():
                    unsettled(statement)
                case _:
                    assert_never(statement)
        self.depth -= 1

    def _assign(self, target: tree.Target, value: Expression, inside: bool) -> None:
        self._signs(value)
        if not self._adds(value):
            self.alike = False
        self._write(target, self._is_tainted(value), self._is_continuous(value), inside)

    def _sample(self, statement: CoreSample, inside: bool) -> None:
        distribution = statement.distribution
        parts = list(arguments_of(distribution))
        for part in parts:
            self._signs(part)
        tainted = any(self._is_tainted(part) for part in parts)
        continuous = any(self._is_continuous(part) for part in parts)
        infinite = is_infinite(distribution)
        if is_continuous(distribution):
            if is_gaussian(distribution):
                named = bind(distribution).named
                spread = (value for name, value in named.items() if name != "mean")
                if not self._adds(named["mean"]) or any(self._is_tainted(value) for value in spread):
                    self.alike = False
            elif tainted:
                self.alike = False
            self.choices |= isinstance(distribution, tree.Mixture)
            continuous = True
        elif continuous:
            self.choices = True
            if tainted or infinite:
                self.alike = False
        elif not tainted and not infinite:
            self.choices = True
        self._write(statement.target, tainted or infinite, continuous, inside)

    def _observe(self, conjunct: Expression, span: Span, inside: bool) -> None:
        tainted, continuous = self._is_tainted(conjunct), self._is_continuous(conjunct)
        if inside:
            self.alike = False
        inner = without_parentheses(conjunct)
        if not continuous:
            self._signs(conjunct)
            self.discarding |= tainted
        elif isinstance(inner, tree.Binary) and inner.operator == "==":
            for side in (inner.left, inner.right):
                self._signs(side)
                if not self._adds(side):
                    self.alike = False
            self.densities.append(span)
            if not self.alike and self.unlike is None:
                self.unlike = span
        else:
            self._signs(conjunct)
            if tainted:
                self.alike = False

    def _branch(self, statement: CoreIf, inside: bool) -> None:
        self._signs(statement.condition)
        tainted = self._is_tainted(statement.condition)
        if tainted and self._is_continuous(statement.condition):
            self.alike = False
        before = set(self.tainted), set(self.continuous)
        self.block(statement.consequent, inside or tainted)
        after = self.tainted, self.continuous
        self.tainted, self.continuous = before
        self.block(statement.alternative, inside or tainted)
        self.tainted |= after[0]
        self.continuous |= after[1]

    def _write(self, target: tree.Target, tainted: bool, continuous: bool, inside: bool) -> None:
        if isinstance(target, tree.Index):
            names: tuple[str, ...] = tuple(f"{target.array}[{i}]" for i in self.core.arrays.get(target.array, ()))
            self._signs(target.index)
            tainted |= self._is_tainted(target.index)
            if self._is_tainted(target.index) and (continuous or self.continuous & set(names)):
                self.alike = False
        else:
            names = (target.id,)
        if inside:
            tainted = True
            if continuous or self.continuous & set(names):
                self.alike = False
        if tainted:
            self.ever.update(names)
        if continuous:
            self.ever_continuous.update(names)
        for name in names:
            for marked, holds in ((self.tainted, tainted), (self.continuous, continuous)):
                if holds:
                    marked.add(name)
                elif isinstance(target, tree.Name):
                    marked.discard(name)

    # --- expressions --------------------------------------------------------------------------------------------------

    def _read(self, expression: Expression) -> Iterator[str]:
        for name in plain_names(expression):
            yield from self._elements(name) if name in self.core.arrays else (name,)

    def _elements(self, array: str) -> Iterator[str]:
        return (f"{array}[{i}]" for i in self.core.arrays.get(array, ()))

    def _is_tainted(self, expression: Expression) -> bool:
        return any(name in self.tainted for name in self._read(expression))

    def _is_continuous(self, expression: Expression) -> bool:
        """Tell whether an expression may have a continuous value: what is rounded has none."""

        def visit(node: Expression, parts: list[bool]) -> bool:
            rounds = isinstance(node, tree.Call) and node.function in ("floor", "ceil")
            return not rounds and (any(parts) or (not parts and self._reads_continuous(node)) or self._picks(node))

        return bottom_up(expression, visit)

    def _picks(self, node: Expression) -> bool:
        return isinstance(node, tree.Index) and any(name in self.continuous for name in self._elements(node.array))

    def _reads_continuous(self, expression: Expression) -> bool:
        return any(name in self.continuous for name in self._read(expression))

    def _is_fixed(self, expression: Expression) -> bool:
        return not self._is_tainted(expression) and not self._is_continuous(expression)

    def _signs(self, expression: Expression) -> None:
        """Take note of signs of continuous values, by which components are cut; the cut depends on a shift."""
        for node in decisions(expression):
            if self._reads_continuous(node):
                self.choices = True
                if self._is_tainted(node):
                    self.alike = False

    def _adds(self, expression: Expression) -> bool:
        """Tell whether tainted values are only added to continuous ones."""
        if not self._is_tainted(expression) or not self._is_continuous(expression):
            return True
        match expression:
            case tree.Name():
                return True
            case tree.Index(index=index):
                return self._is_fixed(index)
            case tree.Parenthesized(inner=inner) | tree.Unary(operator="-", operand=inner):
                return self._adds(inner)
            case tree.Binary(operator="+" | "-", left=left, right=right):
                return self._adds(left) and self._adds(right)
            case tree.Binary(operator="*", left=left, right=right) if self._is_fixed(left):
                return self._adds(right)
            case tree.Binary(operator="*" | "/", left=left, right=right) if self._is_fixed(right):
                return self._adds(left)
            case tree.Conditional(condition=condition, consequent=first, alternative=second):
                return self._is_fixed(condition) and self._adds(first) and self._adds(second)
            case _:
                return False


def decisions(expression: Expression) -> Iterable[Expression]:
    """Yield the parts of an expression whose value is decided by signs."""
    for node in nodes(expression):
        match node:
            case tree.Binary(operator=operator) if operator in tree.COMPARISONS or operator == "%":
                yield node
            case tree.Call(function="min" | "max" | "abs" | "floor" | "ceil"):
                yield node
            case _:
                pass
