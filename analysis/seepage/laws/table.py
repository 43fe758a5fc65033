"""The laws that the language names, each found by its file: a module of this package that has a ``LAW``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from seepage import laws
from seepage.exact import Number
from seepage.laws.discrete import DiscreteLaw, FiniteLaw, UnboundedLaw
from seepage.laws.draws import Draw, Values
from seepage.laws.forms import Beyond
from seepage.laws.law import Law
from seepage.laws.named import SCALE, NamedLaw
from seepage.laws.spread import Spread


def _found() -> Iterator[NamedLaw | DiscreteLaw]:
    for each in iter_modules(laws.__path__, f"{laws.__name__}."):
        law = None if each.name == __name__ else getattr(import_module(each.name), "LAW", None)
        if isinstance(law, NamedLaw | DiscreteLaw):
            yield law


_FOUND = tuple(_found())

NAMED_LAWS: Mapping[str, NamedLaw] = MappingProxyType(
    {law.word.name: law for law in _FOUND if isinstance(law, NamedLaw)}
)
"""Every continuous law, by its name."""

DISCRETE_LAWS: Mapping[str, FiniteLaw | UnboundedLaw] = MappingProxyType(
    {law.word.name: law for law in _FOUND if isinstance(law, FiniteLaw | UnboundedLaw)}
)
"""Every discrete law, by its name."""


def draw_of(family: str, values: Values) -> Draw:
    """Return a draw from a continuous family.

    Args:
        family: its name.
        values: of its parameters.

    Raises:
        Beyond: of another family, or where a scale or shape is continuous or not positive.
    """
    if family not in NAMED_LAWS:
        raise Beyond(f"the law '{family}'")
    return NAMED_LAWS[family].draw(values)


SPREADS: Mapping[str, Spread] = MappingProxyType(
    {name: law.spread for name, law in (*NAMED_LAWS.items(), *DISCRETE_LAWS.items()) if law.spread is not None}
)
"""What is known of laws as noise, by their names."""

WIDENING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        name: tuple(each.name for each in law.word.parameters if each == SCALE)
        if law.spread is None
        else ()
        if law.spread.is_chance
        else law.spread.names
        for name, law in NAMED_LAWS.items()
    }
)
"""By the names of laws with a density those parameters with which a draw around 0 is multiplied by a larger number, where all others stay."""

FALLING: Mapping[str, UnboundedLaw] = MappingProxyType(
    {name: law for name, law in DISCRETE_LAWS.items() if isinstance(law, UnboundedLaw) and law.falls}
)
"""The discrete laws whose probabilities fall by one ratio."""


def noise_of_size(family: str, name: str, size: Number) -> Law:
    """Return the law around 0 of noise with a density.

    Args:
        family: its name, of :data:`SPREADS`.
        name: of the parameter that decides how far it spreads.
        size: that parameter's value.

    Raises:
        Beyond: of a discrete law, or where the law is a point.
    """
    draw = draw_of(family, {**dict.fromkeys(_centres(family), 0), name: size})
    if draw.law is None:
        raise Beyond("noise that is none")
    return draw.law


def _centres(family: str) -> Iterator[str]:
    """Yield the parameters of a law but those that decide how far it spreads."""
    if family in NAMED_LAWS and (spread := SPREADS.get(family)) is not None:
        yield from (one.name for one in NAMED_LAWS[family].word.parameters if one.name not in spread.names)
