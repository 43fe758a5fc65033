"""What can be said about a Gaussian mixture from its pairs of components alone, in closed form and in any dimension.

The bounds of the paper (Propositions *Bounds for entropy of GMs* and *Bounds for KL divergence*) and those of Kolchinsky and Tracey 2017.
They are wide where components overlap; the measures use them where quadrature does not reach, and readers of the paper will look for them here.
The paper's second upper bound on entropy, merging a group of components into the Gaussian with its moments, is false in general (it can
lower the entropy) and is left out; for all components at once it is :func:`moment_upper`, which is true.

Weights are positive and sum to 1 (within their balls); values are balls, in nats. A ball that is no number bounds nothing: :func:`least` and
:func:`greatest` leave it out. Components that are not certain stand for several with means and covariances in their balls, of which all bounds hold
that are here; the difference of such a component's mean from itself is that of two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flint import arb, arb_mat

from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian

ROUNDS = 20
"""Iterations of the variational bound; each lowers it, and every one of them is a bound."""


def determinant(covariance: Sequence[Sequence[arb]]) -> arb:
    """Return the determinant of a covariance, a positive ball; raise ``NotResolved`` if it may vanish."""
    match covariance:
        case [[only]]:
            result = only
        case [[a, b], [c, d]]:
            result = a * d - b * c
        case _:
            result = _matrix(covariance).det()
    if not result > 0:
        raise NotResolved("a covariance is too close to singular for the precision at hand")
    return result


def gaussian_entropy(covariance: Sequence[Sequence[arb]]) -> arb:
    """Return ½ log((2πe)^n |Σ|), the entropy of a Gaussian."""
    return (len(covariance) * ((2 * arb.pi()).log() + 1) + determinant(covariance).log()) / 2


def gaussian_divergence(p: WeightedGaussian, q: WeightedGaussian) -> arb:
    """Return KL(p ‖ q) = ½[log |Σq|/|Σp| + tr(Σq⁻¹Σp) − n + δᵀΣq⁻¹δ] of two Gaussians, whatever their weights."""
    sigma_p, sigma_q, n = p.covariance, q.covariance, len(p.mean)
    delta = _apart(p, q)
    logs = (determinant(sigma_q) / determinant(sigma_p)).log()
    if n == 1:
        return (logs + (sigma_p[0][0] + delta[0] * delta[0]) / sigma_q[0][0] - 1) / 2
    if n == 2:
        (a, b), (_, d) = sigma_q
        trace = (d * sigma_p[0][0] - 2 * b * sigma_p[0][1] + a * sigma_p[1][1]) / determinant(sigma_q)
        return (logs + trace - 2 + _quadratic(sigma_q, delta)) / 2
    solved = _matrix(sigma_q).solve(_matrix([[*row, d] for row, d in zip(sigma_p, delta, strict=True)]))
    trace = sum((solved[a, a] for a in range(n)), arb(0))
    return (logs + trace - n + sum((delta[a] * solved[a, n] for a in range(n)), arb(0))) / 2


def least(bounds: Iterable[arb]) -> arb:
    """Return the least of upper bounds; infinity for none."""
    result = arb.pos_inf()
    for bound in bounds:
        if bound.upper() < result:  # never so of what is no number
            result = bound.upper()
    return result


def greatest(bounds: Iterable[arb]) -> arb:
    """Return the greatest of lower bounds; minus infinity for none."""
    return -least(-bound for bound in bounds)


def _apart(p: WeightedGaussian, q: WeightedGaussian) -> list[arb]:
    """Return the difference of two means, exactly 0 of one mean."""
    if p is q and p.certain:
        return [arb(0)] * len(p.mean)
    return [a - b for a, b in zip(p.mean, q.mean, strict=True)]


def _decay(distance: arb) -> arb:
    """Return exp(−x) of a number that is not negative, whatever its ball."""
    if distance.rad() < 1:
        return (-distance).exp()
    if distance.is_nan():
        return arb(0).union(arb(1))
    return (-distance.upper()).exp().union((-distance.lower().max(arb(0))).exp())


def _matrix(rows: Sequence[Sequence[arb]]) -> arb_mat:
    return arb_mat([list(row) for row in rows])


def _quadratic(covariance: Sequence[Sequence[arb]], delta: Sequence[arb]) -> arb:
    if len(delta) == 1:
        return delta[0] * delta[0] / covariance[0][0]
    if len(delta) == 2:
        (a, b), (_, d), (x, y) = *covariance, delta
        return (d * x * x - 2 * b * x * y + a * y * y) / determinant(covariance)
    solved = _matrix(covariance).solve(_matrix([[d] for d in delta]))
    return sum((d * solved[a, 0] for a, d in enumerate(delta)), arb(0))


def _sum_of(p: WeightedGaussian, q: WeightedGaussian) -> list[list[arb]]:
    return [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(p.covariance, q.covariance, strict=True)]


def overlap(p: WeightedGaussian, q: WeightedGaussian) -> arb:
    """Return ∫ p q = φ(μp; μq, Σp + Σq), the paper's z."""
    total = _sum_of(p, q)
    delta = _apart(p, q)
    logs = len(delta) * (2 * arb.pi()).log() + determinant(total).log()
    return (-logs / 2).exp() * _decay(_quadratic(total, delta) / 2)


