"""The way "noisy place": every measure of what a discrete place tells behind planar Laplace noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.select import samples_continuous
from seepage.engines.spherical import spherical_noise
from seepage.exact import ArithmeticFault, precision
from seepage.laws.forms import Beyond
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.quadrature import unfinished
from seepage.measures.guessing.questions import guessing_by_sight
from seepage.measures.joints import need_no_fault
from seepage.measures.planar.chance import chance_of
from seepage.measures.planar.noisy_places import BITS, NoisyPlaces, Place, noisy_places
from seepage.measures.planar.sight import PlanarSight, between, heaviest_chance, pairs_left
from seepage.measures.planar.two_places import Pairs, concentration, divergence, loss
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.planning.table import Functional
from seepage.measures.privacy.closeness import is_per_unit
from seepage.measures.privacy.neighbours import neighbourhoods, pairs
from seepage.measures.privacy.questions import told_of_pair
from seepage.measures.result import Certainty
from seepage.measures.units import in_unit, without_unit
from seepage.semantics.slice import slice_program

_ALONE = 1e3  # the logarithm that stands for a quotient without end
_MOST_PAIRS = 400_000  # of inputs that are compared


def applies(question: Question) -> bool:
    """Tell whether a question is for what a discrete place tells behind planar Laplace noise."""
    measure = question.measure
    if measure.functional not in _TOLD or set(question.x) & set(question.y) or question.states("power"):
        return False
    if measure.is_over_neighbours and (question.given or is_per_unit(question.call)):
        return False
    statements = slice_program(question.core, question.names).statements
    if not samples_continuous(statements):
        return False
    try:
        core = slice_program(question.core, question.names)
        noise = spherical_noise(core, question.names, question.evaluation.scope.parameters)
    except (Beyond, Fault, ArithmeticFault):
        return False
    return len(noise.noisy) <= 2


def by_noisy_place(question: Question) -> Claim | Refusal:
    """Answer by integrals over directions, or over the plane.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    inquiry = question.evaluation.inquiry
    try:
        with precision(BITS):
            known = noisy_places(question.core, question.names, inquiry)
            need_no_fault(inquiry, question.core, question.names)
            found = _TOLD[question.measure.functional](question, known)
            return replace(found, engine="paths")
    except Beyond as beyond:
        return Refusal("does not apply", beyond.reason)


