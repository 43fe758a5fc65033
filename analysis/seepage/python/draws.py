"""The table of random calls: which law of the program each of them draws from.

Ends, orders of arguments and starting points are those of CPython, numpy and scipy as they are documented; ``tests/python/test_draws.py``
holds each row to the function itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.python.run import Run
from seepage.python.terms import Known, between, binary, call, ends, literal, number, support_of
from seepage.python.values import ANYTHING, BOOL, FLOAT, INT, Num, Support, Value
from seepage.python.world import World
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call is given, by the names of its parameters, and what is known of the variables in it."""

    numbers: Mapping[str, Num]
    known: Known

    def __contains__(self, name: str) -> bool:
        return name in self.numbers

    def __getitem__(self, name: str) -> Expression:
        """Return what a parameter is given."""
        return self.numbers[name].expression

    def ends_of(self, expression: Expression) -> tuple[exact.Number | None, exact.Number | None]:
        """Return the least and the greatest value of an expression of them, None where that is not known."""
        return ends(support_of(expression, self.known))


@dataclass(frozen=True, slots=True)
class Law:
    """What a call draws: a law of the program, and what is done with the value.

    Attributes:
        text: the law.
        kinds: Python's types of the value.
        support: values of the draw.
        value: the value of the call in place of the draw itself.
        need: what must hold, else ValueError is raised.
        between: the ends of a law that is uniform between them.
    """

    text: str
    kinds: frozenset[str]
    support: Support = ANYTHING
    value: Callable[[Expression], Expression] | None = None
    need: Expression | None = None
    between: tuple[Expression, Expression] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row: parameters as Python writes them, and the law as a function of them; ``sized``: numpy's, with ``size=``."""

    parameters: str
    law: Callable[[Arguments], Law]
    sized: bool = False


def _text(name: str, *arguments: Expression, **named: Expression) -> str:
    parts = [spell(each) for each in arguments] + [f"{key}={spell(each)}" for key, each in named.items()]
    return f"{name}({', '.join(parts)})"


def _integers(low: Expression, high: Expression, arguments: Arguments) -> Law:
    support = between(arguments.ends_of(low)[0], arguments.ends_of(high)[1])
    return Law(_text("uniform_int", low, high), INT, support, need=binary("<=", low, high))


def _minus_one(value: Expression) -> Expression:
    return binary("-", value, literal(1))


def _up_to(arguments: Arguments, low: str, high: str) -> Law:
    """The integers of a half-open range; one argument: from 0 on."""
    if high not in arguments:
        return _integers(literal(0), _minus_one(arguments[low]), arguments)
    return _integers(arguments[low], _minus_one(arguments[high]), arguments)


def _stepped(arguments: Arguments) -> Law:
    if "step" not in arguments:
        return _up_to(arguments, "start", "stop")
    start, stop, step = (arguments[name] for name in ("start", "stop", "step"))
    count = call("ceil", binary("/", binary("-", stop, start), step))
    law = _integers(literal(0), _minus_one(count), arguments)
    need = (
        binary("!=", step, literal(0)) if law.need is None else binary("and", binary("!=", step, literal(0)), law.need)
    )
    return Law(law.text, INT, law.support, lambda drawn: binary("+", start, binary("*", step, drawn)), need)


def _bits(arguments: Arguments) -> Law:
    return _integers(literal(0), _minus_one(binary("^", literal(2), arguments["k"])), arguments)


def _plain(
    name: str, *order: str, kinds: frozenset[str] = FLOAT, support: Support = ANYTHING
) -> Callable[[Arguments], Law]:
    return lambda arguments: Law(_text(name, *(arguments[each] for each in order)), kinds, support)


def _uniform(low: Expression, high: Expression) -> Law:
    return Law(_text("uniform", low, high), FLOAT, between=(low, high))


def _between(one: Expression, other: Expression) -> Law:
    """Python takes the ends in either order."""
    return _uniform(call("min", one, other), call("max", one, other))


def _normal(mean: str, std: str) -> Callable[[Arguments], Law]:
    return lambda one: Law(_text("normal", mean=one[mean], std=one[std]), FLOAT)


