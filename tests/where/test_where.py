"""Where programs leak whose culprit is known: by closed forms, and against programs that are edited by hand and asked anew."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.checking.trees import run, tree

from seepage.program import MeasureError, Program, parse
from seepage.where import MOST_STATEMENTS, MOST_VALUES, StatementTold, Told, Where

EXAMPLES = Path(__file__).parents[2] / "examples"
XOR = "secret s\noutput a, b\ns ~ bernoulli(1/2)\nk ~ bernoulli(1/2)\na := s xor k\nb := k\n"


def h(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def found(text: str, measure: str) -> tuple[Program, Where]:
    program = parse(text)
    return program, program.where(measure)


def statement(text: str, measure: str, start: str) -> StatementTold:
    program, where = found(text, measure)
    (one,) = (each for each in where.statements if program.source.text[each.span.start :].startswith(start))
    return one


def number(told: Told | None) -> float:
    assert told is not None
    assert told.result is not None
    return told.result.number


def test_of_an_xor_no_output_tells_anything_and_the_key_hides_all() -> None:
    text = XOR.replace("output a, b", "output a").replace("b := k\n", "")
    key = statement(text, "I(s; a)", "k ~")
    assert [(each.detail, number(each.told)) for each in key.variants] == [("k = 0", 1.0), ("k = 1", 1.0)]
    falls, rises = found(text, "I(s; a)")[1].moves(key)
    assert falls == 0
    assert rises == pytest.approx(1.0)


def test_of_an_xor_with_its_key_the_pair_tells_what_no_single_output_does() -> None:
    _, where = found(XOR, "I(s; a, b)")
    assert [(each.outputs, number(each.told)) for each in where.singles] == [(("a",), 0.0), (("b",), 0.0)]
    assert where.whole.number == 1
    falls = {each.span.start: where.moves(each)[0] for each in where.statements if where.moves(each)[0]}
    assert falls == {XOR.index("a :="): pytest.approx(1.0), XOR.index("b :="): pytest.approx(1.0)}


def test_the_pair_that_leaks_is_found_among_three() -> None:
    text = XOR.replace("output a, b", "output a, b, c") + "c ~ bernoulli(1/3)\n"
    _, where = found(text, "I(s; a, b, c)")
    assert {each.outputs: number(each.told) for each in where.pairs} == {
        ("a", "b"): 1.0,
        ("a", "c"): 0.0,
        ("b", "c"): 0.0,
    }


def test_up_to_each_statement_the_later_ones_are_not_there() -> None:
    _, where = found(XOR, "I(s; a, b)")
    told = {XOR[each.span.start : each.span.end]: each.up_to for each in where.statements}
    assert told["s ~ bernoulli(1/2)"] is not None
    assert told["s ~ bernoulli(1/2)"].result is None
    assert number(told["a := s xor k"]) == 0
    assert number(told["b := k"]) == 1


def test_monty_hall_by_hand() -> None:
    """Doors: with the host's choice fixed, the door is a function of the car; with 'else' always taken, it tells the car."""
    text = (EXAMPLES / "monty-hall.seep").read_text()
    branch, draw, other = (statement(text, "I(car; door)", start) for start in ("if car", "door ~", "door := 5"))
    assert [number(each.told) for each in branch.variants] == pytest.approx([0, math.log2(3)])
    assert [number(each.told) for each in draw.variants] == pytest.approx([h(1 / 3)] * 2)
    assert [number(each.told) for each in other.variants] == pytest.approx([h(1 / 6) - 1 / 3] * 2)


def test_the_coins_of_the_cryptographers_hide_two_bits() -> None:
    text = (EXAMPLES / "dining-cryptographers.seep").read_text()
    coins = statement(text, "I(who; a)", "coin[i] ~")
    assert [number(each.told) for each in coins.variants] == pytest.approx([2.0, 2.0])


