"""Programs made of channels and networks, against sums over the tables that they were made of."""

from __future__ import annotations

import itertools
import math
import random
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.checking.trees import run, tree

from seepage.imports.bif import of_bif
from seepage.imports.channel import of_csv, of_json, of_npz
from seepage.imports.writing import NotImported
from seepage.program import parse

CHANNEL = "secret,red,blue,prior\na,1/3,2/3,0.25\nb,1,0,0.5\nc,0.5,0.5,0.25\n"
ROWS = {"a": (0.25, 1 / 3), "b": (0.5, 1.0), "c": (0.25, 0.5)}

# Asia: Lauritzen and Spiegelhalter, J. R. Statist. Soc. B 50 (1988) 157.
PARENTS = {
    "asia": (), "smoke": (), "tub": ("asia",), "lung": ("smoke",), "bronc": ("smoke",),
    "either": ("lung", "tub"), "xray": ("either",), "dysp": ("bronc", "either"),
}  # fmt: skip
YES: dict[str, dict[tuple[bool, ...], float]] = {
    "asia": {(): 0.01},
    "smoke": {(): 0.5},
    "tub": {(True,): 0.05, (False,): 0.01},
    "lung": {(True,): 0.1, (False,): 0.01},
    "bronc": {(True,): 0.6, (False,): 0.3},
    "either": {(True, True): 1, (True, False): 1, (False, True): 1, (False, False): 0},
    "xray": {(True,): 0.98, (False,): 0.05},
    "dysp": {(True, True): 0.9, (True, False): 0.8, (False, True): 0.7, (False, False): 0.1},
}


def asia() -> str:
    def word(yes: bool) -> str:
        return "yes" if yes else "no"

    parts = ["network unknown {\n}"]
    for name in reversed(PARENTS):  # children first: the order of the text does not matter
        parts.append(f"variable {name} {{\n  type discrete [ 2 ] {{ yes, no }};\n  property position = (1, 2);\n}}")
    for name, parents in PARENTS.items():
        given = f" | {', '.join(parents)}" if parents else ""
        rows = [
            f"  {'table' if not key else '(' + ', '.join(map(word, key)) + ')'} {p}, {round(1 - p, 6)};"
            for key, p in YES[name].items()
        ]
        parts.append(f"probability ( {name}{given} ) {{ // a table\n" + "\n".join(rows) + "\n}")
    return "\n".join(parts) + "\n"


def joint() -> dict[tuple[bool, ...], float]:
    found = {}
    for values in itertools.product((True, False), repeat=len(PARENTS)):
        world = dict(zip(PARENTS, values, strict=True))
        chance = 1.0
        for name, parents in PARENTS.items():
            yes = YES[name][tuple(world[each] for each in parents)]
            chance *= yes if world[name] else 1 - yes
        found[values] = chance
    return found


def h(chances: list[float]) -> float:
    return -sum(p * math.log2(p) for p in chances if p)


def test_a_channel_leaks_what_its_matrix_says() -> None:
    red = sum(prior * p for prior, p in ROWS.values())
    expected = h([red, 1 - red]) - sum(prior * h([p, 1 - p]) for prior, p in ROWS.values())
    program = parse(of_csv(CHANNEL))
    assert program.measure("I(x; y)").number == pytest.approx(expected)
    assert program.measure("V(x | y)").number == pytest.approx(0.5 + max(1 / 6, 1 / 8))


def test_json_and_csv_mean_the_same_and_a_prior_is_uniform_without_one() -> None:
    text = '{"inputs": [1, 2], "outputs": [0, 7], "matrix": [[0.1, 0.9], ["2/3", "1/3"]]}'
    assert of_json(text) == of_csv("x,0,7\n1,0.1,0.9\n2,2/3,1/3\n")
    assert parse(of_json(text)).measure("P(x == 2)").number == 0.5


def archive(**arrays: ArrayLike) -> bytes:
    data = BytesIO()
    np.savez_compressed(data, allow_pickle=True, **{name: np.asarray(array) for name, array in arrays.items()})
    return data.getvalue()


