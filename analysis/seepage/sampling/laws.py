"""Draws from the language's distributions, a value for each run, by numpy's generators as the files of the laws say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.laws import categorical
from seepage.laws.discrete import DiscreteLaw
from seepage.laws.named import NamedLaw
from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS
from seepage.sampling.expressions import Runs, is_whole
from seepage.sampling.vectors import Column, Rows, constant, floats, merged
from seepage.semantics.binding import bound
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression
from seepage.word import DistributionWord, Domain

Generator: TypeAlias = np.random.Generator


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
    told = _LAWS.get(law.name)
    if told is None:
        raise Fault(Diagnostic(rules.NOT_SUPPORTED, law.span, f"runs cannot be drawn from '{law.name}' yet"))
    try:
        if made.repeated and told.word.values is None:
            places = told.sample(random, len(rows), len(made.repeated))
            return _from_parts(places, rows, lambda place, part: runs.value(made.repeated[place], part))
        if made.repeated:
            return told.sample(random, len(rows), *(floats(runs.value(one, rows)) for one in made.repeated))
        values = _arguments(told.word, {name: runs.value(one, rows) for name, one in made.named.items()})
        return told.sample(random, len(rows), **values)
    except ValueError as error:
        raise _invalid(law, str(error)) from error


def _arguments(word: DistributionWord, given: Mapping[str, Column]) -> Mapping[str, Column]:
    """Return the arguments that a law reads, whole numbers as they are; ``ValueError`` if one has a value that its word does not allow."""
    values: dict[str, Column] = {}
    for parameter in word.parameters:
        for name in {parameter.name, *dict(parameter.aliases)} & set(given):
            whole = parameter.domain in (Domain.INTEGER, Domain.COUNT)
            values[name] = given[name] if whole else floats(given[name])
            if whole and not is_whole(given[name]):
                raise ValueError(f"'{name}' must be {parameter.domain.value}")
            if not np.all(_HOLDS.get(parameter.domain, np.isfinite)(floats(given[name]))):
                raise ValueError(f"'{name}' must be {parameter.domain.value}")
    return values


def _invalid(law: Distribution, why: str) -> Fault:
    name = law.name if isinstance(law, tree.Family) else "the distribution"
    return Fault(
        Diagnostic(rules.INVALID_PARAMETER, law.span, f"in some run a parameter of '{name}' is out of its range: {why}")
    )


def _chosen(weights: tuple[Expression, ...], law: Distribution, runs: Runs, rows: Rows, random: Generator) -> Column:
    """Return a position for each run, by the weights that it has there."""
    try:
        return categorical.sample(random, len(rows), *(floats(runs.value(each, rows)) for each in weights))
    except ValueError as error:
        raise _invalid(law, str(error)) from error


def _from_parts(places: Column, rows: Rows, value: Callable[[int, Rows], Column]) -> Column:
    found = constant(0, len(rows))
    for place in np.unique(places).tolist():
        here = np.flatnonzero(places == place)
        values = value(place, rows[here])
        found = values if len(here) == len(rows) else merged(found, here, values)
    return found


_HOLDS: Mapping[Domain, Callable[[Column], NDArray[np.bool_]]] = MappingProxyType(
    {
        Domain.POSITIVE: lambda values: values > 0,
        Domain.NOT_NEGATIVE: lambda values: values >= 0,
        Domain.PROBABILITY: lambda values: (values >= 0) & (values <= 1),
        Domain.COUNT: lambda values: (values >= 0) & (values == np.floor(values)),
    }
)
_LAWS: Mapping[str, NamedLaw | DiscreteLaw] = MappingProxyType({**DISCRETE_LAWS, **NAMED_LAWS})
