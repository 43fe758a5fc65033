"""Functions and distributions of other languages that are written in other words here, and those that are none of the language at all.

What stands for them is offered: that a name means here what it means elsewhere is likely and not sure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seepage.diagnostics import Edit, Fix
from seepage.semantics.evaluate import spelled
from seepage.source import Span
from seepage.syntax.fixes import shortened
from seepage.syntax.tree import Argument, Expression

# By name and number of arguments (None: any number), what is written here: '{0}' is the first argument, '{all}' are all of them.
_FUNCTIONS: Mapping[tuple[str, int | None], tuple[str, ...]] = {
    ("ln", 1): ("log({0})",),
    ("log2", 1): ("(log({0}) / log(2))",),
    ("log10", 1): ("(log({0}) / log(10))",),
    ("log1p", 1): ("log(1 + ({0}))",),
    ("expm1", 1): ("(exp({0}) - 1)",),
    ("exp2", 1): ("(2^({0}))",),
    ("pow", 2): ("(({0})^({1}))",),
    ("power", 2): ("(({0})^({1}))",),
    ("square", 1): ("(({0})^2)",),
    ("sqr", 1): ("(({0})^2)",),
    ("fabs", 1): ("abs({0})",),
    ("ceiling", 1): ("ceil({0})",),
    ("mod", 2): ("(({0}) % ({1}))",),
    ("round", 1): (
        "floor({0} + 1/2)",
        "(if ({0}) - floor({0}) == 1/2 then 2 * floor(({0}) / 2 + 1/4) else floor({0} + 1/2))",
    ),
    ("round", 2): ("(floor(({0}) * 10^({1}) + 1/2) / 10^({1}))",),
    ("len", 1): ("length({0})",),
    ("sorted", 1): ("sort({0})",),
    ("numeric", 1): ("[0 for _ in 1..{0}]",),
    ("zeros", 1): ("[0 for _ in 1..{0}]",),
    ("ones", 1): ("[1 for _ in 1..{0}]",),
    ("array", 1): ("[0 for _ in 1..{0}]",),
    ("array", 2): ("[{1} for _ in 1..{0}]",),
    ("rep", 2): ("[{0} for _ in 1..{1}]",),
    ("c", None): ("[{all}]",),
    ("list", None): ("[{all}]",),
    ("vector", None): ("[{all}]",),
    ("size", 1): ("length({0})",),
    ("clamp", 3): ("min(max({0}, {1}), {2})",),
    ("clip", 3): ("min(max({0}, {1}), {2})",),
    ("sign", 1): ("(if ({0}) > 0 then 1 else if ({0}) < 0 then -1 else 0)",),
    ("sigmoid", 1): ("(1 / (1 + exp(-({0}))))",),
    ("minimum", 2): ("min({0}, {1})",),
    ("maximum", 2): ("max({0}, {1})",),
    ("int", 2): ("{1}",),
    ("input", 0): (),
    ("int", 1): ("floor({0})", "(if ({0}) < 0 then ceil({0}) else floor({0}))"),
    ("trunc", 1): ("floor({0})", "(if ({0}) < 0 then ceil({0}) else floor({0}))"),
    ("float", 1): ("({0})",),
    ("bool", 1): ("(({0}) != 0)",),
    ("ifelse", 3): ("(if {0} then {1} else {2})",),
    ("if", 3): ("(if {0} then {1} else {2})",),
    ("and", 2): ("({0} and {1})",),
    ("or", 2): ("({0} or {1})",),
    ("not", 1): ("(not ({0}))",),
    ("randbetween", 2): ("uniform_int({0}, {1})",),
    ("random", 0): ("uniform(0, 1)",),
    ("rand", 0): ("uniform(0, 1)",),
    ("bit_not", 1): (),
    ("bit_nor", 2): (),
    ("bit_nand", 2): (),
    ("bit_xnor", 2): (),
    ("sin", 1): (),
    ("cos", 1): (),
    ("tan", 1): (),
}
_NORMAL = ("normal({0}, {1})", "normal({0}, std={1})")
_DISTRIBUTIONS: Mapping[tuple[str, int | None], tuple[str, ...]] = {
    ("N", 2): _NORMAL,
    ("Normal", 2): _NORMAL,
    ("Gaussian", 2): _NORMAL,
    ("rnorm", 1): ("normal(0, 1)",),
    ("rnorm", 3): ("normal({1}, std={2})",),
    ("runif", 1): ("uniform(0, 1)",),
    ("runif", 3): ("uniform({1}, {2})",),
    ("rbinom", 3): ("binomial({1}, {2})",),
    ("rpois", 2): ("poisson({1})",),
    ("rexp", 2): ("exponential({1})",),
    ("rgeom", 2): ("geometric({1})",),
    ("Bern", 1): ("bernoulli({0})",),
    ("Ber", 1): ("bernoulli({0})",),
    ("U", 2): ("uniform({0}, {1})",),
    ("Unif", 2): ("uniform({0}, {1})",),
    ("unif", 2): ("uniform({0}, {1})",),
    ("Lap", 2): ("laplace({0}, {1})",),
    ("Lap", 1): ("laplace(0, {0})",),
    ("lap", 1): ("laplace(0, {0})",),
    ("Pois", 1): ("poisson({0})",),
    ("Geom", 1): ("geometric({0})",),
    ("Exp", 1): ("exponential({0})",),
    ("Bin", 2): ("binomial({0}, {1})",),
    ("randomInteger", 1): ("uniform_int(0, {0} - 1)",),
    ("random_integer", 1): ("uniform_int(0, {0} - 1)",),
    ("uniformInt", 2): ("uniform_int({0}, {1})",),
    ("discrete_uniform", 2): ("uniform_int({0}, {1})",),
    ("uniform_discrete", 2): ("uniform_int({0}, {1})",),
    ("randint", 2): ("uniform_int({0}, {1})", "uniform_int({0}, {1} - 1)"),
    ("gaussian", 2): _NORMAL,
    ("gauss", 2): _NORMAL,
    ("norm", 2): _NORMAL,
    ("discrete_normal", 1): ("discrete_gaussian({0})",),
    ("discrete_normal", 2): ("discrete_gaussian({1}, centre={0})",),
    ("norm.inv", 3): ("normal({1}, std={2})",),
    ("coin", 1): ("flip({0})",),
    ("normal_rng", 2): ("normal({0}, std={1})",),
    ("std_normal", 0): ("normal(0, 1)",),
    ("std_normal_rng", 0): ("normal(0, 1)",),
    ("uniform_rng", 2): ("uniform({0}, {1})",),
    ("bernoulli_rng", 1): ("bernoulli({0})",),
    ("binomial_rng", 2): ("binomial({0}, {1})",),
    ("poisson_rng", 1): ("poisson({0})",),
    ("exponential_rng", 1): ("exponential({0})",),
    ("double_exponential", 2): ("laplace({0}, {1})",),
    ("double_exponential_rng", 2): ("laplace({0}, {1})",),
    ("bernoulli_logit", 1): ("bernoulli(1 / (1 + exp(-({0}))))",),
    ("bernoulli_logit_rng", 1): ("bernoulli(1 / (1 + exp(-({0}))))",),
    ("discrete_range", 2): ("uniform_int({0}, {1})",),
    ("discrete_range_rng", 2): ("uniform_int({0}, {1})",),
    ("discrete", None): ("categorical([{all}])",),
    ("uniformDraw", None): ("uniform_of({all})",),
    ("neg_binomial", 2): (),
    ("neg_binomial_2", 2): (),
    ("multinomial", 2): (),
    ("negative_binomial", 2): (),
}


MEANINGS: Mapping[str, str] = {
    "round": "'floor(x + 1/2)' rounds halves up; Python rounds them to the even neighbour, which the second fix does",
    "int": "'floor' rounds down; Python rounds towards 0, which is the same from 0 on, and below it in the second fix",
    "trunc": "'floor' rounds down, which is towards 0 from 0 on, and below it in the second fix",
}
"""Where what is offered first is not what another language means, in what they differ."""

NAMES: Mapping[str, str] = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "0",
    "null": "0",
    "NULL": "0",
    "nil": "0",
    "undefined": "0",
    "e": "exp(1)",
    "NOT": "not",
}
"""What constants of other languages are here."""


def foreign_function(name: str, arguments: Sequence[Expression], span: Span) -> tuple[Fix, ...] | None:
    """Return the fixes that write a function of other languages as it is written here; None if the name is known from nowhere."""
    form = _form(_FUNCTIONS, name, arguments)
    return _written(_form(_DISTRIBUTIONS, name, arguments) if form is None else form, arguments, span)


def _form(
    table: Mapping[tuple[str, int | None], tuple[str, ...]], name: str, arguments: Sequence[object]
) -> tuple[str, ...] | None:
    """Return how a call is written here; spreadsheets write all names in capitals."""
    names = (name, name.lower()) if name.isupper() and len(name) > 1 else (name,)
    keys = [(each, count) for each in names for count in (len(arguments), None)]
    return next((table[key] for key in keys if key in table), None)


_NORMALS = frozenset(name for (name, _), forms in _DISTRIBUTIONS.items() if forms is _NORMAL)
_OF_NORMALS = {
    **dict.fromkeys(("mean", "mu", "loc"), "mean"),
    **dict.fromkeys(("std", "sigma", "sd", "stddev", "scale"), "std"),
    **dict.fromkeys(("variance", "var", "sigma2"), "variance"),
}


def foreign_distribution(name: str, arguments: Sequence[Argument], span: Span) -> tuple[Fix, ...] | None:
    """Return the fixes that write a distribution of other languages as it is written here; None if the name is known from nowhere."""
    if all(one.name is None for one in arguments):
        return _written(_form(_DISTRIBUTIONS, name, arguments), [one.value for one in arguments], span)
    named = [one.name for one in arguments if one.name is not None]
    if name not in _NORMALS or len(arguments) != 2 or not all(each in _OF_NORMALS for each in named):
        return None
    texts = (f"{_OF_NORMALS[one.name]}={spelled(one.value)}" if one.name else spelled(one.value) for one in arguments)
    return _written((f"normal({', '.join(texts)})".replace("{", "{{").replace("}", "}}"),), (), span)


def _written(forms: tuple[str, ...] | None, arguments: Sequence[Expression], span: Span) -> tuple[Fix, ...] | None:
    if forms is None:
        return None
    values = [spelled(one) for one in arguments]
    texts = [form.format(*values, all=", ".join(values)) for form in forms]
    return tuple(Fix(f"write '{shortened(text)}'", (Edit(span, text),)) for text in texts)