def affinity(p: WeightedGaussian, q: WeightedGaussian) -> arb:
    """Return ∫ √(p q) = (|Σp| |Σq|)^¼ |Σ̄|^-½ exp(−⅛ δᵀΣ̄⁻¹δ), Σ̄ = (Σp + Σq)/2."""
    mean = [[entry / 2 for entry in row] for row in _sum_of(p, q)]
    delta = _apart(p, q)
    logs = (determinant(p.covariance) * determinant(q.covariance)).log() / 4 - determinant(mean).log() / 2
    return logs.exp() * _decay(_quadratic(mean, delta) / 8)


def entropy_within(f: Sequence[WeightedGaussian]) -> arb:
    """Return Σ_i π_i H_i, at most H(f), which is concave."""
    return sum((g.weight * gaussian_entropy(g.covariance) for g in f), arb(0))


def huber_lower(f: Sequence[WeightedGaussian]) -> arb:
    r"""Return the paper's :math:`-\sum_i \pi_i \log \sum_j \pi_j z_{ij} \le H(f)` (Huber et al. 2008): Jensen for each component."""
    return -sum((a.weight * sum((b.weight * overlap(a, b) for b in f), arb(0)).log() for a in f), arb(0))


def huber_upper(f: Sequence[WeightedGaussian]) -> arb:
    r"""Return the paper's :math:`H(f) \le -\sum_i \pi_i \log \pi_i + \sum_i \pi_i H_i` (Huber et al. 2008): H(f) <= H(f, label); infinity where a component is not certain."""
    if not all(g.certain for g in f):
        return arb.pos_inf()
    return entropy_within(f) - sum((g.weight * g.weight.log() for g in f), arb(0))


def moment_upper(f: Sequence[WeightedGaussian]) -> arb:
    """Return the entropy of the Gaussian with the mixture's covariance, the largest of all densities with that covariance."""
    n = len(f[0].mean)
    if len(f) == 1 and f[0].certain:
        return gaussian_entropy(f[0].covariance)
    mean = [sum((g.weight * g.mean[a] for g in f), arb(0)) for a in range(n)]
    total = [
        [
            sum((g.weight * (g.covariance[a][b] + (g.mean[a] - mean[a]) * (g.mean[b] - mean[b])) for g in f), arb(0))
            for b in range(n)
        ]
        for a in range(n)
    ]
    return gaussian_entropy(total)


