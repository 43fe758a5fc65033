r"""Reads from the text of a program which values it publishes behind which noise, and bounds the privacy loss by that alone.

A release is a place plus factors times independent noise. Noise of the (discrete) Laplace law of scale s, or the difference of two geometric
draws of one p, changes its probability by a factor of at most :math:`e^{\Delta\rho}` when its place moves by :math:`\Delta`, with
:math:`\rho = 1/s` or :math:`\rho = -\log(1 - p)`. So the privacy loss is at most

.. math:: \sup_{x, x'} \inf_{\pi} \max_{(v, v') \in \operatorname{supp} \pi} \sum_i \frac{|v_i - v'_i|}{|a_i|} \rho_i

over couplings :math:`\pi` of the places given x and given x' (mixtures of ratios are at most the greatest of them), by composition over the releases i
and because what is computed of releases tells no more than they do (Dwork, Roth 2014, "The algorithmic foundations of differential privacy",
propositions 2.1 and 3.14; for the coupling Song, Wang, Chaudhuri 2017, "Pufferfish privacy mechanisms for correlated data"). Other noise in a release only lowers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from seepage import exact
from seepage.distributions.arguments import bind
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.formulas.definedness import Demands
from seepage.measures.privacy.neighbours import Closeness, neighbourhoods, pairs
from seepage.measures.privacy.noise_reading import NotRead
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.statements import names_read, reads_elements, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Family, Name, Unary

_NOWHERE = Span(0, 0)
_NOISES = frozenset({"discrete_laplace", "laplace", "geometric", "normal", "poisson", "discrete_gaussian"})
_PUBLIC: Mapping[str, Fraction] = {}  # of what is computed of releases
_MOST_MOVES = 20_000  # pairs of places that are compared

Weight = TypeVar("Weight")


@dataclass(frozen=True, slots=True)
class Noise:
    """One draw: its family, and what decides its size, in parameters: a scale, or the p of ``geometric``."""

    family: str
    size: Expression


@dataclass(frozen=True, slots=True)
class Release:
    """A published value: the variable of its place in the program without noise, and how often each noise is in it."""

    place: str
    terms: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Releases of which all outputs are computed.

    Attributes:
        core: the program without noise; variables hold the places of releases.
        releases: no two share any noise.
        direct: whether the outputs are the releases themselves.
        noises: by name.
        processing: parameters that what is computed of releases depends on, too.
    """

    core: CoreProgram
    releases: tuple[Release, ...]
    direct: bool
    noises: Mapping[str, Noise]
    processing: frozenset[str]


def mechanism_of(core: CoreProgram, inputs: Sequence[str], outputs: Sequence[str]) -> Mechanism:
    """Read a sliced program.

    Args:
        core: the program, of which parameters may stand anywhere.
        inputs: variables that no noise may reach.
        outputs: variables that must be computed of releases alone.

    Raises:
        NotRead: if it is no such program.
    """
    reader = _Reader(frozenset(core.parameters), frozenset(inputs))
    reader.read(core)
    reached = {*reader.noisy}
    if not reader.noises or any(name in reached for name in inputs) or any(name not in reached for name in outputs):
        raise NotRead
    before = len(reader.releases)
    for name in outputs:
        reader.publish(name)
    direct = before == 0 and all(name in reader.published for name in outputs)
    shared = [source for release in reader.releases for source in release.terms]
    if len(set(shared)) < len(shared):
        raise NotRead
    ghosts = tuple(release.place for release in reader.releases)
    start = tuple(CoreAssign(Name(ghost, _NOWHERE), tree.Number(Fraction(0), _NOWHERE), _NOWHERE) for ghost in ghosts)
    noiseless = replace(core, statements=(*start, *reader.kept), variables=(*core.variables, *ghosts))
    return Mechanism(noiseless, tuple(reader.releases), direct, reader.noises, frozenset(reader.processing))


