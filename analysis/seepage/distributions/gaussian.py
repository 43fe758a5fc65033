r"""Continuous values as exact affine forms over Gaussian sources.

A component of a mixture holds, beside its discrete values, a vector of *sources*
:math:`s \sim N(m, \Sigma)` with :math:`\Sigma` positive definite, and each continuous variable as
:math:`c + \sum_i a_i s_i` with exact numbers :math:`c, a_i`. Whether two variables determine each other, whether an
expression is a constant, and every other question of rank is a question about the :math:`a_i` alone, and so is
answered exactly; the entries of :math:`m` and :math:`\Sigma` may be balls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number


class Real:
    """A real number known by a ball and by how it was computed.

    Two that were computed in the same way are the same object (see :class:`seepage.engines.soga.scalars.Arithmetic`), so identity
    implies equality of the true values; different objects may still be equal numbers.
    """

    __slots__ = ("ball", "ident")

    def __init__(self, ball: arb, ident: int) -> None:
        self.ball = ball
        self.ident = ident

    def __repr__(self) -> str:
        return f"Real({self.ball.str(10)})"


Scalar: TypeAlias = Number | Real


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + Σ coefficient · source``; ``terms`` are sorted by source, not empty, and hold no zero."""

    constant: Number
    terms: tuple[tuple[int, Number], ...]


@dataclass(frozen=True, slots=True)
class Gaussian:
    """The law of the sources of a component.

    Attributes:
        means: of each source.
        rows: ``rows[i]`` are the non-zero covariances ``(j, value)`` of source i with sources j <= i, ascending; the matrix is positive
            definite by construction.
        observed: how many equalities on continuous values were conditioned on; a run with fewer outweighs one with more infinitely,
            as an atom beats a density (language.md, Fine print 15).
    """

    means: tuple[Scalar, ...] = ()
    rows: tuple[tuple[tuple[int, Scalar], ...], ...] = ()
    observed: int = 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """Where sources are no Gaussians but uniform over 0 … n − 1: n for each (:mod:`seepage.engines.forward.classes`)."""

    counts: tuple[int, ...] = ()
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True, slots=True)
class Tie:
    """Sources of ``modulus`` many values each that determine each other; all but any one of them are independent.

    ``target`` is (constant + Σ coefficient · source) % modulus, all coefficients units, or bit_xor of two sources.
    """

    operator: str
    modulus: int
    constant: int
    terms: tuple[tuple[int, int], ...]
    target: int

    @property
    def members(self) -> tuple[int, ...]:
        """All sources."""
        return (*(source for source, _ in self.terms), self.target)

    def renamed(self, number: Mapping[int, int]) -> Tie:
        """Return the tie of sources with other numbers."""
        terms = tuple(sorted((number[source], slope) for source, slope in self.terms))
        return Tie(self.operator, self.modulus, self.constant, terms, number[self.target])

    def value(self, chosen: Sequence[int]) -> int:
        """Return the target's value where the sources have chosen ones."""
        if self.operator == "bit_xor":
            (first, _), (second, _) = self.terms
            return chosen[first] ^ chosen[second]
        return (self.constant + sum(slope * chosen[source] for source, slope in self.terms)) % self.modulus


Slot: TypeAlias = Number | Affine | Gaussian | Sizes
State: TypeAlias = tuple[Slot, ...]
