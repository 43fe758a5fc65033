"""Objects whose classes define operators, ``with``, ``partial``, and functions of libraries that are written in Python: each has the law that enumerating finds, or is refused."""

from __future__ import annotations

import bisect
import heapq
import random
from typing import Any

import pytest
from tests.python.comparing import disagreement, program_of

from seepage.python.written_functions import SOURCE

INPUTS = {"x": (0, 1, 2)}
HEAD = """import bisect
import contextlib
import functools
import heapq
import operator
import random
import threading
from contextlib import nullcontext, suppress
from functools import partial, reduce
from itertools import accumulate, chain, compress, count, cycle, dropwhile, filterfalse, groupby, islice, repeat, starmap, takewhile
"""
LIBRARY = """
def addm(a, b): return a + 2 * b
"""
CLASSES = """
class M2:
    def __init__(self, v): self.v = v
    def __add__(self, o):
        if isinstance(o, int): return M2(self.v + o)
        if not isinstance(o, M2): return NotImplemented
        return M2(self.v + o.v)
    def __radd__(self, o): return M2(o + self.v * 10)
    def __mul__(self, k): return M2(self.v * k)
    def __sub__(self, o): return self.v - o.v
    def __neg__(self): return M2(-self.v)
    def __eq__(self, o): return isinstance(o, M2) and self.v == o.v
    def __lt__(self, o): return self.v < o.v
    def __bool__(self): return self.v > 1
    def __str__(self): return "m"

class M3(M2):
    def __radd__(self, o): return ("sub", o.v)

class Deck:
    def __init__(self, cards): self.cards = cards
    def __len__(self): return len(self.cards)
    def __getitem__(self, i): return self.cards[i]
    def __setitem__(self, i, v): self.cards[i] = v

class Bag:
    def __init__(self, items): self.items = items
    def __iter__(self): return iter(self.items)
    def __contains__(self, v): return v in self.items
    def __len__(self): return len(self.items)

class Gen:
    def __init__(self, n): self.n = n
    def __iter__(self):
        for i in range(self.n):
            yield i * 2

class It:
    def __init__(self): self.i = 0
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > 3: raise StopIteration
        return self.i

class Cnt:
    def __init__(self): self.n = 0
    def __eq__(self, o):
        self.n += 1
        return True

class Mat:
    def __init__(self, rows): self.rows = rows
    def __matmul__(self, o):
        return Mat([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __getitem__(self, ij): return self.rows[ij[0]][ij[1]]
    def __eq__(self, o): return self.rows == o.rows

class GF:
    P = 7
    def __init__(self, v): self.v = v % self.P
    def __add__(self, o): return GF(self.v + o.v)
    def __mul__(self, o): return GF(self.v * o.v)
    def __pow__(self, k):
        r = GF(1)
        for _ in range(k):
            r = r * self
        return r
    def __truediv__(self, o): return self * o ** 5
"""
CONTEXTS = """
class Ctx:
    def __init__(self, log, swallow):
        self.log = log
        self.swallow = swallow
    def __enter__(self):
        self.log.append("in")
        return self
    def __exit__(self, kind, value, tb):
        self.log.append("none" if kind is None else "exc")
        return self.swallow

class BadExit:
    def __enter__(self): return 3
    def __exit__(self, *a): raise KeyError("x")

class Acc:
    def __init__(self, x):
        self._lock = threading.RLock()
        self.x = x
    def add(self, v):
        with self._lock:
            self.x += v
            return self.get()
    def get(self):
        with self._lock:
            return self.x

def add(a, b=1, *, c=0):
    return a + 10 * b + 100 * c
"""
RIGHT: dict[str, str] = {
    "heap": LIBRARY
    + "def f(x):\n    h = [3, x, 5, 1]\n    heapq.heapify(h)\n    heapq.heappush(h, x + 2)\n    a = heapq.heappop(h)\n    b = heapq.heapreplace(h, 4)\n    c = heapq.heappushpop(h, x)\n    return a, b, c, h",
    "heap random": LIBRARY
    + "def f(x):\n    h = []\n    for i in range(3):\n        heapq.heappush(h, (random.randint(0, 1), i))\n    return [heapq.heappop(h) for _ in range(2)], x",
    "heap empty": LIBRARY + "def f(x):\n    h = []\n    return heapq.heappop(h)",
    "nlargest": LIBRARY
    + "def f(x):\n    return heapq.nlargest(2, [x, 1, 2]), heapq.nsmallest(2, [(x, 1), (1, 0)], key=lambda t: t[1])",
    "groupby": LIBRARY + "def f(x):\n    return [(k, len(list(g))) for k, g in groupby([x, 1, 1, 2])]",
    "groupby2": LIBRARY
    + "def f(x):\n    return [(k, [v for v in g]) for k, g in groupby([x, 1, 1, 2, x], key=lambda v: v % 2)]",
    "groupby3": LIBRARY
    + "def f(x):\n    gs = list(groupby([x, 1, 1, 2, x]))\n    return [(k, list(g)) for k, g in gs]",
    "groupby longest run": LIBRARY
    + "def f(x):\n    flips = [random.randint(0, 1) for _ in range(4)]\n    return max(len(list(g)) for _, g in groupby(flips)) + x",
    "acc": CONTEXTS + "def f(x):\n    a = Acc(x)\n    a.add(random.randint(0, 1))\n    return a.get()",
    "acc2": LIBRARY
    + "def f(x):\n    return list(accumulate([x, 1, 2], max)), list(accumulate([x, 3], operator.mul, initial=2))",
    "acc3": LIBRARY + "def f(x):\n    return list(accumulate([x, 1, 2], lambda a, b: a * 2 + b))",
    "chain2": LIBRARY + "def f(x):\n    return list(chain.from_iterable([[x], [1]]))",
    "islice": LIBRARY
    + "def f(x):\n    return list(islice([x, 1, 2], 2)), list(islice([x, 1, 2, 4, 5], 1, 5, 2)), list(islice([1, x], 1, None))",
    "islice count": LIBRARY + "def f(x):\n    return list(islice(count(x, 2), 3))",
    "islice bad": LIBRARY + "def f(x):\n    return islice([1], -1)",
    "count": CLASSES
    + "def f(x):\n    c = Cnt()\n    r = x > 0 and c == 1\n    s = 1 if x > 1 and c == 2 else 0\n    return r, s, c.n",
    "count2": LIBRARY
    + "def f(x):\n    for i in count(1):\n        if random.random() < 0.5 or i == 3:\n            return i + x",
    "takewhile": LIBRARY
    + "def f(x):\n    return list(takewhile(lambda v: v < 2, [x, 1, 2, 0])), list(dropwhile(lambda v: v < 2, [x, 1, 2, 0]))",
    "starmap": LIBRARY + "def f(x):\n    return list(starmap(addm, [(x, 1), (2, 3)]))",
    "compress": LIBRARY + "def f(x):\n    return list(compress([1, 2], [x, 1])), list(filterfalse(None, [x, 1]))",
    "bisect": LIBRARY
    + "def f(x):\n    return bisect.bisect_left([0, 1, 1, 2], x), bisect.bisect([0, 1, 1, 2], x), bisect.bisect_left([(0, 2), (1, 1)], x, key=lambda t: t[0])",
    "insort": LIBRARY
    + "def f(x):\n    a = [0, 2]\n    bisect.insort(a, x)\n    bisect.insort(a, random.randint(0, 3))\n    return a",
    "bisect cum": LIBRARY
    + "def f(x):\n    cum = list(accumulate([1, 2, 3]))\n    return bisect.bisect(cum, random.randrange(cum[-1])) + x",
    "bisect u": LIBRARY + "def f(x):\n    return bisect.bisect([0.25, 0.5, 1.0], random.random()) + x",
    "itemgetter": LIBRARY
    + "def f(x):\n    return max([(x, 2), (1, 3)], key=operator.itemgetter(0)), sorted([(x, 2), (1, 0)], key=operator.itemgetter(1, 0)), operator.itemgetter(1)([x, 4])",
    "shadow": LIBRARY + "def f(x):\n    len = 5\n    h = [3, x, 5, 1]\n    heapq.heapify(h)\n    return h, len",
    "add": CLASSES + "def f(x):\n    return (M2(x) + M2(1)).v, (M2(x) + 4).v, (4 + M2(x)).v, (-M2(x)).v, M2(3) - M2(x)",
    "add bad": CLASSES + 'def f(x):\n    return M2(x) + "s"',
    "sub first": CLASSES + "def f(x):\n    return M2(x) + M3(4)",
    "sum": CLASSES + "def f(x):\n    return sum([M2(x), M2(2)]).v",
    "iadd": CLASSES + "def f(x):\n    a = M2(x)\n    b = a\n    a += M2(1)\n    return a.v, b.v",
    "eq": CLASSES + "def f(x):\n    a = M2(x)\n    return a == M2(1), a != M2(1), a == 3, 3 != a, a == a",
    "lt": CLASSES + "def f(x):\n    return M2(x) < M2(1), M2(x) > M2(1)",
    "le": CLASSES + "def f(x):\n    return M2(x) <= M2(1)",
    "bool": CLASSES + "def f(x):\n    if M2(x):\n        return 1\n    return 2 if not M2(x) else 3",
    "bool2": CLASSES + "def f(x):\n    return bool(M2(x)), 1 if M2(x) else 0",
    "sorted": CLASSES
    + "def f(x):\n    return [m.v for m in sorted([M2(2), M2(x), M2(1)])], [m.v for m in sorted([M2(2), M2(x)], reverse=True)], max([M2(x), M2(1)]).v, min(M2(x), M2(1)).v",
    "in": CLASSES + "def f(x):\n    return M2(x) in [M2(1), M2(2)], M2(x) not in (M2(1),), 1 in [M2(1)], M2(1) in []",
    "deck": CLASSES + "def f(x):\n    d = Deck([x, 1, 5])\n    d[1] = 7\n    return len(d), d[0], d[-1], d[x], d.cards",
    "deck if": CLASSES + 'def f(x):\n    d = Deck([])\n    return "full" if d else "empty"',
    "deck iter": CLASSES + "def f(x):\n    return [c for c in Deck([x, 1])]",
    "bag": CLASSES
    + 'def f(x):\n    b = Bag([x, 1, 2])\n    t = 0\n    for v in b:\n        t += v\n    p, q, r = b\n    return t, 2 in b, 5 not in b, list(b), sum(b), max(b), [*b], sorted(b), p, any(v == 0 for v in b), dict(zip(b, "abc")) if x == 0 else 1',
    "gen": CLASSES
    + "def f(x):\n    g = Gen(3)\n    return list(g), sum(g) + x, 2 in g, 3 in g, list(enumerate(g)), tuple(map(lambda v: v + x, g))",
    "mat": CLASSES + "def f(x):\n    m = Mat([[1, x], [0, 1]])\n    return (m @ m)[0, 1], m @ m == m",
    "gf": CLASSES + "def f(x):\n    return (GF(x) / GF(3) + GF(random.randrange(7)) * GF(2)).v",
    "sup": CONTEXTS
    + "def f(x):\n    d = {0: 1}\n    with contextlib.suppress(KeyError, IndexError):\n        return d[x]\n    return -1",
    "sup2": CONTEXTS
    + 'def f(x):\n    out = []\n    for i in range(3):\n        with suppress(ZeroDivisionError):\n            out.append(6 // (i - x))\n            if i == 2:\n                break\n            continue\n        out.append("no")\n    return out',
    "own": CONTEXTS
    + 'def f(x):\n    log = []\n    def run():\n        for i in range(2):\n            with Ctx(log, x == 1) as c:\n                log.append(c.swallow)\n                if x == 0 and i == 0:\n                    continue\n                if random.random() < 0.5:\n                    return 5\n                if x == 2:\n                    break\n                raise ValueError\n            log.append("after")\n        return 6\n    try:\n        r = run()\n    except ValueError:\n        r = "ve"\n    return r, log',
    "two": CONTEXTS
    + "def f(x):\n    log = []\n    with Ctx(log, False) as a, Ctx(log, True) as b:\n        log.append(1 // x)\n    return log",
    "bad": CONTEXTS
    + 'def f(x):\n    try:\n        with BadExit() as t:\n            if x: return t\n            1 // x\n    except KeyError:\n        return "key"\n    except ZeroDivisionError:\n        return "zero"',
    "lock": CONTEXTS
    + "def f(x):\n    lock = threading.Lock()\n    with lock:\n        x += 1\n    with lock:\n        return x",
    "null": CONTEXTS + "def f(x):\n    with nullcontext(x) as y:\n        return y",
    "partial": CONTEXTS
    + "def f(x):\n    g = partial(add, x, c=2)\n    h = functools.partial(g, 3)\n    return g(), g(4), g(b=5, c=7), h(), list(map(partial(add, 2), [x, 1])), max([x, 1], key=partial(add, 0))",
    "partial bad": CONTEXTS + "def f(x):\n    return partial(add, 1)(2, a=x)",
    "roll": CONTEXTS + "def f(x):\n    roll = partial(random.randint, 1, 3)\n    return roll() + x, partial(max, 1)(x)",
    "pm": CONTEXTS + "def f(x):\n    l = []\n    push = partial(l.append, x)\n    push()\n    return l",
    "red": CONTEXTS + "def f(x):\n    return reduce(partial(add, c=1), [x, 2, 3])",
    "islice iter": "def f(x):\n    it = iter([x, 1, 2, 3])\n    a = list(islice(it, 1))\n    b = list(islice(it, 0, 2, 2))\n    return a, b, list(it)",
    "takewhile iter": "def f(x):\n    it = iter([x, 1, 2, 3])\n    a = list(takewhile(lambda v: v < 2, it))\n    return a, list(it)",
    "groupby iter": "def f(x):\n    it = iter([x, x, 1])\n    return [(k, len(list(g))) for k, g in groupby(it)], list(it)",
    "groupby partly": "def f(x):\n    out = []\n    for k, g in groupby([x, x, 1, 1]):\n        out.append(next(g))\n        if k == 1:\n            break\n    return out",
    "islice of gen log": "def f(x):\n    log = []\n    def g():\n        for i in range(5):\n            log.append(i)\n            yield i\n    a = list(islice(g(), 2))\n    b = list(islice(g(), 1, 4, 5))\n    return a, b, log",
    "cycle break": "def f(x):\n    out = []\n    for v in cycle([x, 7]):\n        out.append(v)\n        if len(out) > 4:\n            break\n    return out",
    "insort key": "def f(x):\n    l = [3, 1]\n    bisect.insort(l, x, key=lambda v: -v)\n    return l",
    "bisect neg": "def f(x):\n    try:\n        return bisect.bisect([1], x, -1)\n    except ValueError:\n        return 'v'",
    "with return in finally": "class C:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\ndef f(x):\n    with C():\n        return 1 // x\n    return 'after'",
    "with in loop else": "class C:\n    def __enter__(self): return self\n    def __exit__(self, *a): return False\ndef f(x):\n    for i in range(3):\n        with C():\n            if i == x:\n                break\n    else:\n        return 'else'\n    return i",
    "with raise again": "class C:\n    def __enter__(self): return self\n    def __exit__(self, kind, v, t):\n        if kind is not None:\n            raise KeyError\ndef f(x):\n    try:\n        with C():\n            1 // x\n    except KeyError:\n        return 'k'\n    return 'ok'",
    "with enter raises": "class C:\n    def __enter__(self): raise ValueError\n    def __exit__(self, *a): return True\ndef f(x):\n    with C():\n        return 1\n    return 2",
    "partial over": "def g(a, b): return a - b\ndef f(x):\n    return functools.partial(g, b=1)(x), functools.partial(g, b=1)(x, b=5)",
    "in place": "class V:\n    def __init__(self, v): self.v = v\n    def __iadd__(self, o):\n        self.v += o\n        return self\n    def __isub__(self, o): return NotImplemented\n    def __sub__(self, o): return V(self.v - o)\ndef f(x):\n    a = b = V(x)\n    a += 2\n    c = a\n    a -= 1\n    l = [V(1)]\n    l[x % 1] += x\n    return a.v, b.v, c.v, a is b, b is c, l[0].v",
    "values that can be walked over": "class V:\n    def __init__(self, v): self.v = v\n    def __iter__(self): return iter([self.v])\n    def __lt__(self, o): return self.v < o.v\n    def __add__(self, o): return V(self.v + o.v)\ndef f(x):\n    return max(V(x), V(1)).v, sum([V(x), V(1)], V(3)).v, reduce(operator.add, [V(x)], V(2)).v, max(V(x)), sum(V(x))",
    "reflected and inherited": "class A:\n    def __init__(self, v): self.v = v\n    def __add__(self, o): return 'add', self.v\n    def __radd__(self, o): return 'radd', self.v\nclass B(A): pass\nclass C(A):\n    def __radd__(self, o): return 'C', self.v\nclass D(C):\n    def __add__(self, o): return NotImplemented\ndef f(x):\n    return A(x) + B(5), A(x) + C(x), A(1) + D(x), B(x) + A(2), C(x) + D(1)",
    "elements that end by StopIteration": "class C:\n    def __getitem__(self, i):\n        if i > 2: raise StopIteration\n        return i\ndef f(x):\n    return list(C()), sum(C()) + x",
    "sorted by a key beside '<'": CLASSES
    + "def f(x):\n    a = [M2(2), M2(x), M2(1)]\n    return [m.v for m in sorted(a, key=lambda m: -m.v)], max(a, key=lambda m: m.v).v, min(a, default=None).v, [m.v for m in sorted(a, key=None)]",
    "sorted by two fields": "class C:\n    def __init__(self, a, b): self.a, self.b = a, b\n    def __lt__(self, other):\n        if not isinstance(other, C):\n            return NotImplemented\n        return (-self.a, self.b) < (-other.a, other.b)\ndef f(x):\n    return [(c.a, c.b) for c in sorted([C(1, x), C(x, 0), C(1, 1)], reverse=x == 1)]",
    "the largest, asked once": "class C:\n    def __init__(self, v, log): self.v, self.log = v, log\n    def __gt__(self, o):\n        self.log.append((self.v, o.v))\n        return self.v > o.v\nclass E:\n    def __iter__(self): return iter([])\n    def __gt__(self, o): return True\ndef f(x):\n    log = []\n    m = max([C(1, log), C(x, log), C(x, log)]).v\n    try:\n        max(E())\n    except ValueError:\n        return m, log",
    "itself, in a list": "class C:\n    def __eq__(self, o): return False\nclass D:\n    def __init__(self, l): self.l = l\n    def __iter__(self): return iter(self.l)\ndef f(x):\n    a, b = C(), C()\n    return a in [a], a in [b, a], a in (b, x), 3 in [a, x], a in D([b, a]), a == a, x",
}
REFUSED: dict[str, str] = {
    "sorted while it tells": "class C:\n    def __init__(self, v, log): self.v, self.log = v, log\n    def __lt__(self, o):\n        self.log.append(o.v)\n        return self.v < o.v\ndef f(x):\n    log = []\n    sorted([C(1, log), C(3, log), C(x, log)])\n    return log",
    "ordered twice": "from dataclasses import dataclass\n@dataclass(order=True)\nclass C:\n    v: int\n    def __lt__(self, o): return True\ndef f(x):\n    return C(x) < C(1)",
    "sorted by no order": "class C:\n    def __init__(self, v): self.v = v\n    def __lt__(self, o): return self.v != o.v\ndef f(x):\n    return [c.v for c in sorted([C(x), C(1), C(3)])]",
    "sorted by chance": "class C:\n    def __lt__(self, o): return random.random() < 0.5\ndef f(x):\n    return len(sorted([C(), C(), C()])) + x",
    "the least two by '<'": CLASSES + "def f(x):\n    return [m.v for m in heapq.nsmallest(2, [M2(x), M2(1), M2(2)])]",
    "groups of objects": CLASSES + "def f(x):\n    return [len(list(g)) for k, g in groupby([M2(x), M2(1)])]",
    "an operator that is bound": "class C:\n    def same(self, o): return True\n    __eq__ = same\ndef f(x):\n    return C() == C()",
    "a truth that is bound": "class C:\n    def __len__(self): return 0\n    __bool__ = lambda self: True\ndef f(x):\n    return 1 if C() else x",
    "elements forbidden": "class C:\n    def __iter__(self): return iter([1])\n    __contains__ = None\ndef f(x):\n    return x in C()",
    "an array beside": "import numpy as np\nclass C:\n    def __radd__(self, o): return 5\ndef f(x):\n    return np.array([x, 1]) + C()",
    "an array compared": "import numpy as np\nclass C:\n    def __eq__(self, o): return True\ndef f(x):\n    return C() == np.array([x, 1])",
    "a truth that is none": "class C:\n    def __bool__(self): return 1\ndef f(x):\n    return 1 if C() else 0",
    "a length below nothing": "class C:\n    def __init__(self, v): self.v = v\n    def __len__(self): return self.v - 1\ndef f(x):\n    return 1 if C(x) else 0",
    "elements of a list": "class C:\n    def __iter__(self): return [1, 2]\ndef f(x):\n    return list(C())",
    "its own iterator": "class C:\n    def __iter__(self): return self\ndef f(x):\n    return list(C())",
    "a power by a function": "class C:\n    def __pow__(self, k): return k + 1\ndef f(x):\n    return pow(C(), x)",
    "equal keys": "class C:\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\ndef f(x):\n    return len({C(), C()})",
    "zip count": LIBRARY + "def f(x):\n    return [a * b for a, b in zip([x, 1], count(1))]",
    "cycle": LIBRARY + "def f(x):\n    return [a + b for a, b in zip([1, 2, 3], cycle([x, 1]))]",
    "cycle2": LIBRARY + "def f(x):\n    c = cycle([x, 1])\n    return [next(c) for _ in range(3)]",
    "repeat": LIBRARY + "def f(x):\n    return list(repeat(x, 3)), list(map(pow, [x, 2], repeat(2)))",
    "boolop": CLASSES + "def f(x):\n    return (M2(x) or M2(7)).v",
    "sort": CLASSES + "def f(x):\n    a = [M2(2), M2(x)]\n    a.sort()\n    return a[0].v",
    "index": CLASSES + "def f(x):\n    return [M2(1), M2(2)].index(M2(x))",
    "nested": CLASSES + "def f(x):\n    return [M2(1)] == [M2(x)]",
    "deck random choice": CLASSES + "def f(x):\n    return random.choice(Deck([x, 1]))",
    "deck slice": CLASSES + "def f(x):\n    return Deck([x, 1, 2])[1:]",
    "next": CLASSES + "def f(x):\n    return list(It()), x",
    "dead": CONTEXTS
    + "def f(x):\n    lock = threading.Lock()\n    with lock:\n        with lock:\n            return x",
    "pcmp": CONTEXTS + "def f(x):\n    p = partial(add, 1)\n    return p == p, bool(p), p == partial(add, 1)",
    "ret": CONTEXTS + "def f(x):\n    return partial(add, 1)",
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_law_is_that_of_all_runs(name: str) -> None:
    assert disagreement(HEAD + RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(HEAD + REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}


def test_functions_that_are_written_do_what_those_of_the_library_do() -> None:
    written: dict[str, Any] = {}
    exec(SOURCE, written)  # our own text
    chance = random.Random(3)
    for _ in range(300):
        ours = [chance.randrange(6) for _ in range(chance.randrange(1, 12))]
        theirs, item = list(ours), chance.randrange(6)
        written["heapq_heapify"](ours)
        heapq.heapify(theirs)
        for name in chance.sample(["heappush", "heapreplace", "heappushpop"], 2):
            assert written[f"heapq_{name}"](ours, item) == getattr(heapq, name)(theirs, item)
        assert written["heapq_heappop"](ours) == heapq.heappop(theirs)
        assert ours == theirs
        low = chance.randrange(3)
        for name in ("bisect_left", "bisect_right"):  # also of lists that are not sorted, as the library does
            assert written[f"bisect_{name}"](ours, item, min(low, len(ours))) == getattr(bisect, name)(
                theirs, item, min(low, len(ours))
            )


def test_steps_of_a_library_are_not_counted() -> None:
    text = HEAD + "def f(x):\n    h = [3, x, 2, 1]\n    heapq.heapify(h)\n    return h[0]"
    program = program_of(text, "f", INPUTS, output=("steps",))

    assert program.measure("P(steps == 3)").exact == 1
