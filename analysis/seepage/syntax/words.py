"""Names with a meaning at certain places; none of them is reserved."""

from __future__ import annotations

FUNCTIONS = frozenset(
    [
        "min",
        "max",
        "abs",
        "floor",
        "ceil",
        "exp",
        "log",
        "sqrt",
        "bit_xor",
        "bit_and",
        "bit_or",
        "shift_left",
        "shift_right",
    ]
)
DISTRIBUTIONS = frozenset(
    [
        "bernoulli",
        "flip",
        "uniform_int",
        "categorical",
        "uniform_of",
        "binomial",
        "hypergeometric",
        "geometric",
        "poisson",
        "discrete_laplace",
        "discrete_gaussian",
        "normal",
        "mixture",
        "uniform",
        "exponential",
        "laplace",
        "beta",
        "gamma",
        "lognormal",
        "student_t",
        "triangular",
    ]
)
MEASURES = frozenset(["H", "I", "KL", "P", "E", "Var", "Hmin", "V", "Guess", "Lmin", "C", "Cmin", "DP", "Delta", "G"])
