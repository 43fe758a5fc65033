"""The laws that the language names, each found by its file: a module of this package that has a ``LAW``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from seepage import laws
from seepage.laws.discrete import DiscreteLaw
from seepage.laws.draws import Draw, Values
from seepage.laws.forms import Beyond
from seepage.laws.named import NamedLaw


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

DISCRETE_LAWS: Mapping[str, DiscreteLaw] = MappingProxyType(
    {law.word.name: law for law in _FOUND if isinstance(law, DiscreteLaw)}
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
