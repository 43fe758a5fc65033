"""Data classes of plain values as JSON values, and back with every part checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def read_as(kind: type[T], value: object) -> T:
    """Return the data that a JSON value holds.

    Args:
        kind: a data class whose fields are texts, numbers, truth values, None, tuples and such data classes.
        value: as :func:`dataclasses.asdict` makes it, perhaps by way of JSON.

    Raises:
        ValueError: it holds no such data.
    """
    found = _read(kind, value)
    assert isinstance(found, kind)
    return found


def _read(kind: Any, value: object) -> object:
    if is_dataclass(kind) and isinstance(kind, type):
        name = getattr(kind, "__name__", "")
        if not isinstance(value, Mapping):
            raise ValueError(f"found {type(value).__name__}, expected the fields of {name}")
        hints = get_type_hints(kind)
        return kind(**{each.name: _read(hints[each.name], value.get(each.name)) for each in fields(kind)})
    if isinstance(kind, UnionType):
        parts = get_args(kind)
        return (
            None
            if value is None and NoneType in parts
            else _read(next(one for one in parts if one is not NoneType), value)
        )
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind), value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"found {type(value).__name__}, expected {getattr(kind, '__name__', kind)}")
    return value


def _tuple(parts: tuple[Any, ...], value: object) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"found {type(value).__name__}, expected a list")
    if parts[-1] is Ellipsis:
        return tuple(_read(parts[0], one) for one in value)
    if len(parts) != len(value):
        raise ValueError(f"found {len(value)} values, expected {len(parts)}")
    return tuple(_read(one, each) for one, each in zip(parts, value, strict=True))