@pytest.mark.parametrize(
    ("start", "edited"),
    [
        ("if s > 1", {"then": "o := s", "else if, line 5": "o := 7", "else": "o := 0"}),
        ("n ~", {"n = 0": "n := 0", "n = 1": "n := 1"}),
        ("observe", {"": "skip"}),
    ],
)
def test_variants_are_the_programs_that_people_would_write(start: str, edited: dict[str, str]) -> None:
    lines = {
        "if s > 1": "if s > 1 { o := s } // then\n  else if s == 1 { o := 7 } else { o := 0 }",
        "n ~": "n ~ bernoulli(1/3)",
        "observe": "observe s + n < 5",
    }
    head = "secret s\noutput o\ns ~ uniform_int(0, 5)\n"

    def text(edits: dict[str, str]) -> str:
        return head + "\n".join({**lines, **edits}.values()) + "\no := o + n\n"

    one = statement(text({}), "I(s; o)", start)
    expected = {detail: parse(text({start: new})).measure("I(s; o)").number for detail, new in edited.items()}
    assert {each.detail: number(each.told) for each in one.variants} == pytest.approx(expected)


def test_values_that_are_many_are_taken_here_and_there_with_both_ends() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\nn ~ uniform_int(0, 99)\no := s + n\n"
    draw = statement(text, "I(s; o)", "n ~")
    assert len(draw.variants) == MOST_VALUES
    assert (draw.variants[0].detail, draw.variants[-1].detail) == ("n = 0", "n = 99")
    assert draw.note == "fixed at 5 of 100 values"


def test_noise_that_is_continuous_is_fixed_at_its_mean() -> None:
    text = "secret s\noutput o\ns ~ normal(0, 1)\nn ~ normal(3, 1)\no := s + n\n"
    noise = statement(text, "I(s; o)", "n ~")
    assert [each.detail for each in noise.variants] == ["n = 3"]
    assert noise.without == (math.inf, math.inf)


def test_what_stands_for_several_statements_is_told_and_not_changed() -> None:
    text = "def f(x) { return x * 2 }\nsecret s\noutput o\ns ~ uniform_int(0, 3)\no := f(s)\n"
    call = statement(text, "I(s; o)", "o := f")
    assert call.variants == ()
    assert "other statements" in call.note
    assert number(call.up_to) == 2


def test_other_measures_are_told_without_outputs() -> None:
    _, where = found(XOR, "H(a)")
    assert where.singles == where.pairs == ()
    assert all(each.up_to is None for each in where.statements)


def test_a_program_with_a_fault_has_no_answer() -> None:
    with pytest.raises(MeasureError):
        found("secret s\noutput o\ns ~ bernoulli(1/2)\no := s + u\n", "I(s; o)")


def test_long_programs_are_told_at_their_beginning() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\n" + "".join(f"x{n} := {n}\n" for n in range(80)) + "o := s\n"
    program = parse(text)
    assert len(program.where("H(s)", seconds=2.0).statements) == MOST_STATEMENTS


# --- the command ------------------------------------------------------------------------------------------------------


def test_without_a_measure_each_secret_is_asked_about(tmp_path: Path) -> None:
    tree(tmp_path, {"x.seep": XOR.replace("secret s", "secret s, k")})
    told = run("explain", "x.seep", "--where", "--format", "json", inside=tmp_path)
    assert [each["measure"] for each in json.loads(told.stdout)] == ["I(s; a, b)", "I(k; a, b)"]


def test_the_table_says_that_the_numbers_do_not_add_up(tmp_path: Path) -> None:
    tree(tmp_path, {"x.seep": XOR})
    told = run("explain", "x.seep", "I(s; a, b)", "--where", inside=tmp_path)
    assert told.exit_code == 0
    assert "they are no shares, and do not add up" in told.stdout
    assert any(line.split()[:2] == ["5", "a"] and "▼ 1 bit" in line for line in told.stdout.splitlines())


@pytest.mark.parametrize(
    "arguments", [("x.seep",), ("x.seep", "--where", "--how"), ("x.seep", "--where", "--format", "latex")]
)
def test_wrong_use(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    tree(tmp_path, {"x.seep": XOR})
    assert run("explain", *arguments, inside=tmp_path).exit_code == 2
