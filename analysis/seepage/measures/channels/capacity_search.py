r"""A prior that comes close to the capacity of a channel: found in floats, polished in balls; nothing here is a bound.

Blahut and Arimoto's iteration :math:`p_x \leftarrow p_x \exp D(W_x \| q) / Z` (Blahut 1972, "Computation of channel capacity and rate-distortion functions";
Arimoto 1972) starts it; it converges slowly where an input only just belongs to the support. Newton's method on the optimality
conditions, :math:`D(W_x \| q) = \lambda` on the support, ends it: with :math:`K_{xx'} = \sum_y W(y|x) W(y|x') / q_y`,

.. math:: K\,\Delta p + 1 \Delta\lambda = D - \lambda, \qquad \sum \Delta p = 1 - \sum p .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from flint import arb, arb_mat

from seepage.engines.outcome import Budget
from seepage.exact import dyadic
from seepage.measures.channels.channel import Channel
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values

Floats = npt.NDArray[np.float64]

MOST_ENTRIES = 4_000_000  # inputs times outputs

_ROUNDS = (30, 100, 400, 1_600)  # of the iteration, each followed by Newton's method
_NEWTON = 200
_GOOD = 1e-13  # a gap in floats that more rounds would not make smaller
_SINGULAR = 1e-11  # relative size of a singular value that counts as 0
_INCONSISTENT = 1e-6
_LARGEST_POLISHED = 48  # inputs of the support
_SUPPORT = 1e-9
_FAINT = 1e-4  # of the largest share
_LARGEST_START = 64
_EQUAL, _NEARLY_EQUAL = 1e-14, 1e-8  # divergences on the support


def best_prior(channel: Channel[arb], inputs: Sequence[Values], budget: Budget) -> dict[Values, Fraction]:
    """Return a prior over some inputs, whose rows differ, under which the information is close to the capacity.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    outputs = {to: place for place, to in enumerate(dict.fromkeys(to for one in inputs for to in channel.rows[one]))}
    rows = np.zeros((len(inputs), len(outputs)))
    for place, one in enumerate(inputs):
        for to, probability in channel.rows[one].items():
            rows[place, outputs[to]] = float(probability.mid())
    shares = _polished(channel, inputs, searched(rows, budget))
    whole = sum(shares)
    return {one: share / whole for one, share in zip(inputs, shares, strict=True) if share}