def _binomial(arguments: Arguments) -> Law:
    n, p = arguments["n"], arguments["p"]
    return Law(_text("binomial", n, p), INT, between(0, arguments.ends_of(n)[1]))


def _trials(arguments: Arguments) -> Law:
    text = _text("geometric", arguments["p"])
    return Law(text, INT, Support(None, 0, None), lambda drawn: binary("+", drawn, literal(1)))


def _inverse(value: Expression) -> Expression:
    return binary("/", literal(1), value)


def _hypergeometric(arguments: Arguments) -> Law:
    good, bad, count = (arguments[name] for name in ("ngood", "nbad", "nsample"))
    support = between(0, arguments.ends_of(count)[1])
    return Law(_text("hypergeometric", binary("+", good, bad), good, count), INT, support)


def _endpoints(arguments: Arguments) -> Law:
    inclusive = arguments.numbers["endpoint"].known == 1
    low, high = (arguments["low"], arguments["high"]) if "high" in arguments else (literal(0), arguments["low"])
    return _integers(low, high if inclusive else _minus_one(high), arguments)


def _lognormal(mean: str, sigma: str) -> Callable[[Arguments], Law]:
    return lambda one: Law(_text("lognormal", one[mean], binary("^", one[sigma], literal(2))), FLOAT)


def _shifted(
    text: Callable[[Arguments], str], loc: str = "loc", kinds: frozenset[str] = FLOAT
) -> Callable[[Arguments], Law]:
    return lambda one: Law(text(one), kinds, ANYTHING, lambda drawn: binary("+", one[loc], drawn))


_COUNTS = Support(None, 0, None)

