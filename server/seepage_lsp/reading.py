"""Parameters of messages, read to the letter: a text in place of a number is told, with its place, and not converted.

The converter that comes with the protocol's types makes 0 of 0.5, "5" of 5 and a list of the names of an object.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args, get_origin

from cattrs import Converter
from cattrs.cols import homogenous_tuple_structure_factory
from cattrs.errors import AttributeValidationNote, BaseValidationError, IterableValidationNote
from pygls.protocol import default_converter

# What converters raise on values of the wrong shape.
MISSHAPEN = (BaseValidationError, TypeError, ValueError, KeyError, AttributeError, LookupError)
_SHOWN = 60


class _Expected(ValueError):
    """A value is of another kind; the text says of which kind it must be."""


def strict_converter() -> Converter:
    """Return a converter that takes whole numbers, texts, truth values and lists for what they are, and raises at anything else.

    A whole number may be written ``3.0``, as by clients that have one kind of numbers, and a truth value 0 or 1.
    """
    made: Callable[[], Converter] = default_converter
    converter = made()
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(bool, _truth)
    converter.register_structure_hook_factory(_is_sequence, _listed)
    return converter


# Hooks of 'int' and 'str' are also those of the enumerations of such values, which refuse others themselves.


def _whole(value: object, kind: type[int]) -> int:
    if kind is not int:
        return kind(value)  # type: ignore[call-overload, no-any-return]
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise _Expected("a whole number")
    return int(value)


def _text(value: object, kind: type[str]) -> str:
    if kind is not str:
        return kind(value)
    if not isinstance(value, str):
        raise _Expected("a text")
    return value


def _truth(value: object, _: type) -> bool:
    if not isinstance(value, int) or value not in (0, 1):
        raise _Expected("true or false")
    return bool(value)


def _is_sequence(kind: Any) -> bool:
    origin: object = get_origin(kind)
    return origin is Sequence


def _listed(kind: Any, converter: Converter) -> Callable[[object, type], tuple[Any, ...]]:
    several: Any = tuple[get_args(kind)[0], ...]  # type: ignore[misc]
    structure: Callable[[object, type], tuple[Any, ...]] = homogenous_tuple_structure_factory(several, converter)

    def hook(value: object, of: type) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _Expected("a list")
        return structure(value, of)

    return hook


def misshapen(error: BaseException, content: object) -> str:
    """Return what is wrong with a message that a converter refused, in words of JSON: ``position.line: found 0.5, expected a whole number``."""
    path, cause = _innermost(error)
    place, value = "", content
    for step in path:
        place = f"{place}[{step}]" if isinstance(step, int) else f"{place}.{step}".removeprefix(".")
        place = place.removeprefix("params.")
        if isinstance(step, str) and isinstance(value, dict):
            if step not in value:
                return f"'{place}' is missing"
            value = value[step]
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            held = place.removesuffix(f"[{step}]" if isinstance(step, int) else step).rstrip(".") or "params"
            return f"{held}: found {_json(value)}, expected {'a list' if isinstance(step, int) else 'an object'}"
    if isinstance(cause, _Expected):
        return f"{place}: found {_json(value)}, expected {cause}"
    return f"{place or 'the message'}: found {_json(value)}, which the protocol does not have there"


def _innermost(error: BaseException) -> tuple[list[str | int], BaseException]:
    """Return the first fault in a tree of faults, and the path to it in JSON."""
    path: list[str | int] = []
    while isinstance(error, BaseValidationError) and error.exceptions:
        error = error.exceptions[0]
        path += _steps(error)
    return path, error


def _steps(error: BaseException) -> Iterator[str | int]:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            first, *others = note.name.split("_")
            yield first + "".join(map(str.capitalize, others))
        elif isinstance(note, IterableValidationNote) and isinstance(note.index, int):
            yield note.index


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
