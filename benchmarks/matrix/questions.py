"""The questions: laws, shapes and measures, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS

_MEMBERS: Mapping[str, str] = {
    "bernoulli": "bernoulli(1/3)",
    "uniform_int": "uniform_int(0, 4)",
    "categorical": "categorical(1/2, 1/3, 1/6)",
    "uniform_of": "uniform_of(0, 1, 3)",
    "binomial": "binomial(5, 1/3)",
    "hypergeometric": "hypergeometric(10, 4, 3)",
    "geometric": "geometric(1/3)",
    "poisson": "poisson(2)",
    "discrete_laplace": "discrete_laplace(2)",
    "discrete_gaussian": "discrete_gaussian(4)",
    "normal": "normal(0, 1)",
    "mixture": "mixture(1/3: normal(0, 1), 2/3: normal(2, 4))",
    "uniform": "uniform(-1, 2)",
    "exponential": "exponential(1)",
    "laplace": "laplace(0, 2)",
    "beta": "beta(2, 3)",
    "gamma": "gamma(2, 1)",
    "lognormal": "lognormal(0, 1/4)",
    "student_t": "student_t(5, 0, 1)",
    "triangular": "triangular(-1, 0, 2)",
    "gumbel": "gumbel(0, 1)",
    "logistic": "logistic(0, 1)",
    "cauchy": "cauchy(0, 1)",
    "weibull": "weibull(2, 1)",
    "pareto": "pareto(3, 1)",
}
LAWS: Mapping[str, str] = {
    **_MEMBERS,
    **{
        name: law.word.example.partition("\n")[0].removeprefix("x ~ ")
        for name, law in (*DISCRETE_LAWS.items(), *NAMED_LAWS.items())
        if name not in _MEMBERS and name != "flip"  # another word for bernoulli
    },
}
"""One member of each law of the language, without a parameter that is an exotic corner; of others that of their word."""

JOINT_LAWS: Mapping[str, str] = {
    "normal of an array": "d ~ normal([0, 0], [[2, 1], [1, 2]])\nn := d[0]\nm := d[1]",
    "dirichlet": "d ~ dirichlet(1, 2, 3)\nn := d[0]\nm := d[1]",
    "planar_laplace": "n, m ~ planar_laplace(0, 0, 1)",
}
"""Laws of several continuous values at once, which give ``n`` and ``m``."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of program: ``program`` has ``LAW`` where the law stands.

    Attributes:
        name: in the data.
        title: of its table on the page.
        program: the text.
        measures: what is asked, by the heading of its column; one that begins with ``require`` is a budget.
        laws: what stands for ``LAW``, by the heading of its row.
    """

    name: str
    title: str
    program: str
    measures: Mapping[str, str]
    laws: Mapping[str, str] = field(default_factory=lambda: LAWS)


_LEAKS = {
    "H(o)": "H({o})",
    "H(s|o)": "H({s} | {o})",
    "I": "I({s}; {o})",
    "V": "V({s} | {o})",
    "Guess": "Guess({s} | {o})",
    "Hmin": "Hmin({s} | {o})",
    "Lmin": "Lmin({s} -> {o})",
    "G": "G({s} -> {o}, distance)",
    "C": "C({s} -> {o})",
    "Cmin": "Cmin({s} -> {o})",
    "DP": "DP({s} -> {o})",
    "DP, δ": "DP({s} -> {o}, delta=1/10)",
    "Δ": "Delta({s} -> {o}, eps=1/2)",
    "Rényi": "Renyi({s} -> {o}, alpha=2)",
    "zCDP": "zCDP({s} -> {o})",
}
_OF_OUTPUT = {"P": "P(o > 1)", "E": "E(o)", "Var": "Var(o)"}
_OF_DRAW = {
    "H(n)": "H(n)", "V": "V(n)", "Hmin": "Hmin(n)", "Guess": "Guess(n)", "P": "P(n > 1)", "E": "E(n)", "Var": "Var(n)",
    "KL": "KL(n | n > 0 || n)",
}  # fmt: skip


def _leaks(secret: str = "s", outputs: str = "o") -> dict[str, str]:
    return {name: text.format(s=secret, o=outputs) for name, text in _LEAKS.items()}


_ALL = _leaks() | {"KL": "KL(o | s == 1 || o | s == 0)"} | _OF_OUTPUT


SHAPES: tuple[Shape, ...] = (
    Shape("alone", "A draw by itself: `n ~ LAW`", "n ~ LAW\n", _OF_DRAW),
    Shape(
        "noise",
        "Noise on a discrete secret: `s ~ uniform_int(0, 3); o := s + n`",
        "secret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ LAW\no := s + n\n",
        _ALL,
    ),
    Shape(
        "continuous",
        "Noise on a continuous secret: `x ~ normal(0, 1); o := x + n`",
        "secret x\noutput o\nx ~ normal(0, 1)\nn ~ LAW\no := x + n\n",
        _leaks("x") | {"KL": "KL(o | x > 0 || o)"} | _OF_OUTPUT,
    ),
    Shape(
        "secret",
        "The secret itself, behind Laplace noise: `s ~ LAW; o := s + n`",
        "secret s\noutput o\ns ~ LAW\nn ~ laplace(0, 1)\no := s + n\n",
        _leaks() | _OF_OUTPUT,
    ),
    Shape(
        "mixed",
        "Discrete for some runs: `if t { o := s + n } else { o := 9 }`",
        "secret s\noutput o\ns ~ uniform_int(0, 3)\nt ~ bernoulli(1/2)\nn ~ LAW\nif t { o := s + n } else { o := 9 }\n",
        _ALL,
    ),
    Shape(
        "conditioned",
        "Given an event of the output: `observe o > 0`",
        "secret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ LAW\no := s + n\nobserve o > 0\n",
        _ALL,
    ),
    Shape(
        "processed",
        "Post-processed: `o := max(s + n, 1/2)`",
        "secret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ LAW\no := max(s + n, 1/2)\n",
        _ALL,
    ),
    Shape(
        "outputs",
        "Several outputs: `o := s + n; p := s + m`",
        "secret s\noutput o, p\ns ~ uniform_int(0, 3)\nn ~ LAW\nm ~ LAW\no := s + n\np := s + m\n",
        _leaks("s", "o, p") | {"KL": "KL(o, p | s == 1 || o, p | s == 0)"},
    ),
    Shape(
        "joint",
        "Several continuous values at once: `o := s + n; p := s + m`",
        "secret s\noutput o, p\ns ~ uniform_int(0, 3)\nLAW\no := s + n\np := s + m\n",
        _leaks("s", "o, p") | {"KL": "KL(o, p | s == 1 || o, p | s == 0)"} | _OF_OUTPUT,
        JOINT_LAWS,
    ),
    Shape(
        "ranges",
        "Over a range: `require … over w in [1, 2]` of `o := w*s + n`",
        "param w in [1, 2] = 1\nsecret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ LAW\no := w*s + n\n",
        {
            "I": "require I(s; o) <= 2 bits over w in [1, 2]",
            "V": "require V(s | o) <= 1 over w in [1, 2]",
            "Guess": "require Guess(s | o) >= 1 over w in [1, 2]",
            "Lmin": "require Lmin(s -> o) <= 2 bits over w in [1, 2]",
            "Cmin": "require Cmin(s -> o) <= 2 bits over w in [1, 2]",
            "P": "require P(o > 100) <= 1/2 over w in [1, 2]",
            "E": "require E(o) <= 100 over w in [1, 2]",
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One question: ``key`` names it in the data."""

    key: str
    program: str
    measure: str


def cells() -> Iterator[Cell]:
    """Yield every question, in the order of the page."""
    for shape in SHAPES:
        for law, draw in shape.laws.items():
            for column, measure in shape.measures.items():
                yield Cell(f"{shape.name}/{law}/{column}", shape.program.replace("LAW", draw), measure)
