"""Which function answers each functional of laws, found by the files of this package: what each has as its ``ANSWERS``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from seepage.measures import functionals
from seepage.measures.functionals.answers import Answers

_NAMES = [each.name for each in iter_modules(functionals.__path__, f"{functionals.__name__}.") if each.name != __name__]

ANSWERS: Answers = MappingProxyType(
    {name: answer for each in _NAMES for name, answer in getattr(import_module(each), "ANSWERS", {}).items()}
)
"""All of them."""
