"""Functions of texts, applied by Python itself to numbers, texts and groups of them; what is random is followed value by value.

A float is only near the number that it stands for, so that a text of it is taken where numbers a little smaller and a little larger give the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import copysign
from string import Formatter
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.python import constants, following
from seepage.python.calling import Builtin, Named
from seepage.python.run import Run
from seepage.python.terms import constant, ends, truth_of
from seepage.python.values import BOOL, FLOAT, INT, NONE, NUMERIC, TEXT, Num, Object, Ref, Unknown, Value
from seepage.python.world import World, push

Plain: TypeAlias = "int | float | str | Near | Shown | list[Plain] | tuple[Plain, ...] | dict[object, Plain] | None"
Function: TypeAlias = Callable[..., object]

_MOST_WORLDS = 256
_LONGEST = 2_000  # characters of a text that a function is given
_WIDEST = 1_000  # places that a text is filled to, and a number that a function of texts is given
_MOST_BITS = 4_096
_NEAR = 1e-12
_RAISED = (ValueError, TypeError, LookupError, OverflowError)


class TooWide(Exception):
    """A text of so many places is not made."""


@dataclass(frozen=True, slots=True)
class Near:
    """A float: the number that it stands for, and whether a zero may have a sign."""

    value: Fraction
    is_signed: bool = False

    def moved(self, by: int) -> float:
        """Return the float; ``by`` -1 and 1: one that is a little smaller or larger."""
        if self.value == 0:
            return copysign(0.0, by) if self.is_signed else 0.0
        return float(self.value) * (1 + by * _NEAR)


@dataclass(frozen=True, slots=True)
class Shown:
    """A record, as its class shows it."""

    name: str
    fields: tuple[tuple[str, object], ...]

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.fields)})"


def by_values(
    run: Run, node: ast.AST, what: str, values: Sequence[Value], world: World, function: Function
) -> list[World]:
    """Put what a function gives for each value of its arguments on top.

    Args:
        run: the translation.
        node: where it is called.
        what: how the function is called, for what is refused.
        values: the arguments.
        world: before.
        function: takes plain values and returns a text, a number, a truth value, ``None``, or a group of them; what it raises is raised in the program.
    """
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    going: list[tuple[World, tuple[Plain, ...]]] = [(world, ())]
    for value in values:
        after: list[tuple[World, tuple[Plain, ...]]] = []
        for one, before in going:
            found = _plain(run, node, what, value, one)
            if found is None:
                return push(one, Unknown())
            after += [(split, (*before, plain)) for split, plain in found]
        if len(after) > _MOST_WORLDS:
            told = f"'{what}' of random values is followed for {_MOST_WORLDS} of them at most"
            return push(after[0][0], run.refuse(node, told))
        going = after
    found_ = [end for one, plain in going for end in _applied(run, node, what, function, plain, one)]
    return run.join(base, depth, found_, run.abrupt[mark:])


def _applied(
    run: Run, node: ast.AST, what: str, function: Function, plain: Sequence[Plain], world: World
) -> list[World]:
    if not all(map(_is_small, plain)):
        return push(world, run.refuse(node, f"'{what}' of such long texts or numbers is not analysed"))
    try:
        results = [function(*(_moved(each, by) for each in plain)) for by in ((-1, 0, 1) if _is_near(plain) else (0,))]
    except TooWide:
        return push(world, run.refuse(node, f"'{what}' of so many places is not analysed"))
    except _RAISED as error:
        run.raise_(world, "ValueError" if isinstance(error, UnicodeError) else type(error).__name__)
        return []
    if any(each != results[0] for each in results):
        told = f"what '{what}' makes of a float depends on how it is rounded; round it before, or add a tolerance"
        return push(world, run.refuse(node, told))
    made = _value(run, results[0], world)
    return push(world, run.refuse(node, f"what '{what}' gives is not analysed") if made is None else made)


def _is_small(plain: Plain) -> bool:
    match plain:
        case str():
            return len(plain) <= _LONGEST
        case int():
            return plain.bit_length() <= _MOST_BITS
        case list() | tuple():
            return all(map(_is_small, plain))
        case dict():
            return all(map(_is_small, plain.values()))
        case _:
            return True


def _is_near(plain: object) -> bool:
    match plain:
        case Near():
            return True
        case list() | tuple():
            return any(map(_is_near, plain))
        case dict():
            return any(map(_is_near, plain.values()))
        case Shown(_, fields):
            return any(_is_near(each) for _, each in fields)
        case _:
            return False


def _moved(plain: object, by: int) -> object:
    match plain:
        case Near():
            return plain.moved(by)
        case list():
            return [_moved(each, by) for each in plain]
        case tuple():
            return tuple(_moved(each, by) for each in plain)
        case dict():
            return {key: _moved(each, by) for key, each in plain.items()}
        case Shown(name, fields):
            return Shown(name, tuple((key, _moved(each, by)) for key, each in fields))
        case _:
            return plain


def _value(run: Run, found: object, world: World) -> Value | None:
    match found:
        case bool():
            return truth_of(found)
        case int():
            return constant(found, INT, found)
        case str() if len(found) <= _LONGEST:
            return constants.text_value(run, found)
        case None:
            return constants.none_value(run)
        case list() | tuple():
            cells = [_value(run, each, world) for each in found]
            kept = [each for each in cells if each is not None]
            sort = "list" if isinstance(found, list) else "tuple"
            return run.allocate(world, Object(sort, tuple(kept))) if len(kept) == len(cells) else None
        case _:
            return None


_OF_NUMPY = "of numbers in a group is not analysed in files that use numpy, whose own are shown in another way; put them into the text one by one"


def _has_numbers(value: Value, world: World) -> bool:
    if isinstance(value, Ref):
        return any(_has_numbers(cell, world) for cell in world.heap[value.id].cells)
    return isinstance(value, Num) and bool(value.kinds & NUMERIC)


def _uses_numpy(run: Run) -> bool:
    """Whether the file may have numbers that are no objects of Python's own types."""
    if any(each.partition(".")[0] in _NUMERIC_LIBRARIES for each in run.module.stars):
        return True
    names = {name for name, path in run.module.imported.items() if path.partition(".")[0] in _NUMERIC_LIBRARIES}
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(run.module.tree))


