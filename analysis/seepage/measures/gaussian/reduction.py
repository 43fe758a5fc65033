r"""How many dimensions a mixture really has: components that share their covariance differ along the span of their means only.

Let all components have covariance Σ and means μ_i, μ_i − μ_0 in the span of the columns of A (n × r). With T = AᵀΣ⁻¹ the law of x given Tx is the same
in every component: its covariance does not depend on i, and its mean given Tx = t is μ_i + A(AᵀΣ⁻¹A)⁻¹(t − Tμ_i), where
μ_i − μ_0 = A(AᵀΣ⁻¹A)⁻¹T(μ_i − μ_0). So h(x | Tx) = h_n(Σ) − h_r(AᵀΣ⁻¹A) is known, and only the mixture of Tx in r dimensions is left:
Fisher's linear discriminant.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, arb_mat, fmpq_mat

from seepage.data_classes import dataclass
from seepage.measures.gaussian.bounds import gaussian_entropy
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian


@dataclass(frozen=True, slots=True)
class Reduction:
    """The mixture of Tx, and the entropy of the rest given it: J(x) = J(Tx) + mass · ``rest``."""

    mixture: tuple[WeightedGaussian, ...]
    rest: arb


def reduce_dimension(mixture: Sequence[WeightedGaussian]) -> Reduction | None:
    """Return the mixture in fewer dimensions, None if there is nothing to gain or it cannot be decided exactly.

    The covariances must be equal and exact, and the means exact: then the span of the means is decided in rationals.

    Raises:
        NotResolved: if the covariance is too close to singular.
    """
    first = mixture[0]
    n = len(first.mean)
    if not all(_is_exact(g) and _same_covariance(g, first) for g in mixture):
        return None
    origin = [m.fmpq() for m in first.mean]
    differences = fmpq_mat([[m.fmpq() - o for m, o in zip(g.mean, origin, strict=True)] for g in mixture])
    span, rank = differences.rref()
    if not 1 <= rank < n:
        return None
    # Rows of `span` are Aᵀ; in ball arithmetic from here on.
    rows = arb_mat([[arb(span[i, j]) for j in range(n)] for i in range(rank)])
    solved = arb_mat([list(row) for row in first.covariance]).solve(rows.transpose())  # Σ⁻¹A
    gram = rows * solved
    covariance = tuple(tuple((gram[i, j] + gram[j, i]) / 2 for j in range(rank)) for i in range(rank))
    reduced = []
    for k, gaussian in enumerate(mixture):
        mean = tuple(sum((solved[j, i] * arb(differences[k, j]) for j in range(n)), arb(0)) for i in range(rank))
        reduced.append(WeightedGaussian(gaussian.weight, mean, covariance, gaussian.certain))
    return Reduction(tuple(reduced), gaussian_entropy(first.covariance) - gaussian_entropy(covariance))


def _is_exact(gaussian: WeightedGaussian) -> bool:
    entries = [*gaussian.mean, *(entry for row in gaussian.covariance for entry in row)]
    return all(entry.is_exact() for entry in entries)


def _same_covariance(a: WeightedGaussian, b: WeightedGaussian) -> bool:
    return all(
        x == y for row, other in zip(a.covariance, b.covariance, strict=True) for x, y in zip(row, other, strict=True)
    )
