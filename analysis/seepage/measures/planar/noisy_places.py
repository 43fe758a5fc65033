"""The law of a discrete place behind planar Laplace noise, read from a program, and its entropies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import reduce

import numpy as np
from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import solve
from seepage.engines.spherical import spherical_noise
from seepage.exact import Number
from seepage.laws.forms import Beyond
from seepage.measures.discrete.entropy import entropy as discrete_entropy
from seepage.measures.discrete.weights import Values
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.joints import Inquiry
from seepage.measures.planar.boxes import Scattered
from seepage.measures.planar.entropy import Bounds, entropy
from seepage.measures.planar.line import entropy as entropy_on_line
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import slice_program

Names = tuple[str, ...]
Place = tuple[Number, ...]

BITS = 128
_ALPHA = Fraction(3, 2)
_UNIT = 2.0**-50  # of the rounding of two coordinates


@dataclass(frozen=True, slots=True)
class NoisyPlaces:
    """What is asked for: discrete variables, and two that are a place behind noise, or one of these.

    Attributes:
        joint: of all, with the place in place of the noisy variables.
        noisy: these.
        rate: one over the scale of the noise.
        stop: tells whether the time is up.
        known: entropies of mixtures that were found, by their places and weights; grows.
    """

    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]
    noisy: Names
    rate: Number
    stop: Callable[[], bool]
    known: dict[tuple[tuple[Place, ...], tuple[float, ...]], Bounds] = field(default_factory=dict)

    def groups(
        self, by: Names, of: Names = (), where: Names | None = None
    ) -> dict[Values, dict[Values, dict[Place, arb]]]:
        """Return chances by values of discrete variables, then of others, then by the place, or some coordinates of it."""
        return _grouped(self.joint, by, of, self.noisy if where is None else where)

    def apart(self, one: Place, other: Place) -> arb:
        """Return the distance of two places in units of the scale."""
        return exact.enclose(self.rate, BITS) * _distance(one, other)

    def entropy(self, names: Names) -> tuple[arb, bool]:
        """Return a ball that holds the entropy of some of the variables in nats, and whether it is as narrow as wanted.

        Raises:
            Beyond: if a chance is below all floating-point numbers, or there are too many places on a line.
        """
        seen = [name for name in names if name in self.noisy]
        discrete = tuple(name for name in names if name not in self.noisy)
        if not seen:
            found = discrete_entropy(self.joint, discrete) if discrete else None
            return (arb(0) if found is None else found.lower.union(found.upper)), True
        total = -len(seen) * exact.enclose(self.rate, BITS).log()
        finished = True
        for group in self.groups(discrete, where=tuple(seen)).values():
            part, is_finished = self._of_mixture(next(iter(group.values())))
            total, finished = total + part, finished and is_finished
        return total, finished

    def _of_mixture(self, chances: Mapping[Place, arb]) -> tuple[arb, bool]:
        r"""Return :math:`-\int p \log p` of one mixture, in units of the scale."""
        mass = sum(chances.values(), arb(0))
        first = next(iter(chances))
        if len(chances) == 1 and len(first) == 2:
            return mass * (2 + (2 * arb.pi()).log() - mass.log()), True
        moved = {
            tuple(exact.sub(part, start) for part, start in zip(place, first, strict=True)): chance / mass
            for place, chance in chances.items()
        }
        weights = tuple(float(share.mid()) for share in moved.values())
        if not all(weights):
            raise Beyond("a place of a chance that is below all floating-point numbers")
        places = floats(list(moved), self.rate)
        key = tuple(moved), weights
        if key not in self.known:
            self.known[key] = (
                entropy_on_line(places[:, 0], np.array(weights), self.stop)
                if len(first) == 1
                else entropy(Scattered(places, np.array(weights)), _mirrors(moved), self.stop)
            )
        found = self.known[key]
        # A density that is off by a factor e^δ, as rounded places and weights make it, takes −∫ p log p off by at most about δ(1 + ∫ p |log p|).
        off = _UNIT * (1 + float(np.abs(places).max())) * (10 + abs(found.upper))
        return mass * (arb(found.lower).union(arb(found.upper)) + arb(0, off) - mass.log()), found.finished


def noisy_places(core: CoreProgram, names: Names, inquiry: Inquiry) -> NoisyPlaces:
    """Read the joint law of variables, two of which are a noisy place, or one of which is a coordinate of one.

    Raises:
        Beyond: if it is of another kind.
        Fault: of the program.
        ArithmeticFault: likewise.
    """
    parameters = inquiry.scope.parameters
    noise = spherical_noise(slice_program(core, names), names, parameters)
    if len(noise.noisy) > 2 or noise.alpha != _ALPHA:
        raise Beyond("noise of another law than planar Laplace's")
    joint = solve(noise.places, names, parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint):
        raise Beyond("a place that is not discrete")
    if joint.cut is not None:
        raise Beyond("infinitely many places")
    return NoisyPlaces(joint, noise.noisy, noise.rate, inquiry.budget.expired)


def floats(places: Sequence[Place], rate: Number) -> Floats:
    """Return places in units of the scale, from the first one on."""
    unit = exact.enclose(rate, BITS)
    moved = (tuple(exact.sub(part, start) for part, start in zip(place, places[0], strict=True)) for place in places)
    return np.array([[float((unit * exact.enclose(part, BITS)).mid()) for part in place] for place in moved])


def _grouped(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], by: Names, of: Names, noisy: Names
) -> dict[Values, dict[Values, dict[Place, arb]]]:
    first, second, where = (joint.positions(names) for names in (by, of, noisy))
    total = arb(joint.mass)
    found: dict[Values, dict[Values, dict[Place, arb]]] = {}
    for values, mass in joint.masses.items():
        inner = found.setdefault(tuple(values[at] for at in first), {}).setdefault(
            tuple(values[at] for at in second), {}
        )
        place = tuple(values[at] for at in where)
        inner[place] = inner.get(place, arb(0)) + arb(mass) / total
    return found


def _distance(one: Place, other: Place) -> arb:
    squares = (exact.enclose(exact.sub(a, b), BITS) ** 2 for a, b in zip(one, other, strict=True))
    return sum(squares, arb(0)).sqrt()


def _mirrors(chances: Mapping[Place, arb]) -> tuple[bool, bool]:
    """Tell for each coordinate whether places and chances are the same when it is turned around the middle."""
    found = []
    for along in (0, 1):
        ends = [place[along] for place in chances]
        turn = exact.add(reduce(exact.minimum, ends), reduce(exact.maximum, ends))
        mirrored = {
            tuple(exact.sub(turn, part) if at == along else part for at, part in enumerate(place)): chance
            for place, chance in chances.items()
        }
        same = mirrored.keys() == chances.keys()
        found.append(same and all((chance - mirrored[place]).contains(0) for place, chance in chances.items()))
    return found[0], found[1]