def searched(rows: Floats, budget: Budget) -> Floats:
    """Return a prior that comes close to the capacity of a channel of floats, as far as floats find it.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    negentropy = np.sum(rows * np.log(np.where(rows > 0, rows, 1)), axis=1)
    prior = np.full(len(rows), 1 / len(rows))
    best, least = prior, np.inf
    for rounds in _ROUNDS:
        for _ in range(rounds):
            if budget.expired():
                raise OutOfTime
            prior = prior * np.exp(_divergences(rows, negentropy, prior))
            prior /= prior.sum()
        for candidate in (prior, _newton(rows, negentropy, prior, budget)):
            divergence = _divergences(rows, negentropy, candidate)
            gap = float(divergence.max() - candidate @ divergence)
            if gap < least:
                best, least = candidate, gap
        if least < _GOOD:
            break
    return best


def _divergences(rows: Floats, negentropy: Floats, prior: Floats) -> Floats:
    """Return D(W_x ‖ q) for each row, for the output distribution q of a prior."""
    outputs = prior @ rows
    logarithms = np.log(np.maximum(outputs, 1e-300))
    result: Floats = negentropy - rows @ logarithms
    return result


def _newton(rows: Floats, negentropy: Floats, start: Floats, budget: Budget) -> Floats:
    """Solve the optimality conditions on a support that loses inputs of negative and gains those of too large a share."""
    prior = start.copy()
    # Some best prior has no more inputs than there are outputs; those left out here come back one by one.
    most = min(len(rows), rows.shape[1], _LARGEST_START)
    support = np.zeros(len(rows), dtype=bool)
    support[np.argsort(prior)[-most:]] = True
    support &= prior > max(_SUPPORT, _FAINT * float(prior.max()))
    prior[~support] = 0
    prior /= prior.sum()
    for _ in range(_NEWTON):
        divergence = _divergences(rows, negentropy, prior)
        level = float(prior @ divergence)
        if budget.expired():
            raise OutOfTime
        unequal = float(np.max(np.abs(divergence[support] - level)))
        if unequal < _NEARLY_EQUAL:
            missing = ~support & (divergence > level + _EQUAL)
            if missing.any():
                support[int(np.argmax(np.where(missing, divergence, -np.inf)))] = True
            elif unequal < _EQUAL:
                break
        chosen = np.flatnonzero(support)
        part = rows[chosen]
        outputs = np.maximum(prior @ rows, 1e-300)
        size = len(chosen)
        system = np.ones((size + 1, size + 1))
        system[:size, :size] = (part / outputs) @ part.T
        system[size, size] = 0
        right = np.append(divergence[chosen] - level, 1 - prior.sum())
        solution = np.linalg.lstsq(system, right, rcond=_SINGULAR)[0]
        change = solution[:size]
        left = (right - system @ solution)[:size]
        if np.linalg.norm(left) > _INCONSISTENT * np.linalg.norm(right):
            # Rows depend on each other: what is left over is a change that keeps the output distribution and gains for ever.
            change = left / np.max(np.abs(left))
        step = prior[chosen] + change
        if (step < 0).any():
            # Go as far as the first share that vanishes, and leave that input out.
            ratios = np.where(change < 0, prior[chosen] / np.maximum(-change, 1e-300), np.inf)
            length = min(1.0, float(ratios.min()))
            prior[chosen] = np.maximum(prior[chosen] + length * change, 0)
            gone = chosen[int(np.argmin(ratios))]
            prior[gone], support[gone] = 0, False
        else:
            prior[chosen] = step
        prior /= prior.sum()
    return prior


def _polished(channel: Channel[arb], inputs: Sequence[Values], prior: Floats) -> list[Fraction]:
    """Return the shares as fractions, after two of Newton's steps at the working precision where the support is small."""
    rough = [Fraction(float(share)) if share > _SUPPORT else Fraction(0) for share in prior]
    support = [place for place, share in enumerate(rough) if share]
    if not 1 < len(support) <= _LARGEST_POLISHED:
        return rough
    shares = [arb(rough[place].numerator) / rough[place].denominator for place in support]
    rows = [channel.rows[inputs[place]] for place in support]
    for _ in range(4):
        better = _step(rows, shares)
        if better is None:
            return rough
        shares = better
    polished = dict(zip(support, (dyadic(share) for share in shares), strict=True))
    return [polished.get(place, Fraction(0)) for place in range(len(rough))]


def _step(rows: Sequence[Mapping[Values, arb]], shares: Sequence[arb]) -> list[arb] | None:
    """Return better shares, None where the system is singular or a share would vanish."""
    size = len(rows)
    outputs: dict[Values, arb] = {}
    for row, share in zip(rows, shares, strict=True):
        for to, probability in row.items():
            outputs[to] = (outputs.get(to, arb(0)) + share * probability).mid()
    divergences = [sum((p * (p / outputs[to]).log() for to, p in row.items()), arb(0)) for row in rows]
    level = sum((share * d for share, d in zip(shares, divergences, strict=True)), arb(0))
    system = [[_product(one, other, outputs) for other in rows] + [arb(1)] for one in rows]
    right = [[(divergence - level).mid()] for divergence in divergences]
    system.append([arb(1)] * size + [arb(0)])
    right.append([(1 - sum(shares, arb(0))).mid()])
    try:
        change = arb_mat(system).solve(arb_mat(right))
    except ZeroDivisionError:
        return None
    better = [(share + change[place, 0]).mid() for place, share in enumerate(shares)]
    return better if all(share > 0 for share in better) else None


def _product(one: Mapping[Values, arb], other: Mapping[Values, arb], outputs: Mapping[Values, arb]) -> arb:
    return sum((p * other[to] / outputs[to] for to, p in one.items() if to in other), arb(0)).mid()
