"""The table of mechanisms of libraries: what each draws, and what comes out, as texts of the program over its parameters.

Laws are those that ``diffprivlib`` 0.6 and ``opendp`` 0.16 document; a project file adds rows of its own in the same words. Where a library draws
what floats can hold, or from a grid, ``note`` says so. What has no row is refused: its law is a search, or depends on more than a row can say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.python.mark_keys import MECHANISM_TYPES
from seepage.semantics.expressions import nodes
from seepage.source import SourceFile
from seepage.syntax.parse import parse
from seepage.syntax.tree import Assign, Expression, Family, Name, Placed, Sample

_PARAMETER = re.compile(r"[^\W\d]\w*(?:=(?:None|-?\d+(?:\.\d+|/\d+)?))?")
CALLED = "__call__"


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A mechanism of a library.

    Attributes:
        parameters: of the call, in order, with defaults, as Python writes them; those behind ``*`` are named.
        draw: the named law of the noise.
        result: what comes out, over parameters, ``value`` and ``draw``.
        method: of the object that the call makes, which takes ``value``; empty where the call itself draws and ``value`` is one of its parameters.
        type: of what comes out, and of ``value``.
        need: what must hold, else ``ValueError`` is raised.
        whole: parameters that must be integers; what is of a wrong type raises ``TypeError``.
        texts: parameters that are texts.
        note: in what the law differs from what the library draws.
    """

    parameters: str
    draw: str
    result: str = "value + draw"
    method: str = ""
    type: str = "float"
    need: str = ""
    whole: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    note: str = ""

    def type_of(self, name: str) -> str:
        """Return the type that a parameter, or the value, must have."""
        if name == "value":
            return self.type
        return "int" if name in self.whole else "str" if name in self.texts else "float"

    @property
    def names(self) -> frozenset[str]:
        """The names that its texts may read."""
        found = {part.strip().partition("=")[0] for part in self.parameters.split(",")}
        return frozenset(found - {"*", ""}) | ({"value"} if self.method else frozenset())


Mechanisms: TypeAlias = tuple[tuple[str, Mechanism], ...]
"""Rows of a project file, by the full path of what is called."""


def _private(
    parameters: str, draw: str, result: str = "value + draw", of: str = "float", need: str = "", note: str = ""
) -> Mechanism:
    """A mechanism of ``diffprivlib``, whose parameters are all named."""
    whole = frozenset({"sensitivity"}) if of == "int" else frozenset[str]()
    texts = frozenset({"value0", "value1"})
    everything = f"*, {parameters}, random_state=None"
    return Mechanism(everything, draw, result, "randomise", of, need, whole, texts, note)


_FLOATS = "diffprivlib draws floats, which are analysed as the real numbers of {}"
_LAPLACE = {
    "draw": "laplace(0, sensitivity / (epsilon - log(1 - delta)))",
    "note": _FLOATS.format("a Laplace law"),
}
_CLAMPED = "min(max(value + draw, lower), upper)"
_DIFFPRIVLIB: Mapping[str, Mechanism] = {
    "Laplace": _private("epsilon, delta=0, sensitivity", need="delta < 1", **_LAPLACE),
    "LaplaceTruncated": _private(
        "epsilon, delta=0, sensitivity, lower, upper",
        result=_CLAMPED,
        need="delta < 1 and lower <= upper",
        **_LAPLACE,
    ),
    "Gaussian": _private(
        "epsilon, delta, sensitivity",
        "normal(mean=0, std=sqrt(2 * log(5 / 4 / delta)) * sensitivity / epsilon)",
        need="epsilon <= 1 and delta <= 1",
        note=_FLOATS.format("a normal law"),
    ),
    "Geometric": _private("epsilon, sensitivity=1", "discrete_laplace(sensitivity / epsilon)", of="int"),
    "GeometricTruncated": _private(
        "epsilon, sensitivity=1, lower, upper",
        "discrete_laplace(sensitivity / epsilon)",
        result=_CLAMPED,
        of="int",
        need="lower <= upper",
    ),
    "Uniform": _private(
        "delta, sensitivity",
        "uniform(-sensitivity / delta / 2, sensitivity / delta / 2)",
        need="delta <= 1 / 2",
        note=_FLOATS.format("a uniform law"),
    ),
    "Binary": _private(
        "epsilon, value0, value1",
        "flip(1 / (exp(epsilon) + 1))",
        result="if draw == 0 then value else if value == value0 then value1 else value0",
        of="str",
        need="epsilon >= 0 and value0 != value1 and (value == value0 or value == value1)",
    ),
}
_GRID = "opendp draws multiples of a power of two, which are analysed as the real numbers of {}"
_ENDS = "opendp keeps what is drawn within the ends of a fixed-size integer, which are analysed as infinitely far"
_OPENDP: Mapping[str, Mechanism] = {
    "opendp.laplace float": Mechanism("scale", "laplace(0, scale)", method=CALLED, note=_GRID.format("a Laplace law")),
    "opendp.laplace int": Mechanism("scale", "discrete_laplace(scale)", method=CALLED, type="int", note=_ENDS),
    "opendp.gaussian float": Mechanism(
        "scale", "normal(mean=0, std=scale)", method=CALLED, note=_GRID.format("a normal law")
    ),
    "opendp.gaussian int": Mechanism("scale", "discrete_gaussian(scale^2)", method=CALLED, type="int", note=_ENDS),
}
MECHANISMS: Mapping[str, Mechanism] = {
    **{f"diffprivlib.mechanisms.{name}": row for name, row in _DIFFPRIVLIB.items()},
    **_OPENDP,
}
"""By full path; those of ``opendp``, which are put together from parts, by noise and type of the data."""