@dataclass(slots=True)
class _Reader:
    parameters: frozenset[str]
    inputs: frozenset[str]
    noisy: dict[str, Mapping[str, Fraction]] = field(default_factory=dict)
    published: dict[str, None] = field(default_factory=dict)  # variables whose present value is a release
    noises: dict[str, Noise] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    kept: list[CoreStatement] = field(default_factory=list)
    processing: set[str] = field(default_factory=set)

    def read(self, core: CoreProgram) -> None:
        if reads_elements(core.statements):
            raise NotRead
        for statement in core.statements:
            match statement:
                case CoreAssign(target=Name(id=name), value=value):
                    self._assign(name, value, statement)
                case CoreSample(target=Name(id=name), distribution=Family() as family) if self._is_noise(name, family):
                    self._draw(name, family, statement)
                case _ if self._reached((*names_read((statement,)), *written_variables((statement,)))):
                    raise NotRead
                case _:
                    self.kept.append(statement)

    def _is_noise(self, name: str, family: Family) -> bool:
        """Tell whether a draw is none of an input, and of no value that inputs are computed of."""
        if family.name not in _NOISES or name in self.inputs:
            return False
        return not self._reached(each for part in arguments_of(family) for each in plain_names(part))

    def publish(self, name: str) -> None:
        """Make the present value of a variable a release, if it is none yet and not computed of releases."""
        terms = self.noisy[name]
        if terms is _PUBLIC or name in self.published:
            return
        ghost = f"@place{len(self.releases)}"
        self.kept.append(CoreAssign(Name(ghost, _NOWHERE), Name(name, _NOWHERE), _NOWHERE))
        self.releases.append(Release(ghost, terms))
        self.published[name] = None

    def _write(self, name: str, terms: Mapping[str, Fraction] | None) -> None:
        self.published.pop(name, None)
        if terms is None:
            self.noisy.pop(name, None)
        else:
            self.noisy[name] = terms

    def _draw(self, name: str, family: Family, statement: CoreSample) -> None:
        named = dict(bind(family).named)
        centre = next((named.pop(each) for each in ("centre", "mean") if each in named), None)
        if any(each not in self.parameters for part in named.values() for each in plain_names(part)):
            raise NotRead
        if centre is not None and self._reached(plain_names(centre)):
            raise NotRead
        size = next(named[each] for each in ("scale", "p", "variance", "std", "rate") if each in named)
        source = f"{name}@{len(self.noises)}"
        self.noises[source] = Noise(family.name, size)
        self._write(name, {source: Fraction(1)})
        place = tree.Number(Fraction(0), _NOWHERE) if centre is None else centre
        self.kept.append(CoreAssign(statement.target, place, statement.span))

    def _assign(self, name: str, value: Expression, statement: CoreAssign) -> None:
        read = set(plain_names(value))
        if not self._reached(read):
            self._write(name, None)
            self.kept.append(statement)
            return
        terms = self._terms(value)
        if terms is not None:
            self._write(name, terms or None)
            self.kept.append(statement)
            return
        if any(each not in self.noisy and each not in self.parameters for each in read):
            raise NotRead
        self.processing |= read & self.parameters
        for each in sorted(read & set(self.noisy)):
            self.publish(each)
        self._write(name, _PUBLIC)
        self.kept.append(replace(statement, value=tree.Number(Fraction(0), _NOWHERE)))

    def _reached(self, names: Iterable[str]) -> bool:
        return any(name in self.noisy for name in names)

    def _terms(self, value: Expression) -> dict[str, Fraction] | None:
        """Return how often each noise is in a value that is affine in it, None for any other."""
        match value:
            case tree.Parenthesized(inner=inner):
                return self._terms(inner)
            case _ if not self._reached(plain_names(value)):
                return {}
            case Name(id=name):
                terms = self.noisy[name]
                return None if terms is _PUBLIC else dict(terms)
            case Unary(operator="-", operand=operand):
                return _scaled(self._terms(operand), Fraction(-1))
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                return _sum(self._terms(left), _scaled(self._terms(right), Fraction(1 if operator == "+" else -1)))
            case Binary(operator="*", left=tree.Number(value=factor), right=right):
                return _scaled(self._terms(right), factor)
            case Binary(operator="*", left=left, right=tree.Number(value=factor)):
                return _scaled(self._terms(left), factor)
            case Binary(operator="/", left=left, right=tree.Number(value=divisor)) if divisor:
                return _scaled(self._terms(left), 1 / divisor)
            case _:
                return None


def _sum(a: dict[str, Fraction] | None, b: dict[str, Fraction] | None) -> dict[str, Fraction] | None:
    if a is None or b is None:
        return None
    total = {source: a.get(source, Fraction(0)) + b.get(source, Fraction(0)) for source in {**a, **b}}
    return {source: factor for source, factor in total.items() if factor}


