"""Random Python functions from the subset, as texts: short, with draws, branches, loops, lists that are shared, early ends and exceptions."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Writer:
    """Writes one function ``f(x, y)``; ``numbers`` and ``lists`` are names that may be read."""

    chance: random.Random
    numbers: list[str] = field(default_factory=lambda: ["x", "y"])
    lists: list[str] = field(default_factory=list)
    loops: int = 0
    draws: int = 0
    made: int = 0

    def function(self) -> str:
        """Return the text of a module with the function."""
        body = self.block(1, self.chance.randint(3, 7), 0)
        end = self.chance.choice(
            ["return {a}", "return {a}, {b}", "return [{a}, {b}]", "return {l}", "return {l}, {a}"]
        )
        body.append("    " + end.format(a=self.number(1), b=self.number(1), l=self.sequence()))
        helper = [
            "def helper(v, w=2):",
            "    if v > w:",
            "        return v - w",
            "    if v == w:",
            f"        return {self.chance.choice(['w', '0', 'random.randint(0, 1)'])}",
            "    return w - v",
            "",
            "def change(items, v):",
            "    items.append(v)",
            "    return items",
            "",
        ]
        return "\n".join(["import random", "", *helper, "def f(x, y):", *body, ""])

    def number(self, depth: int) -> str:
        """Return an expression that is a number."""
        pick = self.chance.choice
        if depth <= 0:
            return pick([*self.numbers, str(self.chance.randint(-1, 3))])
        a, b = self.number(depth - 1), self.number(depth - 1)
        forms = [
            f"({a} {pick(['+', '-', '*'])} {b})",
            f"({a} // {self.chance.randint(1, 3)})",
            f"({a} % {pick(['2', '3', b])})",
            f"({a} if {self.condition(depth - 1)} else {b})",
            f"({self.condition(depth - 1)})",
            f"({a} {pick(['and', 'or'])} {b})",
            f"{pick(['min', 'max'])}({a}, {b})",
            f"abs({a})",
            f"helper({a})",
            f"helper({a}, w={b})",
            f"len({self.sequence()})",
            f"sum(v for v in {self.sequence()} if v {pick(['>', '!=', '<='])} {a})",
            f"round({a} / 2)",
            f"int({a} / 2)",
            a,
            b,
        ]
        if self.lists:
            forms += [f"{pick(self.lists)}[{self.number(depth - 1)}]", f"{pick(self.lists)}[{pick(['0', '-1'])}]"] * 2
        if self.draws < 3:
            forms += ["!"] * 3
        form = pick(forms)
        if form == "!":
            self.draws += 1
            draws = [
                "random.randint(0, 2)",
                "random.randrange(1, 3)",
                "(random.random() < 0.25)",
                "int(random.random() * 3)",
                f"random.choice([{a}, {b}])",
                f"random.choice([v for v in (0, 1, 2) if v != {a}])",
            ]
            return pick(draws)
        return form

    def condition(self, depth: int) -> str:
        """Return a condition."""
        a, b = self.number(depth), self.number(depth)
        pick = self.chance.choice
        forms = [
            f"{a} {pick(['<', '<=', '==', '!=', '>', '>='])} {b}",
            f"0 <= {a} < {b}",
            f"not {a}",
            f"{a} in ({b}, 1)",
            f"{a} not in {self.sequence()}",
            f"any(v == {a} for v in {self.sequence()})",
        ]
        return pick(forms)

    def sequence(self) -> str:
        """Return an expression that is a list."""
        pick = self.chance.choice
        a, b = self.number(0), self.number(0)
        forms = [f"[{a}, {b}]", f"[v + {a} for v in (0, 1)]", f"[v for v in (0, 1, 2) if v != {a}]"]
        forms += [
            *self.lists * 2,
            *(f"{name}[:]" for name in self.lists),
            *(f"({name} + [{a}])" for name in self.lists),
        ]
        return pick(forms)

    def block(self, indent: int, count: int, depth: int) -> list[str]:
        """Return the lines of a block; names that it binds are not read behind it, unless it is the outermost."""
        numbers, lists = list(self.numbers), list(self.lists)
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(indent, depth)
        if depth:
            self.numbers, self.lists = numbers, lists
        return lines

    def statement(self, indent: int, depth: int) -> list[str]:
        """Return the lines of a statement."""
        blank, pick = "    " * indent, self.chance.choice
        kinds = ["assign"] * 4 + ["list", "append", "store", "augment", "swap", "alias", "draw"]
        if depth < 2:
            kinds += ["if"] * 3 + ["return", "for", "try", "while"]
        if self.loops:
            kinds += ["leave"] * 2
        match pick(kinds):
            case "assign":
                value = self.number(2)
                name = pick(["a", "b", "c", "x"])
                if name not in self.numbers:
                    self.numbers.append(name)
                return [f"{blank}{name} = {value}"]
            case "draw" if self.draws < 3:
                self.draws += 1
                name = pick(["a", "u"])
                if name == "a":
                    if name not in self.numbers:
                        self.numbers.append(name)
                    return [f"{blank}a = random.randint(0, 2)"]
                value = self.number(0)
                return [
                    f"{blank}u = random.random()",
                    f"{blank}if u < 0.25:",
                    f"{blank}    x = {value}",
                    f"{blank}elif u <= 0.5 or u > 0.75:",
                    f"{blank}    x += 1",
                ]
            case "list":
                value = self.sequence()
                name = pick(["l", "m"])
                if name not in self.lists:
                    self.lists.append(name)
                return [f"{blank}{name} = {value}"]
            case "append" if self.lists:
                name = pick(self.lists)
                return [
                    blank
                    + pick(
                        [
                            f"{name}.append({self.number(1)})",
                            f"change({name}, {self.number(1)})",
                            f"{name} += [{self.number(0)}]",
                        ]
                    )
                ]
            case "store" if self.lists:
                return [f"{blank}{pick(self.lists)}[{self.number(1)}] = {self.number(1)}"]
            case "alias" if self.lists:
                source = pick(self.lists)
                name = pick(["l", "m"])
                if name not in self.lists:
                    self.lists.append(name)
                return [f"{blank}{name} = {source}"]
            case "augment":
                return [
                    f"{blank}{pick([n for n in self.numbers if n != 'v'])} {pick(['+=', '-=', '*='])} {self.number(1)}"
                ]
            case "swap":
                names = [n for n in self.numbers if n != "v" and not n.startswith("i")]
                return (
                    [f"{blank}{names[0]}, {names[-1]} = {names[-1]}, {self.number(1)}"] if len(set(names)) > 1 else []
                )
            case "if":
                lines = [f"{blank}if {self.condition(1)}:", *self.some(indent + 1, depth + 1)]
                if self.chance.random() < 0.3:
                    lines += [f"{blank}elif {self.condition(1)}:", *self.some(indent + 1, depth + 1)]
                if self.chance.random() < 0.5:
                    lines += [f"{blank}else:", *self.some(indent + 1, depth + 1)]
                return lines
            case "return":
                return [
                    f"{blank}if {self.condition(1)}:",
                    f"{blank}    return {pick(['None', self.number(1), repr('no'), self.sequence()])}",
                ]
            case "for":
                self.made += 1
                name = f"i{self.made}"
                over = pick(["range(2)", "range(3)", "(2, 0)", f"range({pick(self.numbers)} % 3)", self.sequence()])
                if over in ("l", "m"):
                    over += "[:]"
                self.loops += 1
                self.numbers.append(name)
                body = self.some(indent + 1, depth + 1)
                self.numbers.remove(name)
                self.loops -= 1
                lines = [f"{blank}for {name} in {over}:", *body]
                if self.chance.random() < 0.3:
                    lines += [f"{blank}else:", *self.some(indent + 1, depth + 1)]
                return lines
            case "while":
                self.made += 1
                name = f"k{self.made}"
                self.loops += 1
                body = [f"{blank}    {name} += 1", *self.some(indent + 1, depth + 1)]
                self.loops -= 1
                return [f"{blank}{name} = 0", f"{blank}while {name} < 2 and {self.condition(0)}:", *body]
            case "try":
                kind = pick(["IndexError", "ZeroDivisionError", "Exception", "(IndexError, ZeroDivisionError)"])
                lines = [f"{blank}try:", *self.some(indent + 1, depth + 1)]
                lines += [f"{blank}except {kind}:", *self.some(indent + 1, depth + 1)]
                if self.chance.random() < 0.3:
                    lines += [f"{blank}else:", *self.some(indent + 1, depth + 1)]
                if self.chance.random() < 0.3:
                    lines += [f"{blank}finally:", f"{blank}    x += 1"]
                return lines
            case "leave":
                return [f"{blank}if {self.condition(0)}:", f"{blank}    {pick(['break', 'continue'])}"]
            case _:
                return []

    def some(self, indent: int, depth: int) -> list[str]:
        """Return the lines of an inner block, at least one."""
        return self.block(indent, self.chance.randint(1, 2), depth) or ["    " * indent + "pass"]


def random_function(seed: int) -> str:
    """Return the text of a function ``f(x, y)``."""
    return Writer(random.Random(seed)).function()
