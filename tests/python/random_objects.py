"""Random Python functions about what is shared and when things happen, as texts.

Where ``random_functions`` writes arithmetic, draws and branches, these write objects with methods, defaults, closures that count, globals, augmented
assignments with effects, lists with two names, early ends, exceptions, comprehensions, f-strings, chains of comparisons, ``:=``, conditional
expressions, starred arguments, generators, sets, texts that are formatted and searched, floats that are whole, and lists and dictionaries that lose and change parts, classes that inherit, queues, and bits of numbers below 0. Calls of ``note`` write down when they happen.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

HEAD = """import random
from collections import deque

K = {k}
TABLE = [{k}, 0, 2]
NAMES = {{0: 'zero', 1: 'one'}}


class Box:
    size = {k}

    def __init__(self, a, items=None):
        self.a = a
        self.items = [] if items is None else items

    def add(self, v, *, times=K):
        self.a += v * times
        self.items.append(v)
        return self

    def total(self, k=K):
        return self.a + k * len(self.items)

    def top(self):
        if not self.items:
            raise IndexError('empty')
        return self.items[-1]


class Wide(Box):
    size = {m}

    def add(self, v, *, times=1):
        super().add(v, times=times + K)
        return self

    def total(self, k=K):
        return super().total(k) - self.size

    def top(self):
        try:
            return super().top()
        except IndexError:
            if self.a:
                raise
            return self.size
        finally:
            self.a += 1


def shift(v, w=K, *rest, by=TABLE[0]):
    return v + w * by + len(rest)


def keep(v, seen=[]):
    seen.append(v)
    return len(seen)


def twice(g, v):
    return g(g(v))


def scaled():
    return K * {m}


def f(x, y):
    log, n, l, m, q, d = [], 0, [y, {m}], [x], Box(y), {{0: y, 1: 5}}
    p, s, e = q, {{x, {m}}}, deque([x, {m}], 3)

    def stream(v):
        for i in range(2):
            log.append(v)
            yield v + i
            if v == y:
                return
        yield from l

    def note(v, w={w}):
        nonlocal n
        n += 1
        log.append(v)
        return v {sign} w

    def change():
        l[0] = n
        return {given}