_NUMERIC_LIBRARIES = frozenset({"numpy", "scipy", "diffprivlib", "opendp"})


# --- plain values -------------------------------------------------------------------------------------------------------


def _plain(run: Run, node: ast.AST, what: str, value: Value, world: World) -> list[tuple[World, Plain]] | None:
    """Return a world for each value; None, and a fault, where it is no plain one."""
    match value:
        case Num():
            return _plain_number(run, node, what, value, world)
        case Ref(at):
            found = world.heap[at]
            if _has_numbers(value, world) and _uses_numpy(run):
                run.refuse(node, f"'{what}' {_OF_NUMPY}")
                return None
            shape = _shape(run, found)
            if shape is None:
                run.refuse(node, f"'{what}' of this object is not analysed")
                return None
            going: list[tuple[World, list[Plain]]] = [(world, [])]
            for cell in found.cells:
                after: list[tuple[World, list[Plain]]] = []
                for one, before in going:
                    parts = _plain(run, node, what, cell, one)
                    if parts is None:
                        return None
                    after += [(split, [*before, plain]) for split, plain in parts]
                going = after
                if len(going) > _MOST_WORLDS:
                    run.refuse(node, f"'{what}' of random values is followed for {_MOST_WORLDS} of them at most")
                    return None
            return [(one, shape(parts)) for one, parts in going]
        case Unknown():
            return None
        case _:
            run.refuse(node, f"'{what}' of this value is not analysed")
            return None


def _plain_number(run: Run, node: ast.AST, what: str, value: Num, world: World) -> list[tuple[World, Plain]] | None:
    value = run.refreshed(world, value)
    if value.known is not None and isinstance(value.ieee, float) and value.kinds == FLOAT:
        return [(world, value.ieee)]
    low, _ = ends(value.support)
    is_signed = low is None or exact.sign(low) < 0
    found: list[tuple[World, Plain]] = []
    split = run.split(world, value, f"what '{what}' is given")
    if not split:
        world.pop()
        return None
    for one, known in split:
        kinds = run.refreshed(one, value).kinds
        text = run.codes.names.get(known) if isinstance(known, Fraction) and not kinds & FLOAT else None
        if text is not None:
            found.append((one, text[1] if text[0] == "str" else None))
        elif kinds == FLOAT and isinstance(known, int | Fraction):
            found.append((one, Near(Fraction(known), is_signed)))
        elif isinstance(known, int) and kinds - TEXT - NONE in (BOOL, INT):
            found.append((one, bool(known) if kinds >= BOOL else known))
        else:
            run.refuse(node, f"'{what}' of what may be of several types is not analysed")
            return None
    return found


def _shape(run: Run, found: Object) -> Callable[[list[Plain]], Plain] | None:
    """Return what makes a plain group of its parts; None where it is none, or is shown in a way of its own."""
    match found.sort:
        case _ if run.has_plain_members:  # a group shows members by their names
            return None
        case "list":
            return lambda parts: parts
        case "tuple":
            return tuple
        case "dict" if found.type is None:
            keys = [_key(run, key) for key in found.keys]
            return None if None in keys else lambda parts: dict(zip(keys, parts, strict=True))
        case "record" if found.type is not None and found.type.sort in ("data", "tuple"):
            kind, own = found.type, ("__repr__", "__str__")
            if kind.node and any(isinstance(one, ast.FunctionDef) and one.name in own for one in kind.node.body):
                return None
            return lambda parts: Shown(kind.name, tuple(zip(kind.fields, parts, strict=True)))
        case _:
            return None