def _entropies(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``H`` and ``I``, which are sums of entropies, and ``C``: not at all.

    Raises:
        Beyond: of ``C``, and where an entropy is not known.
    """
    measure = question.measure
    if not measure.is_of_entropies:
        raise Beyond("a capacity behind planar noise")
    total, finished = arb(0), True
    for names, sign in measure.entropies(question.x, question.y, question.given):
        if names:
            part, is_finished = known.entropy(tuple(dict.fromkeys(names)))
            total, finished = total + sign * part, finished and is_finished
    hidden = tuple(name for name in question.x if name not in known.noisy)
    lower, upper = total.lower(), total.upper()
    if measure.is_information:
        lower = lower.max(arb(0))
    if len(hidden) == len(question.x):
        alone, _ = known.entropy(hidden)
        lower, upper = lower.max(arb(0)), upper.min(alone.upper())
    notes = () if finished else (unfinished("its boxes became too many, or the time was up"),)
    enclosure = Enclosure.bounded(total.mid(), lower, upper, Certainty.CERTIFIED, notes=notes)
    return in_unit(question.evaluation.unit, enclosure, None)


def _chance(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``P``."""
    if question.value is None:
        raise Beyond("a chance of no event")
    found = chance_of(question.value, known, question.core.arrays)
    bounded = Enclosure.bounded(found.mid(), found.lower().max(arb(0)), found.upper().min(arb(1)), Certainty.CERTIFIED)
    return without_unit(bounded, None)


def _guesses(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``V``, ``Hmin``, ``Guess``, ``Lmin``, ``G``, and ``Cmin``: the logarithm of the chance to guess uniform inputs, times their number."""
    if any(name in known.noisy for name in question.x):
        raise Beyond("guesses at a noisy value")
    if question.measure.reads_prior:
        return guessing_by_sight(question.evaluation, question.call, PlanarSight(known, question.x))
    if question.given:
        raise Beyond("a value that is held")
    rows = _rows(question, known)
    low = high = 0.0
    for value in {value: None for row in rows.values() for value in row}:
        ends = heaviest_chance([row[value] for row in rows.values() if value in row], known)
        low, high = low + ends[0], high + ends[1]
    low, high = max(1.0, low), min(high, float(len(rows)))
    return in_unit(question.evaluation.unit, between(math.log(low), math.log(high)), None)


def _rows(question: Question, known: NoisyPlaces) -> dict[Values, dict[Values, tuple[Place, arb]]]:
    """Return for each input, and each value of what is published beside the place, the place and the chance.

    Raises:
        Beyond: if there are several places, or the place is not what is published.
    """
    if not set(known.noisy) <= set(question.y):
        raise Beyond("inputs that noise reaches")
    beside = tuple(name for name in question.y if name not in known.noisy)
    rows: dict[Values, dict[Values, tuple[Place, arb]]] = {}
    for value, groups in known.groups(question.x, beside).items():
        total = sum((chance for places in groups.values() for chance in places.values()), arb(0))
        for seen, places in groups.items():
            if len(places) > 1:
                raise Beyond("inputs that leave the place open")
            ((place, chance),) = places.items()
            rows.setdefault(value, {})[seen] = place, chance / total
    return rows


# --- two inputs ---------------------------------------------------------------------------------------------------------

Row = Mapping[Values, tuple[Place, arb]]
Near = list[tuple[Values, Values]]


def _near(question: Question, rows: Mapping[Values, Row]) -> tuple[AskedChannel, Near]:
    asked = AskedChannel(question.evaluation, question.call, question.x, question.y, ())
    found = list(pairs(neighbourhoods(tuple(rows), asked.closeness())))
    if len(found) > _MOST_PAIRS:
        raise Beyond(f"{len(found):,} pairs of inputs")
    return asked, found


def _pairs(known: NoisyPlaces, rows: Mapping[Values, Row], near: Near) -> tuple[Pairs, list[int]]:
    """Return the terms of pairs, those alike once, and where each pair is found."""
    kinds: dict[tuple[tuple[float, float, float], ...], int] = {}
    where = [
        kinds.setdefault(tuple(sorted(_term(known, *term) for term in _terms(rows[one], rows[other]))), len(kinds))
        for one, other in near
    ]
    entries = [(at, *term) for kind, at in kinds.items() for term in kind]
    columns = np.array(entries, dtype=np.float64).T
    return Pairs(columns[0].astype(np.intp), columns[1], columns[2], columns[3], pairs_left(known)), where


def _terms(one: Row, other: Row) -> Iterable[tuple[Place, arb, Place | None, arb]]:
    for seen, (place, chance) in one.items():
        against = other.get(seen)
        yield (place, chance, None, arb(0)) if against is None else (place, chance, *against)


def _term(
    known: NoisyPlaces, place: Place, chance: arb, against: Place | None, other: arb
) -> tuple[float, float, float]:
    """Return the distance, the logarithm of the quotient of the chances, and the first of these."""
    if against is None:
        return 0.0, _ALONE, float(chance.mid())
    return float(known.apart(place, against).mid()), float((chance / other).log().mid()), float(chance.mid())


def _losses(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``DP`` at a δ."""
    rows = _rows(question, known)
    asked, near = _near(question, rows)
    delta = asked.argument("delta")
    if delta is None or exact.sign(delta) <= 0 or not near:
        raise Beyond("a loss at δ = 0, which is read from the text")
    terms, where = _pairs(known, rows, near)
    most = float((np.abs(terms.lead) + terms.apart).max()) * (1 + 1e-12)
    if most >= _ALONE:
        raise Beyond("outputs that only one of two inputs has")
    low, high, kind = loss(terms, exact.nearest_float(delta), most)
    return told_of_pair(asked, between(low, high), *near[where.index(kind)])


def _excesses(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``Delta``."""
    rows = _rows(question, known)
    asked, near = _near(question, rows)
    epsilon = asked.argument("eps")
    if epsilon is None or exact.sign(epsilon) < 0 or not near:
        raise Beyond("an excess without a claimed ε")
    terms, where = _pairs(known, rows, near)
    lower, upper = terms.excess(exact.nearest_float(epsilon))
    kind = int(lower.argmax())
    low, high = float(lower.max()), float(upper.max())
    value = (low + high) / 2 if low > 0 else low
    bounded = Enclosure.bounded(arb(value), arb(low), arb(high), Certainty.CERTIFIED)
    return told_of_pair(asked, bounded, *near[where.index(kind)])


def _moments(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``Renyi``."""
    asked, kinds = _kinds(question, known)
    order = asked.argument("alpha")
    if order is None or exact.compare(order, 1) < 0:
        raise Beyond("an order that is not at least 1")
    at = arb(1) if exact.compare(order, 1) == 0 else exact.enclose(order, BITS)
    found, pair = _worst(kinds, at)
    return told_of_pair(asked, Enclosure.bounded(found, found.lower(), found.upper(), Certainty.CERTIFIED), *pair)


def _slope(question: Question, known: NoisyPlaces) -> Claim:
    """Answer ``zCDP``."""
    asked, kinds = _kinds(question, known)
    most = max(float(((p / q).log() + apart).upper()) for _, terms in kinds for p, q, apart in terms)
    low, high, order = concentration(lambda order: _worst(kinds, arb(order))[0], most)
    return told_of_pair(asked, between(low, high), *_worst(kinds, arb(order))[1])


Kinds = Sequence[tuple[tuple[Values, Values], list[tuple[arb, arb, arb]]]]


def _kinds(question: Question, known: NoisyPlaces) -> tuple[AskedChannel, Kinds]:
    """Return a pair of inputs of each kind, with the terms of both laws.

    Raises:
        Beyond: if one of two inputs has outputs that the other one never has, or there are no two.
    """
    if len(known.noisy) < 2:
        raise Beyond("Rényi's divergences on a line")
    rows = _rows(question, known)
    asked, near = _near(question, rows)
    kinds: dict[object, tuple[tuple[Values, Values], list[tuple[arb, arb, arb]]]] = {}
    for one, other in near:
        terms = list(_terms(rows[one], rows[other]))
        listed = [(p, q, known.apart(place, to)) for place, p, to, q in terms if to is not None]
        if len(listed) < len(terms):
            raise Beyond("outputs that only one of two inputs has")
        kinds.setdefault(tuple(sorted(_term(known, *term) for term in terms)), ((one, other), listed))
    if not kinds:
        raise Beyond("no two inputs to compare")
    return asked, list(kinds.values())


def _worst(kinds: Kinds, order: arb) -> tuple[arb, tuple[Values, Values]]:
    """Return the greatest divergence of an order, and between which inputs."""
    found = [(divergence(terms, order), pair) for pair, terms in kinds]
    greatest = reduce(lambda one, other: one.max(other), (each for each, _ in found))
    return greatest, max(found, key=lambda each: float(each[0].mid()))[1]


_TOLD: Mapping[Functional, Callable[[Question, NoisyPlaces], Claim]] = {
    "entropy": _entropies,
    "chance": _chance,
    "gain": _guesses,
    "tries": _guesses,
    "loss": _losses,
    "excess of loss": _excesses,
    "moment of loss": _moments,
    "slope of moments": _slope,
}
