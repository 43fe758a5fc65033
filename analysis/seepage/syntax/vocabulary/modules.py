"""Functions and distributions of modules of other languages, as they are written here.

Parameters differ, and with them what a number means: numpy's ``normal`` takes a standard deviation, its ``exponential`` a scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seepage.syntax.vocabulary.functions import FUNCTIONS

MODULES = frozenset(
    {"math", "Math", "np", "numpy", "random", "scipy", "stats", "torch", "dist", "pyro", "numpyro", "jnp", "rng", "pm"}
)
"""The first names of modules that are known from elsewhere."""

# By module and name, and by the number of arguments: '{0}' is the first one.
_RANDOM: Mapping[tuple[str, int], str] = {
    ("random", 0): "uniform(0, 1)",
    ("rand", 0): "uniform(0, 1)",
    ("uniform", 0): "uniform(0, 1)",
    ("uniform", 2): "uniform({0}, {1})",
    ("gauss", 2): "normal({0}, std={1})",
    ("normal", 0): "normal(0, 1)",
    ("normal", 2): "normal({0}, std={1})",
    ("normalvariate", 2): "normal({0}, std={1})",
    ("laplace", 2): "laplace({0}, {1})",
    ("binomial", 2): "binomial({0}, {1})",
    ("poisson", 1): "poisson({0})",
    ("expovariate", 1): "exponential({0})",
    ("exponential", 1): "exponential(1 / ({0}))",
    ("randrange", 1): "uniform_int(0, {0} - 1)",
    ("integers", 2): "uniform_int({0}, {1} - 1)",
    ("Normal", 2): "normal({0}, std={1})",
    ("Laplace", 2): "laplace({0}, {1})",
    ("Bernoulli", 1): "bernoulli({0})",
    ("Uniform", 2): "uniform({0}, {1})",
    ("Poisson", 1): "poisson({0})",
}
# The last value counts in Python's own module, and does not in numpy's.
_RANDINT: Mapping[str, str] = {
    "random.randint": "uniform_int({0}, {1})",
    "np.random.randint": "uniform_int({0}, {1} - 1)",
    "numpy.random.randint": "uniform_int({0}, {1} - 1)",
}
_OTHERS: Mapping[tuple[str, int], str] = {
    ("pow", 2): "(({0})^({1}))",
    ("fabs", 1): "abs({0})",
    ("log2", 1): "(log({0}) / log(2))",
    ("where", 3): "(if {0} then {1} else {2})",
    ("switch", 3): "(if {0} then {1} else {2})",
    ("clip", 3): "min(max({0}, {1}), {2})",
    ("minimum", 2): "min({0}, {1})",
    ("maximum", 2): "max({0}, {1})",
}
_DRAWING = frozenset({"random", "stats", "dist", "pyro", "rng"})


def qualified(name: str, arguments: Sequence[str]) -> str | None:
    """Return how the call ``a.b.c(arguments)`` of another language is written here; None if it is not known."""
    *modules, last = name.split(".")
    count = len(arguments)
    if name in _RANDINT and count == 2:
        return _RANDINT[name].format(*arguments)
    draws = any(module in _DRAWING for module in modules) or (name == "Math.random")
    form = _RANDOM.get((last, count)) if draws else _OTHERS.get((last, count))
    if form is not None:
        return form.format(*arguments)
    if not draws and last in FUNCTIONS:
        return f"{last}({', '.join(arguments)})"
    return None
