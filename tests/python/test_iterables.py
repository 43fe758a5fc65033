"""Sets in any order, iterators that are taken element by element, functions of ``itertools``, and what is handed over by ``**``."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}
HEAD = "import random\nimport math\nimport itertools\nfrom itertools import chain, combinations, pairwise, permutations, product\nimport operator\nfrom functools import reduce\n"

RIGHT: dict[str, str] = {
    "a sum over a set": "def f(x):\n    t = 0\n    for v in {x, 1, 2}:\n        t += v\n    return t",
    "several totals": "def f(x):\n    t, n, seen = 1, 0, set()\n    for v in {x, 1, 2}:\n        if v > 1:\n            t *= v\n        else:\n            n += random.randint(0, v)\n        seen.add(v % 2)\n    return t, n, len(seen)",
    "counts over a set": "def f(x):\n    guess, code = [1, 0, 1], [x, 1, 2]\n    return sum(min(guess.count(c), code.count(c)) for c in set(guess)), {v % 2 for v in {x, 3}} == {1}, any(v == x for v in {1, 2}), len([v for v in {x, 1, 2} if v > 1])",
    "a choice from a set": "def f(x):\n    return random.choice(list({x, 1, 2})), sorted(random.sample(tuple({x, 5}), 1))",
    "the only one": "def f(x):\n    s = {x}\n    a = list(s)\n    b = s.pop()\n    try:\n        s.pop()\n    except KeyError:\n        return a, b, len(s), next(iter({x}))",
    "what is left": "def f(x):\n    it = iter([x, 5, 6, 7])\n    first = next(it)\n    out = []\n    for v in it:\n        out.append(v)\n        if v == 5 and x:\n            next(it)\n        elif v == 6:\n            break\n    return first, out, list(it), list(it), next(it, 'end')",
    "an iterator of a list that grows": "def f(x):\n    l = [x, 1]\n    it = iter(l)\n    next(it)\n    l.append(7)\n    return list(it), iter(it) is it if False else 0",
    "a random number is taken": "def f(x):\n    it = iter('abcd')\n    for _ in range(random.randint(0, 2)):\n        next(it)\n    return next(it), ''.join(it), x",
    "no element is left": "def f(x):\n    it = iter([x])\n    next(it)\n    try:\n        return next(it)\n    except StopIteration:\n        return 'end'",
    "groups": "def f(x):\n    l = [x, 1, random.randint(0, 1)]\n    return list(combinations(l, 2)), sum(a == b for a, b in pairwise(l)), len(list(permutations(l))), list(product([x], 'ab')), [p for p in product((0, 1), repeat=2)], list(permutations(l, 1))",
    "chained": "def f(x):\n    a = [x]\n    c = chain(a, 'b', (1,))\n    a.append(2)\n    return list(c), list(c), list(itertools.chain())",
    "reduced": "def f(x):\n    l = [x, 1, random.randint(0, 3)]\n    return reduce(operator.xor, l), reduce(lambda a, b: a * 2 + b, l, 1), reduce(operator.add, [], 5), math.prod(l), math.prod([])",
    "nothing is reduced": "def f(x):\n    try:\n        return reduce(operator.add, []), x\n    except TypeError:\n        return 'no'",
    "whole numbers": "def f(x):\n    return math.gcd(x, 4), math.comb(4, x), math.factorial(x + 2), math.isqrt(x + 3), math.perm(3, x), math.lcm(x, 3)",
    "by name": "def g(*v, scale=1):\n    return scale * sum(v)\ndef f(x):\n    o = {'scale': 3}\n    return g(x, *[1], **o), g(**{}), g(2, **dict(scale=x))",
}

REFUSED: dict[str, str] = {
    "texts are joined": "def f(x):\n    t = ''\n    for v in {'a', 'b'}:\n        t += v\n    return t",
    "the last one": "def f(x):\n    t = 0\n    for v in {x, 1, 2}:\n        t += v\n    return v",
    "two operators": "def f(x):\n    t = 0\n    for v in {x, 1, 2}:\n        t += v\n        t *= 2\n    return t",
    "a total is read": "def f(x):\n    t = 0\n    for v in {x, 1, 2}:\n        t += t + v\n    return t",
    "what fails depends on the order": "def f(x):\n    try:\n        return any(2 // v > 1 for v in {x, 1})\n    except ZeroDivisionError:\n        return 'zero'",
    "a list of a set": "def f(x):\n    return [v for v in {x, 1}]",
    "lists are joined": "def f(x):\n    t = []\n    for v in {x, 1, 2}:\n        t += [v]\n    return t",
    "elements that do something": "def g(v):\n    print(v)\n    return v\ndef f(x):\n    return sum(g(v) for v in {x, 1})",
    "one of several": "def f(x):\n    return {0, x, 5}.pop()",
    "many groups": "def f(x):\n    return len(list(product([0, 1], repeat=99999999)))",
    "a large factorial": "def f(x):\n    return math.factorial(99999) + x",
    "taken behind a zip": "def f(x):\n    it = iter([x, 1, 2])\n    for v in it:\n        z = list(zip(it, []))\n    return v",
    "a name twice": "def g(a, **k):\n    return a\ndef f(x):\n    return g(a=x, **{'a': 1})",
}


@pytest.mark.parametrize("name", RIGHT)
def test_elements_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(HEAD + RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(HEAD + REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}
