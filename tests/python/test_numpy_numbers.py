"""Numbers of numpy: what comes out of its arrays and functions, which divides by zero, whose truth values count nothing, and which is no Python integer."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}

RIGHT = [
    "import numpy as np\ndef f(x):\n    a = np.array([2**61 + x, 2**61])\n    return (a * 2 + 1).tolist(), int(a.sum()), (a * 8 - a * 8 == 0).tolist() if x > 9 else 0, int(a[0]) * 2**70",
    "import numpy as np\ndef f(x):\n    return bool(np.any([x, 0])) + bool(np.all([1])), any([np.any([x])]) + all([np.all([1])])",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    s = 0\n    for v in a:\n        s += v > 0\n    return s",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    l = [bool(v > 0) for v in a]\n    return l[0] + l[1]",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1]).tolist()\n    return (a[0] > 0) + (a[1] > 0)",
    "import math\nimport numpy as np\ndef f(x):\n    m = math.floor(np.sum([x]))\n    return (m > 0) + (m >= 0)",
    "import numpy as np\ndef f(x):\n    m = len(np.array([x]))\n    return (m > 0) + (m >= 0) + np.array([x]).shape[0] + np.array([x]).size",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (a[0] in (0, 1)) + (a[1] in (0, 1)), (not a[0]) + (not a[1])",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return sum(v > 0 for v in a), sum([v > 0 for v in a]), len([v for v in a if v > 0])",
    "import numpy as np\ndef f(x):\n    m = np.array([True, x == 1])\n    return m[0] and m[1], m[0] or m[1], m[0] & m[1], m[0] == m[1], m[0] != m[1]",
    "import numpy as np\ndef f(x):\n    m = np.array([True, x == 1])\n    return m[0] * 2, m[0] + 1, 1 - m[1]",
    "import numpy as np\ndef f(x):\n    return sum([np.any([x, 0]), np.all([1, x])])",
    "import numpy as np\ndef f(x):\n    return sum(np.array([x, 1]) > 0), (np.array([x, 1]) > 0).sum(), np.sum(np.array([x, 1]) > 0)",
]
REFUSED = [
    "import numpy as np\ndef f(x):\n    return (np.array([2**62, x]) * 4).tolist()",
    "import numpy as np\ndef f(x):\n    return int((np.array([x, 3]) ** 50)[1])",
    "import numpy as np\ndef f(x):\n    return int(np.array([2**62, 2**62 + x]).sum())",
    "import numpy as np\ndef f(x):\n    a = np.array([x])\n    s = a[0]\n    for i in range(70):\n        s = s * 2 + 1\n    return int(s)",
    "import numpy as np\ndef f(x):\n    return int(np.dot([2**40 + x], [2**40]))",
    "import numpy as np\ndef f(x):\n    a = np.array([1 + x])\n    a <<= 63\n    return int(a[0])",
    "import numpy as np\ndef f(x):\n    return np.cumsum([2**62, 2**62 + x]).tolist()",
    "import numpy as np\ndef f(x):\n    a = np.random.permutation(3)\n    return (a[0] > 0) + (a[1] > 0)",
    "import numpy as np\ndef f(x):\n    rng = np.random.default_rng()\n    a = rng.choice([0, 1])\n    b = rng.choice([0, 1])\n    return (a > 0) + (b > 0)",
    "import numpy as np\ndef f(x):\n    a = np.full(2, x)\n    return (a[0] > 0) + (a[1] > 0)",
    "import numpy as np\ndef f(x):\n    return (np.sum([x, 1]) > 0) + (np.max([x, 1]) > 0)",
    "import numpy as np\ndef f(x):\n    return (np.sqrt(x) > 0) + (np.sqrt(4) > 0)",
    "import numpy as np\ndef f(x):\n    return (np.argmax([x, 1]) > 0) + (np.argmax([0, 1]) > 0)",
    "import numpy as np\ndef f(x):\n    return 1 / np.sum([x])",
    "import numpy as np\ndef f(x):\n    return 5 // np.sum([x])",
    "import numpy as np\ndef f(x):\n    a = np.array([x])\n    return 5 % a[0]",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return a[1] / a[0]",
    "import numpy as np\ndef f(x):\n    rng = np.random.default_rng()\n    return 1 // rng.integers(0, 2) + x",
    "import numpy as np\ndef f(x):\n    return np.any([x, 0]) is True",
    "import numpy as np\ndef f(x):\n    return [1, 2][np.array([x, 1])[0] > 0]",
    "import numpy as np\ndef f(x):\n    return np.sign(x == 1)",
    "import numpy as np\ndef f(x):\n    return x in np.array([[1, 2]])",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    s = a[0] > 0\n    s += a[1] > 0\n    return s",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    b, c = a > 0\n    return b + c",
    "import numpy as np\ndef f(x):\n    d = {0: np.sum([x, 0]), 1: np.sum([1])}\n    return (d[x % 2] > 0) + (d[1] > 0)",
    "import numpy as np\ndef f(x):\n    y = x\n    if x == 2:\n        y = np.sum([x])\n    return (y > 0) + (y >= 0)",
    "import numpy as np\ndef f(x):\n    y = np.max([x, 1]) and np.min([x, 1])\n    return (y > 0) + (y >= 0)",
    "import numpy as np\ndef f(x):\n    m = max(np.sum([x]), 1)\n    return (m > 0) + (m >= 0)",
    "import numpy as np\ndef f(x):\n    m = sorted(np.array([x, 1]))\n    return (m[0] > 0) + (m[1] > 0)",
    "import numpy as np\ndef f(x):\n    m = abs(np.sum([-x]))\n    return (m > 0) + (m >= 0)",
    "import numpy as np\nclass Q:\n    def __init__(self, a):\n        self.a = a\ndef f(x):\n    q = Q(np.sum([x]))\n    return (q.a > 0) + (q.a >= 0)",
    "import numpy as np\ndef g(v):\n    return v > 0\ndef f(x):\n    return g(np.sum([x])) + g(np.sum([1]))",
    "import numpy as np\ndef f(x):\n    rng = np.random.default_rng()\n    d = 0\n    while d < x:\n        d = rng.integers(0, 3)\n    return (d > 0) + (d >= 0)",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (0 < a[0] < 2) + (0 < a[1] < 2)",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return (a[0] == 0 or a[1] == 0) + (a[1] == 1 and a[1] > 0)",
    "import numpy as np\ndef f(x):\n    return isinstance(np.sum([x]), int), isinstance(np.mean([x]), float)",
    "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return a[0] ** -1",
    "import numpy as np\ndef f(x):\n    return divmod(5, np.sum([x]))",
    "import numpy as np\ndef f(x):\n    m = np.array([True, x == 1])\n    return -m[0]",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_numpy_does_as_python_does_is_followed(text: str) -> None:
    assert disagreement(text, "f", INPUTS) is None


@pytest.mark.parametrize("text", REFUSED)
def test_what_numpy_does_otherwise_is_an_error(text: str) -> None:
    program = program_of(text, "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}
