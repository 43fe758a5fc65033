"""Classes that inherit, as people write them: what ``super()`` and ``cls`` find, whose field is read, and how dataclasses put theirs together."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2), "y": (0, 1)}
RIGHT: dict[str, str] = {
    "methods of the class": """\
import random
class A:
    def __init__(self, v):
        self.v = v
    @classmethod
    def make(cls, v):
        return cls(v + 1)
    def name(self):
        return "A"
    def show(self):
        return self.name(), self.v
class B(A):
    def name(self):
        return "B" + super().name()
    @classmethod
    def make(cls, v):
        return super().make(v * 2)
def f(x, y):
    a = A.make(x) if y else B.make(x)
    return a.show(), isinstance(a, B), isinstance(a, A)
""",
    "setup by those that inherit": """\
class A:
    k = 1
    def __init__(self):
        self.n = self.k
        self.setup()
    def setup(self):
        self.m = 0
class B(A):
    k = 2
    def setup(self):
        super().setup()
        self.m += self.k + self.n
class C(B):
    k = 3
    def __init__(self, x):
        self.x = x
        super().__init__()
    def setup(self):
        super(B, self).setup()
        self.m -= self.x
def f(x, y):
    o = [A(), B(), C(x)][(x + y) % 3]
    return o.n, o.m
""",
    "dataclasses": """\
from dataclasses import dataclass
@dataclass
class P:
    a: int
    b: int = 2
@dataclass
class Q(P):
    c: int = 5
    def __post_init__(self):
        self.c += self.a
def f(x, y):
    q = Q(x, c=y)
    return q.a, q.b, q.c, q == Q(1, 2, y), P(x, 2) == Q(x, 2, y)
""",
    "an abstract class": """\
from abc import ABC, abstractmethod
class M(ABC):
    @abstractmethod
    def go(self): ...
class N(M):
    pass
def f(x, y):
    try:
        N()
    except TypeError:
        return x
    return 9
""",
    "abstract in name only": """\
from abc import abstractmethod
class M:
    @abstractmethod
    def go(self): return 4
def f(x, y):
    return M().go() + x
""",
    "objects that are called": """\
class Add:
    def __init__(self, n): self.n = n
    def __call__(self, v, w=1): return self.n + v * w
class Sub(Add):
    def __call__(self, v): return super().__call__(v, w=2)
def f(x, y):
    g = Sub(x)
    return g(y), list(map(Add(1), [x, y])) if False else Add(1)(x)
""",
    "mechanisms": """\
import random
class Mech:
    def __init__(self, eps): self.eps = eps
    def randomise(self, v): raise NotImplementedError
    def many(self, vs): return [self.randomise(v) for v in vs]
class Flip(Mech):
    def randomise(self, v):
        return v if random.random() < 0.75 else 1 - v
class Twice(Flip):
    def randomise(self, v):
        return super().randomise(super().randomise(v))
def f(x, y):
    m = random.choice([Flip(1), Twice(2)])
    return m.many([y, 0])
""",
    "a value in place of a method": """\
class A:
    def f(self): return 1
class B(A):
    f = 5
def f(x, y):
    return A().f() + B().f + x
""",
    "a base that is named": """\
class A:
    def __init__(self): self.l = []
class B(A):
    def __init__(self):
        A.__init__(self)
        self.l.append(1)
def f(x, y):
    b, c = B(), B()
    b.l.append(x)
    return b.l, c.l
""",
    "super in a comprehension": """\
class A:
    def who(self): return 1
class B(A):
    def who(self):
        return [super(B, self).who() + i for i in range(2)]
def f(x, y):
    return B().who(), x
""",
    "named tuples": """\
from typing import NamedTuple
class P(NamedTuple):
    a: int
    b: int = 1
    def s(self): return self.a + self.b
def f(x, y):
    p = P(x)
    return p.s(), p._replace(a=5).a if False else p.a, p < P(1, 0), p == (x, 1)
""",
    "super of object": """\
class A:
    def __init__(self, n): self.n = n
    def run(self):
        return super().__init__() is None, self.n
def f(x, y):
    return A(x).run()
""",
    "starred arguments": """\
class Base:
    def __init__(self, *args, **kw):
        self.args = args
        self.kw = kw
class D(Base):
    def __init__(self, *args, z=0, **kw):
        super().__init__(*args, **kw)
        self.z = z
def f(x, y):
    d = D(x, y, z=3, w=4)
    return d.args, d.z, d.kw["w"]
""",
    "exceptions": """\
class E(Exception): pass
class F(E): pass
def f(x, y):
    try:
        if x: raise F("a")
        if y: raise E
    except F:
        return 1
    except E:
        return 2
    return 3
""",
    "a value of the class and a field": """\
class A:
    def __init__(self, n): self.n = n
    def set(self, n):
        self.n = n
        return self
class B(A):
    n = 4
    def __init__(self): pass
def f(x, y):
    b = B()
    if y:
        b.set(x)
    return b.n
