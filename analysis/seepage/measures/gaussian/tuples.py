r"""How much three and more continuous variables tell: bounds that meet where one linear combination tells all.

Let K be the component's label. Always I(x; y) = Σ w_i I_i + I(K; x) + I(K; y) − I(K; x, y), and I(K; x, y) >= max(I(K; x), I(K; y)), so that
I(x; y) <= Σ w_i I_i + min(I(K; x), I(K; y)); and I(x; y) >= I(aᵀx; y) (data processing). If all components give x one Gaussian law and y is
single, more is known, for any directions a, a_1, a_2, …:

.. math::
    I(x; y) &= I(a^T x; y) + I(x; y \mid a^T x) \le I(a^T x; y) + \sum_i w_i \tfrac12 \log \frac{Var_i(y \mid a^T x)}{Var_i(y \mid x)},\\
    I(x; y) &\ge I(a_1^T x, a_2^T x, \dots; y) \ge \sum_k I(a_k^T x; y) - I(a_k^T x; a_1^T x, \dots, a_{k-1}^T x).

First line: I(x; y | aᵀx) <= I(x; y, K | aᵀx) = I(x; y | aᵀx, K), because K is independent of x. Second: the chain rule, and
I(A; y | B) = I(A; y, B) − I(A; B) >= I(A; y) − I(A; B). What is subtracted is 0 for uncorrelated directions; those here are so up to rounding, and
the rest is evaluated in balls. If y depends on x through aᵀx in every component, both lines give I(aᵀx; y), an integral in the plane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.outcome import MixtureComponent, MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.bounds import determinant
from seepage.measures.gaussian.quadrature_frame import NotResolved
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.gaussian.strata import Piece, ball, piece_of, total

Names: TypeAlias = tuple[str, ...]
Information: TypeAlias = Callable[[MixtureJoint, Names, Names], Enclosure]
Ends: TypeAlias = tuple[arb, arb]

MOST_DIRECTIONS = 8
COARSE = 1e-3
"""The width, in nats, from which other bounds are worth their time."""
_NEGLIGIBLE = 1e-20  # of the variance that y takes from x


def of_single_variables(joint: MixtureJoint, x: Names, y: Names, information: Information) -> arb:
    """Return the best lower bound of I(x; y) from pairs of single variables."""
    best = arb(0)
    if len(x) > 1 or len(y) > 1:
        for a in x[:MOST_DIRECTIONS]:
            for b in y[:MOST_DIRECTIONS]:
                best = best.max(information(joint, (a,), (b,)).lower)
    return best


def of_directions(joint: MixtureJoint, x: Names, y: Names, information: Information) -> Ends:
    """Return bounds of I(x; y) from linear combinations of a continuous x and a single continuous y, or the other way round; else [0, ∞]."""
    if len(y) != 1 and len(x) == 1:
        x, y = y, x
    side = _side(joint, x, y)
    if side is None:
        return arb(0), arb.pos_inf()
    lower, upper = _along_all(joint, side, side.directions(), information)
    if side.shared and upper - lower > COARSE:
        coordinates = [[arb(i == k) for i in range(len(x))] for k in range(min(len(x), MOST_DIRECTIONS))]
        lower = lower.max(_along_all(joint, side, coordinates, information)[0])
    return lower, upper


def _along_all(joint: MixtureJoint, side: _Side, directions: Sequence[Sequence[arb]], information: Information) -> Ends:
    """Return the bounds from some directions; of the first alone where the components have several laws of x."""
    upper, lower, before = arb.pos_inf(), arb(0), list[Sequence[arb]]()
    try:
        for direction in directions:
            found = information(side.projected(joint, direction), ("projection",), ("single",))
            if not side.shared:
                return found.lower, upper
            if not before:
                upper = found.upper + side.rest(direction)
            gain = found.lower - side.repeated([*before, direction])
            if gain > 0:
                lower += gain
            before.append(direction)
    except NotResolved:
        pass
    return lower, upper


@dataclass(frozen=True, slots=True)
class _Side:
    """A continuous x of n variables beside a single continuous y: in each piece, x first.

    ``shared`` says that the law of x is provably the same in all components.
    """

    pieces: tuple[Piece, ...]
    shared: bool

    def directions(self) -> list[list[arb]]:
        """Choose directions in floats: Σ w_i Σx⁻¹Σxy and then, if x has one law, what is uncorrelated with it and moves y most."""
        n = len(self.pieces[0].mean) - 1
        weight = np.array([float(ball(piece.weight)) for piece in self.pieces])
        sigma = np.array([[[float(entry) for entry in row] for row in piece.covariance] for piece in self.pieces])
        with np.errstate(all="ignore"):
            if not self.shared:
                slopes = [np.linalg.lstsq(each[:n, :n], each[:n, n], rcond=None)[0] for each in sigma]
                mean = np.asarray(weight @ np.array(slopes))
                return [_balls(mean)] if np.isfinite(mean).all() and mean.any() else []
            return [_balls(direction) for direction in _uncorrelated(weight, sigma[0][:n, :n], sigma[:, :n, n])]

    def projected(self, joint: MixtureJoint, a: Sequence[arb]) -> MixtureJoint:
        """Return the joint of aᵀx and y; raise ``NotResolved`` if they may be functions of each other."""
        components = []
        for component, piece in zip(joint.components, self.pieces, strict=True):
            mean, variance, cross = _along(piece, a)
            own = piece.covariance[-1][-1]
            if not variance * own - cross * cross > 0:
                raise NotResolved("a combination is too close to a function of the other side")
            law = ("projected", component.law, tuple(str(entry) for entry in a))
            covariance = ((variance, cross), (cross, own))
            components.append(
                MixtureComponent(
                    component.weight, (None, None), ((1, 0), (0, 1)), (mean, piece.mean[-1]), covariance, law
                )
            )
        return MixtureJoint(("projection", "single"), tuple(components))

    def rest(self, a: Sequence[arb]) -> arb:
        """Return Σ w_i ½ log(Var_i(y | aᵀx) / Var_i(y | x))."""
        whole, result, n = ball(total(piece.weight for piece in self.pieces)), arb(0), len(self.pieces[0].mean) - 1
        for piece in self.pieces:
            _, variance, cross = _along(piece, a)
            given_all = determinant(piece.covariance) / determinant([row[:n] for row in piece.covariance[:n]])
            given_one = piece.covariance[n][n] - cross * cross / variance
            result += ball(piece.weight) / whole * (given_one / given_all).log() / 2
        return result

    def repeated(self, directions: Sequence[Sequence[arb]]) -> arb:
        """Return what the last of some combinations of x tells about those before it: ½ log(Var · |Σ before| / |Σ all|)."""
        if len(directions) == 1:
            return arb(0)
        table = self.pieces[0].covariance
        n = len(directions[0])
        gram = [
            [sum((a[i] * table[i][j] * b[j] for i in range(n) for j in range(n)), arb(0)) for b in directions]
            for a in directions
        ]
        before = determinant([row[:-1] for row in gram[:-1]])
        return (gram[-1][-1] * before / determinant(gram)).log() / 2


def _side(joint: MixtureJoint, x: Names, y: Names) -> _Side | None:
    if len(y) != 1 or len(x) < 2 or set(x) & set(y):
        return None
    pieces = tuple(piece_of(joint, component, (*x, *y), component.weight)[1] for component in joint.components)
    if any(len(piece.rows) != len(x) + 1 for piece in pieces):
        return None
    laws = {piece_of(joint, component, x, component.weight)[1].identity for component in joint.components}
    return _Side(pieces, len(laws) == 1)


def _uncorrelated(weight: Floats, sigma: Floats, cross: Floats) -> list[Floats]:
    """Return combinations of x that are uncorrelated up to rounding: shapes ``(C,)``, ``(n, n)``, ``(C, n)`` to some of ``(n,)``."""
    try:
        root = np.linalg.cholesky(sigma)
    except np.linalg.LinAlgError:
        return []
    # In coordinates in which x is a standard normal: u_i is the regression vector of y in component i.
    u = np.linalg.solve(root, cross.T).T
    table = (weight[:, None] * u).T @ u
    mean = weight @ u
    chosen = []
    if mean @ mean > 1e-6 * np.trace(table) * weight.sum():
        chosen.append(mean / np.linalg.norm(mean))
        remover = np.eye(len(mean)) - np.outer(chosen[0], chosen[0])
        table = remover @ table @ remover
    values, vectors = np.linalg.eigh(table)
    size = float(np.max(weight[:, None] * u * u)) if u.size else 0.0
    for k in np.argsort(-values):
        if values[k] > _NEGLIGIBLE**0.5 * size and len(chosen) < MOST_DIRECTIONS:
            chosen.append(vectors[:, k])
    return [np.asarray(np.linalg.solve(root.T, q)) for q in chosen]


def _balls(direction: Floats) -> list[arb]:
    return [arb(float(entry)) for entry in direction]


def _along(piece: Piece, a: Sequence[arb]) -> tuple[arb, arb, arb]:
    """Return mean and variance of aᵀx, and its covariance with y."""
    n = len(a)
    mean = sum((f * m for f, m in zip(a, piece.mean[:n], strict=True)), arb(0))
    cross = [sum((f * piece.covariance[i][j] for i, f in enumerate(a)), arb(0)) for j in range(n + 1)]
    variance = sum((f * c for f, c in zip(a, cross[:n], strict=True)), arb(0))
    return mean, variance, cross[n]
