"""Exported programs against the joint law of the program: WebPPL run as JavaScript by an enumerator of its own, PSI read back."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from tests.checking.trees import run, tree

from seepage.exports.tree import tree_json
from seepage.imports.psi import of_psi
from seepage.program import parse

ENUMERATE = Path(__file__).parent / "enumerate.js"

ANSWER = """\
param eps in [0, 10] = log(3)
secret r
output o
r ~ bernoulli(1/3)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""
# Arrays with random indices, symbols, a mixture, an observation, a secret that changes, a remainder of a negative number.
MANY = """\
param e in [0, 1] = 1/3
secret initial s
output o[1], o[2], y, z
s ~ uniform_of(3, 5)
for i in 1..2 { o[i] ~ bernoulli(e) }
x ~ mixture(1/2: {1: 1/2, 2: 1/2}, 1/2: uniform_int(1, 2))
if s == 3 and not o[1] == 1 { s := 5; k ~ uniform_int(1, 2); o[k] := x } else { w := 2 }
z := (-7 * x) % 3
observe x != 1 or o[2] == 1
y := o[x]
"""
LOOP = """\
secret s
output tries, last
s ~ uniform_int(1, 3)
tries := 0
last := 0
while last == 0 {
  tries := min(tries + 1, 3)
  ok ~ bernoulli(s / 4)
  if ok { last := s }
}
"""


def exported(folder: Path, text: str, to: str) -> str:
    tree(folder, {"a.seep": text})
    found = run("export", "a.seep", "--to", to, inside=folder)
    assert found.exit_code == 0, found.output
    return found.stdout


def law_of_webppl(text: str) -> dict[tuple[float, ...], float]:
    done = subprocess.run(["node", str(ENUMERATE)], input=text, text=True, capture_output=True, check=True, timeout=60)
    return {tuple(json.loads(value).values()): chance for value, chance in json.loads(done.stdout).items()}


def chances(text: str, names: tuple[str, ...], values: Iterator[tuple[float, ...]]) -> dict[tuple[float, ...], float]:
    program = parse(text)
    found = {}
    for each in values:
        event = " and ".join(f"{name} == {value}" for name, value in zip(names, each, strict=True))
        found[each] = program.measure(f"P({event})").number
    return {value: chance for value, chance in found.items() if chance > 0}


def test_a_randomized_answer_in_webppl(tmp_path: Path) -> None:
    law = law_of_webppl(exported(tmp_path, ANSWER, "webppl"))
    assert law == pytest.approx({(1, 1): 1 / 4, (1, 0): 1 / 12, (0, 0): 1 / 2, (0, 1): 1 / 6})


@pytest.mark.variation(of="test_random_programs_keep_their_law_in_both_languages")
def test_all_that_is_taken_apart_has_the_same_law(tmp_path: Path) -> None:
    names = ("s@", "o[1]", "o[2]", "y", "z")
    law = law_of_webppl(exported(tmp_path, MANY, "webppl"))
    observed = MANY.replace("secret initial s", "").replace("s ~", "first ~").replace("if s", "s := first\nif s")
    grid = itertools.product((3, 5), (0, 1, 2), (0, 1, 2), (0, 1, 2), (0, 1, 2))
    assert law == pytest.approx(chances(observed, ("first", *names[1:]), grid))


def test_loops_that_end_by_chance_are_functions(tmp_path: Path) -> None:
    law = law_of_webppl(exported(tmp_path, LOOP, "webppl"))
    expected = {
        (s, tries, s): (math.pow(1 - s / 4, tries - 1) * (s / 4 if tries < 3 else 1)) / 3
        for s in (1, 2, 3)
        for tries in (1, 2, 3)
    }
    assert law == pytest.approx(expected, abs=1e-9)


def test_symbols_are_texts_in_webppl_and_numbers_in_psi(tmp_path: Path) -> None:
    text = 'secret s\noutput o\ns ~ {"red": 1/4, "blue": 3/4}\no := if s == "red" then "blue" else s\n'
    law = law_of_webppl(exported(tmp_path, text, "webppl"))
    assert law == pytest.approx({("red", "blue"): 1 / 4, ("blue", "blue"): 3 / 4})
    psi = exported(tmp_path, text, "psi")
    assert "// 1 stands for 'red'\n// 2 stands for 'blue'\n" in psi
    assert parse(of_psi(psi, ["s"])).measure("P(s == 1 and o == 2)").number == pytest.approx(1 / 4)


