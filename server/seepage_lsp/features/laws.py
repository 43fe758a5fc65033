"""Distributions as written, with the names of their parameters."""

from __future__ import annotations

from collections.abc import Iterator

from seepage.semantics.signatures import SIGNATURES
from seepage.source import Span
from seepage.syntax.tree import Distribution, Family
from seepage.syntax.walk import nodes


def unnamed_arguments(distribution: Distribution, start: int) -> Iterator[tuple[Family, Span, str]]:
    """Yield each argument that is given by its position, with the call, its absolute place and the name of its parameter."""
    for family in nodes(distribution):
        if not isinstance(family, Family) or family.name not in SIGNATURES:
            continue
        for argument, name in zip(family.arguments, SIGNATURES[family.name].parameters, strict=False):
            if argument.name is None:
                yield family, argument.value.span.shift(start), name


def named_law(text: str, distribution: Distribution, start: int) -> str:
    """Return a distribution with all parameters named: ``normal(mean: 10, variance: 1)``."""
    whole = distribution.span.shift(start)
    parts: list[str] = []
    at = whole.start
    for place, name in sorted((place, name) for _, place, name in unnamed_arguments(distribution, start)):
        parts += (text[at : place.start], "" if text[place.start : place.end] == name else f"{name}: ")
        at = place.start
    return " ".join("".join((*parts, text[at : whole.end])).split())