_PYTHON: Mapping[str, Row] = {
    "randint": Row("a, b", lambda one: _integers(one["a"], one["b"], one)),
    "randrange": Row("start, stop=None, step=None", _stepped),
    "getrandbits": Row("k", _bits),
    "uniform": Row("a, b", lambda one: _between(one["a"], one["b"])),
    "gauss": Row("mu=0, sigma=1", _normal("mu", "sigma")),
    "normalvariate": Row("mu=0, sigma=1", _normal("mu", "sigma")),
    "expovariate": Row("lambd=1", _plain("exponential", "lambd")),
    "gammavariate": Row("alpha, beta", lambda one: Law(_text("gamma", one["alpha"], _inverse(one["beta"])), FLOAT)),
    "betavariate": Row("alpha, beta", _plain("beta", "alpha", "beta")),
    "lognormvariate": Row("mu=0, sigma=1", _lognormal("mu", "sigma")),
    "binomialvariate": Row("n=1, p=1/2", _binomial),
    "triangular": Row(
        "low=0, high=1, mode=None",
        lambda one: Law(
            _text(
                "triangular",
                one["low"],
                one["mode"] if "mode" in one else binary("/", binary("+", one["low"], one["high"]), literal(2)),
                one["high"],
            ),
            FLOAT,
        ),
    ),
}
_SECRETS: Mapping[str, Row] = {
    "randbelow": Row("exclusive_upper_bound", lambda one: _up_to(one, "exclusive_upper_bound", "none")),
    "randbits": Row("k", _bits),
}
_NUMPY: Mapping[str, Row] = {
    "uniform": Row("low=0, high=1, size=None", lambda one: _uniform(one["low"], one["high"]), sized=True),
    "normal": Row("loc=0, scale=1, size=None", _normal("loc", "scale"), sized=True),
    "standard_normal": Row("size=None", lambda _: Law("normal(0, 1)", FLOAT), sized=True),
    "laplace": Row("loc=0, scale=1, size=None", _plain("laplace", "loc", "scale"), sized=True),
    "exponential": Row(
        "scale=1, size=None",
        lambda one: Law(_text("exponential", _inverse(one["scale"])), FLOAT),
        sized=True,
    ),
    "standard_exponential": Row("size=None", lambda _: Law("exponential(1)", FLOAT), sized=True),
    "gamma": Row(
        "shape, scale=1, size=None",
        lambda one: Law(_text("gamma", one["shape"], _inverse(one["scale"])), FLOAT),
        sized=True,
    ),
    "chisquare": Row(
        "df, size=None",
        lambda one: Law(_text("gamma", binary("/", one["df"], literal(2)), literal(Fraction(1, 2))), FLOAT),
        sized=True,
    ),
    "beta": Row("a, b, size=None", _plain("beta", "a", "b"), sized=True),
    "lognormal": Row("mean=0, sigma=1, size=None", _lognormal("mean", "sigma"), sized=True),
    "standard_t": Row(
        "df, size=None",
        lambda one: Law(_text("student_t", one["df"], literal(0), literal(1)), FLOAT),
        sized=True,
    ),
    "gumbel": Row("loc=0, scale=1, size=None", _plain("gumbel", "loc", "scale"), sized=True),
    "logistic": Row("loc=0, scale=1, size=None", _plain("logistic", "loc", "scale"), sized=True),
    "standard_cauchy": Row("size=None", lambda _: Law("cauchy(0, 1)", FLOAT), sized=True),
    "weibull": Row("a, size=None", lambda one: Law(_text("weibull", one["a"], literal(1)), FLOAT), sized=True),
    "triangular": Row("left, mode, right, size=None", _plain("triangular", "left", "mode", "right"), sized=True),
    "binomial": Row("n, p, size=None", _binomial, sized=True),
    "geometric": Row("p, size=None", _trials, sized=True),
    "poisson": Row("lam=1, size=None", _plain("poisson", "lam", kinds=INT, support=_COUNTS), sized=True),
    "hypergeometric": Row("ngood, nbad, nsample, size=None", _hypergeometric, sized=True),
}
_LEGACY: Mapping[str, Row] = {
    **_NUMPY,
    "randint": Row("low, high=None, size=None, dtype=None", lambda one: _up_to(one, "low", "high"), sized=True),
    "random_integers": Row(
        "low, high=None, size=None",
        lambda one: _integers(
            one["low"] if "high" in one else literal(1),
            one["high" if "high" in one else "low"],
            one,
        ),
        sized=True,
    ),
}
_NEW: Mapping[str, Row] = {
    **_NUMPY,
    "integers": Row("low, high=None, size=None, dtype=None, endpoint=0", _endpoints, sized=True),
}
_SCIPY: Mapping[str, Row] = {
    "norm.rvs": Row("loc=0, scale=1, size=None, random_state=None", _normal("loc", "scale"), sized=True),
    "laplace.rvs": Row("loc=0, scale=1, size=None, random_state=None", _plain("laplace", "loc", "scale"), sized=True),
    "uniform.rvs": Row(
        "loc=0, scale=1, size=None, random_state=None",
        lambda one: _uniform(one["loc"], binary("+", one["loc"], one["scale"])),
        sized=True,
    ),
    "bernoulli.rvs": Row(
        "p, loc=0, size=None, random_state=None",
        _shifted(lambda one: _text("flip", one["p"]), kinds=INT),
        sized=True,
    ),
    "binom.rvs": Row(
        "n, p, loc=0, size=None, random_state=None",
        _shifted(lambda one: _text("binomial", one["n"], one["p"]), kinds=INT),
        sized=True,
    ),
    "geom.rvs": Row(
        "p, loc=0, size=None, random_state=None",
        lambda one: Law(
            _text("geometric", one["p"]),
            INT,
            ANYTHING,
            lambda drawn: binary("+", binary("+", drawn, literal(1)), one["loc"]),
        ),
        sized=True,
    ),
    "poisson.rvs": Row(
        "mu, loc=0, size=None, random_state=None",
        _shifted(lambda one: _text("poisson", one["mu"]), kinds=INT),
        sized=True,
    ),
    "dlaplace.rvs": Row(
        "a, loc=0, size=None, random_state=None",
        _shifted(lambda one: _text("discrete_laplace", _inverse(one["a"])), kinds=INT),
        sized=True,
    ),
    "randint.rvs": Row(
        "low, high, loc=0, size=None, random_state=None",
        lambda one: Law(
            (law := _integers(one["low"], _minus_one(one["high"]), one)).text,
            INT,
            ANYTHING,
            lambda drawn: binary("+", drawn, one["loc"]),
            law.need,
        ),
        sized=True,
    ),
    "expon.rvs": Row(
        "loc=0, scale=1, size=None, random_state=None",
        _shifted(lambda one: _text("exponential", _inverse(one["scale"]))),
        sized=True,
    ),
}

