"""Draws from the language's distributions, a value for each run, by numpy's generators.

Discrete laws without a generator there are made of others: the discrete Laplace law is the difference of two geometric ones, the discrete
normal law is drawn from discrete Laplace candidates (Canonne, Kamath and Steinke, *The Discrete Gaussian for Differential Privacy*,
NeurIPS 2020, algorithm 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.laws.table import NAMED_LAWS
from seepage.sampling.expressions import Runs, is_whole
from seepage.sampling.vectors import Column, Rows, constant, floats, merged
from seepage.semantics.binding import bound
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import Domain

Generator: TypeAlias = np.random.Generator
_Floats: TypeAlias = NDArray[np.float64]
_Law: TypeAlias = Callable[..., NDArray[Any]]

_NEAR = 1e-9  # how far from 1 floats may sum that stand for probabilities


def drawn(law: Distribution, runs: Runs, rows: Rows, random: Generator) -> Column:
    """Draw from a distribution once in each of some runs.

    Raises:
        Fault: if a parameter has a value in some run that it may not have.
    """
    match law:
        case tree.Table(entries=entries):
            places = _chosen(tuple(weight for _, weight in entries), law, runs, rows, random)
            return _from_parts(places, rows, lambda place, part: runs.value(entries[place][0], part))
        case tree.Mixture(parts=parts):
            places = _chosen(tuple(weight for weight, _ in parts), law, runs, rows, random)
            return _from_parts(places, rows, lambda place, part: drawn(parts[place][1], runs, part, random))
        case tree.Rows(draw=draw):
            weights = np.asarray(draw.weights, dtype=np.float64)
            return random.choice(len(weights), size=len(rows), p=weights / weights.sum())
        case tree.Choice():
            message = (
                "runs cannot be drawn of a program in which an attacker chooses: nobody knows the law of the choice"
            )
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, law.span, message))
        case tree.Family():
            return _family(law, runs, rows, random)
        case _:
            assert_never(law)


def _family(law: tree.Family, runs: Runs, rows: Rows, random: Generator) -> Column:
    made = bound(law)
    if isinstance(made, Diagnostic):
        raise Fault(made)
    if law.name == "categorical":
        return _chosen(made.repeated, law, runs, rows, random)
    if law.name == "uniform_of":
        places = random.integers(0, len(made.repeated), size=len(rows))
        return _from_parts(places, rows, lambda place, part: runs.value(made.repeated[place], part))
    columns = {name: runs.value(one, rows) for name, one in made.named.items()}
    if law.name == "uniform_int" and not all(map(is_whole, columns.values())):
        raise _invalid(law, "its ends must be whole numbers")
    if law.name == "uniform_int" and any(column.dtype == object for column in columns.values()):
        return _wide(columns["a"], columns["b"], law, random)
    if law.name not in _LAWS:
        raise Fault(Diagnostic(rules.NOT_SUPPORTED, law.span, f"runs cannot be drawn from '{law.name}' yet"))
    values = {name: column if law.name == "uniform_int" else floats(column) for name, column in columns.items()}
    try:
        _check_domains(law.name, values)
        return _LAWS[law.name](random, len(rows), **values)
    except ValueError as error:
        raise _invalid(law, str(error)) from error


def _check_domains(law: str, values: Mapping[str, Column]) -> None:
    """Raise ``ValueError`` if a parameter has a value that its word does not allow."""
    for parameter in DISTRIBUTIONS[law].parameters:
        for name in {parameter.name, *dict(parameter.aliases)} & set(values):
            if not np.all(_HOLDS.get(parameter.domain, np.isfinite)(values[name])):
                raise ValueError(f"'{name}' must be {parameter.domain.value}")


def _invalid(law: Distribution, why: str) -> Fault:
    name = law.name if isinstance(law, tree.Family) else "the distribution"
    return Fault(
        Diagnostic(rules.INVALID_PARAMETER, law.span, f"in some run a parameter of '{name}' is out of its range: {why}")
    )


def _chosen(weights: tuple[Expression, ...], law: Distribution, runs: Runs, rows: Rows, random: Generator) -> Column:
    """Return a position for each run, by the weights that it has there."""
    shares = np.stack([floats(runs.value(each, rows)) for each in weights])
    sums = shares.sum(axis=0)
    if np.any(shares < 0) or np.any(np.abs(sums - 1) > _NEAR):
        raise _invalid(law, "probabilities must not be negative, and sum to 1")
    below = np.cumsum(shares, axis=0)
    point = random.random(len(rows)) * below[-1]
    # The first position whose cumulated weight exceeds the point: one of weight 0 is never taken.
    return np.asarray((below <= point).sum(axis=0), dtype=np.int64)


def _from_parts(places: Column, rows: Rows, value: Callable[[int, Rows], Column]) -> Column:
    found = constant(0, len(rows))
    for place in np.unique(places).tolist():
        here = np.flatnonzero(places == place)
        values = value(place, rows[here])
        found = values if len(here) == len(rows) else merged(found, here, values)
    return found


def _wide(low: Column, high: Column, law: Distribution, random: Generator) -> Column:
    """Draw whole numbers of any size, by as many random bits as the range has, again where they exceed it."""
    found = np.empty(len(low), dtype=object)
    for place, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        if a > b:
            raise _invalid(law, "the ends must ascend")
        bits = (b - a).bit_length()
        while (value := int.from_bytes(random.bytes((bits + 7) // 8), "big") >> (-bits % 8)) > b - a:
            pass
        found[place] = a + value
    return found


def _integers(random: Generator, size: int, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    return random.integers(a, b, size=size, endpoint=True)


def _flip(random: Generator, size: int, p: _Floats) -> NDArray[np.int64]:
    return random.binomial(1, p, size=size)


def _binomial(random: Generator, size: int, n: _Floats, p: _Floats) -> NDArray[np.int64]:
    return random.binomial(n.astype(np.int64), p, size=size)


def _hypergeometric(random: Generator, size: int, N: _Floats, K: _Floats, n: _Floats) -> NDArray[np.int64]:  # noqa: N803  # the language's names
    if np.any(K > N):
        raise ValueError("'K' must be at most 'N'")
    return random.hypergeometric(K.astype(np.int64), (N - K).astype(np.int64), n.astype(np.int64), size=size)


def _geometric(random: Generator, size: int, p: _Floats) -> NDArray[np.int64]:
    return random.geometric(p, size=size) - 1


def _discrete_laplace(random: Generator, size: int, scale: _Floats, centre: _Floats | int = 0) -> NDArray[np.int64]:
    stop = -np.expm1(-1 / scale)
    found = random.geometric(stop, size=size) - random.geometric(stop, size=size)
    return np.asarray(found + np.asarray(centre).astype(np.int64))


def _discrete_gaussian(random: Generator, size: int, variance: _Floats, centre: _Floats | int = 0) -> NDArray[np.int64]:
    found, left = np.zeros(size, dtype=np.int64), np.flatnonzero(variance > 0)
    while left.size:
        spread = variance[left]
        scale = np.floor(np.sqrt(spread)) + 1
        candidates = _discrete_laplace(random, len(left), scale)
        accept = np.exp(-((np.abs(candidates) - spread / scale) ** 2) / (2 * spread))
        taken = random.random(len(left)) < accept
        found[left[taken]] = candidates[taken]
        left = left[~taken]
    return np.asarray(found + np.asarray(centre).astype(np.int64))


_HOLDS: Mapping[Domain, Callable[[Column], NDArray[np.bool_]]] = MappingProxyType(
    {
        Domain.POSITIVE: lambda values: values > 0,
        Domain.NOT_NEGATIVE: lambda values: values >= 0,
        Domain.PROBABILITY: lambda values: (values >= 0) & (values <= 1),
        Domain.COUNT: lambda values: (values >= 0) & (values == np.floor(values)),
    }
)
_LAWS: Mapping[str, _Law] = MappingProxyType(
    {
        "bernoulli": _flip,
        "flip": _flip,
        "uniform_int": _integers,
        "binomial": _binomial,
        "hypergeometric": _hypergeometric,
        "geometric": _geometric,
        "poisson": lambda random, size, rate: random.poisson(rate, size=size),
        "discrete_laplace": _discrete_laplace,
        "discrete_gaussian": _discrete_gaussian,
        **{name: law.sample for name, law in NAMED_LAWS.items()},
    }
)
