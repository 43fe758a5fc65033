"""Files whose own statements change what names mean: what the analysis reads is what Python runs, or it is an error. Nothing here is executed, but for the last table."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}

CHANGED = [
    "T = iter([1, 2])\nnext(T)\ndef f(x):\n    return list(T)[0] + x\n",
    "T = map(abs, [1, 2])\ndef f(x):\n    return sum(T) + x\n",
    "import random\nrandom.random, y = (lambda: 0), 2\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nfor random.random in [lambda: 0]:\n    pass\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nrandom.random: object = lambda: 0\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nsetattr(random, 'random', lambda: 0)\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nrandom.__dict__['random'] = lambda: 0\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nvars(random)['random'] = lambda: 0\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nrandom.__dict__.update(random=lambda: 0)\ndef f(x):\n    return random.random() < 0.5, x\n",
    "import random\nglobals()['random'] = None\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\nexec('random = None')\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\ndef patch(m):\n    m.randint = lambda a, b: a\npatch(random)\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\n[r] = [random]\nr.randint = lambda a, b: a\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import builtins\nsetattr(builtins, 'max', min)\ndef f(x):\n    return max(x, 1)\n",
    "__builtins__['sum'] = lambda v: 9\ndef f(x):\n    return sum([x])\n",
    "if (len := (lambda v: 7)):\n    pass\ndef f(x):\n    return len([x])\n",
    "import contextlib\nimport contextlib\nwith contextlib.nullcontext(lambda v: 7) as len:\n    pass\ndef f(x):\n    return len([x])\n",
    "match (lambda v: 7):\n    case len:\n        pass\ndef f(x):\n    return len([x])\n",
    "def g():\n    global len\n    len = lambda v: 7\ng()\ndef f(x):\n    return len([x])\n",
    "class R:\n    def g(self):\n        return 1\n    g = lambda self: 2\ndef f(x):\n    return R().g() + x\n",
    "class R:\n    def g(self):\n        return 1\n    for g in [lambda self: 3]:\n        pass\ndef f(x):\n    return R().g() + x\n",
    "class R:\n    def g(self):\n        return 1\n    del g\ndef f(x):\n    return R().g() + x\n",
    "class R:\n    def g(self):\n        return 1\n    exec('g = lambda self: 4')\ndef f(x):\n    return R().g() + x\n",
    "class R:\n    n = 1\n    n += 1\ndef f(x):\n    return R().n + x\n",
    "T = [1, 2]\nU = sorted(T, key=lambda v: T.append(v) or v)\ndef f(x):\n    return len(T) + x\n",
    "T = [1, 2]\n(lambda l: l.append(1))(T)\ndef f(x):\n    return len(T) + x\n",
    "import numpy as np\nT = np.array([1, 2])\nnp.add(T, 1, out=T)\ndef f(x):\n    return T[0] + x\n",
    "T = [1, 2]\na, *T[1:] = 1, 2, 3\ndef f(x):\n    return len(T) + x\n",
    "N = 5\ndel N\ndef f(x):\n    return N + x\n",
    "N = 5\ndef g():\n    globals()['N'] = 6\ng()\ndef f(x):\n    return N + x\n",
    "from math import *\ndef f(x):\n    return pow(x, 2)\n",
    "from .util import len\ndef f(x):\n    return len([x])\n",
    "from .util import *\ndef f(x):\n    return len([x])\n",
    "import random\nfrom . import random\ndef f(x):\n    return random.randint(0, 1), x\n",
    "def choice(l):\n    return l[0]\nfrom random import *\ndef f(x):\n    return choice([x, 5])\n",
    "def g():\n    return 1\nT = g()\ndef g():\n    return 2\ndef f(x):\n    return T + x\n",
    "def g():\n    return 1\ndef h():\n    return g()\nT = h()\ndef g():\n    return 2\ndef f(x):\n    return T + x\n",
    "class A:\n    def g(self):\n        return 1\nT = A().g()\nclass A:\n    def g(self):\n        return 2\ndef f(x):\n    return T + x\n",
    "def f(x):\n    return x\nf = lambda x: 5\n",
    "def f(x):\n    return x\ndef deco(g):\n    return lambda x: 5\nf = deco(f)\n",
    "def f(x):\n    return x\nif True:\n    def f(x):\n        return x + 1\n",
    "def f(x):\n    return x\ntry:\n    pass\nfinally:\n    def f(x):\n        return x + 1\n",
    "def f(x):\n    return x\nclass f:\n    def __init__(self, x):\n        pass\n",
    "def f(x):\n    return x\nfor f in [lambda x: 7]:\n    pass\n",
    "def f(x):\n    return x\nfrom operator import neg as f\n",
    "def f(x):\n    return x\ndel f\n",
    "def f(x):\n    return x\ndef g():\n    global f\n    f = lambda x: 8\ng()\n",
    "import random\nimport sys\nimport sys\nsys.modules['random'].randint = lambda a, b: a\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\nimport importlib\nimportlib.import_module('random').randint = lambda a, b: a\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\n__import__('random').randint = lambda a, b: a\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\nfrom unittest.mock import patch\npatch('random.randint', lambda a, b: a).start()\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\ndef deco(g):\n    setattr(random, 'randint', lambda a, b: a)\n    return g\n@deco\ndef other():\n    pass\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\nclass P:\n    setattr(random, 'randint', lambda a, b: a)\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\ndef patch():\n    setattr(random, 'randint', lambda a, b: a)\nclass P:\n    q = patch()\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\ndef patch():\n    setattr(random, 'randint', lambda a, b: a)\ndef other(v=patch()):\n    pass\ndef f(x):\n    return random.randint(0, 1), x\n",
    "import random\nclass P:\n    def __init_subclass__(cls):\n        setattr(random, 'randint', lambda a, b: a)\nclass Q(P):\n    pass\ndef f(x):\n    return random.randint(0, 1), x\n",
    "class P:\n    def __init__(self):\n        T.append(1)\nclass Q:\n    def __init__(self):\n        pass\nT = []\nP()\ndef f(x):\n    return len(T) + x\n",
    "T = []\nclass P:\n    T.append(1)\ndef f(x):\n    return len(T) + x\n",
    "T = []\ndef g(v=T.append(1)):\n    pass\ndef f(x):\n    return len(T) + x\n",
    "T = [2, 1]\nU = list(map(lambda v: T.append(v), (1, 2)))\ndef f(x):\n    return len(T) + x\n",
    "T = [1, 2]\ndef g():\n    return T\ng().append(3)\ndef f(x):\n    return len(T) + x\n",
    "T = [[1], 2]\nfor a in T[:1]:\n    a.append(3)\ndef f(x):\n    return len(T[0]) + x\n",
    "T = [[1], 2]\n[a.append(3) for a in T[:1]]\ndef f(x):\n    return len(T[0]) + x\n",
    "T = [[1], 2]\nif (a := T[0]):\n    a.append(3)\ndef f(x):\n    return len(T[0]) + x\n",
    "T = [[1], 2]\nmatch T:\n    case [a, b]:\n        a.append(3)\ndef f(x):\n    return len(T[0]) + x\n",
    "T = [1]\na = sorted([T])[0]\na.append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\na = T or 0\na.append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\na = max(T, [0])\na.append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\nm = T.append\nm(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\n(T if 1 else 0).append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\n[T][0].append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\ndict(a=T)['a'].append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\nif __name__ != '__main__':\n    T.append(2)\ndef f(x):\n    return len(T) + x\n",
    "T = [1]\nif 'main' not in __name__:\n    T.append(2)\ndef f(x):\n    return len(T) + x\n",
    "import numpy as np\nr = np.random\nr.randint = lambda a, b: 0\ndef f(x):\n    return np.random.randint(0, 2), x\n",
]
"""Each binds a name anew, or changes an object, a class or a module where its text does not say so at once."""

KEPT = [
    "import functools\n@functools.lru_cache(maxsize=None)\ndef fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nFACTS = [fact(i) for i in range(4)]\nLIMIT = max(FACTS)\ndef f(x):\n    return fact(x) + FACTS[2] + LIMIT\n",
    "from random import *\ndef choice(l):\n    return l[0]\ndef f(x):\n    return choice([x, 5])\n",
    "import random\nimport random\nfrom math import *\ndef f(x):\n    return random.randint(0, 1) + floor(x / 2)\n",
    "def g():\n    return 1\ndef g():\n    return 2\ndef f(x):\n    return g() + x\n",
    "if True:\n    def f(x):\n        return x + 1\ndef f(x):\n    return x\n",
    "T = [1]\nif __name__ == '__main__':\n    T.append(2)\ndef f(x):\n    return len(T) + x\n",
    "N = 3\nT = [0] * N\nT[0] = 5\ndef f(x):\n    return N + x\n",
    "import numpy as np\nT = np.zeros(3)\nU = np.ones(2)\nT[0] = 1\ndef f(x):\n    return U[0] + x\n",
    "import math\nT = [1, 2]\nU = sum(T)\nV = [v * 2 for v in T]\nW = math.sqrt(4)\ndef f(x):\n    return U + V[0] + W + x\n",
    "import argparse\ndef main():\n    p = argparse.ArgumentParser()\n    a = vars(p.parse_args([]))\ndef f(x):\n    return x\n",
    "class R:\n    g = lambda self: 2\n    def g(self):\n        return 1\ndef f(x):\n    return R().g() + x\n",
]


@pytest.mark.parametrize("text", CHANGED)
def test_what_a_file_changes_is_not_read_as_it_was(text: str) -> None:
    program = program_of(text, "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}


@pytest.mark.parametrize("text", KEPT)
def test_what_a_file_leaves_as_it_is_has_the_law_that_python_gives_it(text: str) -> None:
    assert disagreement(text, "f", INPUTS) is None