ROWS: Mapping[str, Row] = {
    **{
        f"{owner}.{name}": row
        for owner in ("random", "random.Random", "random.SystemRandom")
        for name, row in _PYTHON.items()
    },
    **{f"secrets.{name}": row for name, row in _SECRETS.items()},
    **{f"numpy.random.{name}": row for name, row in _LEGACY.items()},
    **{f"numpy.random.RandomState.{name}": row for name, row in _LEGACY.items()},
    **{f"numpy.random.Generator.{name}": row for name, row in _NEW.items()},
    **{f"scipy.stats.{name}": row for name, row in _SCIPY.items()},
}
"""All calls that draw one number from a law, by their full paths."""

UNIFORMS: Mapping[str, str] = {
    **{f"{owner}.random": "" for owner in ("random", "random.Random", "random.SystemRandom")},
    "numpy.random.random": "size=None",
    "numpy.random.random_sample": "size=None",
    "numpy.random.RandomState.random_sample": "size=None",
    "numpy.random.Generator.random": "size=None",
}
"""Calls that draw from [0, 1), with their parameters."""


def one_draw(run: Run, node: ast.AST, row: Row, values: Mapping[str, Value], world: World) -> list[World]:
    """Draw one number and put it on top."""
    numbers: dict[str, Num] = {}
    for name, value in values.items():
        plain = run.as_number(world, value)
        if not isinstance(plain, Num) or not plain.is_number:
            world.temps.append(run.refuse(node, f"the argument '{name}' of this draw must be a number"))
            return [world]
        numbers[name] = run.refreshed(world, plain)
    law = row.law(Arguments(numbers, world.known))
    if law.need is not None:
        inside = run.need(world, number(law.need, BOOL, world.known), "ValueError")
        if inside is None:
            return []
        world = inside
    span = [] if law.between is None else [number(each, FLOAT, world.known).known for each in law.between]
    match span:
        case [int() | Fraction() as low, int() | Fraction() as high] if low != high:
            world.temps.append(run.uniform(world, Fraction(low), Fraction(high)))
            return [world]
        case _:
            pass
    if law.text.startswith("uniform_int(") and any(each.kinds & FLOAT for each in numbers.values()):
        world.temps.append(run.refuse(node, "the ends of this draw must be integers; a float is an error in Python"))
        return [world]
    drawn = run.draw(world, "draw", law.text, law.kinds, law.support)
    if law.value is not None:
        drawn = number(law.value(drawn.expression), law.kinds, world.known)
        settled = run.settle(world, drawn, "draw")
        assert isinstance(settled, Num)
        drawn = settled
    world.temps.append(drawn)
    return [world]


def table(run: Run, world: World, hint: str, weights: Sequence[Num], *, are_chances: bool = False) -> Num | None:
    """Draw a place among weights, which are divided by their sum.

    Chances are not where their sum is known in the run only: the program then says itself that it is not 1.
    """
    exact_values = [weight.known for weight in weights]
    total: Expression = weights[0].expression
    for weight in weights[1:]:
        total = binary("+", total, weight.expression)
    if all(isinstance(each, int | Fraction) for each in exact_values):
        numbers = [Fraction(each) for each in exact_values if isinstance(each, int | Fraction)]
        if any(each < 0 for each in numbers) or not sum(numbers):
            return None
        entries = [f"{place}: {each / sum(numbers)}" for place, each in enumerate(numbers)]
    else:
        shares = [each.expression if are_chances else binary("/", each.expression, total) for each in weights]
        entries = [f"{place}: {spell(share)}" for place, share in enumerate(shares)]
    return run.draw(world, hint, f"{{{', '.join(entries)}}}", INT, Support(frozenset(range(len(weights)))))
