"""Generators, ``map`` and ``filter``: what is computed as it is asked for goes on in turns with whoever asks."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}

RIGHT: dict[str, str] = {
    "a pair that is none ends a generator": "def f(x):\n    out = []\n    def g():\n        yield (1, 2)\n        out.append(x)\n        yield (1,)\n        out.append(5)\n        yield (3, 4)\n        out.append(6)\n    try:\n        dict(g())\n    except (TypeError, ValueError):\n        pass\n    return out",
    "a list that is no key ends a generator": "def f(x):\n    out = []\n    def g():\n        yield 1\n        out.append(x)\n        yield [1]\n        out.append(5)\n        yield 3\n        out.append(6)\n    try:\n        set(g())\n    except (TypeError, ValueError):\n        pass\n    return out",
    "too many values end a generator": "def f(x):\n    out = []\n    def g():\n        yield 1\n        out.append(x)\n        yield [1]\n        out.append(5)\n        yield 3\n        out.append(6)\n    try:\n        a, = g()\n    except (TypeError, ValueError):\n        pass\n    return out",
    "unpacked generators": "def f(x):\n    def g():\n        yield x\n        yield 2\n    a, b = g()\n    a, b = l = g()\n    return a, b, list(l)",
    "unpacked generators in each other": "def f(x):\n    def g():\n        yield x\n        yield 2\n    c, (a, b) = 1, g()\n    (d, *e), h = (v for v in 'abc'), 5\n    for p, q in [(v + x for v in range(2)), (x, 1)]:\n        a += p * q\n    return a, b, c, d, e, h",
    "StopIteration in map behind a break": "def f(x):\n    def g(v):\n        if v == x:\n            raise StopIteration\n        return v\n    n = 0\n    for v in map(g, [2, 0, 1]):\n        if v == 0:\n            break\n        n += v + 1\n    return n, next(map(g, [x]), 7)",
    "next inside of map": "def f(x):\n    def e():\n        if x:\n            yield x\n    return list(map(lambda v: v + next(e()), [1, 2]))",
    "next inside of an expression": "def f(x):\n    def e():\n        if x:\n            yield x\n    return list(v + next(e()) for v in [1, 2])",
    "sets and dictionaries of generators": "def f(x):\n    return len(set(v * x for v in range(3))), len(set('aab')), set(range(x)) == {0, 1}, len(set('ab' if x else 'c')), dict((v, x) for v in 'ab'), dict([(1, x)], a=2), len(set(set([x, 1])))",
    "a method of the file named update": "class B:\n    def __init__(self):\n        self.n = 0\n    def update(self, g):\n        self.n = 1\n        return list(g)\ndef f(x):\n    b = B()\n    return b.update(b.n * x for _ in [1])",
    "what was appended before an error": "def f(x):\n    def g():\n        yield 1\n        if x:\n            raise ValueError\n        yield 2\n    l = []\n    try:\n        l.extend(g())\n    except ValueError:\n        pass\n    return l",
    "a list that sees itself extended": "def f(x):\n    l = [x]\n    l.extend(len(l) for _ in range(3))\n    return l",
    "a set that sees itself updated": "def f(x):\n    s = {7}\n    s.update(len(s) for v in range(x))\n    return len(s)",
    "what a set took before an error": "def f(x):\n    s = {x}\n    try:\n        s.update([5, [1]])\n    except TypeError:\n        pass\n    return sorted(s)",
    "a dictionary that sees itself updated": "def f(x):\n    d = {}\n    d.update((v, len(d)) for v in range(x))\n    return d",
    "what a dictionary took before an error": "def f(x):\n    def g():\n        yield 1, x\n        if x > 1:\n            raise KeyError\n        yield 2, x\n    d = {}\n    try:\n        d.update(g())\n    except KeyError:\n        pass\n    return d",
    "pairs that are none": "def f(x):\n    d = {}\n    try:\n        d.update([(5, 1), (6,)] if x else [(5, 1)])\n    except ValueError:\n        return len(d)\n    return 0",
    "a star before what acts": "def f(x):\n    out = []\n    def g():\n        out.append(x)\n        yield 1\n    def note():\n        out.append(7)\n    def h(*a):\n        return len(a)\n    h(*g(), note())\n    return out",
    "a key in turns with max": "def f(x):\n    n = [0]\n    def it():\n        for _ in range(2):\n            yield n[0]\n    def key(v):\n        n[0] += x\n        return v\n    return max(it(), key=key)",
    "a key in turns with min": "def f(x):\n    n = 0\n    def it():\n        nonlocal n\n        for _ in range(3):\n            yield n\n    def key(v):\n        nonlocal n\n        n += x\n        return (v - 2) ** 2\n    return min(it(), key=key)",
    "StopIteration in an expression": "def f(x):\n    def g(v):\n        if v == x:\n            raise StopIteration\n        return v\n    try:\n        return sum(g(v) for v in [0, 1, 2])\n    except RuntimeError:\n        return -1",
    "StopIteration in map": "def f(x):\n    def g(v):\n        if v == x:\n            raise StopIteration\n        return v\n    return sum(map(g, [0, 1, 2]))",
    "StopIteration in filter": "def f(x):\n    def g(v):\n        if v == x:\n            raise StopIteration\n        return v < 9\n    l = []\n    for v in filter(g, [0, 1, 2]):\n        l.append(v)\n    return l",
    "exceptions through two": "def a():\n    for i in range(3):\n        yield i\ndef b():\n    try:\n        for v in a():\n            yield 6 // v\n    except ZeroDivisionError:\n        yield 'z'\n        for v in a():\n            yield v\ndef f(x):\n    out = []\n    try:\n        for v in b():\n            if v == x:\n                [][1]\n            out.append(v)\n    except IndexError:\n        out.append('i')\n    return out",
    "left from inside of two": "def a():\n    yield 1\n    yield 2\ndef b():\n    yield from a()\n    yield 3\ndef h(x):\n    for v in b():\n        for w in b():\n            if v * w > x + 1:\n                return v, w\n    return 'no'\ndef f(x):\n    return h(x), h(x + 2)",
    "a closure over its names": "def g(x):\n    n = x\n    def inc():\n        nonlocal n\n        n += 1\n        return n\n    yield inc\n    yield n\ndef f(x):\n    out = []\n    for v in g(x):\n        out.append(v() if callable_(v, out) else v)\n    return out\ndef callable_(v, out):\n    return len(out) == 0",
    "draws that are compared": "import random\ndef g():\n    while True:\n        u = random.random()\n        if u < 0.25:\n            return\n        yield u < 0.5\ndef f(x):\n    n = 0\n    for b in g():\n        n += b\n        if n > x or n == 2:\n            return n\n        if not b:\n            return 'no'\n    return 'end', n",
    "changes what it walks over": "def g(l):\n    for v in l:\n        yield v\n        l[-1] += 1\ndef f(x):\n    l = [x, 1, 5]\n    return [v for v in g(l)], l",
    "quantified twice": "def f(x):\n    return all(any(a == b for b in (1, x)) for a in (x, 1)), any(all(a < b for b in (x, 2)) for a in (0, 1))",
    "next does what it asks": "def f(x):\n    log = []\n    def seen(v):\n        log.append(v)\n        return v\n    a = next((v for v in (0, 1, 2) if seen(v) == x), None)\n    return a, log",
    "in turns": "def g(log):\n    for i in range(3):\n        log.append(i)\n        yield i\n        log.append(-i)\ndef f(x):\n    log = []\n    for v in g(log):\n        log.append(10 + v)\n        if v == x:\n            break\n    return log",
    "draws as asked": "import random\ndef g():\n    while True:\n        yield random.randint(0, 1)\ndef f(x):\n    n = 0\n    for v in g():\n        n += 1\n        if v or n > x:\n            break\n    return n",
    "return from the loop": "def g(n):\n    for i in range(n):\n        yield i\n    yield 9\ndef f(x):\n    for v in g(x):\n        if v:\n            return v\n    return 'none'",
    "continue in the loop": "def g():\n    for i in range(4):\n        yield i\ndef f(x):\n    s = 0\n    for v in g():\n        if v == x:\n            continue\n        s += v\n    else:\n        s += 100\n    return s",
    "raise in the loop is not caught by the generator": "def g():\n    try:\n        yield 1\n        yield 0\n    except ZeroDivisionError:\n        yield 7\ndef f(x):\n    l = []\n    try:\n        for v in g():\n            l.append(1 // (v * x))\n    except ZeroDivisionError:\n        l.append('out')\n    return l",
    "raise in the generator": "def g(x):\n    yield 1\n    yield 1 // x\n    yield 2\ndef f(x):\n    l = []\n    try:\n        for v in g(x):\n            l.append(v)\n    except ZeroDivisionError:\n        l.append('in')\n    return l",
    "raise caught in the generator": "def g(x):\n    try:\n        yield 1 // x\n    except ZeroDivisionError:\n        yield 'inf'\ndef f(x):\n    return [v for v in g(x)]",
    "generator returns": "def g(x):\n    for i in range(5):\n        if i > x:\n            return\n        yield i\ndef f(x):\n    return list(g(x)), sum(g(x)), sorted(g(x), reverse=True)",
    "stop iteration becomes another exception": "def g():\n    yield 1\n    raise StopIteration\ndef f(x):\n    try:\n        return list(g())\n    except RuntimeError:\n        return x",
    "yield from": "def a(x):\n    yield x\n    yield x + 1\ndef b(x):\n    yield from a(x)\n    yield from [7, 8]\ndef f(x):\n    for v in b(x):\n        if v > 1:\n            return v",
    "recursive": "def g(n):\n    if n > 0:\n        yield n\n        yield from g(n - 1)\ndef f(x):\n    return list(g(x))",
    "nested": "def g(n):\n    for i in range(n):\n        yield i\ndef f(x):\n    l = []\n    for a in g(3):\n        for b in g(a):\n            if b == x:\n                break\n            l.append(a * b)\n        if a == 2 and x == 1:\n            break\n    return l",
    "through another": "def numbers():\n    n = 0\n    while True:\n        yield n\n        n += 1\ndef even(source):\n    for v in source:\n        if v % 2 == 0:\n            yield v\ndef f(x):\n    for v in even(numbers()):\n        if v > x:\n            return v",
    "enumerate": "def g(x):\n    if x:\n        yield 5\n    yield 6\ndef f(x):\n    return [(i, v) for i, v in enumerate(g(x), 1)]",
    "enumerate after branches": "import random\ndef g(x):\n    if random.randint(0, 1):\n        yield x\n    yield x\ndef f(x):\n    last = 0\n    for i, v in enumerate(g(x)):\n        last = i\n    return last",
    "asked once": "def f(x):\n    g = (v for v in [x, 1])\n    return sum(g), sum(g), list(g)",
    "names are read late": "def f(x):\n    k = 1\n    g = (v * k for v in [x, 1])\n    k = 5\n    return sum(g)",
    "the first iterable is read at once": "def f(x):\n    l = [x, 1]\n    g = (v for v in l)\n    l = [7]\n    return list(g)",
    "its elements are read late": "def f(x):\n    l = [x, 1]\n    g = (v for v in l)\n    l[0] = 7\n    return list(g)",
    "no length": "def f(x):\n    g = (v for v in [x, 1])\n    return len(g)",
    "not subscriptable": "def f(x):\n    g = (v for v in [x, 1])\n    return g[0]",
    "faults that are not reached": "def f(x):\n    for v in (10 // d for d in (1, x, 0)):\n        return v",
    "map, not reached": "def f(x):\n    for v in map(lambda d: 1 // d, (1, x, 0)):\n        return v",
    "map of two": "def f(x):\n    return [v for v in map(lambda a, b: a - b, [x, 1, 2], (1, 1))]",
    "map in turns": "def f(x):\n    l = [0]\n    out = []\n    for v in map(lambda a: a + l[0], [1, 2, 3]):\n        out.append(v)\n        l[0] += x\n    return out",
    "filter": "def f(x):\n    return list(filter(lambda v: v % 2, [x, 1, 2, 3])), list(filter(None, [x, 0, 5]))",
    "filter in turns": "def f(x):\n    l = [1]\n    out = []\n    for v in filter(lambda a: a > l[0], [0, 1, 2, 3]):\n        out.append(v)\n        l[0] += x\n    return out",
    "outlives its maker": "def make(k):\n    return (v * k for v in range(3))\ndef f(x):\n    a, b = make(x), make(2)\n    return list(b), list(a)",
    "generator outlives": "def make(k):\n    def g():\n        for i in range(k):\n            yield i + k\n    return g\ndef f(x):\n    return list(make(x)())",
    "any stops": "def f(x):\n    log = []\n    def seen(v):\n        log.append(v)\n        return v == x\n    return any(seen(v) for v in (0, 1, 2)), log",
    "any stops in conditions": "def f(x):\n    log = []\n    def seen(v):\n        log.append(v)\n        return True\n    return any(v == x for v in (0, 1, 2) if seen(v)), log",
    "all stops": "def f(x):\n    log = []\n    def seen(v):\n        log.append(v)\n        return v != x\n    return all(map(seen, (0, 1, 2))), log",
    "any of two loops": "def f(x):\n    log = []\n    def seen(v):\n        log.append(v)\n        return v == x\n    return any(seen(a + b) for a in (0, 1) for b in (0, 2)), log",
    "any of a generator": "def g(log):\n    for i in range(3):\n        log.append(i)\n        yield i\ndef f(x):\n    log = []\n    return any(v == x for v in g(log)), log",
    "any fault not reached": "def f(x):\n    return any(2 // v > 0 for v in (1, x, 0))",
    "any index not reached": "def f(x):\n    l = [1, 2]\n    return any(l[i] > x for i in range(3))",
    "next": "def f(x):\n    return next((v for v in (0, 1, 2) if v > x), 'none'), next(v for v in (5, 6) if v)",
    "next of nothing": "def f(x):\n    try:\n        return next(v for v in (0, 1) if v > x)\n    except StopIteration:\n        return 'none'",
    "next draws once": "import random\ndef f(x):\n    return next(random.randint(0, 2) + x for _ in range(3))",
    "default of next is computed all the same": "def f(x):\n    return next((v for v in (1, x)), 1 // x)",
    "unpacked": "def g(x):\n    yield x\n    yield 2\ndef f(x):\n    a, b = g(x)\n    c, d = (v + 1 for v in [a, b])\n    return a, b, c, d, [*g(x), 9], max(*g(x))",
    "unpacked too many": "def g(x):\n    yield x\n    if x:\n        yield 2\ndef f(x):\n    try:\n        a, b = g(x)\n    except ValueError:\n        return 'few'\n    return a",
    "handed to a function": "def mean(values):\n    n = t = 0\n    for v in values:\n        t += v\n        n += 1\n    return t * 10 + n\ndef f(x):\n    return mean(v for v in (x, 1, 2) if v)",
    "drawn in order": "import random\ndef f(x):\n    a = [random.randint(0, 1) for _ in range(2)]\n    return sum(random.randint(0, v) for v in a) + x, a",
    "random length": "import random\ndef g():\n    for i in range(random.randint(0, 2)):\n        yield i\ndef f(x):\n    l = []\n    for v in g():\n        l.append(v + x)\n    return l",
    "truth": "def f(x):\n    g = (v for v in [])\n    return (1 if g else 0) + x",
    "a walrus leaks": "def f(x):\n    t = 0\n    s = sum((t := t + v) for v in (x, 1))\n    return s, t",
    "a method": "class Q:\n    def __init__(self, n):\n        self.n = n\n    def parts(self):\n        for i in range(self.n):\n            yield i\n            self.n += 1\ndef f(x):\n    q = Q(x)\n    return list(q.parts()), q.n",
    "set and dictionary comprehensions": "def f(x):\n    d = {v: v * x for v in range(3) if v != x}\n    e = {v % 2: v for v in (1, 2, x)}\n    return list(d.values()), e[1], len({v % 2 for v in (x, 1)})",
    "keys before values": "def f(x):\n    log = []\n    def seen(v):\n        log.append(v)\n        return v\n    d = {seen(v): seen(v + 10) for v in (x, 1)}\n    return log, len(d)",
    "its own scope": "def f(x):\n    v = 5\n    d = {v: v + 1 for v in (x, 1)}\n    s = sum(v for v in (1, 2))\n    return v, s, d[1]",
}

REFUSED: dict[str, str] = {
    "asked from inside of its own loop": "def f(x):\n    g = (v for v in range(4))\n    out = []\n    for a in g:\n        for b in g:\n            out.append((a, b))\n            if b == x:\n                break\n    return out",
    "left early": "def f(x):\n    g = (v for v in [x, 1, 2])\n    for v in g:\n        break\n    return list(g)",
    "next twice": "def f(x):\n    g = (v for v in [x, 1, 2])\n    return next(g), next(g)",
    "zip of a generator": "def f(x):\n    return list(zip((v for v in [x, 1]), [1, 2]))",
    "finally": "def g(l):\n    try:\n        yield 1\n        yield 2\n    finally:\n        l.append(9)\ndef f(x):\n    l = [x]\n    for v in g(l):\n        break\n    return l",
    "bare except": "def g():\n    try:\n        yield 1\n    except:\n        pass\ndef f(x):\n    for v in g():\n        return x",
    "sent": "def g():\n    v = yield 1\n    yield v\ndef f(x):\n    return list(g())",
    "in a generator": "def f(x):\n    return 1 in (v for v in [x, 1])",
    "changed while walked over": "def f(x):\n    l = [x, 1]\n    return [l.append(v) for v in (a for a in l)]",
    "marked": "def f(x):\n    yield x",
}


@pytest.mark.family(every=4)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_asked_for_one_by_one_has_the_law_that_python_gives_it(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}


def test_steps_are_counted_in_turns() -> None:
    text = "def g(n):\n    for i in range(3):\n        yield i\ndef f(x):\n    for v in g(x):\n        if v == x:\n            break\n    return any(w == x for w in (0, 1, 2))\n"

    program = program_of(text, "f", INPUTS, output=("steps",))

    # A round is four steps: of the generator's loop and its yield, of the loop and its test; then 'break' and 'return'.
    for x, steps in ((0, 6), (1, 10), (2, 14)):
        assert program.measure(f"P(steps == {steps} | x == {x})").value == 1


def test_a_generator_without_an_end_goes_on_until_nobody_asks() -> None:
    text = "import random\ndef g():\n    t = 0\n    while True:\n        t += random.randint(0, 1)\n        yield t\ndef f(x):\n    n = 0\n    for t in g():\n        n += 1\n        if t > x:\n            return n\n"

    program = program_of(text, "f", INPUTS)

    for x in INPUTS["x"]:  # x + 1 successes of chance 1/2
        assert program.measure(f"E(result | x == {x})").value == 2 * (x + 1)