def read(rows: Mapping[str, Mapping[str, object]]) -> Mechanisms:
    """Return the rows of a project file, whose keys are known and whose values are texts (``parameters`` a list of them)."""
    found: list[tuple[str, Mechanism]] = []
    for path, row in rows.items():
        given = row.get("parameters", ())
        parameters = ", ".join(map(_without_blanks, given)) if isinstance(given, list) else ""
        made = Mechanism(
            parameters,
            str(row.get("draw", "")),
            str(row.get("result", "value + draw")),
            str(row.get("method", "")),
            str(row.get("type", "float")),
            str(row.get("need", "")),
            note=str(row.get("note", "")),
        )
        found.append((path, made))
    return tuple(found)


def _without_blanks(parameter: object) -> str:
    return re.sub(r"\s*=\s*", "=", str(parameter).strip())


def names_in(text: str) -> frozenset[str]:
    """Return the names that an expression reads; none of an empty text."""
    found = expression_of(text) if text else None
    return frozenset() if found is None else frozenset(_names(found))


def problem_of(row: Mechanism) -> str | None:
    """Return what is wrong with a row; None if nothing."""
    if row.type not in MECHANISM_TYPES:
        return f"'type' is one of: {', '.join(MECHANISM_TYPES)}"
    for part in filter(None, row.parameters.split(", ")):
        if part != "*" and not _PARAMETER.fullmatch(part):
            return f"'{part}' is no parameter; expected a name, or a name with a number, as \"sensitivity=1\""
    if law_of(row.draw) is None:
        return "'draw' is a named law, as \"laplace(0, sensitivity / epsilon)\""
    for key, text in (("result", row.result), ("need", row.need)):
        if text and expression_of(text) is None:
            return f"'{key}' is an expression, as \"value + draw\""
    for key, names in _reads(row):
        if names:
            return f"'{key}' reads '{sorted(names)[0]}', which is no parameter"
    return None


def _reads(row: Mechanism) -> Iterator[tuple[str, set[str]]]:
    """Yield for each text the names that it reads and that are not there."""
    law = law_of(row.draw)
    assert law is not None
    yield "draw", {name for one in law.arguments for name in _names(one.value)} - row.names
    yield "result", set(names_in(row.result) - row.names - {"draw"})
    yield "need", set(names_in(row.need) - row.names)


def _names(expression: Expression) -> Iterator[str]:
    return (node.id for node in nodes(expression) if isinstance(node, Name))


def law_of(text: str) -> Family | None:
    """Return a named law; None if a text is none."""
    item = _only_item(f"x ~ {text}")
    law = item.distribution if isinstance(item, Sample) else None
    return law if isinstance(law, Family) else None


def expression_of(text: str) -> Expression | None:
    """Return an expression; None if a text is none."""
    item = _only_item(f"x := {text}")
    return item.value if isinstance(item, Assign) else None


def _only_item(text: str) -> object:
    parsed = parse(SourceFile("", text))
    if any(one.is_error for one in parsed.diagnostics) or len(parsed.tree.items) != 1:
        return None
    item = parsed.tree.items[0]
    return item.node if isinstance(item, Placed) else None
