"""Python's data classes, of which each takes on a method when it is needed first.

Python's own decorator writes six methods for every class as text and compiles them while the module is loaded: half of what a start does, for hundreds
of classes of which a question makes some and compares few. Here a class has its fields and slots at once, and each method when somebody looks at it:
from a class of the same name and fields, for which Python's own decorator writes it. Fields that are arguments only (``InitVar``) are not known here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

_Options: TypeAlias = Mapping[str, bool]

_USUAL: _Options = MappingProxyType(
    {"init": True, "repr": True, "eq": True, "order": False, "frozen": False, "slots": False}
)
_NOTHING: _Options = MappingProxyType(dict.fromkeys(_USUAL, False))
_ORDERED = ("__lt__", "__le__", "__gt__", "__ge__")
_ASKED: Mapping[str, _Options] = MappingProxyType(
    {
        "__init__": {"init": True},
        "__repr__": {"repr": True},
        "__eq__": {"eq": True},
        "__hash__": {"unsafe_hash": True},
        **{name: {"eq": True, "order": True} for name in _ORDERED},
    }
)
"""What Python's own decorator is asked for each method."""


class _Late:
    """Stands for a method of a class until somebody looks at it."""

    __slots__ = ("name", "options", "owner")

    def __init__(self, owner: type[Any], name: str, options: _Options) -> None:
        self.owner, self.name, self.options = owner, name, options

    def __get__(self, instance: object, kind: type[Any] | None = None) -> object:
        method = _written(self.owner, self.name, self.options)
        setattr(self.owner, self.name, method)
        return method.__get__(instance, kind)


def _written(owner: type[Any], name: str, options: _Options) -> Any:
    """Return a method that Python's own decorator writes for the fields of a class."""
    fields = dataclasses.fields(owner)
    body: dict[str, Any] = {one.name: one for one in fields}
    body["__annotations__"] = {one.name: one.type for one in fields}
    body |= {each: getattr(owner, each) for each in ("__module__", "__qualname__", "__doc__")}
    if hasattr(owner, "__post_init__"):
        body["__post_init__"] = owner.__post_init__
    asked = {**_NOTHING, **_ASKED[name]}
    if name == "__init__":  # the one that sets fields, which has to go another way where nobody else may
        asked |= {each: options[each] for each in ("frozen", "slots")}
    return vars(dataclasses.dataclass(type(owner.__name__, (), body), **asked))[name]


def _methods(options: _Options) -> Iterator[str]:
    """Yield the names of the methods that a class with these options has."""
    yield from (f"__{each}__" for each in ("init", "repr", "eq") if options[each])
    if options["order"]:
        yield from _ORDERED
    if options["eq"] and options["frozen"]:
        yield "__hash__"


def _frozen(owner: type[Any]) -> Mapping[str, object]:
    """Return the methods that let no field of a class be assigned to, nor anything else of an instance that is of no class below."""
    names = frozenset(one.name for one in dataclasses.fields(owner))

    def assign(self: object, name: str, value: object) -> None:
        if type(self) is owner or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(owner, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        if type(self) is owner or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(owner, self).__delattr__(name)

    return {"__setattr__": assign, "__delattr__": delete}


def _state(self: Any) -> list[object]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _prepared(cls: type[Any], options: _Options) -> type[Any]:
    """Return a class with its fields and slots, and with something that stands for each method that it does not bring itself."""
    owner = dataclasses.dataclass(cls, **{**options, **{each: False for each in _USUAL if each != "slots"}})
    methods: dict[str, object] = {name: _Late(owner, name, options) for name in _methods(options)}
    if options["eq"]:
        methods.setdefault("__hash__", None)
    if options["frozen"]:
        methods |= _frozen(owner)
    if options["frozen"] and options["slots"]:  # copies and pickles are made without assigning
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if vars(owner).get(name) is None:  # a class that says itself what is equal has ``None`` for a hash
            setattr(owner, name, method)
    return owner


def _late(cls: type[Any] | None = None, /, **options: bool) -> object:
    """Do what ``dataclasses.dataclass`` does for the same options, and write the methods later."""
    prepared = partial(_prepared, options={**_USUAL, **options})
    return prepared if cls is None else prepared(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _late
