"""How many arguments functions and methods take, and by which names."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from seepage.data_classes import dataclass
from seepage.python.calling import Named
from seepage.python.run import Run
from seepage.python.world import World, push


@dataclass(frozen=True, slots=True)
class Takes:
    """What a call may hold.

    Attributes:
        least: so many arguments by place.
        most: so many at most; None: any number.
        named: names that are followed; None: any names.
        other: names that Python takes and that are not followed.
    """

    least: int
    most: int | None
    named: frozenset[str] | None = frozenset()
    other: frozenset[str] = frozenset()


def _takes(least: int, most: int | None = -1, named: str | None = "", other: str = "") -> Takes:
    names = None if named is None else frozenset(named.split())
    return Takes(least, least if most == -1 else most, names, frozenset(other.split()))


def _each(owner: str, names: str, takes: Takes) -> dict[str, Takes]:
    return {f"{owner}.{name}": takes for name in names.split()}


TAKES: Mapping[str, Takes] = {
    **_each("builtins", "abs all any len reversed", _takes(1)),
    **_each("builtins", "divmod isinstance", _takes(2)),
    **_each("builtins", "bool float list tuple set", _takes(0, 1)),
    **_each("builtins", "max min", _takes(1, None, "key default")),
    "builtins.bytes": _takes(1),
    "builtins.dict": _takes(0, 1, None),
    "builtins.enumerate": _takes(1, 2, "start", "iterable"),
    "builtins.int": _takes(0, 2, "", "base"),
    "builtins.pow": _takes(2, 3, "", "base exp mod"),
    "builtins.range": _takes(1, 3),
    "builtins.round": _takes(1, 2, "ndigits", "number"),
    "builtins.sorted": _takes(1, 1, "key reverse"),
    "builtins.str": _takes(0, 3, "", "object encoding errors"),
    "builtins.sum": _takes(1, 2, "start"),
    **_each("math", "floor ceil fabs exp log1p sqrt log2 log10", _takes(1)),
    "math.copysign": _takes(2),
    "math.log": _takes(1, 2),
    "math.prod": _takes(1, 1, "start"),
    "builtins.iter": _takes(1, 1, ""),
    "builtins.object.__init__": _takes(0),
    "builtins.super": _takes(0, 2),
    "functools.partial": _takes(1, None, None),
    "functools.reduce": _takes(2, 3),
    **_each("operator", "add sub mul mod floordiv xor and_ or_", _takes(2)),
    "copy.copy": _takes(1, 1, "", "x"),
    "time.sleep": _takes(1),
    **_each("statistics", "mean fmean median", _takes(1, 1, "", "data weights")),
    **_each("hmac", "compare_digest", _takes(2)),
    **_each("secrets", "compare_digest", _takes(2)),
    **_each("numpy", "array zeros ones", _takes(1, 1, "dtype")),
    **_each("numpy", "asarray", _takes(1, 1, "dtype")),
    **_each("numpy", "sum max min mean any all argmax argmin", _takes(1, 1, "axis")),
    **_each("numpy", "abs absolute fabs sign exp ceil floor sqrt log log2 log10 log1p", _takes(1)),
    **_each("numpy", "clip where", _takes(3)),
    **_each("numpy", "maximum minimum dot", _takes(2)),
    **_each("numpy", "cumsum sort zeros_like ones_like linalg.norm", _takes(1)),
    "numpy.bincount": _takes(1, 1, "minlength"),
    **_each("numpy", "concatenate count_nonzero eye identity ravel", _takes(1)),
    "numpy.reshape": _takes(2, None),
    "array.flatten": _takes(0),
    "numpy.full": _takes(2, 2, "dtype"),
    "numpy.histogram": _takes(1, 2, "bins"),
    "numpy.arange": _takes(1, 3),
    "numpy.copysign": _takes(2),
    "numpy.round": _takes(1, 2),
    **_each("list", "append extend remove count", _takes(1)),
    **_each("list", "copy clear reverse", _takes(0)),
    "list.index": _takes(1, 3),
    "list.insert": _takes(2),
    "list.pop": _takes(0, 1),
    "list.sort": _takes(0, 0, "key reverse"),
    **_each("deque", "append appendleft extend extendleft count index", _takes(1)),
    **_each("deque", "clear copy pop popleft", _takes(0)),
    "deque.rotate": _takes(0, 1),
    "collections.deque": _takes(0, 2, "maxlen"),
    "tuple.count": _takes(1),
    "tuple.index": _takes(1, 3),
    **_each("array", "copy tolist", _takes(0)),
    "array.astype": _takes(1),
    **_each("dict", "keys values items clear copy", _takes(0)),
    **_each("dict", "get pop setdefault", _takes(1, 2)),
    "dict.most_common": _takes(0, 1, "n"),
    "dict.update": _takes(0, 1, None),
    **_each("set", "add remove discard issubset issuperset symmetric_difference", _takes(1)),
    **_each("set", "pop clear copy", _takes(0)),
    **_each("set", "update union intersection difference", _takes(0, None)),
}


ARRAY_METHODS = frozenset(
    {
        "reshape",
        "ravel",
        "sum",
        "max",
        "min",
        "mean",
        "any",
        "all",
        "argmax",
        "argmin",
        "clip",
        "cumsum",
        "dot",
        "round",
    }
)
"""Methods of arrays that are functions of numpy, too."""


def is_method(sort: str, name: str) -> bool:
    """Whether objects of a sort have a method that is followed."""
    return f"{sort}.{name}" in TAKES or (sort == "array" and name in ARRAY_METHODS)


def misfit(run: Run, node: ast.AST, path: str, count: int, named: Named, world: World) -> list[World] | None:
    """Return how a call with so many arguments by place ends that a function does not take, or that is not followed; None for others.

    Python raises TypeError; functions of numpy take more than is followed, and are refused.
    """
    takes = TAKES.get(path)
    if takes is None:
        return None
    names = set() if takes.named is None else named.keys() - takes.named
    too_many = takes.most is not None and count > takes.most
    if not names and not too_many and count >= takes.least:
        return None
    if path.startswith(("numpy.", "array.")) or (named and not too_many and names <= takes.other):
        return push(world, run.refuse(node, f"this call of '{path.rpartition('.')[2]}' is not analysed"))
    run.raise_(world, "TypeError")
    return []
