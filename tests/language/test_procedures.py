"""Calls of procedures in each other and beside each other, how deep they may be, and where their values may stand."""

from __future__ import annotations

from fractions import Fraction

import pytest

import seepage


def errors(text: str) -> list[str]:
    return [one.rule.code for one in seepage.parse(text).diagnostics if one.is_error]


def test_a_procedure_is_called_twice_in_one_expression() -> None:
    text = "def f(x) { return x * x + 1 }\na ~ uniform_int(0, 2)\nb ~ uniform_int(0, 1)\nc := f(a) + f(b) * f(f(a))\n"
    values = [(a * a + 1) + (b * b + 1) * ((a * a + 1) ** 2 + 1) for a in range(3) for b in range(2)]

    assert errors(text) == []
    assert seepage.parse(text).measure("E(c)").exact == seepage.parse(f"c := {sum(values)}/6").measure("E(c)").exact


@pytest.mark.parametrize("depth", [40, 300, 2_000])
@pytest.mark.parametrize("call", ["f({})", "1 + f({})"])
def test_a_depth_is_followed_or_told(depth: int, call: str) -> None:
    text = f"def f(x) {{ if x <= 0 {{ return 0 }} return 1 + f(x - 1) }}\na := {call.format(depth)}\n"
    found = errors(text)

    assert found in ([], ["SEEP118"])
    assert found == [] or depth > 40
    assert found != [] or seepage.parse(text).measure("E(a)").exact == depth + (1 if call.startswith("1") else 0)


def test_an_argument_that_is_a_number_sizes_loops_and_arrays() -> None:
    text = "const n = 3\ndef sums(k, x) { t[0] := 0 for i in 1..k { t[i] := t[i - 1] + x } return t[k] }\na ~ flip(1/2)\nb := sums(n, a)\n"

    assert errors(text) == []
    assert seepage.parse(text).measure("E(b)").exact == seepage.parse("b := 3/2").measure("E(b)").exact


def test_an_argument_that_the_procedure_assigns_is_a_variable_of_its_own() -> None:
    text = "def f(x) { x := x + 1 return x }\na := f(3)\nb := 3 + f(a)\n"

    assert seepage.parse(text).measure("E(10*a + b)").exact == 48


def test_arrays_are_returned() -> None:
    text = (
        "def pair(x) { y ~ flip(1/4) return x + y, [x, y] }\ndef kept(xs) { return [x + 1 for x in xs] }\n"
        "a ~ flip(1/2)\nc, b ~ pair(a)\nd := kept(b)\nm[1] := 7\n"
    )
    program = seepage.parse(text)

    assert errors(text) == []
    assert program.measure("P(b[0] + b[1] == c)").exact == 1
    assert program.measure("E(8*d[0] + 4*d[1])").exact == 17
    assert program.measure("I(b; c)").value == program.measure("H(c)").value


def test_constants_of_arrays_and_enumerations_stand_in_domains() -> None:
    text = "const end = [1/4, 3/4]\nparam p in [0, end[1]] = end[0]\nx ~ flip(p)\nrequire P(x) <= 3/4 over p in [0, end[1]]\n"
    program = seepage.parse(text)

    assert errors(text) == []
    assert [one.verdict for one in program.analyze().answers] == ["holds"]
    with pytest.raises(seepage.MeasureError):
        program.measure("P(x)", params={"p": "4/5"})


def test_what_is_told_of_random_recursion_is_the_loop_that_draws_the_same() -> None:
    again = "def f(k) { x ~ uniform_int(0, 5)  if x < k { y ~ f(k)  return y }  return x }\ns ~ uniform_int(0, 3)\no ~ f(s)\n"
    (told,) = [one for one in seepage.parse(again).diagnostics if one.is_error]
    assert told.rule.code == "SEEP118"
    assert "'repeat { … } until …'" in told.message

    loop = "def f(k) { repeat { x ~ uniform_int(0, 5) } until x >= k  return x }\ns ~ uniform_int(0, 3)\no ~ f(s)\n"
    # Uniform on k … 5 for each k.
    assert seepage.parse(loop).measure("E(o)").value == (5 / 2 + 3 + 7 / 2 + 4) / 4


CALLED = """
def first(xs, a) {
    found := 3
    for i in 0..2 {
        if xs[i] != a { continue }
        found := i
        break
    }
    return found
}
def changed(xs, a) { xs[a] := 5 xs[0] := xs[0] + 1 return 10*xs[0] + xs[2] }
xs := [2, 0, 2]
x ~ uniform_int(0, 2)
y := 1 + first(xs, x)
z := 1 + changed(xs, x)
xs[length(xs) - 1] := x
"""


def test_procedures_in_expressions_leave_loops_and_assign_elements() -> None:
    program = seepage.parse(CALLED)
    first, changed = {0: 1, 1: 3, 2: 0}, {0: 62, 1: 32, 2: 35}
    for x in range(3):
        assert program.measure(f"P(y == {1 + first[x]} and z == {1 + changed[x]} and xs[2] == {x})").exact == Fraction(
            1, 3
        )


def test_a_value_that_doubles_with_each_step_is_refused() -> None:
    steps = "".join("    c := (if c > a then c + a else c * a)\n" for _ in range(40))
    text = f"def f(a) {{\n    c := a\n{steps}    return c\n}}\nx ~ uniform_int(1, 3)\ny := 1 + f(x)\n"
    (found,) = [one for one in seepage.parse(text).diagnostics if one.is_error]
    assert found.rule.code == "SEEP901"
    assert "line of its own" in found.message
    assert seepage.parse(text.replace("1 + f", "f")).measure("P(y == 1)").value == pytest.approx(1 / 3)


TWICE = "def f(n) {{ if n <= 0 {{ return 0 }} a ~ f(n - 1) b ~ f(n - 1) c ~ flip(1/3) return (a + b + c) % 2 }}\no ~ f({})\nz ~ flip(1/4)\n"


def test_a_procedure_that_draws_itself_twice_draws_independently() -> None:
    coins = 2**4 - 1

    assert seepage.parse(TWICE.format(4)).measure("P(o == 1)").exact == (1 - Fraction(1, 3) ** coins) / 2


def test_a_procedure_that_draws_itself_twice_too_often_is_refused_alone() -> None:
    program = seepage.parse(TWICE.format(30))
    (found,) = [one for one in program.diagnostics if one.is_error]

    assert found.rule.code == "SEEP902"
    assert program.source.text[found.span.start : found.span.end] == "f(30)"
    # At depth 0 the branch and its result; above the branch, the coin, the result and two draws, each with all that it becomes.
    statements = 2
    for _ in range(30):
        statements = 5 + 2 * statements
    assert f"{statements:,} statements" in found.message


def test_arrays_of_one_procedure_that_is_called_twice_alike_are_apart() -> None:
    text = "def pair(n) { x ~ uniform_int(0, n) return [x, x + 1] }\ndef both(n) { a ~ pair(n) b ~ pair(n) return a[0] + b[1] }\no ~ both(1)\np ~ both(1)\n"

    assert [seepage.parse(text).measure(f"P(o + p == {k})").exact for k in range(2, 7)] == [
        Fraction(count, 16) for count in (1, 4, 6, 4, 1)
    ]


def test_a_procedure_that_never_ends_is_told_once() -> None:
    program = seepage.parse("def f(x) { return f(x + 1) }\na := f(1)\n")
    (found,) = [one for one in program.diagnostics if one.is_error]

    assert (found.rule.code, "on every path" in found.message) == ("SEEP118", True)
