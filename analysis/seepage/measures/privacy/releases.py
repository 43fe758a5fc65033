r"""Bounds the privacy loss by the values that a program publishes behind noise (:mod:`seepage.measures.privacy.release_reading`) alone.

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
from fractions import Fraction
from typing import TypeVar

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.laws.table import DISCRETE_LAWS, SPREADS
from seepage.measures.discrete.weights import Values
from seepage.measures.formulas.definedness import Demands
from seepage.measures.privacy.neighbours import Closeness, neighbourhoods, pairs
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Noise, Release
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Name

_NOWHERE = Span(0, 0)
_MOST_MOVES = 80_000  # pairs of places that are compared

Weight = TypeVar("Weight")


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
        match SPREADS[noise.family].bounds_loss:
            case "draw":
                step = abs(factor) if noise.family in DISCRETE_LAWS else None
                yield Shield(over_scale(1 / abs(factor), noise.size), step, (source,))
            case "difference":
                other = lonely.pop((noise.size, -factor), None)
                if other is None:
                    lonely[noise.size, factor] = source
                else:
                    yield Shield(_fall(1 / abs(factor), noise.size), abs(factor), (other, source))
            case None:
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
    steps: Sequence[Fraction | None],
) -> tuple[Move, ...]:
    """Return by how much the places of releases move at most between neighbours, no move that another one exceeds everywhere.

    Args:
        rows: for each input the weights of all its tuples of places; their sum is the weight of the input.
        closeness: which inputs are neighbours.
        alike: tells of weights a, b and totals s, t whether a/s = b/t is known.
        add: of weights.
        steps: as for :func:`undominated`.

    Raises:
        NotRead: if there are too many pairs.
        TooManyNeighbours: if that is so.
    """
    totals = {one: _total(list(row.values()), add) for one, row in rows.items()}
    kinds: dict[object, int] = {}
    same = {one: kinds.setdefault(_kind(row), len(kinds)) for one, row in rows.items()}
    found: dict[tuple[Number, ...], Move] = {}
    seen: set[tuple[int, int]] = set()
    count = 0
    for one, other in pairs(neighbourhoods(tuple(rows), closeness, same)):
        if (pair := (same[one], same[other])) in seen:
            continue
        seen.add(pair)
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
    return undominated(found.values(), steps)


def _kind(row: Mapping[Values, Weight]) -> object:
    """Return what tells an input's places and their chances from those of others; inputs that are told apart may have the same."""
    return next(iter(row)) if len(row) == 1 else frozenset((place, str(weight)) for place, weight in row.items())


def undominated(found: Iterable[Move], steps: Sequence[Fraction | None]) -> tuple[Move, ...]:
    """Return the moves that no other one exceeds everywhere; one that noise on a lattice cannot follow only by another such one.

    Args:
        found: the moves.
        steps: of the noise of each release, that of its lattice if it has one.
    """
    listed = list({move.distances: move for move in sorted(found, key=_tightness)}.values())
    return tuple(
        move
        for move in listed
        if not any(move is not other and _within(move.distances, other.distances, steps) for other in listed)
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


def _within(move: tuple[Number, ...], other: tuple[Number, ...], steps: Sequence[Fraction | None]) -> bool:
    return all(
        exact.compare(a, b) <= 0 and (fits(a, step) or not fits(b, step))
        for a, b, step in zip(move, other, steps, strict=True)
    )


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


def steps_of(chosen: Iterable[Shield | None]) -> list[Fraction | None]:
    """Return the steps of the lattices on which the noise of releases is, None where there is none."""
    return [None if shield is None else shield.step for shield in chosen]


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
        demands.law(noise.family, noise.size)
    return tuple(demands.stated)