def _scaled(a: dict[str, Fraction] | None, factor: Fraction) -> dict[str, Fraction] | None:
    return None if a is None else {source: factor * one for source, one in a.items() if factor}


# --- the loss ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shield:
    """What a release owes to some of its noise: the loss for a move by Δ is ``Δ · rate``, and Δ a multiple of ``step`` if there is one."""

    rate: Expression
    step: Fraction | None
    sources: tuple[str, ...]


def shields(release: Release, noises: Mapping[str, Noise]) -> Iterator[Shield]:
    """Yield every bound of a release's loss; there is none where no noise bounds it."""
    lonely: dict[tuple[Expression, Fraction], str] = {}
    for source, factor in release.terms.items():
        noise = noises[source]
        match noise.family:
            case "laplace" | "discrete_laplace" as family:
                step = abs(factor) if family == "discrete_laplace" else None
                yield Shield(over_scale(1 / abs(factor), noise.size), step, (source,))
            case "geometric":
                other = lonely.pop((noise.size, -factor), None)
                if other is None:
                    lonely[noise.size, factor] = source
                else:
                    yield Shield(_fall(1 / abs(factor), noise.size), abs(factor), (other, source))
            case _:
                pass


def over_scale(factor: Fraction, scale: Expression) -> Expression:
    """Return ``factor / scale``, and ``factor · rate`` of a scale that is one over a rate."""
    match scale:
        case tree.Parenthesized(inner=inner):
            return over_scale(factor, inner)
        case Binary(operator="/", left=tree.Number(value=top), right=rate) if top:
            return Binary("*", tree.Number(factor / top, _NOWHERE), tree.Parenthesized(rate, _NOWHERE), _NOWHERE)
        case _:
            return Binary("/", tree.Number(factor, _NOWHERE), tree.Parenthesized(scale, _NOWHERE), _NOWHERE)


def _fall(factor: Fraction, p: Expression) -> Expression:
    """Return ``−factor · log(1 − p)``, which is ``−factor · x`` for ``p = 1 − exp(x)``: that keeps its digits where p is near 1, too."""
    fall: Expression
    match complement_of(p):
        case tree.Call(function="exp", arguments=(exponent,)):
            fall = tree.Parenthesized(exponent, _NOWHERE)
        case rest:
            fall = tree.Call("log", (rest,), _NOWHERE, _NOWHERE)
    return Binary("*", tree.Number(-factor, _NOWHERE), fall, _NOWHERE)


def complement_of(p: Expression) -> Expression:
    """Return ``1 − p``, and ``q`` for ``1 − q``."""
    p, one = _bare(p), tree.Number(Fraction(1), _NOWHERE)
    match p:
        case Binary(operator="-", left=left, right=right) if _bare(left) == one:
            return _bare(right)
        case _:
            return Binary("-", one, p if isinstance(p, Name) else tree.Parenthesized(p, _NOWHERE), _NOWHERE)


def _bare(expression: Expression) -> Expression:
    while isinstance(expression, tree.Parenthesized):
        expression = expression.inner
    return expression


@dataclass(frozen=True, slots=True)
class Move:
    """By how much the places of releases differ for two neighbours; ``tight`` if their laws are one law moved by that."""

    distances: tuple[Number, ...]
    of: Values
    against: Values
    tight: bool


def moves(
    rows: Mapping[Values, Mapping[Values, Weight]],
    closeness: Closeness,
    alike: Callable[[Weight, Weight, Weight, Weight], bool],
    add: Callable[[Weight, Weight], Weight],
) -> tuple[Move, ...]:
    """Return by how much the places of releases move at most between neighbours, no move that another one exceeds everywhere.

    Args:
        rows: for each input the weights of all its tuples of places; their sum is the weight of the input.
        closeness: which inputs are neighbours.
        alike: tells of weights a, b and totals s, t whether a/s = b/t is known.
        add: of weights.

    Raises:
        NotRead: if there are too many pairs.
        TooManyNeighbours: if that is so.
    """
    totals = {one: _total(list(row.values()), add) for one, row in rows.items()}
    found: dict[tuple[Number, ...], Move] = {}
    count = 0
    for one, other in pairs(neighbourhoods(tuple(rows), closeness)):
        here, there = rows[one], rows[other]
        shift = _shift(here, there)
        tight = len(here) == len(there) and all(
            (moved := _plus(place, shift)) in there and alike(weight, there[moved], totals[one], totals[other])
            for place, weight in here.items()
        )
        differences = [shift] if tight else (_shift((first,), (second,)) for first in here for second in there)
        for difference in differences:
            count += 1
            if count > _MOST_MOVES:
                raise NotRead
            distances = tuple(exact.abs_(each) for each in difference)
            if distances not in found or (tight and not found[distances].tight):
                found[distances] = Move(distances, one, other, tight)
    return undominated(found.values())


