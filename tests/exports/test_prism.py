"""Programs exported to PRISM against their joint law: read back by our import, and run by an evaluator of the few words of models that stands here."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from tests.checking.trees import run, tree
from tests.exports.test_exports import ANSWER, LOOP, MANY, chances, exported

from seepage.imports.prism import of_prism

OBSERVED = """\
secret s
output o, n
s ~ uniform_int(1, 3)
o ~ bernoulli(s / 4)
observe o == 1 or s == 2
n ~ categorical(1/2, 1/4, 1/4)
"""
COLOURS = """\
secret s
output o
s ~ uniform_of("red", "green", "blue")
t ~ bernoulli(1/4)
if t { o := "red" } else { o := s }
"""
NEGATIVE = "secret s\noutput o\ns ~ uniform_int(-2, 2)\no := floor(s / 2) - max(s, 0) % 2\n"
State = tuple[int, ...]


# --- an evaluator -----------------------------------------------------------------------------------------------------


OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction | bool]] = {
    "|": lambda a, b: bool(a) or bool(b),
    "&": lambda a, b: bool(a) and bool(b),
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


class Reader:
    """Values of expressions of PRISM, exactly."""

    def __init__(self, text: str, values: Mapping[str, Fraction]) -> None:
        self.tokens = re.findall(r"\d+\.?\d*(?:e-?\d+)?|\w+|<=|>=|!=|\S", text)
        self.values = values

    def take(self, *wanted: str) -> str | None:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else None

    def whole(self) -> Fraction:
        left = self.level(0)
        if self.take("?") is None:
            return left
        yes = self.whole()
        assert self.take(":")
        no = self.whole()
        return yes if left else no

    LEVELS = (("|",), ("&",), ("=", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/"))

    def level(self, at: int) -> Fraction:
        if at == len(self.LEVELS):
            return self.unary()
        left = self.level(at + 1)
        while (sign := self.take(*self.LEVELS[at])) is not None:
            right = self.level(at + 1)
            left = Fraction(OPERATIONS[sign](left, right))
        return left

    def unary(self) -> Fraction:
        if self.take("!"):
            return Fraction(not self.unary())
        if self.take("-"):
            return -self.unary()
        if self.take("("):
            inner = self.whole()
            assert self.take(")")
            return inner
        word = self.tokens.pop(0)
        if self.take("("):
            arguments = [self.whole()]
            while self.take(","):
                arguments.append(self.whole())
            assert self.take(")")
            return self.called(word, arguments)
        return Fraction(word) if word[0].isdigit() else {"true": Fraction(1), **self.values}[word]

    def called(self, word: str, of: list[Fraction]) -> Fraction:
        match word:
            case "min" | "max":
                return {"min": min, "max": max}[word](*of)
            case "floor" | "ceil":
                return Fraction(of[0] // 1 if word == "floor" else -(-of[0] // 1))
            case "mod":
                return of[0] % of[1]
            case _:
                raise AssertionError(word)


def law(text: str, names: tuple[str, ...]) -> dict[State, float]:
    """The law of variables where a model ends, by rounds until hardly any run is left."""
    constants: dict[str, Fraction] = {}
    for name, value in re.findall(r"const \w+ (\w+) = (.*);", text):
        constants[name] = Reader(value, constants).whole()
    ranges = {
        name: (int(low), int(high)) for name, low, high in re.findall(r"(\w+) : \[(-?\d+)\.\.(-?\d+)\] init 0;", text)
    }
    commands: dict[int, list[tuple[str, str]]] = {}
    for at, guard, update in re.findall(r"\[\] at = (\d+)( & .*)? -> (.*);", text):
        commands.setdefault(int(at), []).append((guard.removeprefix(" & ") or "true", update))
    variables = list(ranges)
    states = {(0,) * len(variables): 1.0}
    ended: dict[State, float] = {}
    while sum(states.values()) > 1e-10:
        after: dict[State, float] = {}
        for state, weight in states.items():
            values = {**constants, **dict(zip(variables, map(Fraction, state), strict=True))}
            (update,) = (update for guard, update in commands[state[0]] if Reader(guard, values).whole())
            if update == "true":
                key = tuple(state[variables.index(name)] for name in names)
                ended[key] = ended.get(key, 0.0) + weight
                continue
            for chance, new in _alternatives(update, values):
                there = dict(zip(variables, state, strict=True))
                for name, value in re.findall(r"\((\w+)' = (.*?)\)(?= & |$)", new):
                    found = Reader(value, values).whole()
                    assert found.denominator == 1
                    assert ranges[name][0] <= found <= ranges[name][1]
                    there[name] = int(found)
                key = tuple(there.values())
                after[key] = after.get(key, 0.0) + weight * float(chance)
        states = after
    return ended


def _alternatives(update: str, values: Mapping[str, Fraction]) -> Iterator[tuple[Fraction, str]]:
    depth, start = 0, 0
    parts = []
    for at, sign in enumerate(update):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and update.startswith(" + ", at):
            parts.append(update[start:at])
            start = at + 3
    parts.append(update[start:])
    for part in parts:
        chance, colon, new = part.partition(" : ")
        yield (Reader(chance, values).whole(), new) if colon and "'" not in chance else (Fraction(1), part)


# --- against the program ----------------------------------------------------------------------------------------------

CASES = {
    "answer": (ANSWER, ("r", "o"), ((0, 1), (0, 1))),
    "loop": (LOOP, ("s", "tries", "last"), ((1, 2, 3), (1, 2, 3), (1, 2, 3))),
    "observed": (OBSERVED, ("s", "o", "n"), ((1, 2, 3), (0, 1), (0, 1, 2))),
    "negative": (NEGATIVE, ("s", "o"), (range(-2, 3), range(-3, 4))),
}


@pytest.mark.parametrize("name", CASES)
def test_a_model_ends_with_the_law_of_the_program(name: str, tmp_path: Path) -> None:
    text, names, values = CASES[name]
    expected = chances(text, names, itertools.product(*values))
    model = exported(tmp_path, text, "prism")

    assert law(model, names) == pytest.approx(expected, abs=1e-9)
    read = of_prism(model, [names[0]], names[1:])
    assert chances(read, names, itertools.product(*values)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.variation(of="test_a_model_ends_with_the_law_of_the_program")
def test_all_that_is_taken_apart_has_the_same_law(tmp_path: Path) -> None:
    observed = MANY.replace("secret initial s", "").replace("s ~", "first ~").replace("if s", "s := first\nif s")
    grid = itertools.product((3, 5), (0, 1, 2), (0, 1, 2), (0, 1, 2), (0, 1, 2))
    expected = chances(observed, ("first", "o[1]", "o[2]", "y", "z"), grid)

    assert law(exported(tmp_path, MANY, "prism"), ("s_initial", "o_1_", "o_2_", "y", "z")) == pytest.approx(expected)


def test_symbols_are_numbers_that_a_comment_names(tmp_path: Path) -> None:
    model = exported(tmp_path, COLOURS, "prism")
    codes = {symbol: int(code) for code, symbol in re.findall(r"// (\d+) stands for '(\w+)'", model)}

    found = law(model, ("s", "o"))

    assert found[codes["red"], codes["red"]] == pytest.approx(1 / 3)
    assert found[codes["green"], codes["red"]] == pytest.approx(1 / 12)
    assert found[codes["green"], codes["green"]] == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("secret s\noutput o\ns ~ normal(0, 1)\no := s\n", "a.seep:3: the law 'normal' has no counterpart"),
        ("secret s\noutput o\ns ~ bernoulli(1/2)\no := s / 2\n", "a.seep:4: a value is 1/2"),
        ("secret s\noutput o\ns ~ bernoulli(1/2)\no := 0\nwhile s { o := o + 1\n s ~ bernoulli(1/2) }\n", "more than 20,000 states"),
        ("secret s\noutput o\ns ~ uniform_int(1, 2)\nt ~ bernoulli(exp(-s))\no := t\n", "the function 'exp' has no counterpart"),
    ],
)  # fmt: skip
def test_what_prism_lacks_is_refused_at_its_line(text: str, told: str, tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": text})
    found = run("export", "a.seep", "--to", "prism", inside=tmp_path)
    assert found.exit_code == 1
    assert told in found.output


MODEL = "dtmc\nmodule m\n  s : [0..3] init 0;\n  [] s < 2 -> {} : (s'=s+1) + {} : (s'=s);\nendmodule\n"


def test_chances_beyond_one_are_refused_where_they_stand() -> None:
    with pytest.raises(Exception, match=r"line 4: the chance .* is 3/2, expected a number between 0 and 1"):
        of_prism(MODEL.format("1.5", "-0.5"), until="s=2")


def test_an_end_that_no_state_meets_is_refused() -> None:
    with pytest.raises(Exception, match="no reachable state is an end by --until"):
        of_prism(MODEL.format("0.5", "0.5"), until="s=3")
