"""What is seen, as variables of the program: a value of known structure is one variable for each number in it.

Where runs end with values of several structures (lists of several lengths, a number or an exception), one more variable tells which, and what
a structure does not have holds the code of *no such element*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Irrational
from seepage.python import constants
from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import NONE, NUMERIC, TEXT, Class, Function, Num, Range, Ref, Unknown, Value
from seepage.python.world import World
from seepage.syntax.spell import spell

Path: TypeAlias = tuple[int | str, ...]


@dataclass(slots=True)
class Seen:
    """An output, or a secret of several numbers, as variables of the program.

    Attributes:
        name: as people write it.
        case: the variable that tells the structure, if there are several.
        cells: variables by path: ``(0,)`` is ``name[0]``, ``("age",)`` is ``name.age``, ``()`` the value itself.
        kinds: of which Python types the variables can be; ``missing``: in some runs there is none.
        whole: the array of the program that holds all cells, if there is one.
        lengths: for each path of a sequence its length, where all structures agree.
    """

    name: str
    case: str | None = None
    cells: dict[Path, str] = field(default_factory=dict)
    kinds: dict[Path, frozenset[str]] = field(default_factory=dict)
    whole: str | None = None

    def variables(self, path: Path) -> list[str]:
        """Return the variables of a part."""
        inside = [name for one, name in self.cells.items() if one[: len(path)] == path]
        if path == () and self.whole is not None:
            inside = [self.whole]
        if self.case is not None and (path == () or path not in self.cells):
            return [self.case, *inside] if inside or path == () else []
        return inside


def flat(run: Run, value: Value, world: World, path: Path = ()) -> tuple[object, dict[Path, Num]] | None:
    """Return the structure of a value and its numbers by path; None, and a fault, for what is no data."""
    value = run.as_number(world, value)
    match value:
        case Num():
            # What has a density is apart from numbers, which it is equal to with chance 0.
            return ("density" if run.may_have_density(value) else "discrete"), {path: value}
        case Ref(at):
            found = world.heap[at]
            if found.type is not None and found.type.sort == "enum":
                text = constants.text_of(run, found.cells[0])
                code = run.codes.code("str", f"{found.type.name}.{text}")
                return "discrete", {path: constant(code, TEXT)}
            if found.sort == "dict" and any(isinstance(key, Ref) for key in found.keys):
                run.refuse(
                    run.at, "a dictionary whose keys are members of an enumeration is no output; take their names"
                )
                return None
            if found.sort == "iterator":
                run.refuse(run.at, "what is walked over once is no data; make it a list")
                return None
            names: Sequence[int | str] = range(len(found.cells))
            if found.sort == "record":
                names = [str(key) for key in found.keys]
            if found.sort == "dict":
                names = _shown_keys(run, found.keys)
            keys: list[object] = []
            numbers: dict[Path, Num] = {}
            for name, cell in zip(names, found.cells, strict=True):
                inner = flat(run, cell, world, (*path, name))
                if inner is None:
                    return None
                keys.append((name, inner[0]))
                numbers |= inner[1]
            return (found.sort, found.shape, tuple(keys)), numbers
        case Range(indices):
            numbers = {(*path, place): constant(each, frozenset({"int"})) for place, each in enumerate(indices)}
            return ("range", len(indices)), numbers
        case Function() | Class():
            run.refuse(run.at, "a function or a class as an output is not analysed")
            return None
        case Unknown():
            return None
        case _:
            run.refuse(run.at, "this value as an output is not analysed")
            return None


def _shown_keys(run: Run, keys: Sequence[object]) -> list[str]:
    """Return keys as people write them: texts without quotes, unless another key is written so; ``True`` is the key ``1``."""
    plain = [_plain_key(run, key) for key in keys]
    others = {str(key) for key in plain if not isinstance(key, str)}
    return [repr(key) if isinstance(key, str) and key in others else str(key) for key in plain]


def _plain_key(run: Run, key: object) -> object:
    match key:
        case bool():
            return int(key)
        case tuple():
            return tuple(_plain_key(run, part) for part in key)
        case Fraction() if key in run.codes.names:
            sort, text = run.codes.names[key]
            return text if sort == "str" else None
        case _:
            return key


def write_output(run: Run, name: str, ends: Sequence[tuple[World, Value]]) -> Seen | None:
    """Assign an output at each end of the function."""
    parts = [flat(run, value, world) for world, value in ends]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if name == "printed":
        known = _as_printed(run, known)
    structures = list(dict.fromkeys(key for key, _ in known))
    seen = Seen(name)
    paths = list(dict.fromkeys(path for _, numbers in known for path in numbers))
    if len(structures) > 1:
        seen.case = run.fresh(f"{name}_case")
    _name_cells(run, seen, paths)
    missing = constant(run.codes.code("missing"), NONE) if len(structures) > 1 else None
    for (world, _), (key, numbers) in zip(ends, known, strict=True):
        if seen.case is not None:
            run.write(world, f"{seen.case} := {structures.index(key)}")
        for path in paths:
            value = numbers.get(path, missing)
            assert value is not None
            seen.kinds[path] = seen.kinds.get(path, frozenset()) | (
                value.kinds if path in numbers else frozenset({"missing"})
            )
            run.write(world, f"{seen.cells[path]} := {spell(value.expression)}")
    if not paths and seen.case is None:  # an empty list in every run
        seen.case = run.fresh(f"{name}_case")
        for world, _ in ends:
            run.write(world, f"{seen.case} := 0")
    return seen


def _as_printed(run: Run, known: Sequence[tuple[object, dict[Path, Num]]]) -> list[tuple[object, dict[Path, Num]]]:
    """Return structures that tell ``1``, ``1.0`` and ``True`` apart, as what is printed does; a fault where it is not known which of them is."""
    types: dict[Path, set[frozenset[str]]] = {}
    for _, numbers in known:
        for path, value in numbers.items():
            types.setdefault(path, set()).add(value.kinds & NUMERIC)
    for found in types.values():
        found.discard(frozenset())
        if any(len(each) > 1 and (len(found) > 1 or "bool" in each) for each in found):
            run.refuse(run.at, "what is printed may be a whole number or another one, or a truth value; make it one")
    if _may_look_alike(run, known):
        run.refuse(run.at, "a text that looks like another value is printed where that is; it is not known apart")
    return [
        (
            (key, tuple((path, value.kinds & NUMERIC) for path, value in numbers.items() if len(types[path]) > 1)),
            numbers,
        )
        for key, numbers in known
    ]


_WORDS_OF_VALUES = frozenset({"True", "False", "None", "inf", "nan"})


def _is_like_a_value(text: str) -> bool:
    """Whether a printed text may be that of a number, of a container, or of several values."""
    begins = text.removeprefix("-")[:1].isdecimal() or text.startswith(("[", "(", "{"))
    return begins or text in _WORDS_OF_VALUES or any(letter.isspace() for letter in text)


def _may_look_alike(run: Run, known: Sequence[tuple[object, dict[Path, Num]]]) -> bool:
    """Whether a text is printed that looks like a number, ``None`` or several values that are printed in its place in another run."""
    texts, others = dict[Path, set[str]](), set[Path]()
    for _, numbers in known:
        for path, value in numbers.items():
            codes = value.support.values or ()
            shown = {
                text
                for code in codes
                if not isinstance(code, Irrational) and (text := run.codes.text_of(code)) is not None
            }
            if len(path) == 1 and value.kinds & TEXT:
                texts.setdefault(path, set()).update(shown)
            if len(path) > 1 or value.kinds - TEXT:
                others.add(path[:1])
    return any(_is_like_a_value(text) for place in others for text in texts.get(place, ()))


def _name_cells(run: Run, seen: Seen, paths: Sequence[Path]) -> None:
    """Name the variable of each path; the elements of one list are those of an array of the program."""
    arrays: dict[Path, str] = {}
    for path in paths:
        if path == ():
            others = len(paths) > 1
            seen.cells[path] = run.fresh(f"{seen.name}_value" if others else seen.name)
            continue
        *before, last = path
        parent = tuple(before)
        if isinstance(last, int):
            if parent not in arrays:
                arrays[parent] = run.fresh(shown_path(seen.name, parent))
            seen.cells[path] = f"{arrays[parent]}[{last}]"
        else:
            seen.cells[path] = run.fresh(shown_path(seen.name, path))
    if len(arrays) == 1 and () in arrays and all(len(path) == 1 and isinstance(path[0], int) for path in paths):
        seen.whole = arrays[()]


def shown_path(name: str, path: Path) -> str:
    """Return a part as people write it: ``result[0].age``."""
    return name + "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)


def is_number(seen: Seen, path: Path) -> bool:
    """Whether a part is one number in every run."""
    return path in seen.cells and seen.kinds.get(path, frozenset()) <= NUMERIC
