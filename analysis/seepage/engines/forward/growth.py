r"""How large values can be where infinite supports are involved: bounds of |value| as polynomials in the draws of infinite laws.

A sampling from an infinite law, the i-th of the program, has the symbol :math:`z_i`, its distance from the law's centre. Every variable gets a bound
:math:`|v| \le \sum c \prod z_i^{j_i}` with :math:`c \ge 0`, found without running the program, by the triangle inequality; the maximum of two bounds is
bounded by their coefficientwise maximum. None stands for "no bound known".

The noise of a ``normal`` is such a draw, too, though nothing is cut off it: a standard normal :math:`z_i`, with :math:`\sqrt v \le (1 + v) / 2` for a variance v;
so is that of a ``laplace`` of scale 1, or of an ``exponential`` of rate 1, and a ``gamma`` is no larger in law than a sum of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias, assert_never

from flint import arb

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.kinds import is_continuous, is_infinite, shaping
from seepage.distributions.supports import ends
from seepage.engines.forward.polynomial_bounds import DEGREE, Bound, constant, largest, plus, symbol, times
from seepage.engines.forward.spans import magnitude, of_draw, span
from seepage.exact import Number, enclose
from seepage.laws.table import DISCRETE_LAWS
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
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, nodes, plain_names
from seepage.semantics.ranges import Range, hull
from seepage.semantics.statements import written_variables
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

Moment: TypeAlias = Callable[[int], arb]

_DEPTH = 100


def normal_moment(order: int) -> arb:
    """Return E |z|^order of a standard normal: 2^(order/2) Γ((order + 1) / 2) / √π."""
    return (arb(2) ** order).sqrt() * (arb(order + 1) / 2).gamma() / arb.pi().sqrt()


def exponential_moment(order: int) -> arb:
    """Return E |z|^order of an exponential variable of rate 1: order!."""
    return arb.fac_ui(order)


def unknown_moment(_: int) -> arb:
    """Return +∞, for the symbol of a draw from an infinite law, of which the window tells more."""
    return arb("inf")


@dataclass(frozen=True, slots=True)
class Site:
    """A sampling from an infinite law.

    Attributes:
        statement: the sampling.
        covered: whether the states in which the machine drew from it show every choice of its parameters: those do not depend on draws from
            infinite laws, and nothing was observed before, or there is only one.
        followed: whether, for the first of these reasons, one that the machine never met is never met at all.
        rate: of a ``poisson`` a bound in the symbols of earlier samplings, else None.
        moment: E |z|^order of the symbol, by its order, where the symbol is noise.
    """

    statement: CoreSample
    covered: bool
    followed: bool
    rate: Bound
    moment: Moment = unknown_moment

    @property
    def is_noise(self) -> bool:
        """Whether the symbol is noise, off which nothing is cut."""
        return self.moment is not unknown_moment


@dataclass(slots=True)
class Growth:
    """What is known at the end of a program.

    Attributes:
        values: a bound of |value| for each variable that was written.
        surprise: for each sampling, a bound of the entropy of its law in nats, whatever the state; for those from an infinite law it is left out.
        infinite: the samplings from infinite laws, and of noise.
        rounded: for each rounding of a continuous value a bound of that; the entropy of the result is in no surprise.
        spans: between which numbers each variable lies.
    """

    values: dict[str, Bound] = field(default_factory=dict)
    surprise: list[Bound] = field(default_factory=list)
    infinite: list[Site] = field(default_factory=list)
    rounded: list[Bound] = field(default_factory=list)
    spans: Mapping[str, Range] = field(default_factory=dict)


class _TooDeep(Exception):
    """Branches are nested too deeply to be walked."""


def growth(core: CoreProgram, parameters: Mapping[str, Number]) -> Growth | None:
    """Return the bounds of a program; None if its branches are nested too deeply."""
    walker = _Walker(core, parameters)
    try:
        walker.block(core.statements, frozenset())
    except _TooDeep:
        return None
    walker.found.spans = walker.spans
    return walker.found


@dataclass(slots=True)
class _Walker:
    core: CoreProgram
    parameters: Mapping[str, Number]
    found: Growth = field(default_factory=Growth)
    tainted: set[str] = field(default_factory=set)  # what depends on a draw from an infinite law
    continuous: set[str] = field(default_factory=set)  # what may hold a continuous value somewhere
    spans: dict[str, Range] = field(default_factory=dict)  # between which numbers a variable lies
    observed: bool = False
    depth: int = 0

    def block(self, statements: Sequence[CoreStatement], around: frozenset[str]) -> None:
        """Walk statements; ``around`` are the names that the conditions around them read."""
        self.depth += 1
        if self.depth > _DEPTH:
            raise _TooDeep
        for statement in statements:
            match statement:
                case CoreAssign(target=target, value=value):
                    self._signs(value)
                    within = span(value, self.spans, self.parameters)
                    self._write(target, self.of(value), {*self._read(value), *around}, within)
                case CoreSample(target=target, distribution=distribution):
                    self._sample(statement, distribution, target, around)
                case CoreObserve(condition=condition):
                    self._signs(condition)
                    self.observed = True
                case CoreIf():
                    self._branch(statement, around)
                case CoreWhile() | CoreLocal():
                    unsettled(statement)
                case _:
                    assert_never(statement)
        self.depth -= 1

    def _branch(self, statement: CoreIf, around: frozenset[str]) -> None:
        self._signs(statement.condition)
        inside = around | frozenset(self._read(statement.condition))
        values, tainted, spans = dict(self.found.values), set(self.tainted), dict(self.spans)
        self.block(statement.consequent, inside)
        after, self.found.values = self.found.values, values
        spans_after, self.spans = self.spans, spans
        tainted_after, self.tainted = self.tainted, tainted
        self.block(statement.alternative, inside)
        for name, bound in after.items():
            self.found.values[name] = largest(bound, self.found.values.get(name, constant(0)))
        for name in {**spans_after, **self.spans}:
            self.spans[name] = hull(spans_after.get(name, (0, 0)), self.spans.get(name, (0, 0)))
        self.tainted |= tainted_after
        if self.tainted & inside:
            self.tainted |= set(written_variables((statement,)))

    def _sample(
        self, statement: CoreSample, distribution: Distribution, target: tree.Target, around: frozenset[str]
    ) -> None:
        reads = {name for part in arguments_of(distribution) for name in self._read(part)} | around
        within = of_draw(distribution, self.spans, self.parameters)
        for part in arguments_of(distribution):
            self._signs(part)
        if is_continuous(distribution):
            self.continuous.update(self._names(target))
        if not is_infinite(distribution):
            self.found.surprise.append(self._surprise(distribution))
            self._write(target, self._draw(distribution, constant(0), statement), reads, within)
            return
        varying = {name for part in shaping(distribution) for name in self._read(part)}
        followed = not self.observed and not self.tainted & (varying | around)
        which = len(self.found.infinite)
        self.found.infinite.append(Site(statement, followed or not varying, followed, self._rate(distribution)))
        self._write(target, self._draw(distribution, symbol(which), statement), reads, within)
        self.tainted |= set(self._names(target))

    def _rate(self, distribution: Distribution) -> Bound:
        if not isinstance(distribution, tree.Family):
            return None
        rate = bind(distribution).named.get("rate")
        return None if rate is None else self.of(rate)

    def _names(self, target: tree.Target) -> tuple[str, ...]:
        if isinstance(target, tree.Name):
            return (target.id,)
        return tuple(f"{target.array}[{i}]" for i in self.core.arrays.get(target.array, ()))

    def _write(self, target: tree.Target, bound: Bound, reads: Iterable[str], within: Range) -> None:
        names = self._names(target)
        if isinstance(target, tree.Index):
            reads = {*reads, *self._read(target.index)}
        reads = set(reads)
        is_tainted = any(name in self.tainted for name in reads)
        if self.continuous & reads:
            self.continuous.update(names)
        for name in names:
            kept = self.found.values.get(name, constant(0)) if isinstance(target, tree.Index) else bound
            self.found.values[name] = largest(bound, kept)
            self.spans[name] = hull(within, self.spans.get(name, (0, 0))) if isinstance(target, tree.Index) else within
            if is_tainted:
                self.tainted.add(name)
            elif isinstance(target, tree.Name):
                self.tainted.discard(name)

    def _read(self, expression: Expression) -> Iterator[str]:
        """Yield the variables (elements for arrays) that an expression may read, parameters left out."""
        for name in plain_names(expression):
            if name in self.core.arrays:
                yield from (f"{name}[{i}]" for i in self.core.arrays[name])
            elif name not in self.core.parameters:
                yield name

    # --- laws ---------------------------------------------------------------------------------------------------------

    def _draw(self, distribution: Distribution, distance: Bound, statement: CoreSample) -> Bound:
        """Bound |draw|."""
        match distribution:
            case tree.Table(entries=entries):
                return largest(*(self.of(value) for value, _ in entries))
            case tree.Mixture(parts=parts):
                return largest(*(self._draw(part, distance, statement) for _, part in parts))
            case tree.Rows(draw=draw):
                return constant(draw.most)
            case tree.Family():
                bound = bind(distribution)
                low, high = ends(bound)
                if low is not None and high is not None:
                    return largest(
                        *(constant(abs(each)) if isinstance(each, int) else self.of(each) for each in (*low, *high))
                    )
                if bound.signature.kind == "discrete":
                    centre = bound.named.get("centre")
                    return plus(constant(0) if centre is None else self.of(centre), distance)
                known = _BY_LAW.get(distribution.name)
                return None if known is None else known(self, statement, bound.named)
            case _:
                assert_never(distribution)

    def normal(self, statement: CoreSample, named: Named) -> Bound:
        """Bound a normal draw; half of 1 + v is at least the root of v."""
        half = constant(arb(1) / 2)
        spread = self.of(named["std"]) if "std" in named else plus(half, times(half, self.of(named["variance"])))
        return plus(self.of(named["mean"]), times(spread, self._noise(statement, normal_moment)))

    def laplace(self, statement: CoreSample, named: Named) -> Bound:
        """Bound a Laplace draw."""
        noise = self._noise(statement, exponential_moment)
        return plus(self.of(named["mean"]), times(self.of(named["scale"]), noise))

    def exponential(self, statement: CoreSample, named: Named) -> Bound:
        """Bound an exponential draw."""
        return self._waiting(statement, named["rate"], 1)

    def gamma(self, statement: CoreSample, named: Named) -> Bound:
        """Bound a draw from a gamma law."""
        shape = self._known(named["shape"])
        stages = shape.ceil().unique_fmpz() if shape is not None and shape <= DEGREE else None
        return None if stages is None else self._waiting(statement, named["rate"], int(stages))

    def _waiting(self, statement: CoreSample, rate: Expression, stages: int) -> Bound:
        """Bound a sum of exponential variables; a gamma variable of no larger shape is stochastically no larger."""
        known = self._known(rate)
        if known is None or not known > 0:
            return None
        total = constant(0)
        for _ in range(stages):
            total = plus(total, self._noise(statement, exponential_moment))
        return times(constant(1 / known), total)

    def _noise(self, statement: CoreSample, moment: Moment) -> Bound:
        which = len(self.found.infinite)
        self.found.infinite.append(Site(statement, True, True, None, moment))
        return symbol(which)

    def _signs(self, expression: Expression) -> None:
        """Take note that signs of continuous values are random, too: one bit each."""
        for node in nodes(expression):
            if any(name in self.continuous for name in self._read(node)):
                match node:
                    case tree.Binary(operator=operator) if operator in tree.COMPARISONS:
                        self.found.surprise.append(constant(arb.const_log2()))
                    case tree.Call(function="min" | "max" | "abs", arguments=arguments):
                        self.found.surprise.append(constant(len(arguments) * arb.const_log2()))
                    case tree.Call(function="floor" | "ceil", arguments=(argument,)):
                        self.found.rounded.append(self.of(argument))
                    case tree.Binary(operator="%", left=left, right=right, span=place):
                        self.found.rounded.append(self.of(tree.Binary("/", left, right, place)))
                    case _:
                        pass

    def _surprise(self, distribution: Distribution) -> Bound:
        """Bound the entropy of a law with finite support by the logarithm of how many values it has, log(1 + n) by n."""
        match distribution:
            case tree.Table(entries=entries):
                return constant(arb(len(entries)).log())
            case tree.Mixture(parts=parts):
                inside = largest(*(self._surprise(part) for _, part in parts))
                return plus(constant(arb(len(parts)).log()), inside)
            case tree.Rows(draw=draw):
                return constant(arb(draw.most).log())
            case tree.Family(name=name):
                if is_continuous(distribution):
                    return constant(0)  # of the choices that are discrete
                bound = bind(distribution)
                if bound.repeated and name in DISCRETE_LAWS:
                    return constant(arb(len(bound.repeated)).log())
                low, high = ends(bound)
                if low is None or high is None:
                    return None
                if isinstance(low[0], int) and isinstance(high[0], int):
                    return constant(arb(high[0] - low[0] + 1).log())
                return plus(
                    *(constant(abs(each)) if isinstance(each, int) else self.of(each) for each in (*low, *high))
                )
            case _:
                assert_never(distribution)

    # --- expressions --------------------------------------------------------------------------------------------------

    def of(self, expression: Expression) -> Bound:
        """Bound |expression|."""
        match expression:
            case tree.Number(value=value):
                return constant(abs(enclose(value)))
            case tree.Boolean():
                return constant(1)
            case tree.Name(id=name):
                if name in self.parameters:
                    return constant(abs(enclose(self.parameters[name])))
                return None if name in self.core.parameters else self.found.values.get(name, constant(0))
            case tree.Index(array=array):
                elements = (f"{array}[{i}]" for i in self.core.arrays.get(array, ()))
                return largest(constant(0), *(self.found.values.get(name, constant(0)) for name in elements))
            case tree.Parenthesized(inner=inner):
                return self.of(inner)
            case tree.Conditional(consequent=first, alternative=second):
                return largest(self.of(first), self.of(second))
            case tree.Unary(operator="-", operand=operand):
                return self.of(operand)
            case tree.Unary():
                return constant(1)
            case tree.Binary():
                return self._binary(expression)
            case tree.Call(function=function, arguments=arguments):
                found = _applied(function, [self.of(argument) for argument in arguments])
                return found if found is not None else self._within(expression)
            case tree.Cell(draw=draw, column=column):
                extent = draw.table.by_name[column].extent
                return None if extent is None else constant(max(abs(enclose(end)) for end in extent))
            case tree.Infinity():
                return None
            case _:
                assert_never(expression)

    def _binary(self, expression: tree.Binary) -> Bound:
        if expression.operator in tree.COMPARISONS or expression.operator in tree.LOGICAL:
            return constant(1)
        left, right = self.of(expression.left), self.of(expression.right)
        match expression.operator:
            case "+" | "-":
                return plus(left, right)
            case "*":
                return times(left, right)
            case "%":
                return right
            case "/":
                divisor = self._known(expression.right)
                if divisor is not None and not divisor.contains(0):
                    return times(left, constant(1 / divisor))
                one = tree.Number(Fraction(1), expression.span)
                return times(left, self._within(tree.Binary("/", one, expression.right, expression.span)))
            case "^":
                exponent = self._known(expression.right)
                power = None if exponent is None else exponent.unique_fmpz()
                if power is None or power > DEGREE or left is None or self._is_negative(expression.right):
                    return self._within(expression)
                result = constant(1)
                for _ in range(int(power)):
                    result = times(result, left)
                return result
            case _:
                return None

    def _within(self, expression: Expression) -> Bound:
        """Bound |expression| by the interval that it lies in, or the number that it is."""
        most = magnitude(span(expression, self.spans, self.parameters))
        if most is not None:
            return constant(enclose(most))
        if not set(plain_names(expression)) <= self.parameters.keys():
            return None
        try:
            return constant(abs(enclose(evaluate(expression, self.parameters, {}))))
        except Fault:
            return None

    def _is_negative(self, expression: Expression) -> bool:
        least, _ = span(expression, self.spans, self.parameters)
        return least is None or least < 0

    def _known(self, expression: Expression) -> arb | None:
        """Return |expression| where it is a number or a parameter."""
        match expression:
            case tree.Parenthesized(inner=inner) | tree.Unary(operator="-", operand=inner):
                return self._known(inner)
            case tree.Number(value=value):
                return abs(enclose(value))
            case tree.Name(id=name) if name in self.parameters:
                return abs(enclose(self.parameters[name]))
            case _:
                return None


Named: TypeAlias = Mapping[str, Expression]

_BY_LAW: Mapping[str, Callable[[_Walker, CoreSample, Named], Bound]] = {
    "normal": _Walker.normal,
    "laplace": _Walker.laplace,
    "exponential": _Walker.exponential,
    "gamma": _Walker.gamma,
}
"""Bounds of draws from continuous laws that are no bounded ones; of others none is known."""


def _applied(function: str, arguments: list[Bound]) -> Bound:
    rules: Mapping[str, Callable[[], Bound]] = {
        "min": lambda: largest(*arguments),
        "max": lambda: largest(*arguments),
        "abs": lambda: arguments[0],
        "floor": lambda: plus(arguments[0], constant(1)),
        "ceil": lambda: plus(arguments[0], constant(1)),
        "sqrt": lambda: plus(arguments[0], constant(1)),
        "bit_and": lambda: largest(*arguments),
        "bit_or": lambda: plus(arguments[0], arguments[1]),
        "bit_xor": lambda: plus(arguments[0], arguments[1]),
        "shift_right": lambda: arguments[0],
    }
    return rules[function]() if function in rules else None