"""
ENDS = [
    "x",
    "n, log",
    "l, m",
    "q.a, q.items",
    "p.total(), n",
    "[x, y]",
    "log, l",
    "sorted(l), x",
    "d[0], d.get(x, 7)",
    "sorted(s), list(d.items())",
    "list(e), q.top(), p.a",
    "l, log, len(s)",
    "{a}, {b}",
    "{t}",
]


@dataclass(slots=True)
class Writer:
    """Writes one function; ``bound`` are names of numbers, ``draws`` and ``loops`` how many there are so far."""

    chance: random.Random
    bound: list[str] = field(default_factory=lambda: ["x", "y", "n"])
    draws: int = 0
    loops: int = 0
    inside: int = 0

    def pick(self, *forms: str) -> str:
        """Return one of some forms."""
        return self.chance.choice(forms)

    def text(self) -> str:
        """Return the text of the module."""
        small = [self.chance.randint(0, 2) for _ in range(3)]
        head = HEAD.format(
            k=small[0],
            m=small[1],
            w=small[2],
            sign=self.pick("+", "-", "*"),
            given=self.pick("0", "l[-1]", "x", "note(x)"),
        )
        body = [line for _ in range(self.chance.randint(3, 6)) for line in self.statement(1)]
        end = self.pick(*ENDS).format(a=self.number(2), b=self.number(1), t=self.word())
        return head + "".join(f"    {line}\n" for line in [*body, f"return {end}"])

    # --- expressions ---

    def number(self, depth: int) -> str:
        """Return an expression whose value is a number, if it has one."""
        if depth <= 0:
            return self.pick(*self.bound, *self.bound, "0", "1", "2", "q.a", "len(l)", "K")
        a, b = self.number(depth - 1), self.number(0)
        c = self.condition(depth - 1)
        forms = [
            f"note({a})",
            f"note({a}, {b})",
            f"note(w={a}, v={b})",
            f"shift({a})",
            f"shift({a}, {b}, *{self.pick('m', '[x, 1]', '()', 'l[:1]')}, by={b})",
            f"shift(*{self.pick('l', 'm', '[x, y]')}, by={a})",
            f"keep({a})",
            f"twice(lambda v: {self.pick('v + x', 'note(v)', 'v * K', 'v - n')}, {a})",
            "scaled()",
            "change()",
            f"q.add({a}).a",
            f"q.add({a}, times={b}).total()",
            f"{self.pick('q', 'p')}.total({self.pick('', 'k=x', 'y')})",
            f"{self.pick('q', 'p')}.top()",
            f"(x := {a})",
            f"(z := {a}) + {self.pick('z', 'x')}",
            f"({a} if {c} else {b})",
            f"({a} and {b})",
            f"({a} or note({b}))",
            f"({a} {self.pick('+', '-', '*')} {self.number(depth - 1)})",
            f"{a} // {self.pick('2', b)}",
            f"{a} % {self.pick('3', b)}",
            f"TABLE[{a}]",
            f"l[{a}]",
            f"{self.pick('l', 'm', 'log')}[-1]",
            f"d[{b}]",
            f"d.get({b}, {a})",
            f"sum({self.items(depth - 1)})",
            f"sum({self.pick('v', 'note(v)', 'v * x')} for v in {self.walked()} if {self.pick('v', 'v != x', 'note(v)')})",
            f"max({self.items(depth - 1)}, default={b})",
            f"min({a}, {b})",
            f"min({self.items(depth - 1)}, key=lambda v: {self.pick('-v', 'v % 2', 'note(v)')})",
            f"(None if {c} else {a})",
            f"len({self.word()})",
            f"l.pop({self.pick('', '0', b)})",
            f"int({c})",
            f"abs({a})",
            f"next(({self.pick('v', 'note(v)')} for v in {self.walked()} if {self.pick('v > x', 'note(v)')}), {b})",
            f"next(stream({b}))",
            f"sum(stream({b}))",
            f"sum({self.pick('map(note, l)', 'filter(None, m)', 'map(lambda v: v - x, stream(x))', 's')})",
            f"len({self.pick('s', 'd', f'set({self.walked()})', '{v % 2 for v in l}', 'd.keys()')})",
            f"l.index({b})",
            f"d.pop({self.pick(b, f'{b}, {a}')})",
            f"d.setdefault({b}, {a})",
            f"sorted({self.walked()}, key=lambda v: {self.pick('-v', 'v % 2', 'note(v)')})[0]",
            f"({c}) + ({self.condition(0)})",
            f"shift(**{{'v': {a}, 'w': {b}}})",
            f"int(str({a}))",
            f"({self.word()}).find(str({b}))",
            f"next(iter({self.items(0)}))",
            f"(1.0 if {c} else {b})",
            f"({a} {self.pick('&', '|', '^')} {b})",
            f"~{a}",
            f"e[{self.pick('0', '-1', 'x')}]",
            f"{self.pick('e.pop()', 'e.popleft()', 'len(e)', 'sum(e)', 'e.count(x)')}",
            "sum(random.random() < v / 4 for v in (0, 1, 3) if v <= x)" if self.draws < 2 else "K",
        ]
        if self.draws < 3 and self.chance.random() < 0.25:
            self.draws += 1
            forms = [
                "random.randint(0, 2)",
                "(random.random() < 0.25)",
                f"random.choice([{a}, {b}])",
                "random.choice(l)",
                "random.sample(l, 1)[0]",
                "random.choices(m, [1] * len(m))[0]",
            ]
        return f"({self.pick(*forms)})"

    def condition(self, depth: int) -> str:
        """Return a condition."""
        a, b = self.number(depth), self.number(depth - 1)
        return self.pick(
            f"{a} {self.pick('<', '<=', '==', '!=', '>')} {b}",
            f"{b} < {a} <= {self.pick('2', 'note(2)', 'x')}",
            f"{a} == {b} != {self.number(0)}",
            f"not {a}",
            f"{a} in {self.items(0)}",
            f"{a} is {self.pick('', 'not ')}None",
            f"any({self.pick('note(v)', 'v > x', '2 // v', 'l[v]')} for v in {self.walked()})",
            f"all({self.pick('note(v)', 'v > x', '2 // v', 'l[v]')} for v in {self.walked()})",
            f"{self.pick('l', 'm', 'log')}",
            f"{self.items(0)} == {self.items(0)}",
            f"{self.word()} == {self.pick(repr('a0'), repr('one'), self.word())}",
            f"p is {self.pick('q', 'Box(x)')}",
            f"{a} in {self.pick('s', 'd', 'd.values()')}",
            f"s {self.pick('==', '<=', '!=', '>')} {{{a}, 1}}",
            f"({a}, x) {self.pick('<', '>=')} ({b}, y)",
            f"any(v > {b} for v in stream({b}))",
            f"all(map(note, {self.walked()}))",
            f"({a} and note({b}) or {b} > 1)",
        )

    def items(self, depth: int) -> str:
        """Return an expression that is a list, or walked over like one."""
        a = self.number(depth)
        return self.pick(
            "l",
            "m",
            "l[:]",
            "q.items",
            f"[{a}, {self.number(0)}]",
            f"[*m, {a}]",
            f"(l + [{a}])",
            f"[{self.pick('v + x', 'note(v)', 'v', '(u := v)')} for v in {self.pick('l', 'm', 'range(3)', '(x, 1)')}]",
            "[v * w for v in m for w in (1, x)]",
            "[a + b for a, b in zip(l, [1, x])]",
            "[i * v for i, v in enumerate(l, 1)]",
            "sorted(l)",
            "list(reversed(l))",
            "[g() for g in [lambda: v for v in (x, 1)]]",
            "[g() for g in [lambda v=v: v for v in (x, 1)]]",
            f"range({self.pick('x', '2', 'y')})",
            "(m if x else l)",
            f"list(stream({self.number(0)}))",
            "list(d)",
            "list({v: note(v) for v in l}.values())",
            "sorted(s | {x})",
            f"sorted([(v, x) for v in l], key=lambda v: {self.pick('-v[0]', 'v[0] % 2')})",
            f"list(filter(lambda v: v != {self.number(0)}, m))",
        )

    def walked(self) -> str:
        """Return what a comprehension walks over."""
        return self.pick(
            "l",
            "m",
            "log",
            "q.items",
            "range(3)",
            "(x, 1)",
            "sorted(m)",
            "(l + m)",
            "list(reversed(l))",
            "(m if x else l)",
        )

    def word(self) -> str:
        """Return an expression that is a text."""
        return self.pick(
            "f'a{x}'",
            "f'{x}{y}'",
            "('one' if x else 'two')",
            "NAMES.get(x, 'many')",
            "str(x)",
            "f'{x > 1}'",
            "('a' + str(y))",
            "f'{x:>3}{y!r}'",
            "'%s-%d' % (x, y)",
            "'-'.join(map(str, l))",
            "'-'.join('ab'[v % 2] for v in m)",
            "NAMES.get(x, 'many').upper()[:2]",
            "'{}{a}'.format(x, a=y)",
            "repr(x).zfill(2)",
            "''.join(sorted(f'b{x}a'))",
        )

    # --- statements ---

    def block(self) -> list[str]:
        """Return the lines of an inner block."""
        self.inside += 1
        bound = list(self.bound)
        lines = [f"    {line}" for _ in range(self.chance.randint(1, 2)) for line in self.statement(0)]
        self.bound = bound
        self.inside -= 1
        return lines or ["    pass"]

    def statement(self, depth: int) -> list[str]:
        """Return the lines of a statement."""
        forms: list[Callable[[], list[str]]] = [
            self.assignment,
            self.assignment,
            self.augmented,
            self.augmented,
            self.effect,
        ]
        if self.inside < 2:
            forms += [self.branch, self.branch, self.loop, self.guarded, self.leaving]
        if self.loops and self.inside:
            forms.append(lambda: [f"if {self.condition(0)}:", f"    {self.pick('break', 'continue')}"])
        return self.chance.choice(forms)()

    def assignment(self) -> list[str]:
        """Return an assignment."""
        a, b = self.number(2), self.number(1)
        form = self.pick(
            f"x = {a}",
            f"y = {a}",
            f"z = {a}",
            f"x, y = {b}, {self.number(1)}",
            f"l[{b}] = {a}",
            f"l[{b}], x = {self.number(1)}, 1",
            f"x, m[0] = {b}, x",
            f"d[{b}] = {a}",
            f"q.a = {a}",
            "m = l",
            "l = m",
            f"l = {self.items(1)[:]}" if not self.items(0).startswith("range") else "l = l[:]",
            f"q = Box({a})",
            f"q = Box({b}, l)",
            f"q = Wide({a})",
            f"p = Wide({b}, m)",
            "p = q",
            f"z = x = {a}",
            f"l[{self.pick('x:y', ':1', '1:', '::2')}] = {self.pick('m', 'stream(x)', '[y]', '(v for v in l)')}",
            f"x, *m = {self.items(1)}",
            f"s = {self.pick('{x, y}', 's | {x}', 's - {1}', 'set(l)', '{v for v in m}')}",
            f"a, b = {self.pick('m', 'l', '[x, y]', '(note(v) for v in (x, y))')}",
        )
        if form.startswith("z") and "z" not in self.bound:
            self.bound.append("z")
        return [form]

    def augmented(self) -> list[str]:
        """Return an augmented assignment."""
        a, sign = self.number(1), self.pick("+=", "-=", "*=", "//=", "%=")
        return [
            self.pick(
                f"{self.pick('x', 'y', 'n')} {sign} {a}",
                f"l[{self.number(1)}] {sign} {a}",
                f"m[{self.pick('0', '-1', 'note(0)', '(x := 0)')}] {sign} {a}",
                f"{self.pick('q', 'p', 'q.add(1)')}.a {sign} {a}",
                f"d[{self.pick('0', 'x', 'note(1)')}] {sign} {a}",
                f"{self.pick('l', 'm', 'q.items')} += {self.pick('[x]', 'm[:]', 'l[:1]', '(x, y)')}",
                "m *= 2",
                f"TABLE[x] {sign} {self.pick('1', 'y')}",
            )
        ]

    def effect(self) -> list[str]:
        """Return a statement that is there for what it does."""
        a = self.number(1)
        return [
            self.pick(
                f"note({a})",
                f"l.append({a})",
                f"{self.pick('m', 'q.items')}.append({a})",
                f"m.extend({self.pick('[x]', '(v + 1 for v in [x, y])', 'range(y)')})",
                f"q.add({a})",
                "change()",
                "l.reverse()",
                "random.shuffle(m)" if len(self.bound) > 9 else "m.sort()",
                f"keep({a})",
                f"s.{self.pick('add', 'discard', 'remove')}({a})",
                f"del {self.pick(f'd[{self.number(0)}]', f'l[{self.number(0)}]', 'l[x:y]', 'm[-1], l[0]')}",
                f"l.{self.pick('remove(x)', 'clear()', 'sort(key=lambda v: -v)')}",
                f"d.{self.pick('update({x: y})', 'clear()', 'pop(y, None)')}",
                f"e.{self.pick('append', 'appendleft', 'rotate')}({a})",
                "del z" if "z" in self.bound else f"l.insert(0, {a})",
                f"assert {self.condition(1)}, note(9)",
            )
        ]

    def branch(self) -> list[str]:
        """Return an ``if``."""
        lines = [f"if {self.condition(1)}:", *self.block()]
        if self.chance.random() < 0.3:
            lines += [f"elif {self.condition(1)}:", *self.block()]
        return lines + (["else:", *self.block()] if self.chance.random() < 0.5 else [])

    def loop(self) -> list[str]:
        """Return a loop."""
        self.loops += 1
        name = f"i{self.loops}"
        head = self.pick(
            f"for {name} in {self.items(1)}:",
            f"for {name}, x in zip(range(2), {self.items(0)}):",
            f"for {name}, v in enumerate({self.pick('l', 'm', 'l[:]')}):",
            f"for {name} in (l if y else m):",
            f"for {name} in stream({self.number(0)}):",
            f"for {name}, v in enumerate(stream({self.number(0)})):",
            f"for {name} in {self.pick('map(note, l)', '(note(v) for v in m)', 'filter(None, l)')}:",
            f"for {name}, v in d.items():",
            f"for {name} in range({self.pick('2', 'x % 3', 'len(l)')}):",
            f"while (w{self.loops} := w{self.loops} + 1) < 3 and {self.condition(0)}:",
        )
        lines = [f"w{self.loops} = 0"] if head.startswith("while") else []
        self.bound.append(f"w{self.loops}" if lines else name)
        lines += [head, *self.block()]
        self.bound.pop()
        self.loops -= 1
        if self.chance.random() < 0.3:
            lines += ["else:", *self.block()]
        return lines

    def guarded(self) -> list[str]:
        """Return a ``try``."""
        lines = ["try:", *self.block()]
        kind = self.pick(
            "IndexError", "(ZeroDivisionError, KeyError)", "LookupError", "TypeError", "Exception", "ValueError"
        )
        name = self.pick("", "", " as e")
        lines += [f"except {kind}{name}:", *self.block()]
        if self.chance.random() < 0.2:
            lines += [f"    if {self.condition(0)}:", "        raise"]
        if self.chance.random() < 0.3:
            lines += ["else:", *self.block()]
        return lines + (
            ["finally:", f"    {self.pick('x = note(x)', 'n += 1', 'log.append(7)', 'l = [x]', 'return x, n')}"]
            if self.chance.random() < 0.4
            else []
        )

    def leaving(self) -> list[str]:
        """Return an early end."""
        end = self.pick(
            f"return {self.number(1)}",
            "return l",
            "return None",
            f"return {self.word()}",
            "raise ValueError(note(x))",
            "return q.items, n",
        )
        return [f"if {self.condition(1)}:", f"    {end}"]


def random_objects(seed: int) -> str:
    """Return the text of a module with a function ``f(x, y)``."""
    return Writer(random.Random(seed)).text()
