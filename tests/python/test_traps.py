"""Texts that look like something else than what they mean: each is an error, or has the law that Python gives it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.python.comparing import disagreement, program_of

from seepage.functions import load_function
from seepage.python.marks import Mark
from seepage.source import Span

INPUTS = {"x": (0, 1, 2)}

# What Python means by it, which runs of the function tell.
RIGHT: dict[str, str] = {
    "a parameter hides sum": "def g(sum):\n    return sum + 1\ndef f(x):\n    return g(x)",
    "a local hides random": "import random\ndef f(x):\n    random = x\n    return random + 1",
    "a local hides range": "def f(x):\n    range = [x, 5]\n    return [v for v in range]",
    "a loop variable hides min": "def f(x):\n    for min in (1, 2):\n        pass\n    return min + x",
    "all names of random": "from random import *\ndef f(x):\n    return x + randint(0, 1)",
    "random by another name": "import random as r\ndef f(x):\n    return x + r.randint(0, 1)",
    "a name of random": "from random import randint as draw\ndef f(x):\n    return x + draw(0, 1)",
    "a function defined twice": "def f(x):\n    return 0\ndef f(x):\n    return x",
    "a walrus in a condition": "def f(x):\n    if (y := x % 2) and y > 0:\n        return y\n    return 5 + y",
    "a walrus in a comprehension": "def f(x):\n    l = [y := v + x for v in (1, 2)]\n    return y, l",
    "a deleted name": "def f(x):\n    y = x\n    del y\n    return y",
    "a name bound in one branch": "def f(x):\n    if x > 1:\n        y = 1\n    return y",
    "nonlocal": "def f(x):\n    n = 0\n    def g():\n        nonlocal n\n        n += x\n    g()\n    g()\n    return n",
    "unpacked arguments": "def g(a, b=1, *rest):\n    return a + 2 * b + len(rest)\ndef f(x):\n    v = [x, 1, 2]\n    return g(*v), g(b=x, a=1)",
    "true as a key": "def f(x):\n    d = {1: 5, True: 6}\n    return d[1] + x, len(d)",
    "closures in a loop": "def f(x):\n    l = [lambda: i + x for i in range(3)]\n    return [g() for g in l]",
    "a multiplied row": "def f(x):\n    l = [[0] * 2] * 2\n    l[0][1] = x\n    return l",
    "ties": "def f(x):\n    return max([(1, x), (2, 0)], key=lambda p: p[1] // 2)",
    "chained assignment": "def f(x):\n    a = b = []\n    a.append(x)\n    return b",
    "a swap of elements": "def f(x):\n    a = [0, 1, 2]\n    i = 0\n    i, a[i] = x, 7\n    return a",
    "a constant of Python": "def f(x):\n    if __debug__:\n        return x\n    return 0",
    "a default list": "def g(v, l=[]):\n    l.append(v)\n    return l\ndef f(x):\n    g(x)\n    return g(1)",
    "default of the module": "N = 2\ndef g(v, n=N):\n    return v * n\ndef f(x):\n    return g(x)",
    "a list walked over while it changes": "def f(x):\n    l = [1, x, 3]\n    t = 0\n    for i, v in enumerate(l):\n        t += v\n        l[-1] = 0\n    return t",
    "signs of division": "def f(x):\n    return (x - 3) // 2, (x - 3) % 2, (3 - x) % -2, int((x - 3) / 2)",
    "shifts of negatives": "def f(x):\n    return (x - 2) >> 1, ~x, (x - 2) & 3, 1 << x",
    "rounding": "def f(x):\n    return round(x / 2), round((x - 3) / 2)",
    "operands of and": "def f(x):\n    return (x and 5), (x or None), (x and x > 1)",
    "a chain": "def f(x):\n    return 0 < x <= 1, x == x != 1",
    "booleans are numbers": "def f(x):\n    return True + x, (x == 1) * 3, sum([x > 0, x > 1])",
    "an index below zero": "def f(x):\n    return [4, 5, 6][-x]",
    "an index outside": "def f(x):\n    return [4, 5][x]",
    "a missing key": "def f(x):\n    return {0: 'a', 2: 'b'}[x]",
    "errors by class": "def f(x):\n    try:\n        return [4, 5][x]\n    except LookupError:\n        return -1\n    finally:\n        x = 9",
    "an error in a handler": "def f(x):\n    try:\n        return 1 // x\n    except ZeroDivisionError:\n        return [][x]",
    "else of a loop": "def f(x):\n    for i in range(3):\n        if i == x:\n            break\n    else:\n        return 9\n    return i",
    "a range that is empty": "def f(x):\n    n = 0\n    for i in range(x, 0, -1):\n        n = 10 * n + i\n    return n",
    "pow with a modulus": "def f(x):\n    return pow(3, x, 7), pow(2, x), 2 ** -x",
    "texts": "def f(x):\n    s = 'ab' if x else 'c'\n    return s + '!', s == 'ab', f'{s}{x}'",
    "an annotated name": "def f(x: int) -> int:\n    y: int = x + 1\n    z: int\n    return y",
    "a lambda with a default": "def f(x):\n    l = [lambda i=i: i for i in range(2)]\n    return l[0]() + x",
    "steps of slices": "def f(x):\n    l = [x, 1, 2, 3]\n    return l[::2], l[::-1], l[1:-1]",
    "a random index of an augmented element": "import random\ndef f(x):\n    l = [1, 3]\n    l[random.randint(0, 1)] += x\n    return l",
    "a random owner of an augmented attribute": "import random\nclass P:\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    ps = [P(1), P(3)]\n    ps[random.randint(0, 1)].a += x\n    return ps[0].a, ps[1].a",
    "an index that changes something": "def g(c):\n    c.append(1)\n    return 0\ndef f(x):\n    c = []\n    l = [x]\n    l[g(c)] += 1\n    return len(c), l",
    "an index by a walrus": "def f(x):\n    l = [0, x]\n    i = 0\n    l[(i := i + 1)] += 1\n    return i, l",
    "defaults of a method": "N = 2\nclass Q:\n    def __init__(self, a):\n        self.a = a\n    def g(self, k=N, *, m=None):\n        return self.a * k, m\ndef f(x):\n    N = 9\n    q = Q(x)\n    return q.g(), q.g(5), q.g(m=1)",
    "defaults of a method of a dataclass": "from dataclasses import dataclass\n@dataclass\nclass Q:\n    a: int\n    def g(self, k=1):\n        return self.a + k\ndef f(x):\n    return Q(x).g()",
    "a default that a local hides": "N = 2\ndef g(k=N):\n    return k\ndef f(x):\n    N = 9\n    return g() + x, N",
    "a default of a field that a local hides": "from dataclasses import dataclass\nN = 2\n@dataclass\nclass Q:\n    a: int\n    b: int = N\ndef f(x):\n    N = 9\n    return Q(x).b + N",
    "augmented lists are shared": "def f(x):\n    a = [x]\n    b = a\n    a += [1]\n    a = a + [2]\n    return a, b",
    "a tuple is copied": "def f(x):\n    a = (x,)\n    b = a\n    a += (1,)\n    return a, b",
    "stacked comparisons of lists": "def f(x):\n    return [x, 1] == [1, 1], (x,) != [x]",
    "stars of keywords": "def g(**kw):\n    return kw\ndef f(x):\n    d = {'a': x}\n    return g(**d)",
}

RIGHT |= {
    "a random text is unpacked": "def f(x):\n    s = 'abc' if x else 'de'\n    a, *r = s\n    return a, r",
    "a star is read where it stands": "def h(*a):\n    return len(a)\ndef f(x):\n    l = [x]\n    return h(*l, l.append(1)), l",
    "two stars are read where they stand": "def f(x):\n    d = {0: 1, 1: 2, 2: 3}\n    return {**d, 9: d.pop(x)}",
    "a field given twice": "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: int\ndef f(x):\n    return P(1, a=x).a",
    "a name that is given by place only": "def g(a, /, **k):\n    return a + k['a']\ndef f(x):\n    return g(1, a=x)",
    "a parameter by place is given by name": "def g(a, /, b=0):\n    return a\ndef f(x):\n    try:\n        return g(1, a=x)\n    except TypeError:\n        return x",
    "a default by place is given by name": "def g(a=2, /, b=0):\n    return a\ndef f(x):\n    return g(a=x)",
    "the length of an object": "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: int\ndef f(x):\n    return len(P(x))",
    "zip backwards": "def f(x):\n    return list(reversed(zip([x], [1])))",
    "a key that reads the list that is sorted": "def f(x):\n    l = [2, x, 1]\n    l.sort(key=lambda v: v * len(l))\n    return l",
    "a key that fails": "def f(x):\n    l = [2, x, 1]\n    try:\n        l.sort(key=lambda v: 1 // v)\n    except ZeroDivisionError:\n        pass\n    return l",
    "a key that changes an element": "def f(x):\n    def key(v):\n        if v[0] == x:\n            v.append(3)\n        return len(v)\n    return max([[0], [1]], key=key)",
    "types of numbers": "def f(x):\n    return isinstance(1, list), isinstance(x, (int, list))",
    "an object is put into itself": "def f(x):\n    l = [x, 1]\n    l.extend(l)\n    l.extend(reversed(l))\n    s = {x}\n    s.update(s, [1], {2: 3})\n    d = {1: x}\n    d.update(d, b=3)\n    d.update(d.items())\n    return l, sorted(s), len(d)",
    "any stops early": "import random\ndef f(x):\n    l = []\n    def g(v):\n        l.append(v)\n        return v == x or random.random() < 0.5\n    return any(g(v) for v in range(3) if v != 1), all(g(v) for v in (x, 1)), l",
    "a float beside None": "def f(x):\n    y = x / 2 if x else None\n    return y == None, y is None, y",
    "a float or a text": "def f(x):\n    y = x / 2 or 'none'\n    return y",
    "floats and texts by index": "def f(x):\n    return [0.5, 'a', None][x]",
    "a float that is no text": "def f(x):\n    s = 'no'\n    return int(x / 2), s",
    "comparisons of comparisons": "def f(x):\n    return (x > 0) == (x > 1), (x < 1) != True, 1 > (x == 2)",
}

# Of dictionaries, sets and iterators.
RIGHT |= {
    "a Counter beside a dictionary": "from collections import Counter\ndef f(x):\n    c = Counter([x])\n    return c == {1: 1}, c in [{1: 1}], Counter({1: 0}) == Counter(), Counter({x: 0}) == {1: 0}",
    "a dictionary with defaults beside another": "from collections import defaultdict\ndef f(x):\n    d = defaultdict(int)\n    d[x] += 1\n    return d == {1: 1}, d in [{1: 1}]",
    "views in comparisons": "def f(x):\n    d = {x: 1}\n    e = {1: x}\n    return d.keys() == {1}, d.keys() == e.keys(), d.values() == d.values(), d.keys() != [1]",
    "truths in a set": "def f(x):\n    return {x == 0, 2} == {1, 2}, {x, 2} == {2, 1}",
    "a membership that stops": "def f(x):\n    return x in [v for _, v in enumerate(reversed([2, x]))]",
    "defaults with named entries": "from collections import defaultdict\ndef f(x):\n    d = defaultdict(int, a=x)\n    return d['a'], d['b']",
    "a default that is a truth": "from collections import defaultdict\ndef f(x):\n    d = defaultdict(lambda: False)\n    d[0] = x\n    return str(d[x])",
    "a deleted count": "from collections import Counter\ndef f(x):\n    c = Counter([0])\n    del c[x]\n    return len(c) if x else -1",
    "keys that are truths or numbers": "def f(x):\n    d = {1: 5} if x else {True: 5}\n    e = {(1, 0): 5} if x else {(True, 0): 5}\n    return [str(k) for k in d], [str(k[0]) for k in e]",
    "the end of reversed": "def f(x):\n    l = [0, x]\n    r = reversed(l)\n    l.append(7)\n    k = [0, x, 3]\n    s = reversed(k)\n    k.pop()\n    return list(r), list(s)",
    "reversed while it grows": "def f(x):\n    l = [0, x]\n    t = 0\n    for v in reversed(l):\n        l.append(v)\n        t = 3 * t + v\n    return t, l",
    "reversed of an iterator": "def f(x):\n    try:\n        return list(reversed(enumerate([x])))\n    except TypeError:\n        return -x",
    "a choice from a dictionary": "import random\ndef f(x):\n    return random.choice({0: 'a', 1: x}), random.choice([x, 3])",
    "a choice from a dictionary without such a key": "import random\ndef f(x):\n    return random.choice({0: 5, x: 6, 3: 7})",
    "a choice from a view": "import random\ndef f(x):\n    return random.choice({x: 1, 5: x}.values() if x else {x: 1}.items())",
    "numbered pairs": "def f(x):\n    t = 0\n    for i, (a, b) in enumerate(zip([x, 1], [2, x])):\n        t = 5 * t + i + a * b\n    return t, [i * a - b for i, (a, b) in enumerate(zip([x, 1], [2, x]))]",
    "pairs of what is reversed": "def f(x):\n    l = [x, 1, 3]\n    t = 0\n    for i, v in enumerate(reversed(l)):\n        t += i * v\n    for a, b in zip(l, reversed(l)):\n        t = 4 * t + a - b\n        l[1] = t\n    return t, [a * b for a, b in zip(reversed(l), reversed([1, x]))]",
    "numbered entries": "def f(x):\n    d = {x: 1, 5: x}\n    t = 0\n    for i, (k, v) in enumerate(d.items()):\n        t = 7 * t + i * k + v\n        d[k] = t\n    return t, list(zip(d, d.values())), list(map(lambda k: k + 1, d)), sum(k for k in d)",
    "what zip leaves": "def f(x):\n    it = reversed([x, 1])\n    l = list(zip(it, [1, 2, 3]))\n    return l, list(it)",
}

RIGHT |= {
    "str mul": "def f(x):\n    return 'ab' * x",
    "none attr": "class Q:\n    def __init__(self):\n        self.a = 1\ndef f(x):\n    y = None if x else Q()\n    return y.a",
    "none len": "def f(x):\n    y = None if x else [1]\n    return len(y)",
    "text plus int": "def f(x):\n    return 'a' + x",
    "a list grows by an array": "import numpy as np\ndef f(x):\n    l = [1, x]\n    k = l\n    l += np.array([1, 2])\n    return len(l), l[0], l[1], len(k), k[1]",
    "a text or a number is doubled in place": "def f(x):\n    v = 'a' if x else 3\n    v += v\n    return v",
}

# Expressions in Python's own words: of what may be no number, of arguments that a call does not take, of arrays.
_SETTING = "import numpy as np\ndef f(x):\n    v = 'a' if x else 3\n    a = np.array([x, 1, 2])\n    m = a > 0\n    k = a > 1\n    return "
EXPRESSIONS: dict[str, list[str]] = {
    "a text or a number": [
        "v * x",
        "v + v",
        "2 * v",
        "v - 1",
        "v + 1",
        "sum([v])",
        "sum([1, v])",
        "{0: 'a', 1: 5, 2: 'c'}[x] * 2",
        "(x or None) * 2",
        "sum([x or None])",
        "['a', None, 3][x] + 'b'",
    ],
    "attributes": ["None.foo", "'a'.foo", "[x].foo", "(x,).foo", "{}.foo", "1 if [x].append else 0"],
    "floats for integers": [
        "'ab' * 2.0",
        "[x] * 2.0",
        "6.0 & 3",
        "1.0 << x",
        "~(x + 0.0)",
        "6 & x",
        "[x] * None",
        "[0] * 'a'",
        "len(5)",
        "len(None)",
    ],
    "too many arguments": [
        "[].append(1, 2)",
        "[1].pop(0, 1)",
        "str('a', 'b')",
        "bool(1, 2)",
        "len([1], [2])",
        "{}.keys(1)",
        "{}.clear(1)",
        "[1].sort(1)",
        "[1].copy(2)",
        "dict(1, 2)",
        "{}.get(key=1)",
        "any(x=(v for v in [1]))",
    ],
    "missing arguments of methods": [
        "{}.get()",
        "{}.pop()",
        "{}.setdefault()",
        "set().add()",
        "[].append()",
        "[1].insert(1)",
        "[].count()",
        "[].remove()",
        "[].extend()",
        "[3, x].index()",
    ],
    "missing arguments of functions": [
        "round()",
        "pow(1)",
        "len()",
        "isinstance(x)",
        "sorted()",
        "divmod(1)",
        "any()",
        "all()",
        "list(enumerate())",
        "list(reversed())",
        "str()",
        "max()",
        "abs()",
        "range()",
    ],
    "reductions of rows": [
        "np.sum([[1, x], [2, 3]])",
        "np.mean([[1, x], [2, 3]])",
        "np.any([[0, x]])",
        "np.all([[1, x], [1, 1]])",
        "np.argmax([[1, x], [1, 1]])",
        "np.sum(m)",
    ],
    "truths of arrays": [
        "list((m * k) | m)",
        "sum(np.where(m, m, m) * k)",
        "list(m.astype(int) * k)",
        "list(m * True)",
        "int(m[0]) + int(m[1]) + sum(v for v in m)",
        "list(a * m)",
    ],
}
REFUSED = [
    "m * k + m",
    "m[0] + k[0]",
    "-m[0]",
    "np.max(m) * np.min(m)",
    "np.abs(m) * k",
    "m ** k",
    "a ** -1",
    "a.foo",
    "x.real",
    "x.numerator",
    "x.foo",
    "2 ** (x - 1) & 1",
    "pow(2, x, mod=3)",
    "np.array()",
    "np.round(a, decimals=1)",
    "np.sum({1, x})",
]

# What is not known for certain.
WRONG: dict[str, str] = {
    "a list in a key": "def f(x):\n    return (1, [x]) in {0: 1}",
    "a key that changes the list that is sorted": "def f(x):\n    l = [2, x, 1]\n    def key(v):\n        l.append(v)\n        return v\n    l.sort(key=key)\n    return l",
    "a keyword that acts behind a star": "def h(*a, k=0):\n    return len(a)\ndef f(x):\n    l = [x]\n    return h(*l, k=l.append(1))",
    "a generator of none": "def f(x):\n    try:\n        g = (v for v in None)\n    except TypeError:\n        return x\n    return 5",
    "elements that change the set that takes them": "def f(x):\n    s = {1}\n    def g():\n        s.add(x)\n        yield 5\n    return len(s.difference(g()))",
    "what is left of map after StopIteration": "def f(x):\n    def g(v):\n        if v == x:\n            raise StopIteration\n        return v\n    m = map(g, [0, 1, 2])\n    return list(m), list(m)",
    "a variable of the module that is read and written": "K = 3\ndef f(x):\n    global K\n    K += x\n    return K",
    "a variable of the module that a helper writes": "K = 3\ndef g(x):\n    global K\n    K = K + x\n    return K\ndef f(x):\n    return g(x)",
    "a variable of the module that is deleted": "K = 3\ndef f(x):\n    global K\n    del K\n    return x",
    "a default list of a method": "class Q:\n    def __init__(self, a):\n        self.a = a\n    def g(self, l=[]):\n        l.append(1)\n        return len(l)\ndef f(x):\n    Q(x).g()\n    return Q(x).g()",
    "random is patched": "import random\nrandom.random = lambda: 0\ndef f(x):\n    return random.random() < 0.5",
    "numpy is patched": "import numpy as np\nnp.random.seed = None\ndef f(x):\n    return x",
    "setattr": "import random\nsetattr(random, 'random', None)\ndef f(x):\n    setattr(random, 'random', x)\n    return x",
    "defined in a branch": "import sys\nif sys.argv:\n    def g(v):\n        return v\nelse:\n    def g(v):\n        return 0\ndef f(x):\n    return g(x)",
    "defined in a try": "try:\n    from fast import g\nexcept ImportError:\n    def g(v):\n        return v\ndef f(x):\n    return g(x)",
    "a decorator": "from lib import wrap\n@wrap\ndef f(x):\n    return x",
    "async": "async def g(v):\n    return v\ndef f(x):\n    return g(x)",
    "yield": "def f(x):\n    yield x",
    "global": "n = 0\ndef f(x):\n    global n\n    n = x\n    return n",
    "a variable of the module": "n = 0\ndef h():\n    global n\n    n = 1\ndef f(x):\n    return n + x",
    "eval": "def f(x):\n    return eval('x')",
    "globals": "def f(x):\n    return globals()['x']",
    "getattr": "import random\ndef f(x):\n    return getattr(random, 'random')() < 0.5",
    "__import__": "def f(x):\n    return __import__('random').randint(0, 1)",
    "keywords unknown": "def g(**kw):\n    return kw\ndef f(x):\n    return g(**{x: 1})",
    "own equality in a list": "class C:\n    def __eq__(self, other):\n        return True\ndef f(x):\n    return [C()] == [x]",
    "own fields": "class C:\n    def __getattr__(self, name):\n        return 1\ndef f(x):\n    return C().a",
    "identity of numbers": "def f(x):\n    return x is 1",
    "nan": "def f(x):\n    return float('nan') == x",
    "inf": "import math\ndef f(x):\n    return x < math.inf",
    "a literal without end": "def f(x):\n    return x < 1e999",
    "hash": "def f(x):\n    return hash(x) % 2",
    "id": "def f(x):\n    return id(x) % 2",
    "order of a set": "def f(x):\n    return [v for v in {1, x}]",
    "generators with one seed": "import random\ndef f(x):\n    a = random.Random(1)\n    b = random.Random(1)\n    return a.randint(0, 1) == b.randint(0, 1)",
    "seeded in a loop": "import random\ndef f(x):\n    t = x\n    for i in range(2):\n        random.seed(3)\n        t += random.randint(0, 1)\n    return t",
    "seeded by a secret": "import random\ndef f(x):\n    random.seed(x)\n    return random.randint(0, 1)",
    "a draw of the module": "import random\nk = random.randint(0, 1)\ndef f(x):\n    return (x + k) % 2",
    "a default that draws": "import random\ndef g(v=random.randint(0, 1)):\n    return v\ndef f(x):\n    return g() + g() + x",
    "a uniform of the module": "import random\nk = random.random()\ndef f(x):\n    return k < 0.5",
    "floats that differ": "def f(x):\n    return x if 0.1 + 0.2 == 0.3 else 0",
    "a cached draw": "import functools, random\n@functools.cache\ndef g(v):\n    return random.randint(0, 1)\ndef f(x):\n    return g(x) == g(x)",
    "a class that inherits": "class A(list):\n    pass\ndef f(x):\n    return A([x])",
    "a with": "def f(x):\n    with open('x') as y:\n        return x",
    "an argument without a law": "def f(x, y):\n    return x + y",
    "starred arguments of the function": "def f(x, *y):\n    return x",
    "a loop without an end": "def f(x):\n    while True:\n        x += 1",
    "a call that does not end": "def g(v):\n    return g(v + 1)\ndef f(x):\n    return g(x)",
    "what any leaves": "def f(x):\n    it = reversed([0, x, 2])\n    any(it)\n    return len(list(it))",
    "what a membership leaves": "def f(x):\n    it = reversed([0, 1, 2])\n    return len(list(it)) if x in it else -1",
    "what a numbered membership leaves": "def f(x):\n    it = reversed([0, 1, 2])\n    (0, x) in enumerate(it)\n    return list(it)",
    "what a shorter zip leaves": "def f(x):\n    it = reversed([0, x, 2])\n    z = list(zip(it, [1]))\n    return list(it)",
    "what a zip behind leaves": "def f(x):\n    it = reversed([0, x, 2])\n    z = list(zip([1], it))\n    return list(it)",
    "what a broken walk leaves": "def f(x):\n    it = reversed([0, x, 2])\n    for i, v in enumerate(it):\n        if v:\n            break\n    return list(it)",
    "what is read while it is walked over": "def f(x):\n    it = reversed([0, x, 2])\n    return [(v, list(it)) for v in enumerate(it)]",
    "a number or a truth as a key": "def f(x):\n    d = {(x == 1) or 5: 0}\n    return [str(k) for k in d]",
    "a number or a truth as a counted key": "from collections import Counter\ndef f(x):\n    return [str(k) for k in Counter([(x == 1) or 5])]",
    "a float in a key": "def f(x):\n    return [str(k[0]) for k in {(1.0, x): 1}]",
    "a truth in two sets": "def f(x):\n    return [str(v) for v in sorted({1} & {x == 1})]",
    "a dictionary that grows before it is numbered": "def f(x):\n    d = {0: 1}\n    e = enumerate(d)\n    d[x] = 1\n    return list(e)",
    "a dictionary that grows before it is zipped": "def f(x):\n    d = {0: 1}\n    e = zip(d, [1, 2])\n    d[x] = 1\n    return list(e)",
    "a dictionary that grows before it is mapped": "def f(x):\n    d = {0: 1}\n    e = map(lambda v: v + 1, d.values())\n    d[x] = 1\n    return list(e)",
    "a dictionary that grows before a generator": "def f(x):\n    d = {0: 1}\n    e = (k for k in d)\n    d[x] = 1\n    return list(e)",
    "a list in what is looked up": "def f(x):\n    try:\n        return (1, [x]) in {0: 1}\n    except TypeError:\n        return 5",
    "items in a comparison": "def f(x):\n    return {x: 1}.items() == {1: 1}.items()",
    "a size of a truth of numpy": "import numpy as np\ndef f(x):\n    m = np.array([x, 1]) > 0\n    return abs(m[0]) + m[1]",
    "texts in order": "def f(x):\n    return ('a' if x else 'b') < 'c'",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", RIGHT)
def test_a_trap_has_the_law_that_python_gives_it(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_have_the_law_that_python_gives_them(name: str) -> None:
    found = {each: disagreement(_SETTING + each, "f", INPUTS) for each in EXPRESSIONS[name]}

    assert not {each: wrong for each, wrong in found.items() if wrong is not None}


@pytest.mark.parametrize("text", REFUSED)
def test_expressions_that_are_not_followed_are_errors(text: str) -> None:
    found = {one.rule.code for one in program_of(_SETTING + text, "f", INPUTS).diagnostics if one.is_error}

    assert found == {"SEEP701"}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_certain_is_an_error(name: str) -> None:
    program = program_of(WRONG[name], "f", INPUTS)

    assert any(one.is_error for one in program.diagnostics)
    assert all(":=" not in one.message and "~" not in one.message for one in program.diagnostics)


def test_a_file_beside_is_not_the_module_of_python(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("def randint(a, b): return 4\n")
    path = tmp_path / "mine.py"
    path.write_text("import random\ndef f(x):\n    return x + random.randint(0, 1)\n")

    program = load_function(path.read_text(), str(path), "f", Mark(Span(0, 0), {"x": "bernoulli(1/2)"}))

    assert [one.rule.code for one in program.diagnostics] == ["SEEP701"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("\0", "SEEP703"),
        ("def f(x):\n    return " + "(" * 500 + "x" + ")" * 500, "SEEP703"),
        ("def f(x):\n    return " + "-" * 5_000 + "x", "SEEP703"),
        ("def f(x):\nreturn x", "SEEP703"),
        ("", "SEEP702"),
    ],
)
def test_what_python_cannot_read_is_told(text: str, rule: str) -> None:
    program = load_function(text, "module.py", "f", Mark(Span(0, 0), {"x": "bernoulli(1/2)"}))

    assert {one.rule.code for one in program.diagnostics if one.is_error} <= {rule, "SEEP701"}
    assert program.diagnostics


@pytest.mark.parametrize("lead", ["", "\ufeff", "# coding: utf-8\n", "\f\n", "μ = 'é'\r\n", "x = 1;\ty = 2\n"])
def test_places_are_those_of_the_text(lead: str) -> None:
    text = f"{lead}def f(x):\n    é = 'ü'; return x @ 2\n"

    program = load_function(text, "module.py", "f", Mark(Span(0, 0), {"x": "bernoulli(1/2)"}))

    (finding,) = program.diagnostics
    assert text[finding.span.start : finding.span.end] == "x @ 2"
