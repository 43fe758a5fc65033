"""Queues with two ends, and bits of numbers below 0."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2), "y": (0, 1)}
RIGHT: dict[str, str] = {
    "both ends": """\
import random
from collections import deque
def f(x, y):
    d = deque([x, y], maxlen=3)
    d.append(random.randint(0, 1))
    d.appendleft(7)
    d.rotate(1)
    return d.popleft(), d.pop(), len(d), list(d)
""",
    "until it is empty": """\
from collections import deque
def f(x, y):
    q = deque()
    q.append(x)
    q.extend([y, 2])
    s = 0
    while q:
        v = q.popleft()
        s = s * 3 + v
    return s
""",
    "turned": """\
from collections import deque
def f(x, y):
    d = deque(range(4))
    d.rotate(x - 1)
    d.extendleft([8, 9])
    a = d
    a[0] = y
    return list(d), d[-1], 9 in d, d.count(9), d == deque(d), d == [1], sum(d)
""",
    "empty": """\
from collections import deque
import random
def f(x, y):
    d = deque((v for v in (x, y, 5)), 2)
    try:
        d.popleft(); d.popleft(); d.popleft()
    except IndexError:
        return "empty"
""",
    "a walk through a graph": """\
import collections
import random
def f(x, y):
    graph = {0: [1, 2], 1: [2], 2: []}
    if y: graph[2].append(0)
    queue, seen = collections.deque([x]), {x}
    order = []
    while queue:
        node = queue.popleft()
        order.append(node)
        for n in graph[node]:
            if n not in seen:
                seen.add(n)
                queue.append(n)
    return order
""",
    "of greatest lengths": """\
from collections import deque
def f(x, y):
    d = deque([x], 0)
    d.append(1)
    d.appendleft(2)
    e = deque([1, 2], maxlen=2)
    e.extend([3, x])
    c = e.copy()
    c.append(9)
    return len(d), list(e), list(c), e.maxlen if False else 0
""",
    "a number below 0": """\
def f(x, y):
    a = x - 1
    return a & 3, a | y, a ^ y, ~a, a >> 1, a << 2
""",
    "numbers below 0": """\
def f(x, y):
    return (x - 2) & (y - 1), (x-1) | (-y), (x-1) ^ (y-2), -4 & (x + 3), ~x & 5, ~x ^ ~y, (x - 2) & 6, -8 | x
""",
    "drawn": """\
import random
def f(x, y):
    a = random.choice([-128, 127, 3, -5])
    return (a & (x - 1)) ^ (y - 1), a | -x
""",
    "bytes with a sign": """\
def f(x, y):
    m = 0xFF
    v = (x * 100 - 150) & m
    return v - 256 if v & 0x80 else v, (x ^ -1) & m, True & (x - 1), bool(x) ^ (y - 1)
""",
}
REFUSED: dict[str, str] = {
    "changed while it is walked over": """\
from collections import deque
def f(x, y):
    d = deque([1, 1])
    try:
        for v in d:
            d.append(1)
            d.popleft()
    except RuntimeError:
        return "changed"
    return x
""",
    "of any size": "import random\ndef f(x, y):\n    n = 0\n    while random.random() < 0.5:\n        n -= 1\n    return n & (x - 1)\n",
}


@pytest.mark.parametrize("name", RIGHT)
def test_they_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}
