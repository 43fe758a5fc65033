"""Parts of arrays: masks, lists of places, rows and columns, and what shares its elements with an array."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2), "y": (0, 1)}
RIGHT: dict[str, str] = {
    "written by a mask": """\
import numpy as np
def f(x, y):
    a = np.array([x, y, 2])
    a[a > 1] = 5
    return a.tolist()
""",
    "picked by a mask": """\
import numpy as np
def f(x, y):
    a = np.array([x, y, 2])
    b = a[a != x]
    b = b + 1
    return len(b), b.tolist(), a.tolist(), b.shape
""",
    "rows and columns": """\
import numpy as np
def f(x, y):
    a = np.zeros((2, 3))
    a[0, 1] = x
    a[1] += y
    b = a[1]
    b[2] = 7
    a[:, 0] = [8, 9]
    a[-1, 1] -= 1
    return a.tolist(), b.tolist(), a[:, 1].tolist(), a[0, 1:].tolist()
""",
    "slices of slices": """\
import numpy as np
def f(x, y):
    a = np.arange(6)
    b = a[1:4]
    b[0] = x + 10
    a[2] = 20
    c = b[::-1]
    c[0] = y + 30
    d = a.copy()
    d[0] = 99
    return a.tolist(), b.tolist(), c.tolist(), d.tolist()
""",
    "places that are drawn": """\
import numpy as np
import random
def f(x, y):
    a = np.array([[1, 2], [3, 4]])
    i = random.randint(0, 1)
    a[i, y] = x
    t = a.T
    t[0, 1] = 50
    return a.tolist(), int(a[y, i]), t.tolist(), a[i].tolist()
""",
    "lists of places": """\
import numpy as np
def f(x, y):
    a = np.array([4, 5, 6])
    return a[[x, 0]].tolist(), a[np.array([y, -1])].tolist()
""",
    "slices in a loop": """\
import numpy as np
def f(x, y):
    a = np.array([1, 2, 3])
    for i in range(3):
        a[i:] += x
    b = a if y else a.copy()
    b[:] = 0
    return a.tolist()
""",
    "rows that are walked over": """\
import numpy as np
def f(x, y):
    m = np.array([[x, 1], [2, y]])
    m[m > 1] = 0
    for row in m:
        row[0] += 1
    return m.tolist(), m[m > 0].tolist()
""",
    "overlapping slices": """\
import numpy as np
def f(x, y):
    a = np.array([1, 2, 3])
    a[1:] = a[:-1]
    try:
        a[0:2] = [1, 2, 3]
    except ValueError:
        return a.tolist(), x
""",
    "too many places": """\
import numpy as np
def f(x, y):
    a = np.array([1, 2, 3])
    try:
        return int(a[x, y])
    except IndexError:
        return "no"
""",
    "written in branches": """\
import numpy as np
import random
def f(x, y):
    a = np.array([x, y, 1])
    b = a[:2]
    if random.random() < 0.5:
        b[0] = 9
    else:
        c = a
        c[1] = 8
    return a.tolist(), b.tolist()
""",
    "made in branches": """\
import numpy as np
import random
def f(x, y):
    if random.random() < 0.5:
        a = np.array([x, 1])
        b = a[:1]
    else:
        a = np.array([y, 2])
        b = a[:1]
    b[0] += 5
    return a.tolist()
""",
    "shared in one branch only": """\
import numpy as np
import random
def f(x, y):
    if random.random() < 0.5:
        a = np.array([x, 1])
        b = a[:1]
    else:
        a = np.array([y, 2])
        b = a[:1].copy()
    b[0] += 5
    return a.tolist()
""",
    "masks of masks": """\
import numpy as np
def f(x, y):
    a = np.array([x, y, 2])
    a[(a > 0) & (a < 2)] = -1
    k = a[~(a == -1)]
    return k.tolist(), k.size, a[a > 100].tolist()
""",
    "a column of numbers": """\
import numpy as np
def f(x, y):
    a = np.array([x, y, 5])
    random_rows = np.zeros((3, 2), dtype=int)
    random_rows[:, 1] = a
    random_rows[0] = random_rows[2]
    random_rows[2, :] = 1
    s = random_rows.sum(axis=0)
    return random_rows.tolist(), s.tolist()
