"""Edges of Python, where a reader is easily mistaken: what is walked over once, what is evaluated when, which objects are one, and what numbers do.

As in the traps, each is an error or has the law that Python gives it.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from tests.python.comparing import disagreement, program_of

from seepage.deadline import Clock, using
from seepage.functions import load_function
from seepage.python.marks import Mark
from seepage.source import Span

INPUTS = {"x": (0, 1, 2)}

RIGHT: dict[str, str] = {
    "a long sum": "def f(x):\n    return sum(v * x for v in range(300))",
    "function default mutated via alias": "def f(x):\n    d = [x]\n    def g(v=d):\n        return v[0]\n    d[0] += 5\n    return g()",
    "lambda default in branch": "def f(x):\n    if x:\n        g = lambda v=x: v\n    else:\n        g = lambda v=x: v + 5\n    return g()",
    "method default branch": "def f(x):\n    fs = []\n    for i in range(2):\n        if i == x:\n            fs.append(lambda a=i: a)\n    return [g() for g in fs]",
    "iterator in branch": "def f(x):\n    z = zip([1, 2], [3, 4])\n    if x:\n        a = list(z)\n    return len(list(z))",
    "reversed named": "def f(x):\n    r = reversed([x, 1])\n    a = list(r)\n    return a, list(r)",
    "map library": "def f(x):\n    m = map(abs, [x - 2, 1])\n    return list(m), list(m)",
    "ahead none attr": "class Q:\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    q = Q(x) if x else None\n    return q is not None and q.a > 1",
    "ahead in chain": "def f(x):\n    y = x if x else None\n    return y is not None and 0 < y < 2",
    "ahead neg": "def f(x):\n    y = x or None\n    return -y if y is not None else 9",
    "ahead text": "def f(x):\n    y = 'a' if x > 1 else x\n    return y == 'a' or y + 1",
    "ahead nested": "def f(x):\n    y = x or None\n    return (y + 1 if y else 0) + (y - 1 if y else 5)",
    "nonlocal skip": "def f(x):\n    n = x\n    def a():\n        def b():\n            nonlocal n\n            n += 1\n            return n\n        return b() + n\n    return a(), n",
    "comp nonlocal walrus": "def f(x):\n    t = 0\n    l = [t := t + v for v in (x, 1, 2)]\n    return t, l",
    "dataclass eq type": "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: int\n@dataclass\nclass B:\n    a: int\ndef f(x):\n    return A(1) == B(1), A(x) == A(1), A(x) != A(1)",
    "static on instance": "class Q:\n    @staticmethod\n    def g(v):\n        return v + 1\n    def h(self, v):\n        return self.g(v) * 2\ndef f(x):\n    return Q().h(x)",
    "class const text": "class Q:\n    MODE = 'a'\n    LIMIT = 1 + 2\n    def g(self):\n        return self.MODE == 'a', self.LIMIT\ndef f(x):\n    return Q().g(), x",
    "array alias +=": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    b = a\n    b += 1\n    return a[0]",
    "array assign float": "import numpy as np\ndef f(x):\n    a = np.zeros(2)\n    a[0] = x / 2\n    a += 1\n    return a[0] == 1.5",
    "raise fstring": "def f(x):\n    if x:\n        raise ValueError(f'bad {x:.2f} {x!r}')\n    return 0",
    "raise index in message": "def f(x):\n    l = [0]\n    raise ValueError(l[x])",
    "raise in handler": "def f(x):\n    try:\n        1 // x\n    except ZeroDivisionError as e:\n        raise ValueError(str(e)) from e\n    return 1",
    "module sorted": "L = [3, 1, 2]\nM = sorted(L)\nN = len(L) + sum(L)\ndef f(x):\n    return M[x] + N",
    "module np": "import numpy as np\nL = [3, 1, 2]\nM = np.array(L)\ndef f(x):\n    return M[x]",
    "for try over iterator": "def f(x):\n    t = 0\n    try:\n        for i, v in enumerate([1, x, 1]):\n            t += 1 // v\n    except ZeroDivisionError:\n        t += 100\n    return t",
    "extend gen": "def f(x):\n    l = [1]\n    l.extend(v + x for v in (1, 2))\n    return l",
    "any genexp early effects": "def f(x):\n    l = []\n    r = any((l.append(v), v == x)[1] for v in (0, 1, 2))\n    return r, l",
    "min key none": "def f(x):\n    return min([(1, x), (0, 2)], key=lambda p: p[0])",
    "shift bool": "def f(x):\n    return 1 << (x > 0), 4 >> x",
    "known float list": "P = [0.1, 0.2, 0.7]\ndef f(x):\n    return P[x] < 0.15",
    "text mult neg": "def f(x):\n    return 'a' * -1, 'ab' * 2, [x] * 0",
    "defaults in loop": "def f(x):\n    for k in (1, 2):\n        if k == 1 or x == 1:\n            h = lambda a=k: a\n    return h()",
    "range step": "def f(x):\n    return list(range(0, 1, x))",
    "zip twice": "def f(x):\n    z = zip([x, 1], [2, 3])\n    a = list(z)\n    b = list(z)\n    return len(a), len(b)",
    "enumerate twice": "def f(x):\n    z = enumerate([x, 1])\n    return [i for i, v in z], [i for i, v in z]",
    "any raise": "def f(x):\n    return any(10 // d > 1 for d in (1, x, 0))",
    "any idx": "def f(x):\n    l = [x, 1]\n    return any(l[i] for i in (0, 1, 5))",
    "map twice": "def f(x):\n    m = map(abs, [x, 1])\n    return sum(m), sum(m)",
    "sum texts": "def f(x):\n    return sum(['a', 'b'])",
    "sum one text": "def f(x):\n    return sum(['a'])",
    "sum lists": "def f(x):\n    return sum([[x], [1]])",
    "sum lists start": "def f(x):\n    return sum([[x], [1]], [])",
    "raise arg": "def f(x):\n    raise ValueError(1 // x)",
    "raise arg effect": "def f(x):\n    l = []\n    try:\n        raise ValueError(l.append(x))\n    except ValueError:\n        pass\n    return l",
    "assert msg": "def f(x):\n    assert x, 1 // x\n    return x",
    "closure after try": "def make(k):\n    return lambda: k\ndef f(x):\n    g = make(3)\n    try:\n        1 // x\n    except ZeroDivisionError:\n        return g()\n    return 0",
    "comp change": "def g(l):\n    l[-1] = 9\n    return 0\ndef f(x):\n    l = [x, 1, 2]\n    return [v + g(l) for v in l]",
    "none and": "def f(x):\n    a = x if x else None\n    return a is not None and a + 1 > 2",
    "none ifexp": "def f(x):\n    a = x if x else None\n    return a + 1 if a is not None else 0",
    "none or": "def f(x):\n    a = x if x else None\n    return a is None or a - 1",
    "attr and": "class Q:\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    c = Q(x)\n    return x and c.missing",
    "star empty": "def f(x):\n    l = []\n    return [*l, x]",
    "star empty call": "def g(*a):\n    return len(a)\ndef f(x):\n    l = []\n    return g(*l, x)",
    "posonly": "def g(a, /):\n    return a\ndef f(x):\n    return g(a=x)",
    "class attr": "class Q:\n    K = 3\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    q = Q(x)\n    return q.a + q.K",
    "class attr 2": "class Q:\n    K = 3\n    def __init__(self, a):\n        self.a = a\n    def g(self):\n        return self.K + self.a\ndef f(x):\n    return Q(x).g()",
    "class attr 3": "class Q:\n    K = 3\ndef f(x):\n    return Q.K + x",
    "plain eq": "class C:\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    return C(1) == C(1), C(x) in [C(1)]",
    "data eq": "from dataclasses import dataclass\n@dataclass\nclass C:\n    a: int\ndef f(x):\n    return C(1) == C(x), C(x) in [C(1)]",
    "nt eq": "from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f(x):\n    return P(x, 1) == (1, 1), (1, 1) == P(x, 1)",
    "nt eq2": "from collections import namedtuple\nP = namedtuple('P', 'a b')\nR = namedtuple('R', 'c d')\ndef f(x):\n    return P(x, 1) == R(1, 1)",
    "method twice": "class Q:\n    def __init__(self, a):\n        self.a = a\n    def g(self):\n        return 1\n    def g(self):\n        return self.a\ndef f(x):\n    return Q(x).g()",
    "default list in branch": "def g(v, l=[]):\n    l.append(v)\n    return len(l)\ndef f(x):\n    g(0)\n    if x:\n        g(1)\n    return g(2)",
    "default list content": "def g(v, l=[0]):\n    l[0] += v\n    return l[0]\ndef f(x):\n    g(0)\n    if x:\n        g(1)\n    return g(2)",
    "array bool not": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (~(a > 0))[0] == 1",
    "shift neg": "def f(x):\n    return 1 << (x - 1)",
    "rshift neg": "def f(x):\n    return 8 >> (x - 1)",
    "pow zero": "def f(x):\n    return x ** -1",
    "dict eq": "def f(x):\n    return {0: 1, 1: x} == {1: 1, 0: 1}",
    "list imul": "def f(x):\n    a = b = [x]\n    a *= 2\n    return b",
    "aug index walrus": "def f(x):\n    l = [x, 1]\n    i = 0\n    l[i] += (i := 1)\n    return l",
    "aug index nonlocal": "def f(x):\n    l = [x, 1]\n    i = 0\n    def g():\n        nonlocal i\n        i = 1\n        return 5\n    l[i] += g()\n    return l",
    "aug owner nonlocal": "def f(x):\n    l = [x, 1]\n    k = l\n    def g():\n        nonlocal l\n        l = [7, 7]\n        return 5\n    l[0] += g()\n    return l, k",
    "assign index later": "def f(x):\n    l = [x, 1]\n    i = 0\n    l[i] = (i := 1)\n    return l",
    "sorted reverse 2": "def f(x):\n    return sorted([x, 1], reverse=2)",
    "len zip": "def f(x):\n    return len(zip([x], [1]))",
    "zip idx": "def f(x):\n    return zip([x], [1])[0]",
    "zip truth": "def f(x):\n    return 1 if zip([], []) else 0",
    "module list mutated": "L = [1]\ndef f(x):\n    L.append(x)\n    return L",
    "print alias": "def f(x):\n    l = [x]\n    m = [l]\n    l.append(1)\n    return m",
    "try frames": "def f(x):\n    l = [lambda: i for i in range(2)]\n    try:\n        1 // x\n    except ZeroDivisionError:\n        return l[0]()\n    return 0",
    "method alias": "def f(x):\n    l = []\n    add = l.append\n    l = [5]\n    add(x)\n    return l",
    "nested fn default": "def f(x):\n    def g(a, b=x):\n        return a + b\n    x = 9\n    return g(1)",
    "negative slice": "def f(x):\n    l = [0, 1, 2, 3]\n    return l[-x:], l[:x - 1]",
    "mod neg": "def f(x):\n    return -7 // (x + 1), -7 % (x + 1), 7 % -(x + 1)",
    "float mod neg": "def f(x):\n    return (x - 2.5) % 2, (x - 2.5) // 2",
    "default late": "def f(x):\n    l = []\n    for i in range(3):\n        def g(i=i):\n            return i\n        l.append(g)\n    return [g() for g in l]",
    "finally overrides": "def f(x):\n    l = [x]\n    try:\n        return l\n    finally:\n        l.append(1)",
    "finally int": "def f(x):\n    try:\n        return x\n    finally:\n        x = 7",
    "nested try": "def f(x):\n    try:\n        try:\n            return 1 // x\n        finally:\n            x += 10\n    except ZeroDivisionError:\n        return x",
    "loop else return": "def f(x):\n    for i in range(3):\n        try:\n            if i == x:\n                continue\n            if i == 2:\n                break\n        finally:\n            x += 1\n    else:\n        return 'e', x\n    return x",
    "while else": "def f(x):\n    while x < 2:\n        x += 1\n        if x == 1:\n            break\n    else:\n        return 9\n    return x",
    "dict iteration order": "def f(x):\n    d = {}\n    d[2] = x\n    d[0] = 1\n    d[2] = 5\n    return list(d), [v for v in d.values()]",
    "random key dict": "def f(x):\n    d = {0: 'a'}\n    d[x] = 'b'\n    return len(d), d[0]",
    "starred order": "def f(x):\n    a, b = b, a = x, 1\n    return a, b",
    "swap list": "def f(x):\n    l = [0, 1, 2]\n    l[l[x]], l[0] = 5, 6\n    return l",
    "target order": "def f(x):\n    l = [0, 1, 2]\n    i = 0\n    i, l[i] = x, 9\n    return l",
    "compare chain effect": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    r = g(0) < g(x) < g(2)\n    return r, l",
    "ifexp list": "def f(x):\n    a, b = [1], [2]\n    c = a if x else b\n    c.append(x)\n    return a, b",
    "or default": "def f(x):\n    l = [] or [x]\n    m = None or l\n    m.append(1)\n    return l",
    "not list": "def f(x):\n    l = [1] if x else []\n    return not l, bool(l)",
    "bool index": "def f(x):\n    return [4, 5][x > 0], (7, 8)[not x]",
    "max default": "def f(x):\n    return max([v for v in [1, 2] if v < x], default=-1)",
    "min key ties": "def f(x):\n    return min([3, 1, 2], key=lambda v: v % (x + 1))",
    "sum bool gen": "def f(x):\n    return sum(v > x for v in (0, 1, 2))",
    "global const list": "K = [0] * 3\ndef f(x):\n    K[x] += 1\n    return K",
    "lambda walrus": "def f(x):\n    g = lambda: (y := x + 1) * y\n    return g()",
    "comp shadows": "def f(x):\n    v = 5\n    l = [v for v in range(x)]\n    return v, l",
    "nested comp": "def f(x):\n    return [[i * j for j in range(i)] for i in range(x + 1)]",
    "double comp": "def f(x):\n    return [i + j for i in range(2) for j in range(i, x) if i != j]",
    "str eq int": "def f(x):\n    return 'a' == x, None == x, [] == x, x != 'a'",
    "aug text": "def f(x):\n    s = 'a'\n    s += 'b' if x else 'c'\n    return s",
    "unbound aug": "def f(x):\n    if x:\n        y = 1\n    y += 1\n    return y",
    "keyword default order": "def g(a, b=2, *, c=3):\n    return a, b, c\ndef f(x):\n    return g(x, c=1), g(b=1, a=x)",
    "kwargs": "def g(**kw):\n    return kw['a'] + len(kw)\ndef f(x):\n    return g(a=x, b=1)",
    "early return nested loops": "def f(x):\n    for i in range(3):\n        for j in range(3):\n            if i + j == x + 1:\n                return i, j\n    return None",
    "recursion": "def g(n):\n    return 1 if n <= 0 else n * g(n - 1)\ndef f(x):\n    return g(x)",
    "mutual": "def ev(n):\n    return True if n == 0 else od(n - 1)\ndef od(n):\n    return False if n == 0 else ev(n - 1)\ndef f(x):\n    return ev(x)",
    "slice copy": "def f(x):\n    l = [x, 1]\n    m = l[:]\n    m[0] = 9\n    return l, m",
    "nested alias": "def f(x):\n    a = [[x]]\n    b = a[:]\n    b[0].append(1)\n    return a",
    "list mult alias": "def f(x):\n    a = [[x]] * 2\n    a[0].append(1)\n    return a",
    "tuple of lists": "def f(x):\n    t = ([x], 1)\n    t[0].append(2)\n    return t",
    "tuple iadd": "def f(x):\n    t = ([x], 1)\n    try:\n        t[0] += [5]\n    except TypeError:\n        pass\n    return t",
    "del param": "def f(x):\n    y = x\n    del x\n    return y",
    "except name": "def f(x):\n    e = 5\n    try:\n        1 // x\n    except ZeroDivisionError as e:\n        pass\n    return e",
    "int of bool": "def f(x):\n    return int(x > 0) + int('3'), str(x > 0), str(x)",
    "abs bool": "def f(x):\n    return abs(True), -True, +False, ~True",
    "round neg": "def f(x):\n    return round(x - 0.5), round(-(x + 0.5)), round(15 + x, -1)",
    "floor neg": "import math\ndef f(x):\n    return math.floor(-x / 2), math.ceil(-x / 2), int(-x / 2)",
    "str list eq": "def f(x):\n    return ['a', x] == ['a', 1]",
    "conversion": "def f(x):\n    return float(x) / 2, bool(x), int(2.7)",
    "list pop": "def f(x):\n    l = [1, 2, 3]\n    a = l.pop(x)\n    b = l.pop()\n    return a, b, l",
    "extend self": "def f(x):\n    l = [x]\n    l.extend(l)\n    l += l\n    return l",
    "count": "def f(x):\n    return [1, x, True].count(1)",
    "text split": "def f(x):\n    return ('a' if x else 'B').upper()",
    "closure read at call": "def f(x):\n    def g():\n        return k\n    k = x\n    a = g()\n    k = 5\n    return a, g()",
    "counter closure": "def f(x):\n    def make():\n        n = 0\n        def inc():\n            nonlocal n\n            n += 1\n            return n\n        return inc\n    a, b = make(), make()\n    a()\n    if x:\n        a()\n    b()\n    return a(), b()",
    "closure over loop": "def f(x):\n    fs = []\n    for i in range(3):\n        def g():\n            return i\n        fs.append(g)\n    return [h() for h in fs], fs[x]()",
    "random function": "import random\ndef a(v):\n    return v + 1\ndef b(v):\n    return v * 2\ndef f(x):\n    g = random.choice([a, b])\n    return g(x)",
    "random lambda": "def f(x):\n    g = (lambda v: v + x) if x > 1 else (lambda v: v * 3)\n    return g(2)",
    "lambda dict": "def f(x):\n    d = {0: lambda: 1, 1: lambda: x, 2: lambda: 7}\n    return d[x]()",
    "list of lists random index": "def f(x):\n    m = [[0, 1], [2, 3], [4, 5]]\n    m[x][x % 2] = 9\n    return m",
    "row alias random": "def f(x):\n    m = [[0], [1], [2]]\n    r = m[x]\n    r.append(5)\n    return m, len(r)",
    "row alias random 2": "import random\ndef f(x):\n    m = [[0], [1]]\n    r = m[random.randint(0, 1)]\n    r[0] += x\n    m[0][0] += 10\n    return m, r",
    "alias after branch": "def f(x):\n    a, b = [0], [1]\n    if x:\n        b = a\n    b[0] += 5\n    a.append(x)\n    return a, b",
    "return of argument": "def g(l):\n    l.append(1)\n    return l\ndef f(x):\n    a = [x]\n    b = g(a)\n    b.append(2)\n    return a",
    "rebinding argument": "def g(l):\n    l = l + [1]\n    return l\ndef f(x):\n    a = [x]\n    g(a)\n    return a",
    "while draws": "import random\ndef f(x):\n    n = 0\n    while random.random() < 0.5 and n < 3:\n        n += 1\n    return n + x",
    "uniform twice": "import random\ndef f(x):\n    u = random.random()\n    v = u\n    a = u < 0.5\n    b = v < 0.25\n    return a, b, u < 0.25",
    "uniform branch": "import random\ndef f(x):\n    u = random.random()\n    if x:\n        u = random.random()\n    return u < 0.5, u < 0.25",
    "uniform copies": "import random\ndef f(x):\n    u = random.random()\n    v = random.random() if x else u\n    return u < 0.5, v < 0.5",
    "uniform max": "import random\ndef f(x):\n    u = random.random()\n    if u < 0.5:\n        y = 1\n    elif u < 0.75:\n        y = 2\n    else:\n        y = 3\n    if u < 0.6:\n        y += 10\n    return y",
    "u loop": "import random\ndef f(x):\n    u = random.random()\n    for i, p in enumerate([0.25, 0.5, 0.75]):\n        if u < p:\n            return i\n    return 3",
    "cumulative": "import random\ndef f(x):\n    u = random.random()\n    total = 0\n    for i, p in enumerate([0.25, 0.25, 0.5]):\n        total += p\n        if u < total:\n            return i",
    "choice list": "import random\ndef f(x):\n    l = [[1], [2]]\n    c = random.choice(l)\n    c.append(x)\n    return l",
    "shuffle alias": "import random\ndef f(x):\n    l = [x, 5]\n    m = l\n    random.shuffle(l)\n    return m",
    "sample": "import random\ndef f(x):\n    l = [x, 5, 7]\n    s = random.sample(l, 2)\n    s[0] = 9\n    return l, s",
    "sample dup": "import random\ndef f(x):\n    return random.sample([x, x, 1], 2)",
    "randrange step": "import random\ndef f(x):\n    return random.randrange(0, 6, 2) + x",
    "try in loop": "def f(x):\n    t = 0\n    for d in (0, x, 2):\n        try:\n            t += 4 // d\n        except ZeroDivisionError:\n            t += 100\n            continue\n        t += 1000\n    return t",
    "nested exceptions": "def g(v):\n    if v == 0:\n        raise ValueError('a')\n    if v == 1:\n        raise KeyError('b')\n    return v\ndef f(x):\n    try:\n        return g(x)\n    except ValueError:\n        return 'v'\n    except LookupError:\n        return 'l'",
    "except tuple": "def f(x):\n    try:\n        if x:\n            raise KeyError\n        raise IndexError\n    except (KeyError, TypeError):\n        return 1\n    except Exception:\n        return 2",
    "finally after break": "def f(x):\n    l = []\n    for i in range(3):\n        try:\n            if i == x:\n                break\n            l.append(i)\n        finally:\n            l.append(9)\n    return l",
    "state in exception": "def f(x):\n    l = []\n    try:\n        l.append(1)\n        l.append(1 // x)\n        l.append(3)\n    except ZeroDivisionError:\n        l.append(4)\n    return l",
    "partial assignment": "def f(x):\n    a = b = 0\n    try:\n        a, b = 1, 1 // x\n    except ZeroDivisionError:\n        pass\n    return a, b",
    "partial unpack": "def f(x):\n    l = [0]\n    a = 0\n    try:\n        a, l[x] = 5, 6\n    except IndexError:\n        pass\n    return a, l",
    "aug order": "def f(x):\n    l = [1]\n    try:\n        l[x] += 5\n    except IndexError:\n        return 'no'\n    return l",
    "eval order": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    [g(1), g(2)][g(0)] = g(5)\n    return l",
    "dict eval order": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    d = {g(1): g(2), g(3): g(4)}\n    return l",
    "call eval order": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    def h(a, b):\n        return a\n    h(b=g(1), a=g(2))\n    return l",
    "ifexp order": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    g(1) if g(x) else g(2)\n    return l",
    "and effects": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    r = g(x) and g(0) or g(7)\n    return r, l",
    "comp order": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    m = [g(i) for i in range(3) if g(i) != x]\n    return l, m",
    "default eval once": "def f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v\n    def h(a=g(1)):\n        return a\n    h()\n    h()\n    return l",
    "star args": "def g(a, *b, c=1, **d):\n    return a, b, c, len(d)\ndef f(x):\n    t = (1, 2)\n    return g(x, *t, c=5, e=1)",
    "star middle": "def g(a, b, c):\n    return a, b, c\ndef f(x):\n    t = (1,)\n    return g(*t, x, *t)",
    "missing arg": "def g(a, b):\n    return a\ndef f(x):\n    try:\n        return g(x)\n    except TypeError:\n        return 't'",
    "too many": "def g(a):\n    return a\ndef f(x):\n    return g(x, 1)",
    "method field list": "class Q:\n    def __init__(self):\n        self.l = []\n    def add(self, v):\n        self.l.append(v)\n        return self\ndef f(x):\n    q = Q()\n    q.add(x).add(1)\n    r = q\n    r.add(2)\n    return q.l",
    "instances share arg": "class Q:\n    def __init__(self, l):\n        self.l = l\ndef f(x):\n    m = [x]\n    a, b = Q(m), Q(m)\n    a.l.append(1)\n    return b.l, m",
    "attr in branch": "class Q:\n    pass\ndef f(x):\n    q = Q()\n    if x:\n        q.a = x\n    return q.a",
    "method on random object": "class Q:\n    def __init__(self, a):\n        self.a = a\n    def g(self):\n        self.a += 1\n        return self.a\ndef f(x):\n    qs = [Q(1), Q(5), Q(9)]\n    qs[x].g()\n    return [q.a for q in qs]",
    "init default mutable via dataclass": "from dataclasses import dataclass\n@dataclass\nclass Q:\n    a: int\n    b: int = 3\ndef f(x):\n    q = Q(x)\n    q.b += q.a\n    return q.b, q == Q(1, 4)",
    "nt index": "from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f(x):\n    p = P(x, 1)\n    a, b = p\n    return p[0], a + b, len(p), p.b",
    "nt typing": "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n    b: int = 4\ndef f(x):\n    return P(x).b, P(x) == (x, 4)",
    "bound method stored": "class Q:\n    def __init__(self, a):\n        self.a = a\n    def g(self, v):\n        return self.a + v\ndef f(x):\n    q = Q(x)\n    m = q.g\n    q.a = 10\n    return m(1)",
    "unbound method": "class Q:\n    def __init__(self, a):\n        self.a = a\n    def g(self):\n        return self.a\ndef f(x):\n    return Q.g(Q(x))",
    "instance attr shadows method": "class Q:\n    def __init__(self, a):\n        self.g = a\n    def g(self):\n        return 1\ndef f(x):\n    return Q(x).g",
    "global shadow class": "K = 1\nclass Q:\n    K = 4\n    def g(self):\n        return K\ndef f(x):\n    return Q().g() + x",
    "self counter": "class Q:\n    n = 0\n    def inc(self):\n        self.n += 1\ndef f(x):\n    q = Q()\n    q.inc()\n    q.inc()\n    return q.n, Q().n",
    "private in": "class Q:\n    def __init__(self, a):\n        self.__a = a\n    def g(self):\n        return self.__a\ndef f(x):\n    return Q(x).g()",
    "str of none": "def f(x):\n    return str(None), str(True), f'{x > 1}', str(x) + 'a'",
    "text index": "def f(x):\n    return 'abc'[x], 'abc'[-1], 'abc'[::-1]",
    "text in loop": "def f(x):\n    n = 0\n    for c in 'aba':\n        n += c == 'a'\n    return n + x",
    "text methods": "def f(x):\n    return 'aB'.upper(), 'a'.startswith('a'), 'ab'.endswith('b')",
    "int text": "def f(x):\n    return int('1' + str(x)), int(' 5 '), int('-3')",
    "int bad": "def f(x):\n    return int('a')",
    "int float text": "def f(x):\n    return int('2.5')",
    "divmod": "def f(x):\n    return divmod(7, x + 1), divmod(-7, 2), divmod(x, 0) if x > 5 else 0",
    "true division": "def f(x):\n    return (x + 1) / 2 == 1, 7 / 2, -7 // 2, 7 // -2",
    "float floor": "def f(x):\n    return (x + 0.5) // 1, (x + 0.5) % 1, -0.5 // 1",
    "power neg": "def f(x):\n    return (-2) ** x, -2 ** 2, 2 ** -1",
    "bits": "def f(x):\n    return x ^ 3, x | 4, x & 1, ~x & 3, 5 >> x, -5 >> 1",
    "bool bits": "def f(x):\n    return (x > 0) & (x > 1), (x > 0) ^ True, (x > 0) | x, True & 3",
    "bool arith": "def f(x):\n    return (x > 0) + (x > 1), -(x > 0), (x > 0) * 5, True / 2",
    "abs round": "def f(x):\n    return abs(x - 1), round(2.5), round(3.5), round(x + 0.5), round(-0.5 - x)",
    "ceil int": "import math\ndef f(x):\n    return math.ceil(x / 2), math.floor(-x / 3), math.trunc(x / 2) if False else 0",
    "min max": "def f(x):\n    return min(x, 1), max([x, 1, 0]), min((x, 1), key=lambda v: -v), max(True, x)",
    "sum start": "def f(x):\n    return sum([x, 1], 5), sum([], 2), sum(range(4)), sum((x,))",
    "any all": "def f(x):\n    return any([x > 1, x > 5]), all([x, 1]), any([]), all([]), any([[], [0]])",
    "zip uneven": "def f(x):\n    return [a + b for a, b in zip([1, 2, 3], [x, 1])]",
    "enumerate start": "def f(x):\n    return [i * v for i, v in enumerate([x, 1], 1)], list(reversed([x, 1]))",
    "sorted": "def f(x):\n    return sorted([2, x, 1]), sorted([x > 0, 0.5])",
    "list methods": "def f(x):\n    l = [3, x]\n    l.reverse()\n    l.sort()\n    l.extend([1])\n    return l, l.count(1), l.copy() == l",
    "nested unpack": "def f(x):\n    (a, b), c = (x, 1), 2\n    return a + b * c",
    "for unpack": "def f(x):\n    t = 0\n    for a, (b, c) in [(1, (x, 2)), (3, (4, 5))]:\n        t += a * b - c\n    return t",
    "for target index": "def f(x):\n    l = [0, 0]\n    for l[0] in (1, x):\n        pass\n    return l",
    "loop var after": "def f(x):\n    for i in range(x):\n        pass\n    return i",
    "loop var mod": "def f(x):\n    t = 0\n    for i in range(3):\n        t += i\n        i = 10\n    return t, i",
    "range mutate": "def f(x):\n    n = x\n    t = 0\n    for i in range(n):\n        n += 5\n        t += 1\n    return t, n",
    "while list": "def f(x):\n    l = [1, 2, x]\n    t = 0\n    while l:\n        t = t * 3 + l.pop()\n    return t",
    "break in while": "def f(x):\n    i = 0\n    while True:\n        i += 1\n        if i > x:\n            break\n    return i",
    "walrus while": "def f(x):\n    l = [3, 2, x, 5]\n    i = -1\n    while (v := l[(i := i + 1)]) != x:\n        pass\n    return i, v",
    "match": "def f(x):\n    match x:\n        case 0:\n            return 'zero'\n        case 1 | 3:\n            return 'one'\n        case y if y > 5:\n            return 'big'\n        case _:\n            return y",
    "match none": "def f(x):\n    y = None if x else 3\n    match y:\n        case None:\n            return 1\n        case True:\n            return 2\n        case 3:\n            return 4",
    "match true": "def f(x):\n    match x:\n        case True:\n            return 'T'\n        case 1:\n            return 'one'\n    return 'end'",
    "nonlocal deep": "def f(x):\n    n = 0\n    def a():\n        def b():\n            nonlocal n\n            n += x\n        b()\n        b()\n    a()\n    return n",
    "recursion list": "def g(l, n):\n    if n == 0:\n        return l\n    l.append(n)\n    return g(l, n - 1)\ndef f(x):\n    return g([], x)",
    "decorator static": "class Q:\n    @staticmethod\n    def g(v):\n        return v + 1\ndef f(x):\n    return Q.g(x)",
    "global read": "K = 5\ndef g():\n    return K\ndef f(x):\n    K = x\n    return g() + K",
    "two level default": "K = 5\ndef g(a=K):\n    return a\nK2 = K\ndef f(x):\n    return g() + K2 + x",
    "string const": "MODE = 'a'\ndef f(x):\n    if MODE == 'a':\n        return x\n    return 0",
    "module comp": "T = [i * i for i in range(3)]\ndef f(x):\n    return T[x]",
    "module dict": "D = {0: 'a', 1: 'b', 2: 'c'}\ndef f(x):\n    return D[x] == 'b'",
    "module call": "def g(n):\n    return n + 1\nK = g(2)\ndef f(x):\n    return K + x",
    "name main": "T = [1, 2, 3]\ndef f(x):\n    return T[x]\nif __name__ == '__main__':\n    T.append(4)\n    print(f(0))",
    "none arith": "def f(x):\n    y = None\n    if x:\n        y = x\n    try:\n        return y + 1\n    except TypeError:\n        return 't'",
    "none compare": "def f(x):\n    y = None if x else 0\n    return y == 0, y is None, not y, y != None",
    "none in": "def f(x):\n    y = x or None\n    return y in (1, None), None in [y]",
    "nested ifexp": "def f(x):\n    return 'a' if x > 1 else 'b' if x else None",
    "or chain none": "def f(x):\n    a = None\n    return a or x or 'z'",
    "comp cond effects": "import random\ndef f(x):\n    l = [v for v in range(3) if random.random() < 0.5]\n    return len(l), l[:1]",
    "comp nested draw": "import random\ndef f(x):\n    return [[random.randint(0, 1) for _ in range(2)] for _ in range(x)]",
    "list eq draws": "import random\ndef f(x):\n    a = [random.randint(0, 1) for _ in range(2)]\n    return a == [x, 1], a[0] == a[1]",
    "dict counts": "import random\ndef f(x):\n    d = {}\n    for v in (x, random.randint(0, 1)):\n        d[v] = d.get(v, 0) + 1\n    return d.get(1, 0), len(d)",
    "dict items": "def f(x):\n    d = {'a': x, 'b': 2}\n    t = 0\n    for k, v in d.items():\n        t = t * 10 + v\n    return t, 'a' in d, 'c' in d",
    "dict alias": "def f(x):\n    d = {0: [x]}\n    e = d.copy()\n    e[0].append(1)\n    e[1] = 2\n    return d[0], len(d)",
    "dict missing": "def f(x):\n    d = {0: 5}\n    try:\n        return d[x]\n    except KeyError:\n        return -1",
    "dict None value": "def f(x):\n    d = {0: None, 1: 1}\n    return d.get(x), d.get(x, 5)",
    "tuple concat": "def f(x):\n    return (x,) + (1, 2), (x,) * 2, () + (x,)",
    "list neg index store": "def f(x):\n    l = [0, 1, 2]\n    l[-x - 1] = 9\n    return l",
    "swap in function": "def sw(l, i, j):\n    l[i], l[j] = l[j], l[i]\ndef f(x):\n    l = [0, 1, 2]\n    sw(l, 0, x)\n    return l",
    "insertion sort": "def f(x):\n    l = [2, x, 1]\n    for i in range(1, 3):\n        j = i\n        while j > 0 and l[j - 1] > l[j]:\n            l[j - 1], l[j] = l[j], l[j - 1]\n            j -= 1\n    return l",
    "binary search": "def f(x):\n    l = [0, 1, 2, 3]\n    lo, hi = 0, 3\n    steps = 0\n    while lo < hi:\n        mid = (lo + hi) // 2\n        steps += 1\n        if l[mid] < x:\n            lo = mid + 1\n        else:\n            hi = mid\n    return lo, steps",
    "gcd": "def f(x):\n    a, b = 12, x + 1\n    while b:\n        a, b = b, a % b\n    return a",
    "delete in except": "def f(x):\n    try:\n        y = 1 // x\n    except ZeroDivisionError:\n        del x\n        return 0\n    return y",
    "lambda args": "def f(x):\n    g = lambda a, b=2, *c: a + b + len(c)\n    return g(x), g(x, 1), g(x, 1, 5, 6)",
    "iife": "def f(x):\n    return (lambda y: y * y)(x)",
    "function as arg": "def ap(g, v):\n    return g(g(v))\ndef f(x):\n    return ap(lambda v: v + x, 1)",
    "compose": "def comp(g, h):\n    return lambda v: g(h(v))\ndef f(x):\n    return comp(lambda v: v + 1, lambda v: v * x)(3)",
    "assert": "def f(x):\n    assert x < 2, 'no'\n    return x",
    "return in loop in try": "def f(x):\n    for i in range(3):\n        try:\n            return 6 // (i * x)\n        except ZeroDivisionError:\n            pass\n    return 'none'",
    "exception in comp": "def f(x):\n    try:\n        return [1 // v for v in (1, x)]\n    except ZeroDivisionError:\n        return x",
    "exception in call arg": "def g(a, b):\n    return a\ndef f(x):\n    l = []\n    try:\n        g(l.append(1), 1 // x)\n    except ZeroDivisionError:\n        pass\n    return l",
    "exception order": "def f(x):\n    l = [1]\n    return l[5] + 1 // 0 if x else 1 // 0 + l[5]",
    "uninit in loop": "def f(x):\n    for i in range(2):\n        if i == 1:\n            return y + x\n        y = 3",
    "numpy eq": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (a == 1)[0], (a == np.array([1, 1])).all(), a.sum()",
    "numpy asarray": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    b = np.asarray(a)\n    b[0] = 7\n    return a[0]",
    "numpy list mul": "import numpy as np\ndef f(x):\n    return (np.array([x, 1]) * 2)[0], ([x, 1] * 2)[2]",
    "numpy plus list": "import numpy as np\ndef f(x):\n    return (np.array([x, 1]) + [1, 2])[1], (np.array([x]) + 1)[0]",
    "numpy neg idx": "import numpy as np\ndef f(x):\n    a = np.array([5, 6, 7])\n    return a[-x], a[::-1][0]",
    "numpy int div": "import numpy as np\ndef f(x):\n    a = np.array([-7, 7])\n    return (a // 2)[0], (a % 3)[0], (a / 2)[1]",
    "numpy argmax": "import numpy as np\ndef f(x):\n    return np.argmax(np.array([1, x, 1])), np.argmin([x, 0])",
    "numpy round": "import numpy as np\ndef f(x):\n    return np.round(x + 0.5), np.floor(x / 2), np.abs(x - 1), np.sign(x - 1)",
    "numpy where": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return np.where(a > 1, 5, a)[0]",
    "numpy iter": "import numpy as np\ndef f(x):\n    return [v + 1 for v in np.array([x, 1])], sum(np.array([x, 1])), list(np.arange(x))",
    "numpy truth elem": "import numpy as np\ndef f(x):\n    a = np.array([x])\n    return 1 if a else 0",
    "numpy in": "import numpy as np\ndef f(x):\n    return x in np.array([1, 5])",
    "isinstance": "def f(x):\n    return isinstance(x, int), isinstance(True, int), isinstance(x, float), isinstance('a', str), isinstance([x], list), isinstance(x, bool)",
    "ints as bool key": "def f(x):\n    d = {True: 'a', 0: 'b'}\n    return d.get(x, 'c')",
    "float eq int": "def f(x):\n    return x == 1.0, {1: 'a'}.get(x / 1, 'n'), [1.0, 2].count(x)",
    "range idx": "def f(x):\n    return range(5)[x], len(range(x)), 1 in range(x), range(5)[-1]",
    "range slice": "def f(x):\n    return list(range(6)[x:])",
    "big": "def f(x):\n    return (2 ** 70 + x) % 3, 10 ** 20 // 7",
    "hex": "def f(x):\n    return 0x1F + 0b11 + 1_000 + x",
    "semicolons": "def f(x): a = x; b = a + 1; return b",
    "docstring": "def f(x):\n    'doc'\n    return x",
    "pass only": "def f(x):\n    pass",
    "ann": "def f(x):\n    a: int = x\n    a: int\n    return a",
    "print none": "def f(x):\n    return print(x)",
    "append none": "def f(x):\n    l = []\n    return l.append(x), l",
    "sort none": "def f(x):\n    l = [x, 1]\n    return l.sort(), l",
    "tuple key": "def f(x):\n    d = {(0, 1): 5}\n    return d.get((x, 1), 7)",
    "in dict tuple": "def f(x):\n    d = {(0, 1): 5}\n    return (x, 1) in d",
    "list index": "def f(x):\n    return [5, 1, 2].index(x)",
    "list remove": "def f(x):\n    l = [0, 1, 2]\n    l.remove(x)\n    return l",
    "dict setdefault": "def f(x):\n    d = {}\n    d.setdefault(x, []).append(1)\n    return d[x]",
    "fabs gives a float": "import math\ndef f(x):\n    return [5, 6, 7][math.fabs(x)]",
    "a floor of numpy is a float": "import numpy as np\ndef f(x):\n    return [5, 6, 7][np.floor(x / 2)]",
    "rounded floats": "import math\nimport numpy as np\ndef f(x):\n    return int(np.floor(x / 2)), math.fabs(-x), np.ceil(np.array([x / 2, 1.5]))[0]",
    "whole ends of rounding": "import numpy as np\ndef f(x):\n    return [5, 6, 7][round(x / 2)], round(x / 2 + 0.1), np.round(x / 2) + 0",
    "init returns nothing": "class Q:\n    def __init__(self, a):\n        self.a = a\n        if a == 1:\n            return None\n        self.a = 7\n        return\ndef f(x):\n    return Q(x).a",
    "init returns a value": "class Q:\n    def __init__(self, a):\n        self.a = a\n        return a\ndef f(x):\n    try:\n        return Q(x).a\n    except TypeError:\n        return 7",
    "a text as a key that is written like a number": "def f(x):\n    return {'0': x, 0: 5}",
    "a key like None": "def f(x):\n    return {None: x, 'None': 5}",
    "a key like a tuple": "def f(x):\n    return {(0, 1): x, '(0, 1)': 5}",
    "texts in keys": "def f(x):\n    return {(0, 'a'): x, (0, 'b'): 5}",
    "a mean": "import statistics\ndef f(x):\n    return statistics.mean([x, 1]), statistics.mean([x, 1.5])",
    "dict star": "def g(a, b):\n    return a, b\ndef f(x):\n    return g(**{'a': x, 'b': 1})",
    "a step of zero": "import random\ndef f(x):\n    try:\n        return random.randrange(0, 5, x)\n    except ValueError:\n        return 'zero'",
    "numpy view": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    b = a[:1]\n    b += 1\n    return a[0]",
    "numpy view2": "import numpy as np\ndef f(x):\n    a = np.array([[x, 1], [2, 3]])\n    r = a[0]\n    r += 1\n    return a[0, 0]",
}

# What is refused: what Python does is not followed there.
REFUSED: dict[str, str] = {
    "iterator partly": "def f(x):\n    z = enumerate([5, 6, 7])\n    for i, v in z:\n        if i == x:\n            break\n    return [v for i, v in z]",
    "global in nested": "K = 5\ndef f(x):\n    K = x\n    def g():\n        global K\n        return K\n    return g(), K",
    "module two": "A = [1, 2]\nB = [A, [3]]\nB[1].append(4)\ndef f(x):\n    return A[0] + x",
    "module func call": "L = []\ndef fill():\n    for i in range(3):\n        L.append(i)\nfill()\ndef f(x):\n    return L[x]",
    "module shuffle": "import random\nL = [3, 1, 2]\nrandom.shuffle(L)\ndef f(x):\n    return L[x]",
    "module del": "L = [3, 1, 2]\ndel L[0]\ndef f(x):\n    return L[x]",
    "module for idx": "L = [0, 0, 0]\nfor i in range(3):\n    L[i] = i\ndef f(x):\n    return L[x]",
    "module with aug": "L = [1]\nM = L\nM += [2]\ndef f(x):\n    return len(L)",
    "module nested alias": "L = [1, 2, 3]\nD = {'a': L}\nD['a'].append(4)\ndef f(x):\n    return len(L)",
    "for over growing via alias": "def f(x):\n    l = [1]\n    m = l\n    for v in l:\n        if x and len(m) < 2:\n            m.append(9)\n    return m",
    "for append last": "def f(x):\n    l = [x]\n    for v in l:\n        if len(l) < 3:\n            l.append(v + 1)\n    return l",
    "for append last break": "def f(x):\n    l = [x]\n    for v in l:\n        l.append(1)\n        if len(l) > 3:\n            break\n    return len(l)",
    "for dict change": "def f(x):\n    d = {0: 1}\n    for k in d:\n        d[k + 5] = 1\n    return len(d)",
    "comp pop": "def f(x):\n    l = [x, 1, 2, 3]\n    return [l.pop() for v in l]",
    "array chain": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (0 < a < 3)[0]",
    "frozen": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Q:\n    a: int\ndef f(x):\n    q = Q(1)\n    q.a = x\n    return q.a",
    "nt set": "from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f(x):\n    p = P(1, 2)\n    p.a = x\n    return p.a",
    "data eq false": "from dataclasses import dataclass\n@dataclass(eq=False)\nclass C:\n    a: int\ndef f(x):\n    return C(1) == C(1)",
    "nt replace": "from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f(x):\n    return P(x, 1)._replace(a=5).a",
    "cache list": "import functools\n@functools.cache\ndef g(v):\n    return [v]\ndef f(x):\n    g(1).append(x)\n    return g(1)",
    "cache closure": "import functools\ndef f(x):\n    l = [0]\n    @functools.cache\n    def g(v):\n        return v + l[0]\n    a = g(1)\n    l[0] = 5\n    return a, g(1)",
    "array int store": "import numpy as np\ndef f(x):\n    a = np.array([0, 0])\n    a[0] = x / 2\n    return a[0]",
    "array int aug": "import numpy as np\ndef f(x):\n    a = np.array([x, 0])\n    a += 0.5\n    return a[0]",
    "array bool add": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return ((a > 0) + (a < 3))[0] == 2",
    "array bool sub": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return ((a > 0) - (a < 3))[0]",
    "array bool store": "import numpy as np\ndef f(x):\n    a = np.array([True, False])\n    a[0] = x\n    return a[0] == 2",
    "array div0": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (1 // a)[1]",
    "pow neg frac": "def f(x):\n    return ((x - 2) ** 0.5) == 0",
    "long text": "def f(x):\n    return len('a' * 10000) + x",
    "is tuple": "def f(x):\n    return (1,) is (1,), [x] is [x]",
    "sorted reverse": "def f(x):\n    return sorted([x, 1], reverse=x > 1)",
    "module append": "T = []\nfor i in range(3):\n    T.append(i)\ndef f(x):\n    return T[x]",
    "module append 2": "T = [1]\nT.append(2)\ndef f(x):\n    return len(T) + x",
    "module store": "T = [1, 2, 3]\nT[0] = 5\ndef f(x):\n    return T[x]",
    "module change by function": "T = [1, 2, 3]\ndef g(l):\n    l[0] = 7\ng(T)\ndef f(x):\n    return T[x]",
    "module alias": "T = [1, 2, 3]\nU = T\nU[0] = 5\ndef f(x):\n    return T[x]",
    "module len later": "L = [1]\nN = len(L)\ndef f(x):\n    L.append(x)\n    return N",
    "default len later": "L = [1]\ndef g(n=len(L)):\n    return n\ndef f(x):\n    L.append(x)\n    return g()",
    "int float": "def f(x):\n    return int(0.29 * 100) + x",
    "floor float": "import math\ndef f(x):\n    return math.floor(0.29 * 100) + x",
    "floordiv float": "def f(x):\n    return 0.3 // 0.1 + x",
    "mod float": "def f(x):\n    return (0.3 % 0.1 < 0.05) + x",
    "round float": "def f(x):\n    return (round(2.675, 2) == 2.68) + x",
    "bool mixing": "def f(x):\n    y = True if x else 2\n    return y == 1, y is True",
    "free before": "def f(x):\n    def g():\n        return k\n    if x:\n        k = 1\n    return g()",
    "two instances": "class Q:\n    def __init__(self, l=[]):\n        self.l = l\ndef f(x):\n    a, b = Q(), Q()\n    a.l.append(x)\n    return b.l",
    "class const as default": "class Q:\n    K = 4\n    def g(self, a=K):\n        return a\ndef f(x):\n    return Q().g() + x",
    "class counter": "class Q:\n    n = 0\n    def __init__(self):\n        Q.n += 1\ndef f(x):\n    Q()\n    Q()\n    return Q.n",
    "class list": "class Q:\n    l = []\n    def add(self, v):\n        self.l.append(v)\ndef f(x):\n    Q().add(x)\n    q = Q()\n    q.add(1)\n    return q.l",
    "a property that is kept": "import functools\nclass Q:\n    @functools.cached_property\n    def a(self):\n        return 3\ndef f(x):\n    return Q().a + x",
    "slots": "class Q:\n    __slots__ = ('a',)\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    q = Q(x)\n    q.b = 1\n    return q.b",
    "private": "class Q:\n    def __init__(self, a):\n        self.__a = a\ndef f(x):\n    return Q(x).__a",
    "float text": "def f(x):\n    return float('2.5') + x",
    "recursion random": "import random\ndef g(n):\n    if n == 0 or random.random() < 0.5:\n        return n\n    return g(n - 1)\ndef f(x):\n    return g(x)",
    "module reassigned": "K = 5\ndef g(a=K):\n    return a\nK = 6\ndef f(x):\n    return g() + K",
    "conditional import": "try:\n    import numpy as np\nexcept ImportError:\n    np = None\ndef f(x):\n    return x if np is None else 1",
    "none index": "def f(x):\n    y = None if x else [1]\n    return y[0]",
    "none call": "def f(x):\n    y = None if x else abs\n    return y(1)",
    "none iter": "def f(x):\n    y = None if x else [1]\n    return [v for v in y]",
    "int iter": "def f(x):\n    return list(x)",
    "numpy if": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    if a:\n        return 1\n    return 0",
    "numpy dtype": "import numpy as np\ndef f(x):\n    return np.array([x / 2, 1], dtype=int)[0]",
    "numpy zeros int": "import numpy as np\ndef f(x):\n    a = np.zeros(2, dtype=np.int64)\n    a[0] = x / 2\n    return a[0]",
    "numpy mixed": "import numpy as np\ndef f(x):\n    a = np.array([x, 'a'])\n    return a[0] == x",
    "numpy pow neg": "import numpy as np\ndef f(x):\n    a = np.array([2, x])\n    return (a ** -1)[0]",
    "type": "def f(x):\n    return type(x) == int",
    "float key": "def f(x):\n    d = {0.5: 1}\n    return d.get(x / 2, 0)",
    "range eq": "def f(x):\n    return range(3) == range(x), list(range(x)) == [0]",
    "nan": "import math\ndef f(x):\n    return math.nan == x",
    "ellipsis": "def g():\n    ...\ndef f(x):\n    return g(), x",
    "a mean of whole numbers": "import statistics\ndef f(x):\n    return isinstance(statistics.mean([x, x]), float)",
    "a truth as an index of an array": "import numpy as np\ndef f(x):\n    a = np.array([5, 6])\n    a[x == 1] = 9\n    return a[0]",
    "a float as an end of a draw": "import random\ndef f(x):\n    return random.randint(0, x / 2)",
    "nothing as an end of a draw": "import random\ndef f(x):\n    return random.randint(0, None)",
}


@pytest.mark.family(every=4)
@pytest.mark.parametrize("name", RIGHT)
def test_an_edge_has_the_law_that_python_gives_it(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} <= {"SEEP701", "SEEP704"}
    assert any(one.is_error for one in program.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    if x:\n        return 1\n    return 1.0",
        "def f(x):\n    y = 1.0\n    if x:\n        y = 1\n    return [y, 2]",
        "import random\ndef f(x):\n    y = random.randint(0, 999)\n    if x:\n        return y // 500\n    return (y // 500) / 1",
        "def f(x):\n    if x:\n        return {True: 1}\n    return {1: True}",
    ],
)
def test_equal_numbers_are_one_result(text: str) -> None:
    assert program_of(text, "f", INPUTS).measure("I(x; result)").value == 0


def test_what_is_printed_is_what_it_was() -> None:
    text = "def f(x):\n    l = [x]\n    print(l)\n    l[0] = 7\n    return 0"

    program = program_of(text, "f", INPUTS, output=("printed",))

    assert program.measure("P(printed[0][0] == 7)").value == 0
    assert program.measure("H(x | printed)").value == 0


@pytest.mark.parametrize(("first", "second"), [("1", "1.0"), ("[0.0, 1]", "[0, 1]")])
def test_numbers_are_printed_as_what_they_are(first: str, second: str) -> None:
    text = f"def f(x):\n    if x:\n        print({first})\n    else:\n        print({second})"

    assert program_of(text, "f", {"x": (0, 1)}, output=("printed",)).measure("I(x; printed)").value == 1


@pytest.mark.parametrize(
    "body",
    [
        "print(True if x else 1)",
        "print(True) if x else print(1)",
        "print('1') if x else print(1)",
        "print('1 2') if x else print(1, 2)",
        "print(None if x else 'None')",
    ],
)
def test_what_is_printed_as_one_of_two_types_is_an_error(body: str) -> None:
    text = f"def f(x):\n    {body}"

    assert any(one.is_error for one in program_of(text, "f", INPUTS, output=("printed",)).diagnostics)


def test_ends_of_a_uniform_draw_stand_in_either_order() -> None:
    text = "import random\ndef f(x):\n    return random.uniform(2, x)"

    program = program_of(text, "f", {"x": (0, 1)})

    assert program.measure("E(result)").exact == Fraction(5, 4)
    assert program.measure("P(result < 1)").value == pytest.approx(1 / 4)


def test_what_is_not_followed_is_told_alone() -> None:
    text = "def f(x):\n    stack = [x]\n    while stack:\n        v = stack.pop()\n        if v < 4:\n            stack += [v * 2, v + 3]\n    return 1"

    found = [one.message for one in program_of(text, "f", INPUTS).diagnostics if one.is_error]

    assert len(found) == 1
    assert found[0].startswith("this loop ends at random")


def test_a_field_that_no_mark_names_is_an_error() -> None:
    text = "class Q:\n    def __init__(self, a):\n        self.a, self.n = a, 3\n    def g(self):\n        return self.a + self.n\n"

    found = load_function(text, "case.py", "Q.g", Mark(Span(0, 0), {"self.a": "flip(1/2)"})).diagnostics

    assert [one.message for one in found if one.is_error] == [
        "'n' of this object is not known: name it in 'secret', 'fixed' or 'param' of the mark"
    ]


def test_a_walk_that_takes_too_long_is_an_error_and_ends() -> None:
    now = itertools.count(step=0.5)  # seconds; each reading of a clock takes as long
    text = "def f(x):\n    t = 0\n    for i in range(1000):\n        t += i * x\n    return t\n"

    with using(Clock(lambda: next(now), lambda: next(now))):
        wrong = [one.message for one in program_of(text, "f", {"x": (0, 1)}).diagnostics if one.is_error]

    assert [one.partition(" to be followed")[0] for one in wrong] == ["'f' takes more than 20 seconds"]
