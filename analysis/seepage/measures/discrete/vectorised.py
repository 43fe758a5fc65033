r"""Entropy, information and mean of many distributions over the same outcomes at once, in double precision with proof.

Each mass is within a relative error of :math:`(1+u)^k - 1` of the true one, up to what underflow took. The logarithm of a library is within
4 units in the last place. Every term is bounded with its error, which is summed beside the terms; an error in a mass m changes a term
:math:`m \log r` by at most that share of m times :math:`|\log r|`, and r itself moves by the errors of the four masses in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from seepage.data_classes import dataclass
from seepage.engines.forward.circuits import Floats
from seepage.exact import Number, enclose

Bounds: TypeAlias = tuple[float, float, float]  # lower, value, upper

_UNIT = 2.0**-53
_LOG = 8  # units: four in the last place
_TINY = 1e-280  # masses below are taken as 0, and what they could add is bounded instead
_POSSIBLE = 1e-200  # a whole mass that is not above it is asked elsewhere
_LARGEST_LOG = 2000.0  # of a ratio of two masses that are not below _TINY; and −m log m < 1e-270 for those below


@dataclass(frozen=True, slots=True)
class Rows:
    """Unnormalised masses: a row for each outcome, a column for each point.

    Attributes:
        variables: names.
        outcomes: values of the variables, one tuple for each row.
        masses: the numbers; NaN where a probability is none.
        roundings: k, for all of them.
        lost: what underflow may have taken from each.
    """

    variables: tuple[str, ...]
    outcomes: tuple[tuple[Number, ...], ...]
    masses: Floats
    roundings: int
    lost: float


@dataclass(frozen=True, slots=True)
class Columns:
    """Values with absolute errors, one for each point, and where values may lie at all."""

    values: Floats
    errors: Floats
    least: float = -np.inf
    most: float = np.inf


def of_rows(columns: Columns) -> list[Bounds | None]:
    """Return bounds for each point, None where there is no number."""
    lower = np.maximum(np.nextafter(columns.values - columns.errors, -np.inf), columns.least)
    upper = np.minimum(np.nextafter(columns.values + columns.errors, np.inf), columns.most)
    value = np.clip(columns.values, lower, upper)
    known = np.isfinite(lower) & np.isfinite(upper)
    return [
        (float(a), float(b), float(c)) if good else None
        for a, b, c, good in zip(lower, value, upper, known, strict=True)
    ]


def _marginal(rows: Rows, names: Sequence[str]) -> tuple[Floats, list[int]]:
    """Return the masses of the values of some variables, and for each outcome its place among them."""
    places = [rows.variables.index(name) for name in names]
    known: dict[tuple[Number, ...], int] = {}
    index = [known.setdefault(tuple(outcome[place] for place in places), len(known)) for outcome in rows.outcomes]
    result = np.zeros((len(known), rows.masses.shape[1]))
    np.add.at(result, index, rows.masses)
    return result, index


def information(
    rows: Rows, x: Sequence[str], y: Sequence[str], z: Sequence[str], unit: Literal["bits", "nats"], *, entropy: bool
) -> Columns:
    r"""Return :math:`I(x; y | z)`, or with ``entropy`` :math:`H(x | z)`.

    Both are a mean of a logarithm: of :math:`p_{xyz} p_z / (p_{xz} p_{yz})`, and of :math:`p_z / p_{xz}`.
    """
    least = _least(rows)
    of_z, at_z = _marginal(rows, z)
    of_xz, at_xz = _marginal(rows, (*x, *z))
    whole = rows.masses.sum(axis=0)
    if entropy:
        weights, ratio = of_xz, of_z[_lifted(at_xz, at_z)] / _positive(of_xz, least)
    else:
        of_yz, at_yz = _marginal(rows, (*y, *z))
        of_xyz, at_xyz = _marginal(rows, (*x, *y, *z))
        first = of_xyz / _positive(of_xz[_lifted(at_xyz, at_xz)], least)
        weights = of_xyz
        ratio = first * (of_z[_lifted(at_xyz, at_z)] / _positive(of_yz[_lifted(at_xyz, at_yz)], least))
    return _mean_logarithm(rows, weights, ratio, whole, unit)


def _lifted(fine: Sequence[int], coarse: Sequence[int]) -> list[int]:
    """Return for each place of a finer marginal its place in a coarser one."""
    found: dict[int, int] = {}
    for f, c in zip(fine, coarse, strict=True):
        found[f] = c
    return [found[place] for place in range(len(found))]


def _positive(masses: Floats, least: float) -> Floats:
    return np.where(masses < least, 1.0, masses)


def _least(rows: Rows) -> float:
    """Return below what masses are taken as 0: above it, what underflow took is nothing beside their rounding."""
    return max(_TINY, 1e20 * len(rows.outcomes) * rows.lost)


def _mean_logarithm(
    rows: Rows, weights: Floats, ratio: Floats, whole: Floats, unit: Literal["bits", "nats"]
) -> Columns:
    """Return Σ weights · log(ratio) / whole; both weights and ratio come from sums of masses."""
    count = len(rows.outcomes)
    k = rows.roundings + count  # of a sum of masses
    least = _least(rows)
    counted = (weights >= least) & (ratio > 0)
    logs = np.log(np.where(counted, ratio, 1.0))
    terms = np.where(counted, weights, 0.0) * logs
    total = terms.sum(axis=0)
    size = np.abs(terms).sum(axis=0)
    # A ratio has four sums of masses in it and three roundings; a term its weight's, the logarithm's and the product's.
    moved = weights * (4 * k + 8) * _UNIT + np.abs(terms) * (k + _LOG + 4) * _UNIT
    errors = 1.01 * moved.sum(axis=0) + size * count * _UNIT + count * least * _LARGEST_LOG
    possible = whole > _POSSIBLE
    whole = np.where(possible, whole, 1.0)
    value = total / whole
    # The division: by a sum of masses, of which underflow took little.
    errors = 1.01 * (errors / whole + np.abs(value) * ((k + 2) * _UNIT + count * rows.lost / whole))
    errors = np.where(possible, errors, np.inf)
    if unit == "bits":
        value, errors = value / np.log(2), 1.5 * errors + np.abs(value) * 16 * _UNIT
    return Columns(value, errors, least=0.0)


def mean(rows: Rows, least: float = -np.inf, most: float = np.inf) -> Columns:
    """Return the mean of the only variable, which lies between ``least`` and ``most``; its values are rounded to doubles."""
    values = np.array([float(enclose(outcome[0]).mid()) for outcome in rows.outcomes])[:, None]
    terms = values * rows.masses
    total, size, whole = terms.sum(axis=0), np.abs(terms).sum(axis=0), rows.masses.sum(axis=0)
    count = len(rows.outcomes)
    k = rows.roundings + count
    errors = 1.01 * size * (k + count + 6) * _UNIT + np.abs(values).sum() * (rows.lost + 1e-300)
    possible = whole > _POSSIBLE
    whole = np.where(possible, whole, 1.0)
    value = total / whole
    errors = 1.01 * (errors / whole + np.abs(value) * ((k + 2) * _UNIT + count * rows.lost / whole))
    return Columns(value, np.where(possible, errors, np.inf), least, most)
