"""Dictionaries, sets and lists that are changed, and the order of what is sorted: keys that are random, views, deletions, slices."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}

RIGHT: dict[str, str] = {
    "keys that are drawn": "import random\ndef f(x):\n    d = {}\n    for _ in range(2):\n        k = random.randint(0, 1)\n        d[k] = d.get(k, 0) + 1\n    return d.get(x, 0), len(d)",
    "a set of random size": "import random\ndef f(x):\n    s = {random.randint(0, 1), random.randint(0, 1)}\n    s |= {x}\n    return len(s), 0 in s, sorted(s)",
    "sorted draws": "import random\ndef f(x):\n    l = [(random.randint(0, 1), 'a'), (x, 'b'), (1, 'c')]\n    l.sort()\n    return l",
    "equal in any order": "def f(x):\n    return {0: 1, 1: x} == {1: 2, 0: 1}, {0: [x]} == {0: [1]}, {x} == {1}, {x: 1} == {1: 1}",
    "a slice that is drawn": "import random\ndef f(x):\n    l = [x, 1]\n    l[:random.randint(0, 1)] += [7]\n    return l",
    "a fraction is no text": "def f(x):\n    d = {'a': 5, 'b': 7}\n    return x / 2 in d",
    "none as a key": "def f(x):\n    d = {None: 5}\n    y = x or None\n    return d.get(y, 3)",
    "delete an entry": "def f(x):\n    d = {0: 'a', 1: 'b', 2: 'c'}\n    del d[x]\n    return list(d), len(d), x in d",
    "delete what is not there": "def f(x):\n    d = {0: 1}\n    try:\n        del d[x]\n    except KeyError:\n        return 'no'\n    return d",
    "delete an element": "def f(x):\n    l = [5, 6, 7]\n    del l[x], l[-1]\n    return l",
    "delete outside": "def f(x):\n    l = [5, 6]\n    try:\n        del l[x]\n    except IndexError:\n        pass\n    return l",
    "delete a slice": "def f(x):\n    l = [0, 1, 2, 3, 4]\n    m = l\n    del l[x:3]\n    del l[::2]\n    return m",
    "write a slice": "def f(x):\n    l = [0, 1, 2, 3]\n    m = l\n    l[1:x] = [9, 9, 9]\n    l[:0] = (7,)\n    return m",
    "write a stepped slice": "def f(x):\n    l = [0, 1, 2, 3]\n    try:\n        l[::2] = [9] * x\n    except ValueError:\n        return 'length'\n    return l",
    "write a slice of itself": "def f(x):\n    l = [x, 1, 2]\n    l[1:] = l\n    l[0:2] = (v + 1 for v in l)\n    return l",
    "augment a slice": "def f(x):\n    l = [x, 1, 2]\n    l[1:] += [5]\n    l[:1] *= 2\n    return l",
    "step zero": "def f(x):\n    l = [x, 1]\n    try:\n        return l[::x]\n    except ValueError:\n        return 'zero'",
    "an index is whole": "def f(x):\n    try:\n        return [5, 6][x / x]\n    except (TypeError, ZeroDivisionError):\n        return 'no'",
    "pop an entry": "def f(x):\n    d = {0: 5, 1: 6}\n    return d.pop(x, 'none'), len(d)",
    "pop what is not there": "def f(x):\n    d = {0: 5, 1: 6}\n    try:\n        return d.pop(x)\n    except KeyError:\n        return len(d)",
    "set a default": "def f(x):\n    d = {0: [5]}\n    l = d.setdefault(x, [])\n    l.append(x)\n    d.setdefault(x, 'other')\n    return d[x], len(d), d[0]",
    "update": "def f(x):\n    d = {0: 5, 'a': 1}\n    d.update({x: 7})\n    d.update(a=2, b=x)\n    d.update([(1, 8)])\n    return list(d), list(d.values())",
    "make": "def f(x):\n    d = dict(a=x, b=1)\n    e = dict(d, b=5)\n    g = dict([(x, 1), (1, 2)])\n    h = dict(zip('ab', [x, 1]))\n    return d, e, list(g.items()), h['a'], dict()",
    "doubled keys": "def f(x):\n    d = {0: 1, x: 2, **{1: 9, 5: x}, 1: 7}\n    return list(d.items())",
    "merge": "def f(x):\n    d = {0: 1, 1: 2}\n    e = d | {x: 9}\n    g = d\n    d |= {7: x}\n    return list(e.items()), list(g)",
    "a view is live": "def f(x):\n    d = {0: 1}\n    k, v = d.keys(), d.values()\n    d[5] = x\n    d[0] = 8\n    return len(k), list(v), 5 in k",
    "walk over a view": "def f(x):\n    d = {0: 1, 1: x}\n    s = 0\n    for k, v in d.items():\n        s += k * 10 + v\n        d[0] = 50\n    return s, d[0]",
    "values change while walked over": "def f(x):\n    d = {0: 1, 1: 2}\n    out = []\n    for v in d.values():\n        out.append(v)\n        d[1] = x + 5\n    return out",
    "clear": "def f(x):\n    d, l = {0: x}, [x]\n    e, m = d, l\n    d.clear()\n    l.clear()\n    return len(e), m",
    "a tuple as a key": "def f(x):\n    d = {(0, 1): 5, (x, 'a'): 6}\n    return d.get((x, 1), 7), (x, 'a') in d, d[0, 1], (1, 1) in d",
    "a list is no key": "def f(x):\n    d = {0: 1}\n    try:\n        d[[x]] = 1\n    except TypeError:\n        return 'list'",
    "true is one": "def f(x):\n    d = {True: 'a'}\n    d[1] = 'b'\n    return [str(k) for k in d], d[True], {x == 1: 5}.get(x)",
    "defaults": "from collections import defaultdict\ndef f(x):\n    d = defaultdict(list)\n    d[x].append(1)\n    d[1].append(x)\n    e = defaultdict(int)\n    e[x] += 2\n    y = e[5]\n    return list(d.items()), list(e.items()), e.get(7), 7 in e",
    "a counter": "from collections import Counter\ndef f(x):\n    c = Counter([x, 1, 2, x])\n    n = c[9]\n    c[x] += 1\n    return list(c.items()), n, len(c), sum(c.values()), 9 in c",
    "a counter of a text": "from collections import Counter\ndef f(x):\n    return Counter('abca')['a'] + x",
    "a set": "def f(x):\n    s = {x, 1}\n    s.add(2)\n    s.discard(7)\n    s.add(1)\n    return len(s), x in s, 0 in s, sorted(s), sum(s), max(s)",
    "set operations": "def f(x):\n    a, b = {x, 1}, {2, 1}\n    return len(a | b), len(a & b), sorted(a - b), sorted(a ^ b), a <= b, a < b, a == b, a >= {1}, a != b",
    "set methods": "def f(x):\n    a = {x, 1}\n    return len(a.union([5])), sorted(a.intersection((1, 2))), a.issubset({0, 1, 2}), sorted(a.difference({x}))",
    "set in place": "def f(x):\n    a = {x, 1}\n    b = a\n    a |= {7}\n    a -= {1}\n    a.update([8])\n    return sorted(b), a is b",
    "remove from a set": "def f(x):\n    a = {0, 1}\n    try:\n        a.remove(x)\n    except KeyError:\n        return 'no'\n    return sorted(a)",
    "sets are equal in any order": "def f(x):\n    return {1, 2, x} == {x, 2, 1}, set([1, 2]) == {2, x}, {x} == frozen(x)\ndef frozen(x):\n    return set([x, x])",
    "truth of sets": "def f(x):\n    a = {v for v in (0, 1) if v < x}\n    return (1 if a else 0), not set(), bool({}), bool({x: 1})",
    "set of texts": "def f(x):\n    s = {'a', 'b' if x else 'a'}\n    return len(s), 'b' in s, x in s",
    "set of draws": "import random\ndef f(x):\n    return len({random.randint(0, 2) for _ in range(3)}) + x",
    "seen": "import random\ndef f(x):\n    seen = set()\n    for _ in range(3):\n        d = random.randrange(3)\n        if d in seen:\n            return d\n        seen.add(d)\n    return 'all', x",
    "remove an element": "def f(x):\n    l = [0, 1, x, 2]\n    l.remove(x)\n    return l",
    "remove what is not there": "def f(x):\n    l = [1, 2]\n    try:\n        l.remove(x)\n    except ValueError:\n        l.append(9)\n    return l",
    "place of an element": "def f(x):\n    l = [2, x, 1, 0]\n    return l.index(x), (0, 1, 2).index(x)",
    "star in the middle": "def f(x):\n    a, *b, c = [x, 1, 2, 3]\n    d, *e = (x,)\n    *g, h = 'ab'\n    return a, b, c, d, e, g, h",
    "star with too few": "def f(x):\n    try:\n        a, b, *c = [x] * x\n    except ValueError:\n        return 'few'\n    return a, b, c",
    "star in a loop": "def f(x):\n    out = []\n    for a, *b in [(x, 1), (2,), (3, 4, x)]:\n        out.append((a, len(b)))\n    return out",
    "sorted by a key is stable": "def f(x):\n    l = [(2, 'a'), (x, 'b'), (1, 'c')]\n    return sorted(l, key=lambda p: p[0]), sorted(l, key=lambda p: p[0], reverse=True)",
    "sorted in place by a key": "def f(x):\n    l = [3, x, 1]\n    m = l\n    l.sort(key=lambda v: -v)\n    return m",
    "sorted tuples": "def f(x):\n    return sorted([(1, x), (x, 0), (0, 2)]), sorted([(1, x), (1, 1)], reverse=True)",
    "sorted texts": "def f(x):\n    return sorted(['b', 'a', 'c']), sorted('cab'), sorted(['b' * 2, 'a'], key=len), x",
    "sorted by two keys": "def f(x):\n    return sorted([(1, 'a'), (x, 'b'), (1, 'c')], key=lambda p: (-p[0], p[1]))",
    "order of tuples": "def f(x):\n    return (x, 1) < (1, 0), (x, 1) <= (x, 1), (1,) < (1, x), (x, 2) > (1, 5), [x] >= [1], (x, 'a') < (1, 'b')",
    "order of texts": "def f(x):\n    return 'a' < 'b', 'B' < 'a', 'ab' <= 'ab', '' > 'a', x",
    "key calls in order": "def f(x):\n    log = []\n    def k(v):\n        log.append(v)\n        return -v\n    return sorted([1, x, 2], key=k), log",
    "in order of insertion": "def f(x):\n    d = {}\n    d[x] = 1\n    d[1] = 2\n    del d[x]\n    d[x] = 3\n    return list(d)",
    "a slice of an array is written": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    a[:1] = 5\n    return a[0]",
}

REFUSED: dict[str, str] = {
    "a float as a key": "def f(x):\n    d = {}\n    d[x / 1] = 1\n    return str(list(d)[0])",
    "a float in a set": "def f(x):\n    return [str(v) for v in sorted({x / 1, 5})]",
    "a fraction as a key": "def f(x):\n    d = {'a': 5, 'b': 7}\n    return d.get(x / 2, 0)",
    "a fraction as an index": "def f(x):\n    return {'a': 5, 0: 7}[x / 2]",
    "a fraction is stored": "def f(x):\n    d = {'a': 5}\n    d[x / 2] = 1\n    return len(d)",
    "a fraction in a set": "def f(x):\n    return len({x / 2, 'a'})",
    "the order of a set": "def f(x):\n    return [v for v in {x, 5}]",
    "a list of a set": "def f(x):\n    return list({x, 5})",
    "a set is popped": "def f(x):\n    return {x, 5}.pop()",
    "ties by a set's order": "def f(x):\n    return max({x, 5}, key=lambda v: 0)",
    "keys change while walked over": "def f(x):\n    d = {0: 1, 1: 2}\n    for k in d:\n        del d[k]\n        d[k + 5] = x\n    return list(d)",
    "a list in a set": "def f(x):\n    return [x] in {1, 2}",
    "other defaults": "from collections import defaultdict\ndef f(x):\n    d = defaultdict(lambda: [x])\n    return d[x]",
    "update of a counter": "from collections import Counter\ndef f(x):\n    c = Counter([x])\n    c.update([1])\n    return c[1]",
    "a random order of texts": "def f(x):\n    return ('a' if x else 'b') < 'b'",
    "del of a field": "class Q:\n    pass\ndef f(x):\n    q = Q()\n    q.a = x\n    del q.a\n    return 1",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_changed_has_the_law_that_python_gives_it(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}
