"""The named distributions as their calls are read: parameters, kind and support, all from the vocabulary.

Used to check calls while typing and to read arguments when an engine runs; what the laws *are* stands in their files,
:mod:`seepage.laws`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import product
from types import MappingProxyType
from typing import Literal

from seepage.data_classes import dataclass
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import DistributionWord, Exactness


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Signature:
    """How a distribution is called.

    Attributes:
        name: as written.
        parameters: in positional order; each may also be named; all are required.
        kind: whether its values are discrete or have a density.
        support: "finite" supports are enumerated, "infinite" ones are not (all continuous laws are infinite).
        exactness: as of its word.
        variadic: the name of the repeated positional argument (``categorical(w0, w1, …)``, at least one), else None;
            then ``parameters`` is empty and names are not allowed.
        named_only: optional parameters that must be named, with the text of their default.
        instead: a name that may stand in the place of a parameter (``std`` of ``variance``), by name only.
    """

    name: str
    parameters: tuple[str, ...]
    kind: Literal["discrete", "continuous"]
    support: Literal["finite", "infinite"]
    exactness: Exactness = "exact"
    variadic: str | None = None
    named_only: Mapping[str, str] = field(default_factory=_nothing)
    instead: Mapping[str, str] = field(default_factory=_nothing)


def _signature(word: DistributionWord, kind: Literal["discrete", "continuous"]) -> Signature:
    repeated = next((one.name for one in word.parameters if one.repeated), None)
    return Signature(
        word.name,
        tuple(one.name for one in word.parameters if not one.by_name and not one.repeated),
        kind,
        "finite" if word.support == "finite" else "infinite",
        word.exactness,
        repeated,
        MappingProxyType({one.name: one.sample for one in word.parameters if one.by_name}),
        MappingProxyType({alias: one.name for one in word.parameters for alias, _ in one.aliases}),
    )


ROUNDS = "@rounds"
"""How often a loop counted, a law that no text names: how many coefficients the numerator of its generating function has, these, and those of the denominator."""

REMAINDER = "@remainder"
"""A law that no text names: 0, but with the probability that is its argument; of the values that it has then no more is known than the named arguments."""

CELLS = "@cells"
"""Laws that no text names: in which of the cells between some places a draw from a law with a density lies. The names of the law and of its parameters as they are
called follow in the name; the arguments are those of the law, then the places, ascending. The cell above k of them is 2 k, the k-th place itself 2 k − 1."""

MOMENTS = ("first", "second", "third", "fourth")
"""The named arguments of that law, which may be missing: bounds of the absolute moments of those values, times the probability."""


def _ways_to_call(signature: Signature) -> Iterator[tuple[str, ...]]:
    """Yield the names by which the parameters of a law may be called, in their order."""
    others = [
        [name, *(alias for alias, of in signature.instead.items() if of == name)] for name in signature.parameters
    ]
    yield from product(*others)


_WRITTEN: Mapping[str, Signature] = {
    name: _signature(word, word.kind) for name, word in DISTRIBUTIONS.items() if word.kind is not None
}

CUT_LAWS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        " ".join((CELLS, name, *called)): (name, called)
        for name, signature in _WRITTEN.items()
        if signature.kind == "continuous"
        for called in _ways_to_call(signature)
    }
)
"""The laws of :data:`CELLS` by their names: what is cut, and how its parameters are called."""

SIGNATURES: Mapping[str, Signature] = MappingProxyType(
    {
        **_WRITTEN,
        **{name: Signature(name, (), "discrete", "finite", variadic="c") for name in CUT_LAWS},
        ROUNDS: Signature(ROUNDS, (), "discrete", "infinite", variadic="c"),
        REMAINDER: Signature(REMAINDER, ("p",), "discrete", "infinite", named_only=dict.fromkeys(MOMENTS, "")),
    }
)
"""Every distribution but mixtures, which are no calls with numbers."""

ENDLESS = frozenset(
    name for name, word in DISTRIBUTIONS.items() if (word.kind, word.support) == ("discrete", "infinite")
)
"""The discrete laws with infinitely many values, of those that texts name."""
