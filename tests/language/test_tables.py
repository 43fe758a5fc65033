"""Measures of tables against groups that are counted row by row, with nothing but dictionaries."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import exp, floor, log2
from operator import itemgetter

import pytest

import seepage
from seepage.files import Folder

Row = dict[str, int | str]
Masses = dict[tuple[Hashable, Hashable], Fraction]


def some_rows(seed: int, count: int) -> list[Row]:
    chance = random.Random(seed)
    return [
        {
            "who": f"p{chance.randint(0, count)}",
            "age": chance.randint(-5, 90),
            "zip": chance.choice(["01234", "01277", "x 9", "9,9"]),
            "ill": chance.choice(["flu", "", "none"]),
            "n": chance.randint(0, 5),
        }
        for _ in range(count)
    ]


def loaded(text: str, **tables: Sequence[Row]) -> seepage.Program:
    files = []
    for name, rows in tables.items():
        cell = [
            '"{}"'.format(str(value).replace('"', '""')) if "," in str(value) else str(value)
            for row in rows
            for value in row.values()
        ]
        width = len(rows[0])
        lines = [",".join(rows[0]), *(",".join(cell[at : at + width]) for at in range(0, len(cell), width))]
        files.append((f"/{name}.csv", "\n".join(lines) + "\n"))
    program = seepage.parse(text, files=Folder("/", supplied=tuple(files)))
    assert not [one.message for one in program.diagnostics if one.is_error]
    return program


def joint(
    rows: Sequence[Row], x: Callable[[Row], Hashable], o: Callable[[Row], Hashable], weight: str | None = None
) -> Masses:
    total = sum(int(row[weight]) for row in rows) if weight else len(rows)
    masses: Masses = {}
    for row in rows:
        share = Fraction(int(row[weight]) if weight else 1, total)
        if share:
            masses[x(row), o(row)] = masses.get((x(row), o(row)), Fraction(0)) + share
    return masses


def marginal(masses: Masses, side: int) -> dict[Hashable, Fraction]:
    found: dict[Hashable, Fraction] = {}
    for key, mass in masses.items():
        found[key[side]] = found.get(key[side], Fraction(0)) + mass
    return found


def information(masses: Masses) -> float:
    x, o = marginal(masses, 0), marginal(masses, 1)
    return sum(float(mass) * log2(mass / (x[key[0]] * o[key[1]])) for key, mass in masses.items())


def vulnerability(masses: Masses) -> Fraction:
    best: dict[Hashable, Fraction] = {}
    for (_, seen), mass in masses.items():
        best[seen] = max(best.get(seen, Fraction(0)), mass)
    return sum(best.values(), Fraction(0))


def guesses(masses: Masses) -> Fraction:
    by_seen: dict[Hashable, list[Fraction]] = {}
    for (_, seen), mass in masses.items():
        by_seen.setdefault(seen, []).append(mass)
    return sum(
        (place * mass for each in by_seen.values() for place, mass in enumerate(sorted(each, reverse=True), 1)),
        Fraction(0),
    )


PROGRAM = """
table people from "people.csv"{weight}
secret who, ill
output decade, area
row ~ people
who := row.who
ill := row.ill
decade := floor(row.age / 10)
area := row.zip in {{"01234", "01277"}}
"""


@pytest.mark.parametrize(
    ("seed", "count", "weight"),
    [(1, 3, None), (1, 3, "n"), (2, 40, None), (2, 40, "n"), (3, 400, None), (4, 3_000, "n")],
)
def test_measures_are_those_of_groups(seed: int, count: int, weight: str | None) -> None:
    rows = some_rows(seed, count)
    program = loaded(PROGRAM.format(weight="" if weight is None else f" weight {weight}"), people=rows)

    def seen(row: Row) -> Hashable:
        return floor(Fraction(int(row["age"]), 10)), str(row["zip"]).startswith("012")

    for secret in ("who", "ill"):
        masses = joint(rows, itemgetter(secret), seen, weight)
        assert program.measure(f"I({secret}; decade, area)").value == pytest.approx(information(masses), abs=1e-12)
        assert program.measure(f"V({secret} | decade, area)").exact == vulnerability(masses)
        assert program.measure(f"Guess({secret} | decade, area)").exact == guesses(masses)
        assert program.measure(f"H({secret} | decade, area)").value == pytest.approx(
            information({((a, b), (a, b)): mass for (a, b), mass in masses.items()})
            - information({(b, b): mass for b, mass in marginal(masses, 1).items()}),
            abs=1e-12,
        )


@pytest.mark.parametrize("count", [30, 2_000])
def test_observing_keeps_the_rows_that_pass(count: int) -> None:
    rows = some_rows(7, count)
    program = loaded(PROGRAM.format(weight="") + 'observe row.age >= 18 and row.ill != ""\n', people=rows)
    kept = [row for row in rows if int(row["age"]) >= 18 and row["ill"]]

    assert program.measure("E(row.age)").exact == Fraction(sum(int(row["age"]) for row in kept), len(kept))
    assert program.measure('P(ill == "flu")').exact == Fraction(sum(row["ill"] == "flu" for row in kept), len(kept))
    assert program.measure('P(ill == "")').exact == 0
    by_age = Counter(int(row["age"]) for row in kept)
    found = -sum(one / len(kept) * log2(one / len(kept)) for one in by_age.values())
    assert program.measure("H(row.age)").value == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("count", [20, 1_500])
def test_two_draws_are_independent(count: int) -> None:
    rows = some_rows(11, count)
    program = loaded('table people from "people.csv"\na ~ people\nb ~ people\nsame := a.zip == b.zip\n', people=rows)
    zips = Counter(row["zip"] for row in rows)

    assert program.measure("P(same)").exact == Fraction(sum(one**2 for one in zips.values()), count**2)
    assert program.measure("I(a.who; b.who)").exact == 0


def test_two_releases_are_linked() -> None:
    """A second table of ages: the one whose age is drawn first is found among those of that age in the other."""
    rows, others = some_rows(13, 25), some_rows(14, 60)
    program = loaded(
        'table one from "one.csv"\ntable other from "other.csv"\na ~ one\nb ~ other\nobserve a.age == b.age\n',
        one=rows,
        other=others,
    )
    pairs = Counter(other["who"] for row in rows for other in others if row["age"] == other["age"])

    assert program.measure("V(b.who)").exact == Fraction(max(pairs.values()), pairs.total())


@pytest.mark.parametrize("count", [12, 2_500])
def test_answers_that_lie_have_the_chances_of_their_rows(count: int) -> None:
    """A chance that is no rational number: weights are balls then, in tables of states, too."""
    rows = some_rows(17, count)
    program = loaded(
        'table people from "people.csv"\nrow ~ people\nx := row.ill == "flu"\nt ~ flip(exp(1) / (exp(1) + 1))\no := if t then x else !x\n'
        "both := row.age + 100 * o\n",
        people=rows,
    )
    ill = sum(row["ill"] == "flu" for row in rows) / count
    truth = exp(1) / (exp(1) + 1)

    assert program.measure("P(o)").value == pytest.approx(ill * truth + (1 - ill) * (1 - truth), abs=1e-12)
    ages = sum(int(row["age"]) for row in rows) / count
    assert program.measure("E(both)").value == pytest.approx(
        ages + 100 * (ill * truth + (1 - ill) * (1 - truth)), abs=1e-9
    )


def test_a_noisy_value_of_a_row_is_told_within_its_noise() -> None:
    """With noise of any size, what is told is less than without; with little noise, nearly as much."""
    rows = some_rows(19, 8)
    program = loaded(
        'table people from "people.csv"\nparam size = 1\nrow ~ people\nx := row.age\no ~ normal(x, size)\n', people=rows
    )
    whole = program.measure("H(x)").value

    assert whole is not None
    assert program.measure("I(x; o)").upper < whole
    assert program.measure("I(x; o)", params={"size": "1/10000"}).value == pytest.approx(whole, abs=1e-6)


def test_rows_in_arrays_and_procedures() -> None:
    rows = some_rows(23, 9)
    program = loaded(
        'table people from "people.csv"\n'
        "def age_of_one() { r ~ people return r.age }\n"
        "for i in 1..2 { p[i] ~ people }\ns := p[1].age + p[2].age\nc ~ age_of_one()\nn := length(people)\n",
        people=rows,
    )
    mean = Fraction(sum(int(row["age"]) for row in rows), len(rows))

    assert program.measure("E(s)").exact == 2 * mean
    assert program.measure("E(c)").exact == mean
    assert program.measure("E(n)").exact == len(rows)


def test_a_draw_in_a_branch() -> None:
    rows, others = some_rows(29, 7), some_rows(30, 9)
    program = loaded(
        'table one from "one.csv"\ntable other from "other.csv"\nb ~ flip(1/4)\nif b { r ~ one } else { r ~ other }\nx := r.age\n',
        one=rows,
        other=others,
    )
    first, second = (Fraction(sum(int(row["age"]) for row in each), len(each)) for each in (rows, others))

    assert program.measure("E(x)").exact == first / 4 + second * 3 / 4


def test_a_text_alone_reads_no_table() -> None:
    (found,) = seepage.parse('table people from "people.csv"\nrow ~ people\nx := row.age\nshow H(x)\n').diagnostics

    assert found.rule.code == "SEEP211"
    assert "a text without a folder" in found.message


def test_a_row_is_drawn_among_those_for_which_something_holds() -> None:
    files = Folder("/", supplied=(("/people.csv", "age,name\n1,ann\n2,bob\n3,cat\n2,dan\n"),))
    text = 'table people from "people.csv"\nk ~ uniform_int(0, 1)\nr ~ people given r.age > 1 + k\nx := r.age\n'
    program = seepage.parse(text, files=files)

    assert program.measure("P(x == 3)").exact == Fraction(1, 2) * Fraction(1, 3) + Fraction(1, 2)
    assert program.measure('P(r.name == "bob")').exact == Fraction(1, 6)


@pytest.mark.parametrize(
    "text",
    [
        'import "inner/lib.seep" as lib\nrow ~ lib.people\nx := floor(row.age / lib.ten)\nn := length(lib.people)\n',
        'import people, ten from "inner/lib.seep"\nrow ~ people\nx := floor(row.age / ten)\nn := length(people)\n',
    ],
)
def test_a_table_is_had_from_a_module_beside_which_it_lies(text: str) -> None:
    lib = 'table people from "people.csv"\nconst ten = 10\n'
    files = (("/inner/lib.seep", lib), ("/inner/people.csv", "age\n12\n19\n35\n"))
    program = seepage.parse(text, files=Folder("/", supplied=files))

    assert not [one.message for one in program.diagnostics if one.is_error]
    assert program.measure("E(x)").exact == Fraction(5, 3)
    assert program.measure("E(n)").exact == 3


def test_what_is_wrong_with_a_table_of_a_module_is_told_at_the_import() -> None:
    files = Folder("/", supplied=(("/lib.seep", 'table people from "people.csv"\n'),))
    program = seepage.parse('import people from "lib.seep"\nrow ~ people\nx := row.age\n', files=files)

    assert [one.message for one in program.diagnostics if one.is_error] == [
        "in 'lib.seep', line 1: 'people.csv' is not found"
    ]


def test_noise_of_laplace_on_a_cell_tells_what_a_sum_over_a_fine_grid_tells() -> None:
    # Cells of a hundredth end where densities have their corners, and where one overtakes another.
    ages, size, steps, low, high = [34, 36, 41, 41, 58], 2.0, 13_000, -20.0, 110.0
    program = loaded(
        f'table people from "people.csv"\nrow ~ people\nx := row.age\no ~ laplace(x, {size})\n',
        people=[{"age": age, "other": number} for number, age in enumerate(ages)],
    )
    width = (high - low) / steps
    grid = [low + (step + 0.5) * width for step in range(steps)]
    seen = [[exp(-abs(at - age) / size) / (2 * size) / len(ages) for age in ages] for at in grid]
    of_age = [
        [sum(part for part, own in zip(each, ages, strict=True) if own == age) for age in set(ages)] for each in seen
    ]
    entropy = -sum(sum(each) * log2(sum(each)) for each in seen) * width

    assert program.measure("I(x; o)").value == pytest.approx(entropy - log2(2 * size * exp(1)), abs=1e-5)
    assert program.measure("V(x | o)").value == pytest.approx(sum(map(max, of_age)) * width, abs=1e-5)


@pytest.mark.parametrize("cells", ["-1", "x", "", "0"])
def test_weights_that_are_none_leave_no_number(cells: str) -> None:
    """Nothing else stands in the place of what was meant, as equal weights did where one was negative."""
    files = Folder("/", supplied=(("/people.csv", f"who,n\na,{cells}\nb,{0 if cells == '0' else 2}\n"),))
    program = seepage.parse(
        'table people from "people.csv" weight n\nsecret who\nrow ~ people\nwho := row.who\nshow H(who)\n', files=files
    )

    assert len([one for one in program.diagnostics if one.is_error]) == 1
    with pytest.raises(seepage.MeasureError):
        program.measure("H(who)")
    assert all(answer.result is None for answer in program.analyze().answers)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_told_to_be_never_equal_is_equal_in_no_row(seed: int) -> None:
    """And what is equal in no row is told, but for numbers, which may be limits, and cells that may be missing."""
    chance = random.Random(seed)
    kinds = (["1", "2", "3"], ["x", "y", "1"], ["true", "false"], ["1", "", "x"], ["2", ""])
    texts = {name: chance.choice(kinds) for name in "abcd"}
    rows: list[Row] = [
        {**{name: chance.choice(texts[name]) for name in "abcd"}, "e": "-"} for _ in range(chance.randint(1, 4))
    ]
    asked: list[tuple[str, str]] = []
    for _ in range(8):
        name = chance.choice("abcd")
        other = chance.choice(["1", "4", "true", '"x"', '"1"', '"z"', '""', *(f"r.{one}" for one in "abcd")])
        asked.append((f"r.{name} == {other}", f"n{len(asked)}"))
    text = 'table people from "people.csv"\nr ~ people\n' + "".join(
        f"{variable} := {comparison}\n" for comparison, variable in asked
    )
    program = loaded(text, people=rows)
    told = {text[one.span.start : one.span.end] for one in program.diagnostics if one.rule.code == "SEEP259"}

    for comparison, variable in asked:
        never = program.measure(f"P({variable})").exact == 0
        assert never or comparison not in told
        if comparison.endswith(('"x"', '"1"', '"z"')):
            assert never == (comparison in told), comparison


def test_beside_a_number_stands_what_no_cell_equals() -> None:
    program = loaded(
        'table people from "people.csv"\nsecret s\noutput o\nr ~ people\ns := r.a\no := s == "1"\n',
        people=[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
    )
    of_program = "no cell of 'a' in 'people.csv' equals the text '1': it holds numbers (line 6)"

    assert program.measure("I(s; o)").notes == (of_program,)
    assert program.measure('P(r.b == "z")').notes == (of_program, "no cell of 'b' in 'people.csv' equals the text 'z'")
    assert program.measure('P(r.b == "x")').exact == Fraction(1, 2)