def statements(random: Random, depth: int) -> Iterator[str]:
    names = ("a", "b", "c")

    def value() -> str:
        one, other = random.choice(names), random.choice((*names, "1", "2"))
        form = random.choice(
            ("{0} + {1}", "{0} * {1} % 3", "max({0}, {1})", "if {0} < {1} then 1 else {0}", "abs({0} - {1})")
        )
        return form.format(one, other)

    def condition() -> str:
        one, other = random.choice(names), random.choice((*names, "1"))
        form = random.choice(
            (
                "{0} == {1}",
                "{0} <= {1}",
                "not {0} > {1}",
                "({0} == 1 or {1} == 0) and {0} != 2",
                "{0} == 1 xor {1} == 1",
            )
        )
        return form.format(one, other)

    for _ in range(3):
        match random.randrange(5 if depth else 3):
            case 0:
                yield f"{random.choice(names)} := min({value()}, 3)"
            case 1 | 2:
                law = random.choice(
                    (
                        "bernoulli(1/3)",
                        "uniform_int(0, 2)",
                        "{0: 1/2, 2: 1/2}",
                        "categorical(1/4, 1/4, 1/2)",
                        "uniform_of(1, 3)",
                        "binomial(2, 1/4)",
                    )
                )
                yield f"{random.choice(names)} ~ {law}"
            case 3:
                yield f"if {condition()} {{ {'; '.join(statements(random, depth - 1))} }} else {{ {'; '.join(statements(random, depth - 1))} }}"
            case _:
                yield f"observe {condition()} or a + b + c > 1"


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(12))
def test_random_programs_keep_their_law_in_both_languages(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    text = (
        "output a, b, c\na ~ bernoulli(2/3)\nb ~ uniform_int(0, 2)\nc := 1\n" + "\n".join(statements(random, 2)) + "\n"
    )
    law = law_of_webppl(exported(tmp_path, text, "webppl"))
    told = sorted(law)
    assert sum(law.values()) == pytest.approx(1)
    assert law == pytest.approx(chances(text, ("a", "b", "c"), iter(told)))
    again = of_psi(exported(tmp_path, text, "psi"))
    assert law == pytest.approx(chances(again, ("a", "b", "c"), iter(told)))


def test_the_tree_as_data(tmp_path: Path) -> None:
    told = json.loads(exported(tmp_path, ANSWER, "json"))
    kinds = [each["node"] for each in told["items"]]
    assert kinds == ["Param", "Secret", "Output", "Sample", "Sample", "If"]
    draw, branch = told["items"][3], told["items"][5]
    assert draw["at"] == [4, 1]
    assert draw["distribution"]["name"] == "bernoulli"
    assert draw["distribution"]["arguments"][0]["value"]["operator"] == "/"
    assert branch["arms"][0]["items"][0]["at"] == [6, 8]
    assert branch["otherwise"][0]["value"] == {"node": "Unary", "operator": "!", "operand": {"node": "Name", "id": "r"}}


@pytest.mark.parametrize(
    ("text", "to", "told"),
    [
        ("x ~ bernoulli(1/2)\nwhile x { x ~ bernoulli(1/2) }\n", "psi", "a.seep:2: PSI has no loops that end by chance"),
        ("x ~ bernoulli(1/2)\nwhile x { skip } never { x := 2 }\n", "webppl", "a.seep:2: a block 'never' has no counterpart"),
        ("y ~ bernoulli(1/2)\nx ~ uniform_int(0, 3) given x > y\n", "webppl", "a.seep:2: a draw with observations of its own"),
        ("x ~ gumbel(0, 1)\n", "webppl", "a.seep:1: the law 'gumbel' has no counterpart"),
        ("x ~ uniform_int(0, 3)\ny := popcount(x)\n", "psi", "a.seep:2: the function 'popcount' has no counterpart"),
        ("attacker g in 0..2\noutput o\no := g\n", "psi", "a.seep:1: what an attacker chooses has no counterpart"),
        ("param p in [0, 1]\nx ~ bernoulli(p)\n", "psi", "a.seep: parameter 'p' has no value: --set p=…"),
        ("x := y +\n", "webppl", "a.seep:1: "),
        ("x := y +\n", "json", "a.seep:1: "),
        ("output x\nx := 1 + y\n", "json", "a.seep:2: "),
        ("output x\nx := 1 + y\n", "latex", "a.seep:2: "),
    ],
)  # fmt: skip
def test_what_has_no_counterpart_is_told_with_its_line(tmp_path: Path, text: str, to: str, told: str) -> None:
    tree(tmp_path, {"a.seep": text})
    found = run("export", "a.seep", "--to", to, inside=tmp_path)
    assert (found.exit_code, found.stdout) == (1, "")
    (line,) = found.stderr.splitlines()
    assert line.startswith(told)


def test_values_of_parameters_are_those_that_are_set(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": ANSWER})
    told = run("export", "a.seep", "--to", "webppl", "--set", "eps=0", inside=tmp_path).stdout
    law: Mapping[tuple[float, ...], float] = law_of_webppl(told)
    assert law == pytest.approx({(1, 1): 1 / 6, (1, 0): 1 / 6, (0, 0): 1 / 3, (0, 1): 1 / 3})


def test_a_draw_with_observations_of_its_own_is_none_of_the_branches_of_a_tree() -> None:
    program = parse("n ~ uniform_int(-2, 2) given n > 0\n")
    told = json.loads(json.dumps(tree_json(program.checked.tree, program.checked.source)))
    (item,) = told["items"]

    assert item["node"] == "Local"
    assert [each["node"] for each in item["items"]] == ["Sample", "Observe"]