def test_an_archive_of_numpy_and_csv_mean_the_same() -> None:
    matrix, plain = [[0.1, 0.9], [0.25, 0.75]], "0.1,0.9\n{},0.25,0.75\n"
    assert of_npz(archive(matrix=matrix)) == of_csv("x,0,1\n0," + plain.format(1))
    named = archive(matrix=matrix, prior=[0.5, 0.5], inputs=["a", "b"], outputs=[3, 4])
    assert of_npz(named) == of_csv("x,3,4\na," + plain.format("b"))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no archive"),
        (b"PK" + bytes(40), "no archive"),
        (archive(matrix=[[0.5, 0.5]])[:-30], "no archive"),
        (archive(matrix=np.array([[None]], dtype=object)), "objects"),
        (archive(chances=[[1.0]]), "an array 'matrix'"),
        (archive(matrix=[1.0]), "two dimensions"),
        (archive(matrix=[[0.5, 0.5]], inputs=["a", "b"]), "as many inputs"),
        (archive(matrix=[[0.5, 0.5]], prior=[0.5, 0.5]), "as many chances"),
        (archive(matrix=[[0.5, np.nan]]), "expected a probability"),
        (archive(matrix=np.ones((200, 60))), "at most 10,000"),
        (archive(matrix=np.zeros((2000, 2000))), "more than 16,777,216 bytes"),
    ],
)
def test_an_archive_without_a_channel_is_told_in_a_line(data: bytes, told: str) -> None:
    with pytest.raises(NotImported, match=told):
        of_npz(data)


def test_asia_has_the_joint_law_of_its_tables() -> None:
    program = parse(of_bif(asia(), ["lung"], ["xray", "dysp"]))
    assert not program.checked.has_errors
    found = joint()
    places = {name: place for place, name in enumerate(PARENTS)}

    def marginal(*names: str) -> list[float]:
        sums: dict[tuple[bool, ...], float] = {}
        for values, chance in found.items():
            key = tuple(values[places[name]] for name in names)
            sums[key] = sums.get(key, 0) + chance
        return list(sums.values())

    for one, other in (("lung", "xray"), ("smoke", "dysp"), ("asia", "bronc")):
        expected = h(marginal(one)) + h(marginal(other)) - h(marginal(one, other))
        assert program.measure(f"I({one}; {other})").number == pytest.approx(expected, abs=1e-12)
    assert program.measure('P(dysp == "yes")').number == pytest.approx(0.4359706)


def test_one_long_table_varies_its_own_states_slowest() -> None:
    text = asia().replace("  (yes) 0.05, 0.95;\n  (no) 0.01, 0.99;", "  table 0.05, 0.01, 0.95, 0.99;")
    assert text != asia()
    assert parse(of_bif(text)).measure('P(tub == "yes")').number == pytest.approx(0.01 * 0.05 + 0.99 * 0.01)


@pytest.mark.parametrize(("states", "many"), [(2, 3), (4, 4)])
def test_tables_of_many_rows_become_branches_on_one_parent_after_the_other(states: int, many: int) -> None:
    rng = random.Random(states)
    parents, values = [f"p{number}" for number in range(many)], [f"s{number}" for number in range(states)]
    laws = [
        [0.25, 0.75],
        [0.125, 0.875],
        [1.0, 0.0],
        [0.3, 0.6999],
    ]  # few, so that rows are alike; the last one is rounded
    rows = {choice: rng.choice(laws) for choice in itertools.product(values, repeat=many)}
    weights = {parent: [rng.randint(1, 5) for _ in values] for parent in parents}
    text = "variable x { type discrete [2] { yes, no }; }\n"
    for parent, each in weights.items():
        chances = ", ".join(f"{one}/{sum(each)}" for one in each)
        text += f"variable {parent} {{ type discrete [{states}] {{ {', '.join(values)} }}; }}\n"
        text += f"probability ({parent}) {{ table {chances}; }}\n"
    told = "".join(f"({', '.join(choice)}) {row[0]}, {row[1]};\n" for choice, row in rows.items())
    program = parse(of_bif(f"{text}probability (x | {', '.join(parents)}) {{\n{told}}}\n"))

    def chance(choice: tuple[str, ...]) -> float:
        shares = (
            weights[each][values.index(state)] / sum(weights[each]) for each, state in zip(parents, choice, strict=True)
        )
        return math.prod(shares) * rows[choice][0] / sum(rows[choice])

    assert program.measure('P(x == "yes")').number == pytest.approx(sum(map(chance, rows)), abs=1e-12)
    for parent, state in zip(parents, values, strict=False):
        expected = sum(chance(choice) for choice in rows if choice[parents.index(parent)] == state)
        assert program.measure(f'P(x == "yes" and {parent} == "{state}")').number == pytest.approx(expected, abs=1e-12)


def test_only_what_is_asked_for_depends_on() -> None:
    whole, part = of_bif(asia(), ["lung"], ["bronc"]), of_bif(asia(), ["lung"], ["bronc"], only=True)
    assert part.count("~") < whole.count("~")
    assert {line.split(" ~ ")[0].strip() for line in part.splitlines() if "~" in line} == {"smoke", "lung", "bronc"}
    assert parse(part).measure("I(lung; bronc)").number == pytest.approx(
        parse(whole).measure("I(lung; bronc)").number, abs=1e-15
    )


