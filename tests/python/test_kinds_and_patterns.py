"""Classes with several bases, private names, enumerations of texts, and ``match`` on sequences, objects and dictionaries: each has the law that enumerating finds, or is refused."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}
HEAD = """import dataclasses
import heapq
import random
from collections import namedtuple
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum, auto
"""
KINDS = """
class A:
    def __init__(self, v=0):
        self.log = ["A"]
        self.v = v
    def hi(self): return [1]

class B(A):
    def __init__(self, v=0):
        super().__init__(v)
        self.log.append("B")
    def hi(self): return [2] + super().hi()

class C(A):
    K = 3
    def __init__(self, v=0):
        super().__init__(v + 1)
        self.log.append("C")
    def hi(self): return [3] + super().hi()

class D(B, C):
    def hi(self): return [4] + super().hi()

class E(C, B): pass

class Mixin:
    def double(self): return self.v * 2

class F(Mixin, A): pass

class Color(StrEnum):
    RED = "red"
    DARK_BLUE = auto()

class P:
    __count = 5
    def __init__(self, x):
        self.__x = x
    def get(self): return self.__x + self.__count
    def __hidden(self): return 1
    def call(self): return self.__hidden()

class Q(P):
    def __init__(self, x):
        super().__init__(x)
        self.__x = 7
    def __hidden(self): return 2
    def both(self): return self.get(), self.__x, self.call(), self.__hidden(), self._P__x

class Lv(IntEnum):
    LO = 1
    HI = 2
"""
PATTERNS = """
@dataclass
class Pt:
    x: int
    y: int

@dataclass
class Pt3(Pt):
    z: int = 0

N = namedtuple("N", "a b")
"""
DATA = """
@dataclass(order=True, frozen=True)
class Card:
    rank: int
    suit: str = "a"

@dataclass(slots=True)
class S:
    x: int
    y: int = 2

@dataclass(order=True)
class Task:
    prio: int
    name: str = field(default="t")
    def __post_init__(self):
        self.prio += 1
"""
RIGHT: dict[str, str] = {
    "order": DATA
    + 'def f(x):\n    a, b = Card(x, "b"), Card(1, "b")\n    return a < b, a >= b, max([Card(x, "a"), Card(1, "b")]).suit, sorted([Card(2), Card(x), Card(1)])[0].rank',
    "heap": DATA
    + "def f(x):\n    h = []\n    for p in (3, x, random.randint(0, 1)):\n        heapq.heappush(h, Task(p))\n    return heapq.heappop(h).prio, heapq.heappop(h).prio",
    "slots": DATA + "def f(x):\n    s = S(x)\n    s.y = 5\n    return s.x, s.y, s == S(x, 5)",
    "replace": DATA
    + 'def f(x):\n    t = Task(x)\n    c = replace(Card(1, "z"), rank=x)\n    return replace(t, name="u").prio, dataclasses.replace(t).prio, c.rank, c.suit, t.prio',
    "replace bad": DATA + "def f(x):\n    return replace(Task(x), nothing=1)",
    "c3": KINDS
    + "def f(x):\n    d = D(x)\n    return d.hi(), d.log, d.v, E(x).hi(), E().log, F(x).double(), isinstance(d, C), d.K",
    "super2": KINDS + "def f(x):\n    return super(B, D(x)).hi()",
    "strenum": KINDS
    + 'def f(x):\n    c = Color.RED if x else Color.DARK_BLUE\n    return c == "red", c, f"{c}!", c.upper(), Color("red") == c, [m for m in Color], random.choice(list(Color)) == c',
    "private": KINDS + "def f(x):\n    return Q(x).both()",
    "show": KINDS + 'def f(x):\n    return f"{Lv.LO} {x}", str(Lv.HI)',
    "seq": PATTERNS
    + 'def f(x):\n    out = []\n    for v in ([x, 1], (0, x), [], [1], [1, 2, 3, x], "ab", x, None, range(2), {1: x}, N(x, 2)):\n        match v:\n            case []:\n                out.append("empty")\n            case [0, y]:\n                out.append(y)\n            case [a] | (a, 1):\n                out.append(("one", a))\n            case [a, *rest, 2]:\n                out.append((a, rest))\n            case [_, _, *_] as w:\n                out.append(len(w))\n            case int(k) if k > 1:\n                out.append(k)\n            case str() | None:\n                out.append("text")\n            case {1: k, **more}:\n                out.append((k, more))\n            case _:\n                out.append("else")\n    return out',
    "cls": PATTERNS
    + 'def f(x):\n    out = []\n    for p in (Pt(x, 1), Pt(0, x), Pt3(1, 2, x), x):\n        match p:\n            case Pt(x=0, y=y):\n                out.append(y)\n            case Pt3(a, b, z=0):\n                out.append(("flat", a, b))\n            case Pt(a, b) if a > b:\n                out.append((a, b))\n            case Pt():\n                out.append("pt")\n            case other:\n                out.append(other)\n    return out',
    "random": PATTERNS
    + 'def f(x):\n    match (random.randint(0, 2), random.choice("ab")):\n        case (0, _):\n            r = "zero"\n        case (n, "a") if n > x:\n            r = n\n        case (n, s):\n            r = s\n    return r',
    "map": PATTERNS
    + 'def f(x):\n    r = {"kind": "move", "by": x}\n    if x == 2:\n        r = {"kind": "stop"}\n    match r:\n        case {"kind": "move", "by": 0}:\n            return "stay"\n        case {"kind": "move", "by": n}:\n            return n\n        case {"kind": k, **rest}:\n            return k, rest',
    "unbound": PATTERNS + "def f(x):\n    match [x, 1]:\n        case [q, 5]:\n            pass\n    return q",
}
REFUSED: dict[str, str] = {
    "mixed": DATA + "def f(x):\n    return Card(x) < Task(x)",
    "slots new": DATA + "def f(x):\n    s = S(x)\n    s.z = 5\n    return s.z",
    "slots class": DATA + "def f(x):\n    return S.y",
    "strname": KINDS + "def f(x):\n    return Color.RED.name",
    "outside": KINDS + "def f(x):\n    return P(x).__x",
    "show2": KINDS + "def f(x):\n    return str([Lv.LO, x])",
    "show3": KINDS + 'def f(x):\n    return f"{[Color.RED]}"',
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_law_is_that_of_all_runs(name: str) -> None:
    assert disagreement(HEAD + RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(HEAD + REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}
