"""What a Python expression can be before any run: numbers that may be random, and everything whose structure is known."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number as Exact
from seepage.exact.symbols import number_of
from seepage.source import Span
from seepage.syntax.tree import Expression

HERE = Span(0, 0)
MOST_VALUES = 256  # of a variable whose values are listed
_LONGEST_TEXT = 80  # characters of a value that are told of it


@dataclass(frozen=True, slots=True)
class Support:
    """Values that a number can have, perhaps with some that it cannot: listed, or between two ends (None: no end is known)."""

    values: frozenset[Exact] | None = None
    low: Exact | None = None
    high: Exact | None = None


ANYTHING = Support()


@dataclass(frozen=True, slots=True)
class Num:
    """A number, truth value, text or ``None``: an expression of the program.

    Attributes:
        expression: over variables and parameters of the program; texts and ``None`` are codes (:class:`Codes`).
        kinds: of which Python types it can be: ``int bool float none str``.
        support: the values that it can have.
        ieee: what Python computes, where that is known before the run, to tell where floats decide otherwise than numbers.
        of_numpy: whether it may be a number of numpy, whose truth values count nothing and which divides by zero.
    """

    expression: Expression
    kinds: frozenset[str]
    support: Support = ANYTHING
    ieee: float | int | None = None
    of_numpy: bool = False

    @property
    def known(self) -> Exact | None:
        """The value, if there is but one."""
        values = self.support.values
        return next(iter(values)) if values is not None and len(values) == 1 else None

    @property
    def is_number(self) -> bool:
        """Whether it is a number for certain."""
        return self.kinds <= NUMERIC


NUMERIC = frozenset({"int", "bool", "float"})
INT, BOOL, FLOAT = frozenset({"int"}), frozenset({"bool"}), frozenset({"float"})
WHOLE = INT | BOOL
TEXT, NONE = frozenset({"str"}), frozenset({"none"})


def may_share(kinds: frozenset[str]) -> bool:
    """Whether values of such types may be one expression: a float can be equal to the code of a text or of ``None``, an integer cannot."""
    return "float" not in kinds or kinds <= NUMERIC


@dataclass(frozen=True, slots=True)
class Ref:
    """An object of the heap; two names with one ``Ref`` share it."""

    id: int


@dataclass(frozen=True, slots=True)
class Uniform:
    """``scale * u + offset`` for the draw ``u`` with this number from [0, 1), of which a world knows in which cell it lies."""

    draw: int
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Range:
    """``range(start, stop, step)`` of known numbers."""

    indices: range


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the analysed file: its definition, the frame it was defined in, values of its defaults, what it is bound to, and the class of whose methods it is one."""

    node: ast.FunctionDef | ast.Lambda
    frame: int
    defaults: Mapping[str, Value] = field(compare=False)
    owner: Ref | Class | None = None
    kind: Class | None = None

    def __hash__(self) -> int:
        return hash((id(self.node), self.frame))

    @property
    def name(self) -> str:
        """As it is written in the file."""
        return self.node.name if isinstance(self.node, ast.FunctionDef) else "lambda"


@dataclass(frozen=True, slots=True)
class Library:
    """A name of another module by its full path: ``random.randint``, ``numpy.random``, ``builtins.len``."""

    path: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method of an object: ``a.append``."""

    owner: Ref | Num | Library | Generator
    name: str


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator of random numbers: ``random.Random`` or ``numpy.random.Generator``."""

    path: str


@dataclass(frozen=True, slots=True)
class Class:
    """A record type of the file.

    Attributes:
        name: as it is written.
        fields: in order; of a class without such a list none, as its methods make them.
        defaults: the values of those that have one.
        node: its class statement, if there is one.
        frame: in which it stands.
        sort: ``tuple`` of a named tuple, ``data`` of a dataclass, ``plain`` of another class, ``marked`` of an object of which only what a mark names is known.
        is_frozen: whether its fields are never written.
        above: the classes of the file that it inherits from, in the order in which names are looked up.
        is_ordered: whether objects of it are ordered as the tuples of their fields.
        has_slots: whether its objects have no other fields.
        factories: fields whose default is what a call of the value in ``defaults`` gives.
    """

    name: str
    fields: tuple[str, ...]
    defaults: Mapping[str, Value] = field(compare=False)
    node: ast.ClassDef | None = None
    frame: int = 0
    sort: str = "plain"
    is_frozen: bool = False
    is_ordered: bool = False
    has_slots: bool = False
    above: tuple[Class, ...] = field(default=(), compare=False)
    factories: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash((self.name, self.fields))

    def defines(self, names: Collection[str]) -> bool:
        """Whether one of some names is that of a function of the class, or of one that it inherits from."""
        nodes = [one for kind in self.lineage if kind.node is not None for one in kind.node.body]
        return any(isinstance(one, ast.FunctionDef) and one.name in names for one in nodes)

    @property
    def lineage(self) -> tuple[Class, ...]:
        """The class, and those that it inherits from, in the order in which names are looked up."""
        return (self, *self.above)