""",
    "rows that are handed over": """\
import numpy as np
def g(v):
    v[0] = 100
def f(x, y):
    a = np.array([[x, y], [1, 2]])
    g(a[1])
    g(a[0].copy())
    q = [r for r in a]
    q[0][1] = 3
    u, w = a
    w += 1
    return a.tolist(), u.tolist(), w.tolist()
""",
    "rows that change places": """\
import numpy as np
def f(x, y):
    a = np.arange(4).reshape(2, 2) if False else np.array([[0, 1], [2, 3]])
    a[0], a[1] = a[1].copy(), a[0].copy()
    b = np.array([[0, 1], [2, 3]])
    b[0], b[1] = b[1], b[0]
    return a.tolist(), b.tolist(), x
""",
    "sorted copies": """\
import numpy as np
def f(x, y):
    a = np.array([3, 1, 2])
    b = a[1:]
    np.random.shuffle
    c = np.sort(b)
    a[1] = x
    return b.tolist(), c.tolist(), (a == b[0]).tolist()
""",
    "other shapes": """\
import numpy as np
def f(x, y):
    a = np.array([x, y, 1, 2])
    b = a.reshape(2, 2)
    b[0, 1] = 9
    a[3] = 8
    c = b.T.flatten()
    c[0] = 77
    d = np.reshape(a, (4, 1))
    e = b.ravel()
    e[0] += 5
    return a.tolist(), b.tolist(), c.tolist(), d.tolist(), a.reshape(-1, 2).shape, np.eye(2).tolist()
""",
    "put together": """\
import numpy as np
def f(x, y):
    a = np.array([x, y])
    c = np.concatenate([a, [5], np.array([x > 1, True])])
    c[0] = 7
    m = np.concatenate(([[x, 1]], [[2, y]]))
    return a.tolist(), c.tolist(), m.tolist(), int(np.count_nonzero(c)), int(np.count_nonzero(a > 0))
""",
    "rows in a list": """\
import numpy as np
def f(x, y):
    m = np.zeros((2, 2), dtype=int)
    rows = [m[i] for i in range(2)]
    rows[y][x % 2] = 4
    m[0], m[1] = m[1], m[0]
    return m.tolist(), [r.tolist() for r in rows]
""",
    "a default that shares": """\
import numpy as np
def f(x, y):
    a = np.array([1, 2, 3])
    def h(v=a[:1]):
        v[0] += x
        return v[0]
    h()
    return int(h()), a.tolist()
""",
    "sums and columns": """\
import numpy as np
def f(x, y):
    a = np.array([[1, 2], [3, 4]])
    s = a.sum(axis=0)
    a[0] = s
    t = a[:, y]
    t[0] += x
    return a.tolist(), s.tolist(), a[1, :].tolist(), a[-1][0] == 3
""",
    "masks that are written": """\
import numpy as np
def f(x, y):
    a = np.array([True, False, True])
    a[y] = x > 1
    b = np.array([1, 2, 3])[a]
    return b.tolist(), int(a.sum())
""",
}
REFUSED: dict[str, str] = {
    "a fraction among whole numbers": """\
import numpy as np
def f(x, y):
    a = np.array([1, 2, 3])
    a[x] = 2.5
    return a.tolist()
""",
    "several elements by a mask": """\
import numpy as np
def f(x, y):
    a = np.array([1.0, 2, 3])
    a[x] = 5
    a[a > 2] *= 2
    return a.tolist()
""",
    "a mask of another shape": "import numpy as np\ndef f(x, y):\n    a = np.array([[x, 1], [2, 3]])\n    return a[np.array([True, False])].tolist()\n",
    "nothing of floats": "import numpy as np\ndef f(x, y):\n    a = np.array([0.5, x])\n    return a[a > 0.7].tolist()\n",
    "a random shape": """\
import numpy as np
def f(x, y):
    a = np.array([1, 2, 3])
    try:
        a.reshape(2, x)
    except ValueError:
        return "no"
""",
    "another shape of a transpose": """\
import numpy as np
def f(x, y):
    a = np.array([[x, y], [1, 2]])
    return a.T.reshape(4).tolist()
""",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", RIGHT)
def test_they_are_what_numpy_gives(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}