def undominated(found: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves that no other one exceeds everywhere."""
    listed = list({move.distances: move for move in sorted(found, key=_tightness)}.values())
    return tuple(
        move
        for move in listed
        if not any(move is not other and _within(move.distances, other.distances) for other in listed)
    )


def _tightness(move: Move) -> bool:
    return move.tight


def _total(weights: Sequence[Weight], add: Callable[[Weight, Weight], Weight]) -> Weight:
    total = weights[0]
    for weight in weights[1:]:
        total = add(total, weight)
    return total


def _shift(here: Iterable[Values], there: Iterable[Values]) -> Values:
    first, second = (min(places, key=_order) for places in (here, there))
    return tuple(exact.sub(b, a) for a, b in zip(first, second, strict=True))


def _order(place: Values) -> tuple[float, ...]:
    return tuple(float(exact.enclose(value).mid()) for value in place)


def _plus(place: Values, shift: Values) -> Values:
    return tuple(exact.add(a, b) for a, b in zip(place, shift, strict=True))


def _within(move: tuple[Number, ...], other: tuple[Number, ...]) -> bool:
    return all(exact.compare(a, b) <= 0 for a, b in zip(move, other, strict=True))


def fits(move: Number, step: Fraction | None) -> bool:
    """Tell whether noise on a lattice may follow a move."""
    return step is None or isinstance(exact.div(move, step), int)


def loss_of(move: Move, chosen: Sequence[Shield | None]) -> Expression | None:
    """Return the bound of the loss for one move of all places, in parameters; None if a place moves as no noise of its release does."""
    total: Expression = tree.Number(Fraction(0), _NOWHERE)
    for distance, shield in zip(move.distances, chosen, strict=True):
        if distance == 0:
            continue
        fraction = exact.to_fraction(distance)
        if fraction is None or shield is None or not fits(distance, shield.step):
            return None
        term = _times(fraction, shield.rate)
        total = term if total == tree.Number(Fraction(0), _NOWHERE) else Binary("+", total, term, _NOWHERE)
    return total


def _times(factor: Fraction, rate: Expression) -> Expression:
    match rate:
        case Binary(operator="*", left=tree.Number(value=known), right=right):
            return Binary("*", tree.Number(factor * known, _NOWHERE), right, _NOWHERE)
        case Binary(operator="/", left=tree.Number(value=known), right=right):
            return Binary("/", tree.Number(factor * known, _NOWHERE), right, _NOWHERE)
        case _:
            return Binary("*", tree.Number(factor, _NOWHERE), rate, _NOWHERE)


def best_shield(release: Release, noises: Mapping[str, Noise], point: Mapping[str, Number]) -> Shield | None:
    """Return what bounds the loss of a release best at a point; None if nothing does."""
    found = list(shields(release, noises))
    if len(found) < 2:
        return found[0] if found else None
    return min(found, key=lambda shield: float(exact.enclose(evaluate(shield.rate, point)).mid()))


def needed(noises: Iterable[Noise], domains: Mapping[str, Domain], point: Mapping[str, Number]) -> tuple[str, ...]:
    """Return what must hold in the domains, and is not known to, for noise to have a law; ``point`` is one where it has.

    Raises:
        NoAlgebra: if that cannot be said.
    """
    demands = Demands(tuple(domains), dict(domains), point)
    for noise in dict.fromkeys(noises):
        if noise.family == "geometric":
            demands.probabilities((noise.size,))
        if noise.family == "poisson":
            demands.not_negative(noise.size)
        else:
            demands.positive(noise.size)
    return tuple(demands.stated)
