"""Enumerations, bytes, imports inside of functions, medians, loggers, and draws that are compared with thresholds that depend on a secret."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2), "y": (0, 1)}
RIGHT: dict[str, str] = {
    "members": """\
import random
from enum import Enum
class Color(Enum):
    RED = 0
    GREEN = 1
    BLUE = 2
def f(x, y):
    c = Color(x)
    if c == Color.RED:
        return "red"
    if c is Color.GREEN and random.random() < 0.5:
        return c.value
    return c.name
""",
    "members that are numbers": """\
import random
from enum import IntEnum, auto
class Level(IntEnum):
    LOW = auto()
    HIGH = auto()
def f(x, y):
    l = Level.HIGH if x > 1 else Level.LOW
    try:
        m = Level(x)
    except ValueError:
        m = 9
    return l + y, l > Level.LOW, m, len(Level), [int(v) for v in Level], f"{l}"
""",
    "members that are drawn": """\
import random
from enum import Enum
class D(Enum):
    A = "a"
    B = "b"
    C = "a"
    def other(self):
        return D.B if self is D.A else D.A
def f(x, y):
    d = random.choice(list(D))
    e = D["C"] if x else d.other()
    return d.value, d == D.A, len(D), e.name, e.other().name, isinstance(e, D), bool(e), d != e, D.A in (e, d)
""",
    "members as keys": """\
import random
from enum import Enum
class M(Enum):
    ROCK = 0
    PAPER = 1
BEATS = {M.ROCK: M.PAPER, M.PAPER: M.ROCK}
def f(x, y):
    a, b = M(y), random.choice([M.ROCK, M.PAPER])
    seen = {}
    for m in (a, b, a):
        seen[m] = seen.get(m, 0) + 1
    try:
        M["NO"]
    except KeyError:
        k = 1
    return BEATS[a] == b, [(m.name, c) for m, c in seen.items()], len({a, b}), k, [m.value for m in M], M.ROCK == 0
""",
    "no such member": """\
from enum import Enum
class S(Enum):
    A = 1
def f(x, y):
    try:
        return S(x).value
    except ValueError:
        return "none"
""",
    "loggers": """\
import logging
log = logging.getLogger(__name__)
def f(x, y):
    log.info("a %s", x)
    logging.getLogger("b").warning("c")
    return x
""",
    "methods of members": """\
from enum import Enum
class S(Enum):
    A = 1
    B = 2
    def is_b(self):
        return self.value == 2
def g(s=S.A):
    return s.is_b()
def f(x, y):
    d = {s: s.value * x for s in S}
    d[S.A] += 1
    s = max(S, key=lambda v: d[v])
    return g(), g(S.B), d[S.B], s.name
""",
    "numbers that are no bytes": """\
def f(x, y):
    try:
        return list(bytes([x - 1, 255 + y]))
    except ValueError:
        return "no"
""",
    "bytes that are written": """\
def f(x, y):
    k = b"ab"
    try:
        k[0] = x
    except TypeError:
        return "t"
""",
    "medians": """\
import statistics
def f(x, y):
    return statistics.median([x, y, 1]), statistics.median([x, y]), statistics.fmean([x, y]), statistics.median(v for v in (x, 3, y, 0))
""",
    "thresholds of a secret": """\
import random
def f(x, y):
    u = random.random()
    if u < x / 4:
        return 1
    if u > 1 - y / 2:
        return 2
    return u < 0.25
""",
    "thresholds of several draws": """\
import random
def f(x, y):
    us = [random.random() for _ in range(2)]
    return sum(u < x / 4 for u in us), us[0] < 0.5
""",
    "thresholds in parts": """\
import random
def f(x, y):
    u = random.random()
    a = u < x / 2 and u < 0.125
    b = u < (0.75 if y else 0.25)
    return a, b
""",
    "bytes": """\
import hmac
def f(x, y):
    k = b"\\x01\\x02"
    diff = 0
    for a, b in zip(bytes([x, 1]), k):
        diff |= a ^ b
    return diff == 0, bytes([x, 2]) == k, hmac.compare_digest(bytes([x]), k[:1]), (k + bytes([y]))[2], 1 in bytes([x]), bytes([1]) == [1]
""",
    "tuples that differ before": "def f(x, y):\n    return [k for k, _ in sorted({2: [x], 0: [y, 1]}.items())], (1, {}) < (2, {}), x\n",
    "imports inside": """\
def f(x, y):
    import random
    from random import randint as ri
    if y:
        import math as m
        return m.floor(x / 2) + ri(0, 1)
    return random.choice([x, 1])
""",
    "the greatest of what is no number": """\
def f(x, y):
    return max((x, "a"), (y, "b")), min([(x, 1), (y, 0), (1, y)]), max("ab", "ac" if x else "ad"), max([[x], [y, 1]]), max([(x, y), (y, x)], default=3)
""",
    "an import in place of a number": """\
def f(x, y):
    random = 3
    import random
    return random.randint(0, x)
""",
    "an import in one branch": """\
def f(x, y):
    if y:
        import math
    return math.floor(x)
""",
    "an import that hides another": """\
import random
def g():
    import secrets as random
    return random.randbelow(2) if False else 1
def f(x, y):
    return g() + random.randint(0, 1)
""",
}
REFUSED: dict[str, str] = {
    "members that are texts": """\
from enum import Enum
class S(str, Enum):
    A = "a"
def f(x, y):
    return S.A == "a"
""",
    "what repr shows": """\
from enum import IntEnum
class S(IntEnum):
    A = 1
def f(x, y):
    return f"{S.A!r}"
""",
    "members of several values": """\
from enum import Enum
class S(Enum):
    A = (1, 2)
def f(x, y):
    return S.A.value
""",
    "what a logger knows": """\
import logging
log = logging.getLogger(__name__)
def f(x, y):
    if log.isEnabledFor(10):
        return 1
    return x
""",
    "bytes in bytes": """\
def f(x, y):
    return b"a" in b"ab"
""",
    "bytes as keys": """\
def f(x, y):
    d = {b"a": x}
    return d[b"a"]
""",
    "bytes as texts": """\
def f(x, y):
    return f"{b'ab'}" + str(x)
""",
    "an import of what is not followed": """\
def f(x, y):
    import os
    return os.getpid() * 0 + x
""",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", RIGHT)
def test_they_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}


def test_a_member_as_a_result_is_shown_as_python_shows_it() -> None:
    text = "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\ndef f(x, y):\n    return C.A if x else C.B\n"

    assert program_of(text, "f", INPUTS).measure("P(result == 'C.A')").value == pytest.approx(2 / 3)


def test_a_draw_that_was_drawn_as_a_whole_is_compared_as_the_number_that_it_is() -> None:
    text = "import random\ndef f(x, y):\n    v = random.random()\n    a = 0\n    if 0.25 <= v < (x + y) / 4:\n        a = 1\n    return a, v < 0.5, int(v * 4)\n"
    program = program_of(text, "f", INPUTS)

    for cell, a, low in ((0, 0, 1), (1, 1, 1), (2, 0, 0), (3, 0, 0)):  # the quarter of v says all, where x + y is 2
        asked = f"P(x == 1 and y == 1 and result[0] == {a} and result[1] == {low} and result[2] == {cell})"
        assert program.measure(asked).value == pytest.approx(1 / 24, abs=1e-9)


def test_a_draw_that_is_picked_from_a_list_is_the_draw() -> None:
    text = "import random\ndef f(x, y):\n    u = random.random()\n    us = [u, random.random()]\n    return us[y] < 0.5, u < 0.25\n"

    assert disagreement(text, "f", INPUTS) is None