def kolchinsky_tracey_lower(f: Sequence[WeightedGaussian]) -> arb:
    r"""Return :math:`\sum_i \pi_i H_i - \sum_i \pi_i \log \sum_j \pi_j \int \sqrt{f_i f_j} \le H(f)`.

    With g = Σ_j π_j √f_j: −Σ π_i ∫ f_i log(f / (√f_i g)) >= −log ∫ f Σ_i π_i √f_i / g = 0, so H(f) >= −Σ π_i ∫ f_i log(√f_i g), which is
    Σ π_i H_i − Σ π_i ∫ f_i log(Σ_j π_j √(f_j/f_i)); Jensen again gives the bound.
    """
    return entropy_within(f) - sum(
        (a.weight * sum((b.weight * affinity(a, b) for b in f), arb(0)).log() for a in f), arb(0)
    )


def kolchinsky_tracey_upper(f: Sequence[WeightedGaussian]) -> arb:
    r"""Return :math:`H(f) \le \sum_i \pi_i H_i - \sum_i \pi_i \log \sum_j \pi_j e^{-KL(f_i \| f_j)}`: log-sum-exp is convex."""
    return entropy_within(f) - sum(
        (a.weight * sum((b.weight * _decay(gaussian_divergence(a, b)) for b in f), arb(0)).log() for a in f), arb(0)
    )


def hershey_olsen_upper(f: Sequence[WeightedGaussian], g: Sequence[WeightedGaussian]) -> arb:
    r"""Return the paper's :math:`L_f(g) = \int f \log g \le \sum_a \pi_a \log \sum_b \rho_b z_{ab}`."""
    return sum((a.weight * sum((b.weight * overlap(a, b) for b in g), arb(0)).log() for a in f), arb(0))


def hershey_olsen_lower(f: Sequence[WeightedGaussian], g: Sequence[WeightedGaussian]) -> arb:
    r"""Return the paper's lower bound of :math:`L_f(g) = \int f \log g` with its best :math:`\phi`.

    Putting :math:`\phi_{b,a} \propto \rho_b e^{-KL(a \| b)}` in, and :math:`L_a(b) = -H_a - KL(a \| b)`, it is
    :math:`\sum_a \pi_a (\log \sum_b \rho_b e^{-KL(a \| b)} - H_a)`.
    """
    return sum(
        (a.weight * sum((b.weight * _decay(gaussian_divergence(a, b)) for b in g), arb(0)).log() for a in f), arb(0)
    ) - entropy_within(f)


def hershey_olsen_variational(f: Sequence[WeightedGaussian], g: Sequence[WeightedGaussian]) -> arb:
    r"""Return the paper's variational bound :math:`KL(f \| g) \le \sum_{ab} \phi_{b|a} (\log(\phi_{b|a}/\psi_{a|b}) + KL(a \| b))`.

    Any nonnegative φ, ψ with the marginals π and ρ give a bound. The paper's alternating minimisation runs in balls whose midpoints are
    taken after each step; the last half-step solves for φ, where the bound is −Σ_a π_a log(Σ_b ψ_{a|b} e^-KL / π_a).
    """
    kernel = [[_decay(gaussian_divergence(a, b)) for b in g] for a in f]
    psi = [[a.weight * b.weight for b in g] for a in f]
    for _ in range(ROUNDS):
        phi = []
        for a, row, shares in zip(f, kernel, psi, strict=True):
            products = [s * k for s, k in zip(shares, row, strict=True)]
            total = sum(products, arb(0))
            phi.append([(a.weight * product / total).mid() for product in products])
        columns = [sum((row[j] for row in phi), arb(0)) for j in range(len(g))]
        if not all(column > 0 for column in columns):
            break
        psi = [[g[j].weight * row[j] / columns[j] for j in range(len(g))] for row in phi]
    return -sum(
        (
            a.weight * (sum((s * k for s, k in zip(shares, row, strict=True)), arb(0)) / a.weight).log()
            for a, row, shares in zip(f, kernel, psi, strict=True)
        ),
        arb(0),
    )
