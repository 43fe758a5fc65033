"""Samples and shuffles of objects: cards, rows, people."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1)}
PERSON = "import random\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    name: str\n    n: int\n"
CARD = (
    "import random\nclass C:\n    def __init__(self, rank, suit):\n        self.rank = rank\n        self.suit = suit\n"
)

RIGHT: dict[str, str] = {
    "tuples": "import random\ndef f(x):\n    deck = [(r, s) for r in (1, x) for s in 'ab']\n    random.shuffle(deck)\n    return deck[:2]",
    "some of them": "import random\ndef f(x):\n    a, b = random.sample([(x, 'a'), (1, 'b'), (2, 'c')], 2)\n    return a[0] + b[0], a[1], a == b",
    "equal ones": "import random\ndef f(x):\n    a = (x, 1)\n    rows = [a, a, (2, 2)]\n    random.shuffle(rows)\n    return rows",
    "records that nobody writes": f"{PERSON}def f(x):\n    people = [P('a', x), P('b', 1), P('c', 2)]\n    two = random.sample(people, 2)\n    return two[0].name, sum(p.n for p in two), two[0] == people[0]",
    "records that are written": f"{PERSON}def f(x):\n    people = [P('a', x), P('b', 1)]\n    random.shuffle(people)\n    people[0].n += 5\n    return people[0].name, people[0].n, people[1].n",
    "objects": f"{CARD}def f(x):\n    deck = [C(r, s) for s in 'hd' for r in (1, x)]\n    random.shuffle(deck)\n    a = deck.pop()\n    a.rank += 1\n    return a.rank, a.suit, deck[0].rank",
    "rows": "import random\ndef f(x):\n    rows = [[x, 1], [2, 3], [4, 5]]\n    random.shuffle(rows)\n    rows[0][0] += 10\n    return rows",
    "dictionaries": "import random\ndef f(x):\n    people = [{'name': 'a', 'n': x}, {'name': 'b', 'n': 1}]\n    random.shuffle(people)\n    people[0]['n'] += 2\n    return people[0]['name'], people[0]['n'], people[1]['n']",
    "texts beside none": "import random\ndef f(x):\n    l = ['a', None, x]\n    random.shuffle(l)\n    return l",
}

REFUSED: dict[str, str] = {
    "a row that has a name": "import random\ndef f(x):\n    first = [x, 1]\n    rows = [first, [2, 3]]\n    random.shuffle(rows)\n    rows[0][0] += 10\n    return first",
    "one row twice": "import random\ndef f(x):\n    rows = [[x, 1]] * 2 + [[2, 2]]\n    random.shuffle(rows)\n    return rows",
    "a sample that is written": f"{PERSON}def f(x):\n    people = [P('a', x), P('b', 1)]\n    one = random.sample(people, 1)\n    one[0].n += 1\n    return people[0].n",
    "of unequal lengths": "import random\ndef f(x):\n    rows = [(x,), (1, 2)]\n    random.shuffle(rows)\n    return rows",
    "floats and texts": "import random\ndef f(x):\n    l = [x / 2, 'a']\n    random.shuffle(l)\n    return l",
}


@pytest.mark.parametrize("name", RIGHT)
def test_orders_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_others_may_hold_is_refused(name: str) -> None:
    found = program_of(REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}
