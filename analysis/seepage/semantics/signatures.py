"""The named distributions as data: what they are called, what parameters they take, and of what kind they are.

Used to check calls while typing and to read arguments when an engine runs; what the laws *are* stands in
:mod:`seepage.distributions.families`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal


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
        exactness: "exact", or "matched": an engine replaces it by a normal of the same mean and variance.
        variadic: the name of the repeated positional argument (``categorical(w0, w1, …)``, at least one), else None;
            then ``parameters`` is empty and names are not allowed.
        named_only: optional parameters that must be named, with the text of their default.
        instead: a name that may stand in the place of a parameter (``std`` of ``variance``), by name only.
    """

    name: str
    parameters: tuple[str, ...]
    kind: Literal["discrete", "continuous"]
    support: Literal["finite", "infinite"]
    exactness: Literal["exact", "matched"] = "exact"
    variadic: str | None = None
    named_only: Mapping[str, str] = field(default_factory=_nothing)
    instead: Mapping[str, str] = field(default_factory=_nothing)


_CENTRE = MappingProxyType({"centre": "0"})

SIGNATURES: Mapping[str, Signature] = MappingProxyType(
    {
        signature.name: signature
        for signature in (
            Signature("bernoulli", ("p",), "discrete", "finite"),
            Signature("flip", ("p",), "discrete", "finite"),
            Signature("uniform_int", ("a", "b"), "discrete", "finite"),
            Signature("categorical", (), "discrete", "finite", variadic="w"),
            Signature("uniform_of", (), "discrete", "finite", variadic="v"),
            Signature("binomial", ("n", "p"), "discrete", "finite"),
            Signature("hypergeometric", ("N", "K", "n"), "discrete", "finite"),
            Signature("geometric", ("p",), "discrete", "infinite"),
            Signature("poisson", ("rate",), "discrete", "infinite"),
            Signature("discrete_laplace", ("scale",), "discrete", "infinite", named_only=_CENTRE),
            Signature("discrete_gaussian", ("variance",), "discrete", "infinite", named_only=_CENTRE),
            Signature(
                "normal",
                ("mean", "variance"),
                "continuous",
                "infinite",
                instead=MappingProxyType({"std": "variance"}),
            ),
            Signature("uniform", ("a", "b"), "continuous", "infinite", "matched"),
            Signature("exponential", ("rate",), "continuous", "infinite", "matched"),
            Signature("laplace", ("mean", "scale"), "continuous", "infinite", "matched"),
            Signature("beta", ("a", "b"), "continuous", "infinite", "matched"),
            Signature("gamma", ("shape", "rate"), "continuous", "infinite", "matched"),
            Signature("lognormal", ("m", "v"), "continuous", "infinite", "matched"),
            Signature("student_t", ("df", "mean", "scale"), "continuous", "infinite", "matched"),
            Signature("triangular", ("a", "m", "b"), "continuous", "infinite", "matched"),
        )
    }
)
