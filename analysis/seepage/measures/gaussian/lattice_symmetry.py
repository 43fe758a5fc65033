"""Which signed permutations of the axes, with or without a change of sign of the output, take a mixture to itself: one point of each orbit is enough.

The symmetries are found in floats, up to ``SLACK``: how far the mixture is from one that has them is accounted for where they are used.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import Floats

SLACK = 2e-14
"""How far slopes and offsets that are taken for each other's images may differ, relative to the largest slope or offset."""
_MOST_AXES = 4  # for which all 2^d d! signed permutations are tried
_STARTS = 12  # directions from which a system of axes is tried


@dataclass(frozen=True, slots=True)
class Axes:
    """A system of axes for the inputs, the rows of ``basis`` with shape ``(d, n)``, and the signed permutations that the mixture has in it.

    Each is the axis that every coordinate is taken from, shape ``(G, d)``, and the signs, same shape; the identity is the first.
    """

    basis: Floats
    places: npt.NDArray[np.intp]
    signs: npt.NDArray[np.intp]

    def keeping(self, steps: Floats) -> Axes:
        """Return the same axes with those of the permutations that take a lattice of these steps, shape ``(d,)``, to itself."""
        kept = (steps[self.places] == steps).all(axis=1)
        return Axes(self.basis, self.places[kept], self.signs[kept])

    def ball(self, steps: Floats, radius: float, odd: int) -> tuple[Floats, Floats]:
        """Return one point of each orbit of the k, all even or (for ``odd`` = 1) all odd, with |k · steps| <= radius, and how many each stands for.

        Of an orbit the point is taken whose last entry is largest, of those that with the largest entry before it, and so on. So no entry is below
        its images under what leaves those after it where they are: most of the others are not even made.
        """
        points: Floats = np.zeros((1, 0))
        left = np.array([radius**2 * (1 + 1e-12)])
        places, signs = self.places, self.signs
        below: list[set[tuple[int, int]]] = [
            set() for _ in steps
        ]  # of an axis: those that it is not above, with a sign
        for at in reversed(range(len(steps))):
            for place, sign in zip(places[:, at], signs[:, at], strict=True):
                below[int(place)].add((at, int(sign)))
            fixed = (places[:, at] == at) & (signs[:, at] == 1)
            places, signs = places[fixed], signs[fixed]
        for axis in reversed(range(len(steps))):
            high = np.floor(np.sqrt(left) / steps[axis])
            low = -high
            for at, sign in below[axis]:
                limit = points[:, at - axis - 1] if at > axis else np.where(sign > 0, np.inf, 0.0)
                low, high = (low, np.minimum(high, limit)) if sign > 0 else (np.maximum(low, -limit), high)
            low += (low - odd) % 2
            numbers = np.maximum((high - low) // 2 + 1, 0).astype(np.intp)
            of = np.repeat(np.arange(len(points)), numbers)
            before = np.repeat(np.cumsum(numbers) - numbers, numbers)
            entries = np.asarray(low[of] + 2 * (np.arange(len(of)) - before), dtype=np.float64)
            points = np.concatenate([entries[:, None], points[of]], axis=1)
            left = left[of] - (entries * steps[axis]) ** 2
        return self.orbits(points)

    def orbits(self, points: Floats) -> tuple[Floats, Floats]:
        """Return one point of each orbit of whole points, shape ``(N, d)``, if all of the orbit or the one that is taken is among them, and how many each stands for."""
        radix = (2 * np.abs(points).max(initial=0) + 1) ** np.arange(points.shape[1])
        fixed = np.zeros(len(points))
        for place, sign in zip(self.places, self.signs, strict=True):
            turned = np.zeros_like(radix)
            turned[place] = sign * radix
            own, image = points @ radix, points @ turned
            kept = image <= own
            points, fixed = points[kept], fixed[kept] + (image == own)[kept]
        return points, len(self.places) / fixed


def choose_axes(slopes: Floats, offsets: Floats, others: Floats, dimension: int) -> Axes:
    """Return axes that span the slopes, shape ``(C, n)``, those with the most symmetries among some; ``others`` are columns that images share.

    ``dimension`` is the rank of the slopes, ``offsets`` has shape ``(C,)``, ``others`` shape ``(C, k)``.
    """
    candidates = [_axes(basis, slopes, offsets, others) for basis in _systems(slopes, dimension)]
    return max(candidates, key=lambda axes: len(axes.places))


def _systems(slopes: Floats, dimension: int) -> Iterator[Floats]:
    """Yield orthonormal systems: the main directions, and those that begin with a difference of slopes and go on with orthogonal ones."""
    main = np.linalg.svd(slopes, full_matrices=False)[2][:dimension]
    yield main
    differences = np.concatenate([slopes, *(slopes - slope for slope in slopes[:_STARTS])])
    lengths = np.linalg.norm(differences, axis=1)
    unit = differences[lengths > 1e-6 * lengths.max()] / lengths[lengths > 1e-6 * lengths.max(), None]
    for start in unit[:_STARTS]:
        system = [start]
        for each in (*unit, *main):
            rest = each - np.array(system).T @ (np.array(system) @ each)
            beyond = bool(np.linalg.norm(rest) > 1 - 1e-9)
            if beyond and len(system) < dimension:
                system.append(rest / np.linalg.norm(rest))
        for each in main:  # what is left, in any direction
            rest = each - np.array(system).T @ (np.array(system) @ each)
            if len(system) < dimension and np.linalg.norm(rest) > 0.3:
                system.append(rest / np.linalg.norm(rest))
        if len(system) == dimension:
            yield np.array(system)


def _axes(basis: Floats, slopes: Floats, offsets: Floats, others: Floats) -> Axes:
    own = slopes @ basis.T
    d = len(basis)
    places, signs = [tuple(range(d))], [(1,) * d]
    if d <= _MOST_AXES:
        scale = max(float(np.abs(own).max()), float(np.abs(offsets).max()), 1e-300)
        target = np.column_stack([own / scale, offsets / scale, others])
        for place in itertools.permutations(range(d)):
            for sign in itertools.product((1, -1), repeat=d):
                identity = place == places[0] and sign == signs[0]
                image = own[:, place] * sign / scale
                if not identity and any(
                    _same(np.column_stack([turn * image, turn * offsets / scale, others]), target) for turn in (1, -1)
                ):
                    places.append(place)
                    signs.append(sign)
    if not _closed(places, signs):
        places, signs = places[:1], signs[:1]
    return Axes(basis, np.array(places, dtype=np.intp), np.array(signs, dtype=np.intp))


def _closed(places: Sequence[tuple[int, ...]], signs: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether these are a group: what was found up to a tolerance need not be one."""
    found = set(zip(places, signs, strict=True))
    return all(
        (tuple(p[at] for at in q), tuple(s[at] * t for at, t in zip(q, turn, strict=True))) in found
        for p, s in found
        for q, turn in found
    )


def _same(image: Floats, target: Floats) -> bool:
    """Tell whether two sets of rows agree: every row of one has a row of the other nearby, one for one."""
    distance = np.abs(image[:, None, :] - target[None, :, :]).max(axis=2)
    partner = distance.argmin(axis=1)
    near = distance[np.arange(len(partner)), partner] <= SLACK
    return bool(near.all()) and len(np.unique(partner)) == len(partner) and math.isfinite(float(distance.max()))