def _key(run: Run, key: object) -> object:
    if isinstance(key, Fraction):
        return run.codes.text_of(key)
    if isinstance(key, tuple):
        parts = tuple(_key(run, part) for part in key)
        return None if None in parts else parts
    return key if isinstance(key, int) else None


# --- formats ------------------------------------------------------------------------------------------------------------

_WIDE = re.compile(r"\d{4}")


def _has_wide(text: object) -> bool:
    """Whether a format asks for so many places that they are no text to follow."""
    return isinstance(text, str) and _WIDE.search(text) is not None


_CONVERSIONS: Mapping[int, Function] = {-1: lambda value: value, ord("s"): str, ord("r"): repr, ord("a"): ascii}


def formatted(run: Run, node: ast.JoinedStr, parts: Sequence[ast.expr], world: World) -> list[World]:
    """Put an f-text on top."""
    nodes: list[ast.expr] = []
    shows = any(isinstance(part, ast.FormattedValue) and part.conversion in (ord("r"), ord("a")) for part in parts)
    if shows and _uses_numpy(run):
        return push(world, run.refuse(node, "'!r' is not analysed in files that use numpy; leave it out"))
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            nodes += [part.value, part.format_spec or ast.Constant("")]

    def whole(*values: object) -> str:
        rest, texts = iter(values), list[str]()
        for part in parts:
            if isinstance(part, ast.FormattedValue):
                shown = _CONVERSIONS[part.conversion](next(rest))
                texts.append(_format(shown, str(next(rest))))
            else:
                texts.append(str(part.value) if isinstance(part, ast.Constant) else "")
        return "".join(texts)

    def fill(one: World, values: list[Value]) -> list[World]:
        return by_values(run, node, "f-string", values, one, whole)

    return following.each(run, nodes, world, fill)


def percent(run: Run, node: ast.AST, left: Value, right: Value, world: World) -> list[World]:
    """Follow ``text % values``."""
    text = constants.text_of(run, left)
    if text is None or _has_wide(text) or "*" in text:
        return push(world, run.refuse(node, "'%' of a text that is random, or of so many places, is not analysed"))
    return by_values(run, node, "%", [left, right], world, lambda one, other: one % other)


def _format_method(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    text = constants.text_of(run, values[0])
    names = list(named)
    try:
        fields = list(Formatter().parse(text or ""))
    except ValueError:
        run.raise_(world, "ValueError")
        return []
    is_plain = all(not set(".[") & set(field or "") and "{" not in (spec or "") for _, field, spec, _ in fields)
    if text is None or _has_wide(text) or not is_plain:
        return push(world, run.refuse(node, "this 'format' is not analysed; write an f-string"))

    def apply(whole: str, *parts: object) -> str:
        count = len(parts) - len(names)
        return whole.format(*parts[:count], **dict(zip(names, parts[count:], strict=True)))

    return by_values(run, node, "format", [*values, *named.values()], world, apply)


# --- functions ----------------------------------------------------------------------------------------------------------


def _format(value: object, spec: str = "") -> str:
    if _has_wide(spec):
        raise TooWide
    return format(value, spec)


def _by(name: str, function: Function) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if named:
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        return by_values(run, node, name, values, world, function)

    return follow


def _str(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 1 and isinstance(values[0], Num) and values[0].kinds == TEXT:
        return push(world, values[0])
    return _by("str", str)(run, node, values, named, world)


def _repr(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if any(_has_numbers(value, world) for value in values) and _uses_numpy(run):
        return push(world, run.refuse(node, "'repr' of numbers is not analysed in files that use numpy; write 'str'"))
    return _by("repr", repr)(run, node, values, named, world)


PLAIN_FUNCTIONS: Mapping[str, Builtin] = {
    "builtins.ascii": _by("ascii", ascii),
    "builtins.bin": _by("bin", bin),
    "builtins.chr": _by("chr", chr),
    "builtins.format": _by("format", _format),
    "builtins.hex": _by("hex", hex),
    "builtins.oct": _by("oct", oct),
    "builtins.ord": _by("ord", ord),
    "builtins.repr": _repr,
    "builtins.str": _str,
}

_TEXT_METHODS = (
    "capitalize casefold center count endswith find index isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace istitle isupper "
    "ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip "
    "swapcase title upper zfill"
)


def _text_method(name: str) -> Builtin:
    call = getattr(str, name)

    def apply(text: str, *values: object) -> object:
        if any(isinstance(each, int) and abs(each) > _WIDEST for each in values):
            raise TooWide
        return call(text, *values)

    return _by(name, apply)


PLAIN_METHODS: Mapping[str, Builtin] = {
    **{f"str.{name}": _text_method(name) for name in _TEXT_METHODS.split()},
    "str.format": _format_method,
    "int.bit_length": _by("bit_length", int.bit_length),
    "int.bit_count": _by("bit_count", int.bit_count),
}
"""Methods of texts and of whole numbers; the first value is the owner."""
