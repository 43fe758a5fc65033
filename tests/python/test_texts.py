"""Texts that are random: their letters, their parts, and texts that are joined of them; constants of other modules."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}

RIGHT: dict[str, str] = {
    "a random text": "def f(x):\n    return 'a' in ('abc' if x else 'b')",
    "each letter": "def f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    return ''.join(c if c == 'c' else '_' for c in w)",
    "wordle": "def f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    out = []\n    for i, ch in enumerate('cot'):\n        if w[i] == ch:\n            out.append('g')\n        elif ch in w:\n            out.append('y')\n        else:\n            out.append('-')\n    return ''.join(out)",
    "letters beside others": "def f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    return sum(a == b for a, b in zip(w, 'cot')), list(zip(w, [1]))",
    "a letter": "def f(x):\n    w = ['ab', 'c', ''][x]\n    try:\n        return w[0], w[-1], w[::-1]\n    except IndexError:\n        return 'none'",
    "a part of a text": "def f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    return 'o' in w, w[0] in 'dx', w in 'cats', w not in ('cat',), 'ow' in w",
    "letters as a list": "def f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    return list(w), sorted(w), len(set(w)), w[1:], tuple(reversed(w))",
    "a loop that breaks": "def f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    n = 0\n    for c in w:\n        n += 1\n        if c == 'o':\n            break\n    return n",
    "what is no text is not joined": "def f(x):\n    try:\n        return ','.join([x])\n    except TypeError:\n        return 't'",
    "joined by a sign": "def f(x):\n    return '-'.join(str(v) for v in (x, 1, x)), ''.join([]), 'a'.join('xy')",
    "joined draws": "import random\ndef f(x):\n    return ''.join(random.choice('ab') for _ in range(3)) + str(x)",
    "draw then break": "import random\ndef f(x):\n    w = random.choice(['ab', 'ba'])\n    for c in w:\n        if c == 'a':\n            return x\n    return w",
    "counter": "from collections import Counter\ndef f(x):\n    w = ['cat', 'dog', 'cow'][x]\n    return Counter(w)['o'], max(w, key=lambda c: c == 'o')",
    "letters": "import string\nfrom string import digits\ndef f(x):\n    return string.ascii_lowercase[x], digits[x], 'a' in string.ascii_letters",
    "constants of math": "import math\nfrom math import e\ndef f(x):\n    return math.log(e) == 1, e > 2.7, math.e < 2.72, math.pi > 3.14159, round(math.pi * x, 2) > 3, math.tau == 2 * math.pi",
    "formats of numbers": "def f(x):\n    return f'{x:>3d}|{x * 1000:,}|{x / 4:.2f}|{x / 3:6.1%}|{x:03b}|{-x:+}', f'{0.1 + 0.2}', f'{x == 1}'",
    "formats of texts": "def f(x):\n    w = ['cat', 'or'][x % 2]\n    return f'{w:>5}|{w!r:<6}|{w:*^{x + 4}}', f'{None}', f'{w!s}'",
    "formats of groups": "from dataclasses import dataclass\n@dataclass\nclass P:\n    name: str\n    n: int\ndef f(x):\n    return f'{[x, 1]} {(x,)} {dict(a=x)}', str([x, 'a', None, True]), repr(P('a', x)), f'{P(str(x), 2)}'",
    "old formats": "def f(x):\n    return '%d of %s' % (x, 'abc'), '%05.2f' % (x / 4 + 0.1), '%x' % 255, '{} {:>3} {n}'.format(x, 'a', n=x), '{1}{0}'.format(x, 2)",
    "formats that fail": "def f(x):\n    try:\n        return f'{x:s}' if x else '%d' % 'a'\n    except (ValueError, TypeError) as error:\n        return 'no'",
    "signs by number": "def f(x):\n    return ord('a') + x, chr(97 + x), bin(x), hex(x + 10), oct(x + 8), bin(x + 5).count('1'), (x + 3).bit_length(), format(x, '02b')",
    "no sign": "def f(x):\n    try:\n        return ord('ab') if x else chr(-1)\n    except (TypeError, ValueError):\n        return 'no'",
    "methods": "def f(x):\n    w = ['a-b', 'Ab c', ' xx '][x]\n    return w.split('-'), w.split(), w.replace('b', 'zz'), w.find('b'), w.upper(), w.strip().center(7, '*'), w.isalpha(), w.title(), w.partition('-'), w.zfill(5)",
    "methods that fail": "def f(x):\n    try:\n        return 'abc'.index('cx'[x % 2])\n    except ValueError:\n        return -1",
    "handed methods": "def f(x):\n    wins = {'a': x, 'b': 1}\n    l = [x, 1, 1]\n    return max(wins, key=wins.get), max(l, key=l.count), list(map(str.upper, 'ab')) if False else list(map('abc'.find, 'cab'))",
    "several constants at once": "A, B = 3, 'b'\nC = D = [1]\ndef f(x):\n    C.append(x)\n    return A + x, B, len(D)",
}

REFUSED: dict[str, str] = {
    "a text or a number is joined": "def f(x):\n    return ''.join(['a', x if x else 'b'])",
    "a float between two texts": "def f(x):\n    return f'{x / 8:.2f}'",
    "a float that is added up": "def f(x):\n    return f'{x * 0.1 + 0.2}'",
    "a zero that may have a sign": "def f(x):\n    return f'{(x - 1) / 2 * -1.0:.1f}'",
    "a format of many places": "def f(x):\n    return f'{x:99999999}'",
    "an old format of many places": "def f(x):\n    return '%99999999d' % x, '%*d' % (99999999, x)",
    "places that are computed": "def f(x):\n    return '{:{}}'.format(x, 99999999)",
    "fields of what is put in": "def f(x):\n    return '{0.real}'.format(x)",
    "filled to many places": "def f(x):\n    return 'a'.ljust(99999999) + str(x)",
    "numbers of numpy in a group": "import numpy as np\ndef f(x):\n    a = np.array([x, 1])\n    return f'{[a[0]]}'",
    "an infinite number": "import math\ndef f(x):\n    return math.inf > x",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", RIGHT)
def test_texts_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}
