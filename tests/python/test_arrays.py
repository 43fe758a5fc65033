"""Arrays of numpy: sums along axes, products, counts, and views that share their elements."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 3)}
HEAD = "import random\nimport numpy as np\n"

RIGHT: dict[str, str] = {
    "filled": "def f(x):\n    a = np.full(3, x)\n    a[1] = 7\n    return a.tolist(), np.full((2, 2), 0.5).tolist(), np.zeros_like(a).tolist(), np.ones_like([x, 2]).tolist()",
    "larger ones": "def f(x):\n    a = np.array([x, 2, -1])\n    return np.maximum(a, 1).tolist(), np.minimum(a, [0, 5, 0]).tolist(), np.maximum(1.0, a).tolist(), int(np.maximum(x, 1))",
    "running sums": "def f(x):\n    s = np.cumsum([x, random.randint(0, 1), 2])\n    return s.tolist(), int(s.max()), np.array([x > 0, True]).cumsum().tolist()",
    "products": "def f(x):\n    m, v = np.array([[1, 2], [3, x]]), np.array([x, 1])\n    return int(v @ v), (m @ v).tolist(), (v @ m).tolist(), (m @ m).tolist(), float(np.dot([0.5, 1.0], v)), v.dot(v) == x * x + 1",
    "products that do not fit": "def f(x):\n    try:\n        return (np.array([x, 1]) @ np.array([1, 2, 3])).tolist()\n    except ValueError:\n        return 'no'",
    "counts": "def f(x):\n    d = [x, 1, random.randint(0, 3)]\n    return np.bincount(d, minlength=5).tolist(), np.bincount([1, 1]).tolist(), np.histogram(d, bins=[0, 1, 3])[0].tolist(), np.histogram(d, [0, 2, 2.5])[1].tolist()",
    "along axes": "def f(x):\n    m = np.array([[x, 1, 2], [2, 3, x]])\n    return m.sum(axis=0).tolist(), m.sum(axis=1).tolist(), np.mean(m, axis=0).tolist(), m.max(axis=-1).tolist(), np.argmax(m, axis=1).tolist(), m.sum(axis=None) == m.sum()",
    "rows and columns": "def f(x):\n    m = np.array([[x, 1, 2], [2, 3, 4]])\n    return m.T.tolist(), m.T[1].tolist(), m.T.shape[0], m.tolist(), np.array([x, 1]).T.tolist()",
    "truths of a list": "def f(x):\n    a, b = (np.array([x, 1]) > 0).tolist()\n    return a + b, sum([a, b])",
    "sorted": "def f(x):\n    a = np.array([x, 2, 1])\n    b = np.sort(a)\n    b[0] = 9\n    return a.tolist(), b.tolist()",
    "lengths of vectors": "def f(x):\n    return bool(np.linalg.norm([x, 4]) > 4.5), round(float(np.linalg.norm(np.array([3.0, 4.0]))) + x, 3)",
    "written behind a transposed view": "def f(x):\n    m = np.array([[x, 1], [2, 3]])\n    t = m.T\n    m[0, 0] = 5\n    return t.tolist()",
    "written behind a view": "def f(x):\n    m = np.array([x, 1])\n    t = m.T\n    m[0] = 5\n    return t.tolist()",
    "written through a view": "def f(x):\n    m = np.array([[x, 1], [2, 3]])\n    m.T[0, 1] = 5\n    return m.tolist()",
}

REFUSED: dict[str, str] = {
    "a random length": "def f(x):\n    return np.bincount([x, random.randint(0, 3)]).tolist()",
    "bins by number": "def f(x):\n    return np.histogram([x, 1], bins=3)[0].tolist()",
    "a product of truths": "def f(x):\n    a = np.array([x > 0, True])\n    return bool(a @ a)",
    "an axis that is drawn": "def f(x):\n    return np.array([[x, 1], [2, 3]]).sum(axis=random.randint(0, 1)).tolist()",
}


@pytest.mark.parametrize("name", RIGHT)
def test_arrays_have_the_law_that_numpy_gives_them(name: str) -> None:
    assert disagreement(HEAD + RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(HEAD + REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}
