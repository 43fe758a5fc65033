"""Reads from the text of a program that an output is a multiple of one noise plus what else there is, perhaps clamped at the end.

The laws of such mechanisms are known whatever an engine makes of the noise: Laplace noise stays Laplace noise. Statements that the noise, or a continuous
input, does not reach may be anything; those that it reaches are sums, multiples by static numbers, ``min`` and ``max`` with static numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.exact import Irrational, Number
from seepage.laws.forms import Beyond
from seepage.laws.law import Law
from seepage.laws.table import SPREADS, draw_of, noise_of_size
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate, known_value
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.statements import names_read, reads_elements, walk, written_variables
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Call, Expression, Family, Name, Unary


class NotRead(Exception):
    """The program is no mechanism of this kind."""


@dataclass(frozen=True, slots=True)
class Tracked:
    """A value as Σ terms[source] · source + the rest, clamped to [low, high]; None is no bound.

    Attributes:
        terms: no zeros.
        fixed: whether the rest is a static number, and the same in every run.
        low: of the clamp, which nothing but static numbers may follow.
        high: likewise.
    """

    terms: Mapping[str, Number]
    fixed: bool = True
    low: Number | None = None
    high: Number | None = None

    @property
    def clamped(self) -> bool:
        """Whether the value is cut off anywhere."""
        return self.low is not None or self.high is not None


@dataclass(slots=True)
class Reading:
    """A program read statement by statement.

    Attributes:
        parameters: values of the parameters.
        input: a continuous input, itself a source; None if the inputs are discrete.
        values: of variables that a source reaches; of those that are not here, nothing is known but that none does.
        noises: the laws around 0 of the sources but the input.
        law: of the input.
        fixed: variables with one static value in every run.
        statements: the program with each noise at its mean, and without clamps.
    """

    parameters: Mapping[str, Number]
    input: str | None = None
    values: dict[str, Tracked] = field(default_factory=dict)
    noises: dict[str, Law] = field(default_factory=dict)
    law: Family | None = None
    fixed: dict[str, Number] = field(default_factory=dict)
    statements: list[CoreStatement] = field(default_factory=list)

    def read(self, core: CoreProgram) -> None:
        """Read a program.

        Raises:
            NotRead: if it is of another kind.
        """
        if reads_elements(core.statements):
            raise NotRead
        for statement in core.statements:
            match statement:
                case CoreAssign(target=Name(id=name), value=value):
                    found, static, plain = self._value(value), self._static(value), self._at_mean(value)
                    self._write(name, found)
                    if static is not None:
                        self.fixed[name] = static
                    self.statements.append(replace(statement, value=plain))
                case CoreSample(target=Name(id=name), distribution=Family() as family):
                    self._sample(name, family, statement)
                case CoreSample(target=Name(id=name), distribution=distribution):
                    if self._reached(each for part in arguments_of(distribution) for each in plain_names(part)):
                        raise NotRead
                    self._write(name, Tracked({}, fixed=False))
                    self.statements.append(statement)
                case CoreIf() | CoreObserve():
                    self._untouched(statement)
                case _:
                    raise NotRead

    def _write(self, name: str, value: Tracked) -> None:
        self.fixed.pop(name, None)
        if value.terms:
            self.values[name] = value
        else:
            self.values.pop(name, None)

    def _sample(self, name: str, family: Family, statement: CoreSample) -> None:
        bound = bind(family)
        if bound.signature.kind == "discrete":
            if self._reached(each for part in arguments_of(family) for each in plain_names(part)):
                raise NotRead
            self._write(name, Tracked({}, fixed=False))
            self.statements.append(statement)
            return
        source = f"{name}@{len(self.noises)}"
        if name == self.input and self.law is None:
            if any(each not in self.parameters for part in arguments_of(family) for each in plain_names(part)):
                raise NotRead
            self.law = family
            self._write(name, Tracked({name: 1}))
            return
        if family.name not in SPREADS:
            raise NotRead
        name_of_size = next(each for each in SPREADS[family.name].names if each in bound.named)
        number = self._static(bound.named[name_of_size])
        if number is None:
            raise NotRead
        try:
            self.noises[source] = noise_of_size(family.name, name_of_size, number)
        except Beyond as beyond:
            raise NotRead from beyond
        mean, plain = self._value(bound.named["mean"]), self._at_mean(bound.named["mean"])
        self._write(name, _sum(mean, Tracked({source: 1}), 1))
        self.statements.append(CoreAssign(statement.target, plain, statement.span))

    def _untouched(self, statement: CoreStatement) -> None:
        names = (*names_read((statement,)), *written_variables((statement,)))
        if self._reached(names) or (isinstance(statement, CoreObserve) and self.input is not None):
            raise NotRead
        if any(isinstance(each, CoreSample) and _is_continuous(each) for each in walk((statement,))):
            raise NotRead
        for name in written_variables((statement,)):
            self.fixed.pop(name, None)
        self.statements.append(statement)

    def _reached(self, names: Iterable[str]) -> bool:
        return any(name in self.values for name in names)

    def _static(self, expression: Expression) -> Number | None:
        names = [name for name in plain_names(expression) if name not in self.parameters]
        if all(name in self.fixed for name in names):
            return evaluate(expression, {**self.parameters, **{name: self.fixed[name] for name in names}})
        return None

    def _value(self, expression: Expression) -> Tracked:
        if not self._reached(plain_names(expression)):
            return Tracked({}, fixed=self._static(expression) is not None)
        match expression:
            case Name(id=name):
                return self.values[name]
            case Unary(operator="-", operand=operand):
                return _scaled(self._value(operand), -1)
            case Binary(operator="+", left=left, right=right):
                return _sum(self._value(left), self._value(right), 1)
            case Binary(operator="-", left=left, right=right):
                return _sum(self._value(left), self._value(right), -1)
            case Binary(operator="*", left=left, right=right):
                if (factor := self._static(left)) is not None:
                    return _scaled(self._value(right), factor)
                if (factor := self._static(right)) is not None:
                    return _scaled(self._value(left), factor)
            case Binary(operator="/", left=left, right=right):
                if (divisor := self._static(right)) is not None and exact.sign(divisor) != 0:
                    return _scaled(self._value(left), exact.div(1, divisor))
            case Call(function="min" | "max" as which, arguments=(one, other)):
                for value, bound in ((one, other), (other, one)):
                    if (limit := self._static(bound)) is not None:
                        return _clamped(self._value(value), limit, which)
            case _:
                pass
        raise NotRead

    def _at_mean(self, expression: Expression) -> Expression:
        """Return an expression without the clamps of what a source reaches."""
        if not self._reached(plain_names(expression)):
            return expression
        match expression:
            case Unary(operand=operand):
                return replace(expression, operand=self._at_mean(operand))
            case Binary(left=left, right=right):
                return replace(expression, left=self._at_mean(left), right=self._at_mean(right))
            case Call(function="min" | "max", arguments=arguments):
                return self._at_mean(next(one for one in arguments if self._reached(plain_names(one))))
            case _:
                return expression


def resized(law: Law, factor: Number) -> Law:
    """Return the law of a multiple of a draw around 0.

    Raises:
        NotRead: if it is none of the same kind.
    """
    found = law.resized(exact.abs_(factor))
    if found is None:
        raise NotRead
    return found


def ends_of_law(law: Family, parameters: Mapping[str, Number]) -> tuple[Number | None, Number | None]:
    """Return between which numbers the values of a law with a density lie, None for no end.

    Args:
        law: drawn from.
        parameters: all that its arguments may read.

    Raises:
        NotRead: for a law that has no density, or whose arguments read something else.
    """
    bound = bind(law)
    if bound.signature.kind != "continuous":
        raise NotRead
    values = {name: known_value(each, parameters) for name, each in bound.named.items()}
    if any(value is None for value in values.values()):
        raise NotRead
    try:
        draw = draw_of(law.name, {name: value for name, value in values.items() if value is not None})
    except Beyond as beyond:
        raise NotRead from beyond
    if draw.law is None or not isinstance(draw.location, int | Fraction | Irrational):
        raise NotRead  # no two values of it are neighbours
    place, scale = draw.location, draw.scale
    low, high = (None if end is None else exact.add(place, exact.mul(scale, end)) for end in draw.law.ends)
    return low, high


def _is_continuous(statement: CoreSample) -> bool:
    match statement.distribution:
        case Family() as family:
            return bind(family).signature.kind == "continuous"
        case tree.Table():
            return False
        case _:
            return True


def _sum(a: Tracked, b: Tracked, sign: int) -> Tracked:
    if (a.clamped and (b.terms or not b.fixed)) or (b.clamped and (a.terms or not a.fixed)):
        raise NotRead
    if a.clamped or b.clamped:
        raise NotRead  # the ends move by a number that is not kept
    terms = dict(a.terms)
    for source, factor in b.terms.items():
        terms[source] = exact.add(terms.get(source, 0), exact.mul(sign, factor))
    return Tracked({source: factor for source, factor in terms.items() if factor != 0}, a.fixed and b.fixed)


def _scaled(a: Tracked, factor: Number) -> Tracked:
    ends = [None if end is None else exact.mul(end, factor) for end in (a.low, a.high)]
    sign = exact.sign(factor)
    if sign == 0:
        return Tracked({}, fixed=True)
    terms = {source: exact.mul(one, factor) for source, one in a.terms.items()}
    return Tracked(terms, a.fixed, *(ends if sign > 0 else reversed(ends)))


def _clamped(a: Tracked, limit: Number, which: str) -> Tracked:
    better: Callable[[Number, Number], Number] = exact.minimum if which == "min" else exact.maximum
    low, high = (None if end is None else better(end, limit) for end in (a.low, a.high))
    if which == "min":
        high = limit if high is None else high
    else:
        low = limit if low is None else low
    if low is not None and high is not None and exact.compare(low, high) >= 0:
        raise NotRead
    return replace(a, low=low, high=high)
