r"""Noise that looks the same from all sides, read from the text: the planar Laplace law, its single coordinates, and its kin in any number of dimensions.

Noise of d outputs :math:`\sqrt W (z_1, \dots, z_d)` with independent standard normal :math:`z_k` and W of the law :math:`\mathrm{gamma}(\alpha, \theta)` has a density that depends on the distance r
from the centre only, proportional to

.. math:: r^\nu K_\nu(c r), \qquad \nu = \alpha - d/2, \quad c = \sqrt{2/\theta}

(Kotz, Kozubowski, Podgórski 2001, "The Laplace distribution and generalizations", section 6.5); for :math:`\nu = 1/2` that is :math:`e^{-c r}`, the planar Laplace law for d = 2 (Andrés, Bordenabe,
Chatzikokolakis, Palamidessi 2013, "Geo-indistinguishability").

It is read as sums of products of two draws, of which one is a normal value of its own for each output, and the other, common to all outputs, has a square of a gamma law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.exact import Number
from seepage.laws.forms import Beyond
from seepage.laws.table import draw_of
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of
from seepage.semantics.statements import may_write, names_read
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Family, Name, Unary

_NOWHERE = Span(0, 0)
_MOST_TERMS = 64  # of one value
_OTHER = "noise that does not look the same from all sides"

Sources = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spherical:
    """What is published behind such noise.

    Attributes:
        places: the program without the noise: noisy variables have the value around which they are drawn.
        noisy: the variables that carry it, of those asked for.
        rate: c.
        alpha: α.
        draws: how many draws make it.
        sizes: the laws of the draws that are common to all outputs.
        own: those of the draws of one output each, which are normal.
    """

    places: CoreProgram
    noisy: tuple[str, ...]
    rate: Number
    alpha: Fraction
    draws: int
    sizes: tuple[Family, ...]
    own: tuple[Family, ...]

    @property
    def order(self) -> Fraction:
        """ν."""
        return self.alpha - Fraction(len(self.noisy), 2)


def spherical_noise(
    core: CoreProgram, asked: Sequence[str], parameters: Mapping[str, Number], quiet: Iterable[str] = ()
) -> Spherical:
    """Read what variables carry such noise, one for all of them.

    Args:
        core: sliced for what is asked.
        asked: plain variables, each once.
        parameters: values of the program's parameters.
        quiet: variables that must carry none.

    Raises:
        Beyond: if none of them does, they carry another noise, or it reaches statements in another way than sums and products.
        Fault: of the program, in arguments of draws.
        ArithmeticFault: likewise.
    """
    reader = _Reader(core, frozenset(quiet), parameters)
    for statement in core.statements:
        reader.read(statement)
    noisy = tuple(name for name in asked if name in reader.forms)
    if not noisy:
        raise Beyond("no value with such noise")
    outputs = [reader.published(name) for name in noisy]
    common, theta = _law(outputs, sources := reader.sources)
    alpha = sum((sources[name].alpha for name in common), Fraction(0))
    read = dict.fromkeys(name for terms in outputs for pair in terms for name in pair)
    sizes = tuple(sources[name].family for name in common)
    own = tuple(sources[name].family for name in read if name not in common)
    places = replace(core, statements=tuple(reader.kept))
    return Spherical(places, noisy, exact.sqrt_(exact.div(2, theta)), alpha, len(sources), sizes, own)


# --- the law of the noise ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Source:
    r"""A draw around 0 of which the square has the law :math:`\mathrm{gamma}(\alpha, \theta)`; ``variance`` of a normal one."""

    family: Family
    alpha: Fraction
    theta: Number
    variance: Number | None = None


def _source(family: Family, parameters: Mapping[str, Number]) -> _Source | None:
    """Return what is known of a draw, None of other laws."""
    try:
        draw = draw_of(family.name, {name: evaluate(each, parameters) for name, each in bind(family).named.items()})
    except Beyond:
        return None
    square = None if draw.law is None or draw.location != 0 else draw.law.square()
    if draw.law is None or square is None:
        return None
    (alpha, theta), size = square, exact.mul(draw.scale, draw.scale)
    return _Source(
        family, alpha, exact.mul(size, theta), exact.mul(size, draw.law.variance) if draw.law.is_normal else None
    )


def _law(outputs: Sequence[Mapping[Sources, Number]], sources: Mapping[str, _Source]) -> tuple[list[str], Number]:
    """Return the draws that are common to all outputs, and θ.

    Raises:
        Beyond: if the noise is another one.
    """
    counts = Counter(name for terms in outputs for pair in terms for name in pair)
    weights = [_weights(terms, sources, counts) for terms in outputs]
    if any(other != weights[0] for other in weights):
        raise Beyond(_OTHER)
    theta, *others = (exact.mul(sources[name].theta, weight) for name, weight in weights[0].items())
    if any(other != theta for other in others) or exact.sign(theta) <= 0:
        raise Beyond(_OTHER)
    return list(weights[0]), theta


def _weights(
    terms: Mapping[Sources, Number], sources: Mapping[str, _Source], counts: Mapping[str, int]
) -> dict[str, Number]:
    """Return what multiplies the squares of common draws in the variance of an output, given them.

    Raises:
        Beyond: if the noise is no sum of common draws times normal values that are read once.
    """
    found: dict[str, Number] = {}
    for pair, factor in terms.items():
        if len(set(pair)) != 2:
            raise Beyond(_OTHER)
        common, own = sorted(pair, key=lambda name: (sources[name].variance is not None, -counts[name]))
        variance = sources[own].variance
        if variance is None or counts[own] != 1:
            raise Beyond(_OTHER)
        found[common] = exact.add(found.get(common, 0), exact.mul(exact.mul(factor, factor), variance))
    if not found:
        raise Beyond(_OTHER)
    return found


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Form:
    """A place plus factors times products of draws; ``centred`` if the place is known to be 0."""

    terms: Mapping[Sources, Number]
    centred: bool

    def plus(self, other: _Form) -> _Form:
        """Return the sum."""
        terms = {
            key: exact.add(self.terms.get(key, 0), other.terms.get(key, 0)) for key in {**self.terms, **other.terms}
        }
        return _Form({key: factor for key, factor in terms.items() if factor != 0}, self.centred and other.centred)

    def times(self, factor: Number) -> _Form:
        """Return a multiple."""
        if factor == 0:
            return _Form({}, centred=True)
        return _Form({key: exact.mul(factor, each) for key, each in self.terms.items()}, self.centred)

    def product(self, other: _Form) -> _Form:
        """Return the product of two forms around 0.

        Raises:
            Beyond: of others.
        """
        if not (self.centred and other.centred):
            raise Beyond(_OTHER)
        terms: dict[Sources, Number] = {}
        for one, factor in self.terms.items():
            for two, second in other.terms.items():
                key = tuple(sorted((*one, *two)))
                if len(key) > 2:
                    raise Beyond(_OTHER)
                terms[key] = exact.add(terms.get(key, 0), exact.mul(factor, second))
        return _Form(terms, centred=True)


@dataclass(slots=True)
class _Reader:
    """Reads a program; in ``kept`` all draws of noise are 0, so that what is noisy has its place."""

    core: CoreProgram
    inputs: frozenset[str]
    parameters: Mapping[str, Number]
    forms: dict[str, _Form] = field(default_factory=dict)
    sources: dict[str, _Source] = field(default_factory=dict)
    kept: list[CoreStatement] = field(default_factory=list)

    def read(self, statement: CoreStatement) -> None:
        """Read one statement.

        Raises:
            Beyond: if noise reaches it in another way than sums and products.
        """
        match statement:
            case CoreSample(target=Name(id=name) as target, distribution=Family() as family) if (
                name not in self.inputs and (source := self._noise(family)) is not None
            ):
                drawn = f"{name}@{len(self.sources)}"
                self.sources[drawn] = source
                self.forms[name] = _Form({(drawn,): 1}, centred=True)
                self.kept.append(CoreAssign(target, tree.Number(Fraction(0), _NOWHERE), statement.span))
            case CoreAssign(target=Name(id=name), value=value) if self._is_noisy(read_variables(value, self.core)):
                form = self._form(value)
                if len(form.terms) > _MOST_TERMS:
                    raise Beyond(_OTHER)
                self.forms[name] = form
                self.kept.append(statement)
            case _:
                written = may_write(self.core, (statement,))
                if self._is_noisy(self.core.expanded(names_read((statement,)))):
                    raise Beyond(_OTHER)
                for name in written:
                    self.forms.pop(name, None)
                self.kept.append(statement)
        if self.inputs & self.forms.keys():
            raise Beyond(_OTHER)

    def published(self, name: str) -> Mapping[Sources, Number]:
        """Return the noise of an output.

        Raises:
            Beyond: if it has none, or noise of another kind.
        """
        form = self.forms.get(name)
        if form is None or any(len(key) != 2 for key in form.terms):
            raise Beyond(_OTHER)
        return form.terms

    def _is_noisy(self, names: Iterable[str]) -> bool:
        return any(name in self.forms for name in names)

    def _noise(self, family: Family) -> _Source | None:
        if not all(self._is_known(part) for part in arguments_of(family)):
            return None
        return _source(family, self.parameters)

    def _is_known(self, value: Expression) -> bool:
        return all(name in self.parameters for name in read_variables(value, self.core))

    def _form(self, value: Expression) -> _Form:
        match value:
            case _ if not self._is_noisy(read_variables(value, self.core)):
                return _Form({}, centred=False)
            case tree.Parenthesized(inner=inner):
                return self._form(inner)
            case Name(id=name) if name in self.forms:
                return self.forms[name]
            case Unary(operator="-", operand=operand):
                return self._form(operand).times(-1)
            case Binary(operator="+", left=left, right=right):
                return self._form(left).plus(self._form(right))
            case Binary(operator="-", left=left, right=right):
                return self._form(left).plus(self._form(right).times(-1))
            case Binary(operator="*", left=left, right=right) if self._is_known(left):
                return self._form(right).times(evaluate(left, self.parameters))
            case Binary(operator="*", left=left, right=right) if self._is_known(right):
                return self._form(left).times(evaluate(right, self.parameters))
            case Binary(operator="*", left=left, right=right):
                return self._form(left).product(self._form(right))
            case Binary(operator="/", left=left, right=right) if self._is_known(right):
                return self._form(left).times(exact.div(1, evaluate(right, self.parameters)))
            case _:
                raise Beyond(_OTHER)