def test_decimals_stay_decimals() -> None:
    assert "y ~ {1: 0.05, 2: 1/3, 3: 37/60}" in of_csv("x,1,2,3\n1,0.05,1/3,37/60\n")
    assert "y ~ {1: 0.000000001, 2: 0.999999999}" in of_csv("x,1,2\n1,1e-9,0.999999999\n")


def test_rounded_rows_are_divided_by_their_sum() -> None:
    program = parse(of_csv("x,1,2,3\n1,0.3333,0.3333,0.3333\n"))
    assert program.measure("P(y == 3)").exact == pytest.approx(1 / 3)


def test_names_of_a_network_become_names_of_a_program() -> None:
    text = "variable if { type discrete [2] { a, b }; }\nprobability (if) { table 0.5, 0.5; }\nvariable x-1 { type discrete [2] { a, b }; }\nprobability (x-1 | if) { default 0.25, 0.75; }\n"
    assert parse(of_bif(text)).measure('P(x_1 == "a")').number == 0.25


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected a header"),
        ("x,a\n1,0.5\n", "come to 0.5"),
        ("x,a,b\n1,1\n", "expected 3 cells"),
        ("x,a,b\n1,2,-1\n", "expected a probability"),
        ("x,a,b\n1,1/0,1\n", "expected a probability"),
        ("x,a,1\n1,1,0\n", "one kind"),
        ("x,a,a\n1,1,0\n", "twice"),
        ("0.9,0.1\n0.2,0.8\n", "expected a header"),
        ('x,"a\x1b",b\n1,1,0\n', "expected a name"),
    ],
)
def test_what_is_no_channel_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(NotImported, match=told):
        of_csv(text)


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "[]",
        '{"inputs": [1], "outputs": [1], "matrix": [1]}',
        '{"inputs": [1], "outputs": [1], "matrix": [[1]], "prior": "1"}',
        "[" * 50_000,
    ],
)
def test_what_is_no_channel_in_json(text: str) -> None:
    with pytest.raises(NotImported):
        of_json(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("net", "expected 'network'"),
        ("variable a {", "the text ends"),
        ("variable a { type discrete [2] { x, x }; }", "different states"),
        ("variable a { type discrete [2] { x, y }; }", "no probabilities"),
        ("variable a { type discrete [2] { x, y }; } probability (a | a) { default 1, 0; }", "depends on itself"),
        ("variable a { type discrete [2] { x, y }; } probability (a | b) { default 1, 0; }", "is no variable"),
        ("variable a { type discrete [2] { x, y }; } probability (a) { table 1; }", "expected 2"),
    ],
)
def test_what_is_no_network_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(NotImported, match=told):
        of_bif(text)


def test_the_command_prints_a_program_that_can_be_checked(tmp_path: Path) -> None:
    tree(tmp_path, {"asia.bif": asia(), "c.csv": CHANNEL, "bad.csv": "x\n"})
    told = run("import", "asia.bif", "--secret", "lung", "--output", "xray", inside=tmp_path)
    assert told.exit_code == 0
    assert told.stdout.startswith("secret lung\noutput xray\n")
    assert run("import", "c.csv", inside=tmp_path).stdout == of_csv(CHANNEL)
    assert run("import", "bad.csv", inside=tmp_path).exit_code == 1
    (tmp_path / "c.npz").write_bytes(archive(matrix=[[1.0]]))
    assert "y ~ {0: 1}" in run("import", "c.npz", inside=tmp_path).stdout
    assert run("import", "c.csv", "--secret", "x", inside=tmp_path).exit_code == 2
    assert "xray" not in run("import", "asia.bif", "--output", "lung", "--only", inside=tmp_path).stdout
    assert run("import", "asia.bif", "--only", inside=tmp_path).exit_code == 2
    states, chances = (", ".join(each) for each in ([f"s{number:098}" for number in range(9_200)], ["1/9200"] * 9_200))
    large = f"variable a {{ type discrete [ 9200 ] {{ {states} }}; }}\nprobability ( a ) {{ table {chances}; }}\n"
    (tmp_path / "large.bif").write_text(large, encoding="utf-8")
    told = run("import", "large.bif", inside=tmp_path)
    assert told.exit_code == 1
    assert "at most 1,000,000 are read; declare what you ask for, with --only" in told.stderr
    assert run("import", "c.txt", inside=tmp_path).exit_code == 2
