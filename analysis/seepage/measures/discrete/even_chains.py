r"""The number of guesses at a long tuple whose law is a chain, where all values that are possible have the same chance: two words after their sum is seen.

Where y leaves :math:`n_y` values, they take :math:`(n_y + 1)/2` guesses (Massey 1994, "Guessing and entropy"); with n values in all,

.. math:: \tfrac12 \Bigl(1 + \sum_y n_y^2 / n\Bigr), \qquad n_y = n w_y / w,

for the weights :math:`w_y` of y and w of all. That all weights x of the n values are equal is told by :math:`n \sum x^2 = (\sum x)^2` (Cauchy and Schwarz). A sum of squares of weights is
that of two copies of the chain whose seen variables are equal: :math:`a Q a^\top` becomes :math:`\sum_v A_v^\top Q A_v` for what is seen, and :math:`A^\top Q A` with :math:`A = \sum_v A_v` for what is not.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from flint import fmpz_mat

from seepage.engines.factors.chains import Chain
from seepage.engines.factors.graph import Beyond, Variable
from seepage.engines.factors.supports import Support, supports
from seepage.engines.outcome import Budget
from seepage.measures.clock import timed


def guesses_at_even(chain: Chain, seen: Collection[Variable], budget: Budget) -> Fraction:
    """Return how many guesses find all variables of a chain that are not seen, on average.

    Args:
        chain: of what is guessed and seen.
        seen: some of its variables.
        budget: the time.

    Raises:
        Beyond: if values that are possible have different chances.
        OutOfTime: past the deadline of the budget.
    """
    count, whole = _possible(chain), _squares(chain, (), budget)  # of no variable: the weight of all, squared
    if count * _squares(chain, [step.variable for step in chain.steps], budget) != whole:
        raise Beyond("values of different chances")
    return (1 + Fraction(count * _squares(chain, seen, budget), whole)) / 2


def _possible(chain: Chain) -> int:
    """Return how many values have weight, or how many there are."""
    sorts = supports(chain)
    counts: dict[Support, int] = dict.fromkeys(sorts[0], 1)
    for after in sorts[1:]:
        counts = {support: sum(counts[each.support] for each in origins) for support, origins in after.items()}
    end = frozenset(at for at, weight in enumerate(chain.end) if weight)
    return sum(count for support, count in counts.items() if support & end)


def _squares(chain: Chain, seen: Collection[Variable], budget: Budget) -> int:
    """Return the sum of the squares of the weights of all values of what is seen."""
    start = fmpz_mat([list(chain.start)])
    both = start.transpose() * start
    for step in timed(chain.steps, budget):
        matrices = [fmpz_mat([list(row) for row in matrix]) for matrix in step.matrices]
        if step.variable not in seen:
            matrices = [sum(matrices[1:], matrices[0])]
        terms = [matrix.transpose() * both * matrix for matrix in matrices]
        both = sum(terms[1:], terms[0])
    end = fmpz_mat([[weight] for weight in chain.end])
    return int((end.transpose() * both * end)[0, 0])
