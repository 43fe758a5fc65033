"""Random Python functions about what classes define, as texts: operators that act, elements, truths, ``with``, heaps, and functions of ``itertools`` and ``functools``.

They are the functions of ``random_objects`` with more that is written in them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.python.random_objects import Writer

MORE = """import bisect, functools, heapq, threading
from contextlib import suppress
from itertools import accumulate, chain, groupby, islice, starmap, takewhile


class Own:
    def __init__(self, v, seen=None):
        self.v = v
        self.seen = [] if seen is None else seen

    def __add__(self, o):
        if isinstance(o, Own):
            return Own(self.v + o.v, self.seen)
        return NotImplemented if isinstance(o, bool) else Own(self.v + o)

    def __radd__(self, o):
        self.seen.append(o)
        return Own(o - self.v, self.seen)

    def __iadd__(self, o):
        self.v += o.v if isinstance(o, Own) else o
        return self

    def __eq__(self, o):
        self.seen.append(9)
        return isinstance(o, Own) and self.v == o.v

    def __lt__(self, o):
        return self.v < (o.v if isinstance(o, Own) else o)

    def __neg__(self):
        return Own(-self.v)

    def __len__(self):
        return self.v % 3

    def __getitem__(self, i):
        return self.seen[i]

    def __contains__(self, v):
        self.seen.append(v)
        return v == self.v

    def __iter__(self):
        for i in range(len(self)):
            self.seen.append(i)
            yield i + self.v


class Part(Own):
    def __radd__(self, o):
        return Own(o.v if isinstance(o, Own) else 5)

    def __gt__(self, o):
        return NotImplemented

    def __bool__(self):
        self.seen.append(4)
        return self.v > 0


class Guard:
    def __init__(self, log, ends):
        self.log, self.ends = log, ends

    def __enter__(self):
        self.log.append(7)
        return len(self.log)

    def __exit__(self, kind, value, trace):
        self.log.append(8 if kind is None else 6)
        return self.ends

"""
FIRST = "    o, r, h, lock, low = Own(x), Part(y, [1]), [1, 3], threading.RLock(), functools.partial(min, 1)\n"


@dataclass(slots=True)
class OperatorWriter(Writer):
    """See the module."""

    def text(self) -> str:
        """Return the text of the module."""
        made = Writer.text(self)
        head, _, rest = made.partition("import random\n")
        start = rest.index("    log, n, l")
        return f"{head}import random\n{MORE}{rest[:start]}{FIRST}{rest[start:]}"

    def number(self, depth: int) -> str:
        """Return an expression whose value is a number, if it has one."""
        if depth <= 0 or self.chance.random() < 0.5:
            return Writer.number(self, depth)
        a, b = self.number(depth - 1), self.number(0)
        own = self.pick("o", "r", "o", "-r", f"(o + {b})")
        return self.pick(
            f"len({own})",
            f"({own} + {a}).v",
            f"({a} + {own}).v",
            f"({own} + r).v",
            f"sum({own})",
            f"{own}[{self.pick('0', '-1', b)}]",
            f"({own} {self.pick('==', '!=', '<', '>')} {self.pick('o', 'r', b)}) + 0",
            f"({a} in {own}) + {b}",
            f"{self.pick('max', 'min')}({own}, r).v",
            "sorted([r, o])[0].v",
            f"(1 if {own} else {b})",
            f"{self.pick('h', 'l')}[0]",
            "heapq.heappop(h)",
            f"heapq.{self.pick('heapreplace', 'heappushpop')}(h, {a})",
            f"bisect.{self.pick('bisect_left', 'bisect')}([0, 1, 1, 3], {a})",
            f"low({a})",
            f"sum(accumulate({self.items(0)}))",
            f"sum(islice(stream({b}), {self.pick('1', '2', '1, 2', '0, None, 2')}))",
            f"sum(map(lambda both: both[0] * len(list(both[1])), groupby({self.items(0)})))",
            f"sum(takewhile(lambda v: {self.pick('v', 'note(v)', 'v != x')}, {self.items(0)}))",
            f"sum(starmap(shift, [(x, {b}), (y, 1)]))",
            f"sum(chain.from_iterable([{self.items(0)}, stream(x)]))",
            "functools.partial(note, w=1)(x)",
        )

    def effect(self) -> list[str]:
        """Return a statement that is there for what it does."""
        if self.chance.random() < 0.5:
            return Writer.effect(self)
        a = self.number(1)
        return [
            self.pick(
                f"heapq.heappush(h, {a})",
                "heapq.heapify(l)",
                f"o += {self.pick(a, 'r')}",
                "r = o",
                f"bisect.insort(h, {a})",
                "a, b = o",
                "log += list(r)",
                "log.extend(o.seen)",
                f"l.insert({a}, 3)",
            )
        ]

    def guarded(self) -> list[str]:
        """Return a ``try``, or a ``with``."""
        if self.chance.random() < 0.4:
            return Writer.guarded(self)
        head = self.pick(
            f"with Guard(log, {self.condition(0)}):",
            "with Guard(log, False) as x:",
            f"with Guard(log, y), Guard(q.items, {self.condition(0)}):",
            "with suppress(IndexError, ZeroDivisionError):",
            "with suppress(Exception):",
            "with lock:",
        )
        return [head, *self.block()]


def random_operators(seed: int) -> str:
    """Return the text of a module with a function ``f(x, y)``."""
    return OperatorWriter(random.Random(seed)).text()