""",
    "counters of a class": """\
class Counter2:
    total = 0
    def inc(self):
        self.total += 1
        return self.total
class D(Counter2):
    total = 5
def f(x, y):
    c, d = Counter2(), D()
    for _ in range(x): c.inc()
    return c.total, d.inc(), Counter2.total, D.total
""",
    "a class that is chosen": """\
import random
class Animal:
    def __init__(self, name): self.name = name
    def speak(self): return f"{self.name} {self.sound()}"
    def sound(self): return "?"
class Dog(Animal):
    def sound(self): return "woof"
class Cat(Animal):
    def sound(self): return "meow"
def f(x, y):
    k = Dog if x else Cat
    return k("a").speak()
""",
    "defaults that are made": """\
from dataclasses import dataclass, field
@dataclass
class P:
    a: int
    l: list = field(default_factory=list)
    n: int = field(default=3)
    d: dict = field(default_factory=lambda: {"k": [1]})
@dataclass
class Q(P):
    n: int = 4
    e: P = field(default_factory=lambda: P(8))
def f(x, y):
    p, q = Q(x), Q(y, [x])
    p.d["k"].append(2)
    q.e.a += 1
    return p.d, q.d, p.l, q.l, p.n, p.e.a, q.e.a, P(1).n
""",
    "a default that is drawn": """\
import random
from dataclasses import dataclass, field
def draw():
    return random.randint(0, 1)
@dataclass
class P:
    a: int = field(default_factory=draw)
def f(x, y):
    p, q = P(), P(x)
    return p.a, q.a
""",
    "named tuples in order": """\
from collections import namedtuple
P = namedtuple("P", "a b")
def f(x, y):
    ps = sorted([P(x, y), P(1, 0), P(0, 2)])
    return [p.a for p in ps], max(P(x, 1), P(y, 2)).b if False else 0, P(x, y) <= (1, 1), (x, y) > P(1, 0)
""",
    "a list that is handed up": """\
class A:
    def __init__(self, l=None):
        self.l = l
class B(A):
    def __init__(self, l):
        super().__init__(l)
        l.append(9)
def f(x, y):
    k = [x]
    b = B(k)
    k.append(y)
    return b.l, b.l is k
""",
    "a field in place of a method": """\
class A:
    def g(self): return self.h()
    def h(self): return 1
class B(A):
    def __init__(self): self.h = lambda: 5
def f(x, y):
    return B().g() + x
""",
    "a field that hides a value": """\
class A:
    k = 1
    def get(self): return self.k
class B(A):
    def __init__(self, x):
        if x: self.k = 7
def f(x, y):
    return B(x).get(), B.k
""",
    "methods of the class by the class": """\
class A:
    @staticmethod
    def s(v): return v + 1
    @classmethod
    def c(cls, v): return cls.s(v)
class B(A):
    @staticmethod
    def s(v): return v * 10
def f(x, y):
    return A.c(x), B.c(x), B().c(y), A().s(x)
""",
    "another self": """\
class A:
    def f(self): return [1]
class B(A):
    def f(self):
        self = A()
        return super().f()
def f(x, y):
    try:
        return B().f()
    except TypeError:
        return "t"
""",
    "checks in both": """\
from dataclasses import dataclass
@dataclass
class A:
    x: int
    def __post_init__(self):
        if self.x > 1:
            raise ValueError("big")
@dataclass
class B(A):
    y: int = 3
    def __post_init__(self):
        super().__post_init__()
        self.y += self.x
def f(x, y):
    return B(x).y
""",
    "draws above": """\
import random
class A:
    def d(self): return random.randint(0, 1)
    def both(self): return self.d() * 2 + self.d()
class B(A):
    def d(self): return super().d() ^ super().d()
def f(x, y):
    return B().both() + x
""",
}
REFUSED: dict[str, str] = {
    "a property by super": """\
class A:
    @property
    def size(self): return self.n + 1
    def __init__(self, n): self.n = n
class B(A):
    @property
    def size(self): return super().size * 2
class C(B): pass
def f(x, y):
    return A(x).size, B(x).size, C(y).size
""",
    "a variable of the class": """\
from dataclasses import dataclass
from typing import ClassVar
@dataclass
class P:
    k: ClassVar[int] = 3
    a: int = 1
def f(x, y):
    return P(x).a
""",
    "no order": "class A: pass\nclass B(A): pass\nclass C(A, B): pass\ndef f(x, y):\n    return C() is None\n",
    "plain of data": "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: int\nclass B(A): pass\ndef f(x, y):\n    return B(x) == B(y)\n",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", RIGHT)
def test_they_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}


def test_a_marked_method_has_those_that_its_class_inherits() -> None:
    text = "class A:\n    def noisy(self):\n        return self.v + self.by()\nclass B(A):\n    def by(self):\n        return 1\n    def f(self):\n        return self.noisy()\n"
    program = program_of(text, "B.f", {"self.v": (0, 1)})

    assert program.measure("P(result == 2)").value == 0.5