@dataclass(frozen=True, slots=True)
class Super:
    """What ``super()`` gives: an object, or a class, whose names are looked up from ``kind`` on; None: in ``object``."""

    owner: Ref | Class
    kind: Class | None


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a fault has already been told of; silences what follows."""


@dataclass(frozen=True, slots=True)
class Stale(Unknown):
    """What a name holds before a round of a loop that ends by chance, where no round reads it before it binds it."""


Value: TypeAlias = Num | Ref | Uniform | Range | Function | Library | Method | Generator | Class | Super | Unknown


@dataclass(slots=True)
class Given:
    """The arguments of a call."""

    positional: list[Value]
    named: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Object:
    """An object of the heap at one moment.

    Attributes:
        sort: ``list tuple dict record array``, ``iterator`` of what is walked over once.
        cells: its parts in order; of an array in C order.
        keys: of a dictionary or a record, one for each cell.
        shape: of an array.
        type: of a record.
    """

    sort: str
    cells: tuple[Value, ...]
    keys: tuple[object, ...] = ()
    shape: tuple[int, ...] = ()
    type: Class | None = None


def may_be_of_numpy(*values: Value) -> bool:
    """Whether one of some values may be a number of numpy."""
    return any(isinstance(value, Num) and value.of_numpy for value in values)


def as_of_numpy(value: Value, is_one: bool = True) -> Value:
    """Return a number as one that may be of numpy, if ``is_one``; other values as they are."""
    return replace(value, of_numpy=True) if is_one and isinstance(value, Num) and value.is_number else value


class Codes:
    """Numbers for texts, ``None`` and exceptions: symbols of the program, spelled as Python shows what they stand for.

    So whoever shows a value shows Python's, and no sentence has to be read to find values in it.
    """

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], Fraction] = {}
        self.names: dict[Fraction, tuple[str, str]] = {}

    def code(self, sort: str, text: str = "") -> Fraction:
        """Return the number of a text (``str``), of ``none``, of an exception (``raise``) or of what is not there (``missing``)."""
        key = (sort, text)
        if key not in self._codes:
            shown = _shown(sort, text)
            if len(shown) > _LONGEST_TEXT:  # the number tells it from others with this beginning
                shown = f"{shown[:_LONGEST_TEXT]}… (text {len(self._codes) + 1})"
            made = number_of(shown)
            self._codes[key], self.names[made] = made, key
        return self._codes[key]

    def known(self, sort: str, text: str) -> Fraction | None:
        """Return the number of a text, if it has one."""
        return self._codes.get((sort, text))

    def text_of(self, value: Exact) -> str | None:
        """Return the text that a number stands for; None if it stands for none."""
        sort, text = self.names.get(Fraction(value), ("", "")) if isinstance(value, Fraction) else ("", "")
        return text if sort == "str" else None


def _shown(sort: str, text: str) -> str:
    """Return what Python shows of a value; a text without the quotes that end a symbol."""
    shown = {"none": "None", "str": repr(text), "raise": f"raise {text}", "missing": "no such element"}[sort]
    return shown.replace('"', "\\x22")


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a frame: ``locals`` it binds itself, ``outer`` are declared as another function's, ``globals`` as the file's; ``transparent``: of a comprehension; ``kind``: of a method of this class."""

    locals: frozenset[str]
    parent: int
    outer: frozenset[str] = frozenset()
    globals: frozenset[str] = frozenset()
    transparent: bool = False
    kind: Class | None = None
