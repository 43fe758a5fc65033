"""What kind of law a distribution is, and what decides its shape: told by its name and its parts alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard, assert_never

from seepage.distributions.arguments import bind
from seepage.laws.table import DISCRETE_LAWS
from seepage.semantics.signatures import SIGNATURES
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression
from seepage.word import Domain


def is_gaussian(distribution: Distribution) -> TypeGuard[tree.Family]:
    """Tell whether a distribution is a normal law itself: continuous, and exact in mixtures of Gaussians."""
    if not isinstance(distribution, tree.Family) or distribution.name not in SIGNATURES:
        return False
    signature = SIGNATURES[distribution.name]
    return signature.kind == "continuous" and signature.exactness == "exact"


def is_continuous(distribution: Distribution) -> bool:
    """Tell whether a distribution has a density, or a part that has."""
    match distribution:
        case tree.Family(name=name):
            return name in SIGNATURES and SIGNATURES[name].kind == "continuous"
        case tree.Table() | tree.Rows():
            return False
        case tree.Mixture(parts=parts):
            return any(is_continuous(part) for _, part in parts)
        case _:
            assert_never(distribution)


def is_infinite(distribution: Distribution) -> bool:
    """Tell whether a discrete distribution, or a part of it, belongs to a family with infinite support."""
    match distribution:
        case tree.Table() | tree.Rows():
            return False
        case tree.Mixture(parts=parts):
            return any(is_infinite(part) for _, part in parts)
        case tree.Family(name=name):
            return name in SIGNATURES and SIGNATURES[name].support == "infinite" and not is_continuous(distribution)
        case _:
            assert_never(distribution)


def listed(distribution: Distribution) -> tuple[Expression, ...] | None:
    """Return the values, equally likely, of a law whose arguments are its values; None of other laws."""
    if not isinstance(distribution, tree.Family):
        return None
    law = DISCRETE_LAWS.get(distribution.name)
    return bind(distribution).repeated if law is not None and law.word.values is None else None


def shares_of(distribution: Distribution) -> Iterator[tuple[Expression, ...]]:
    """Yield the weights of each choice in a distribution, which must sum to 1."""
    match distribution:
        case tree.Table(entries=entries):
            yield tuple(weight for _, weight in entries)
        case tree.Mixture(parts=parts):
            yield tuple(weight for weight, _ in parts)
            for _, part in parts:
                yield from shares_of(part)
        case tree.Family(name=name) if name in DISCRETE_LAWS:
            if any(one.repeated and one.domain is Domain.PROBABILITY for one in DISCRETE_LAWS[name].word.parameters):
                yield bind(distribution).repeated
        case _:
            pass


def shaping(distribution: Distribution) -> Iterator[Expression]:
    """Yield the parameters on which the law of the distance from the centre depends, of all infinite parts."""
    match distribution:
        case tree.Table() | tree.Rows():
            return
        case tree.Mixture(parts=parts):
            for _, part in parts:
                yield from shaping(part)
        case tree.Family() if is_infinite(distribution):
            yield from (value for name, value in bind(distribution).named.items() if name != "centre")
        case tree.Family():
            return
        case _:
            assert_never(distribution)
