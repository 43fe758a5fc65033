"""Chains of PRISM and programs of PSI, against closed forms, linear systems and sums that are written down here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.checking.trees import run, tree

from seepage.imports.prism import of_prism
from seepage.imports.psi import of_psi
from seepage.imports.writing import NotImported
from seepage.program import parse

DIE = """\
// a die from a fair coin
dtmc
module die
  s : [0..7] init 0;
  d : [0..6] init 0;
  [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
  [] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
  [] s=2 -> 0.5 : (s'=5) + 0.5 : (s'=6);
  [] s=3 -> 0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1);
  [] s=4 -> 0.5 : (s'=7) & (d'=2) + 0.5 : (s'=7) & (d'=3);
  [] s=5 -> 0.5 : (s'=7) & (d'=4) + 0.5 : (s'=7) & (d'=5);
  [] s=6 -> 0.5 : (s'=2) + 0.5 : (s'=7) & (d'=6);
  [] s=7 -> (s'=7);
endmodule
rewards "flips" s<7 : 1; endrewards
label "done" = s=7;
"""
RUIN = """\
dtmc
const int N = 5;
const double p;
module walk
  x : [0..N] init 2;
  [] x>0 & x<N -> p : (x'=x+1) + 1-p : (x'=x-1);
endmodule
"""
# Two modules that move on their own, then together: which of several enabled transitions is taken is uniform.
TOGETHER = """\
dtmc
const int N = 3;
const double p = 1/3;
formula full = x=N;
module a
  x : [0..N] init 1;
  ok : bool;
  [] x>0 & !full -> p : (x'=x+1) + 1-p : (x'=x-1);
  [go] !ok & full -> (ok'=true);
endmodule
module b
  y : [0..N];
  [] y<N & !full -> (y'=y+1);
  [go] y>0 -> 1/4 : (y'=0) + 3/4 : true;
endmodule
"""


def number(text: str, measure: str, **params: str) -> float:
    program = parse(text)
    assert not [each for each in program.diagnostics if each.is_error], text
    return program.measure(measure, params=params).number


def test_a_die_of_coins_is_fair() -> None:
    text = of_prism(DIE, outputs=["d"])
    assert [number(text, f"P(d == {face})") for face in range(7)] == pytest.approx([0, *[1 / 6] * 6])
    again = of_prism(DIE, outputs=["d"], until="done")
    assert number(again, "P(d == 3)") == pytest.approx(1 / 6)


@pytest.mark.parametrize("p", ["1/3", "1/2", "7/10"])
def test_gamblers_are_ruined_as_the_linear_system_says(p: str) -> None:
    text = of_prism(RUIN, outputs=["x"])
    up = float(Fraction(p))
    system, right = np.eye(6), np.zeros(6)
    right[5] = 1
    for x in range(1, 5):
        system[x, x + 1] -= up
        system[x, x - 1] -= 1 - up
    assert number(text, "P(x == 5)", p=p) == pytest.approx(np.linalg.solve(system, right)[2], abs=1e-12)


def test_rounded_chances_come_to_one() -> None:
    third = "0.33333333"
    text = of_prism(
        f"dtmc\nmodule a\n x : [0..3];\n [] x=0 -> {third}:(x'=1) + {third}:(x'=2) + {third}:(x'=3);\nendmodule"
    )
    assert number(text, "P(x == 2)") == pytest.approx(1 / 3, abs=1e-15)


State = tuple[int, int, int]  # x, ok, y


def together(state: State) -> list[Mapping[State, Fraction]]:
    """The transitions that are enabled in a state of TOGETHER."""
    x, ok, y = state
    found: list[Mapping[State, Fraction]] = []
    if 0 < x < 3:
        found.append({(x + 1, ok, y): Fraction(1, 3), (x - 1, ok, y): Fraction(2, 3)})
    if y < 3 and x < 3:
        found.append({(x, ok, y + 1): Fraction(1)})
    if not ok and x == 3 and y > 0:
        found.append({(x, 1, 0): Fraction(1, 4), (x, 1, y): Fraction(3, 4)})
    return found


def after(steps: int, enabled: Callable[[State], list[Mapping[State, Fraction]]]) -> Mapping[State, Fraction]:
    law: dict[State, Fraction] = {(1, 0, 0): Fraction(1)}
    for _ in range(steps):
        follow: dict[State, Fraction] = {}
        for state, chance in law.items():
            many = enabled(state) or [{state: Fraction(1)}]
            for one in many:
                for target, share in one.items():
                    follow[target] = follow.get(target, Fraction(0)) + chance * share / len(many)
        law = follow
    return law


def test_modules_that_move_together_have_the_law_of_the_product() -> None:
    ended = after(
        200, together
    )  # at most 2 + 3 + 1 steps change y and ok, and the walk between 0 and 3 has ended but for 1e-30
    text = of_prism(TOGETHER, outputs=["x", "ok", "y"])
    for state in {each for each in ended if not together(each)}:
        x, ok, y = state
        assert number(text, f"P(x == {x} and ok == {ok} and y == {y})") == pytest.approx(float(ended[state]), abs=1e-12)


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_a_number_of_steps_has_the_law_of_as_many(steps: int) -> None:
    text = of_prism(TOGETHER, outputs=["x", "ok", "y"], steps=steps)
    for (x, ok, y), chance in after(steps, together).items():
        assert number(text, f"P(x == {x} and ok == {ok} and y == {y})") == pytest.approx(float(chance), abs=1e-12)


def test_a_module_is_used_again_with_other_names_and_updates_read_old_values() -> None:
    text = """\
dtmc
module one
  a : [0..2] init 1;
  b : [0..2] init 2;
  [] n<3 -> 1/2 : (a'=b) & (b'=a) & (n'=n+1) + 1/2 : (n'=n+1);
endmodule
global n : [0..3];
module two = one [a=c, b=d, n=m] endmodule
global m : [0..3];
"""
    program = of_prism(text, outputs=["a", "c"])
    # Each pair is exchanged by each of three steps with chance 1/2: a is 1 as often as not, and independent of c.
    assert number(program, "P(a == 1 and b == 2)") == pytest.approx(1 / 2)
    assert number(program, "P(a == 1 and c == 2)") == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mdp\nmodule a\nendmodule\n", "line 1: models of kind 'mdp' are not imported"),
        ("module a\nendmodule\n", "line 1: expected a model that begins with 'dtmc'"),
        ("dtmc\ninit x=0 endinit\n", "line 2: 'init' is not imported"),
        ("dtmc\nconst int N;\nmodule a x:[0..N]; endmodule", "line 2: constant 'N' has no value"),
        ("dtmc\nmodule a\n x : [0..2];\n [] x<2 -> (x'=x+y);\nendmodule", "line 4: there is no variable, constant or formula 'y'"),
        ("dtmc\nmodule a\n x : [0..2];\n [] true -> (x'=x+1);\nendmodule", "line 4: 'x' gets the value 3, which is not in 0..2"),
        ("dtmc\nmodule a\n x : [0..2];\n [] x<2 -> 0.5:(x'=2) + 0.6:(x'=1);\nendmodule", "line 4: the chances come to 1.1"),
        ("dtmc\nconst double p = 3/2;\nmodule a\n x : [0..2];\n [] x<2 -> p:(x'=2) + 1-p:(x'=1);\nendmodule", "line 5: the chance 'p' is 3/2, expected a number between 0 and 1"),
        ("dtmc\nmodule a\n x : [0..1];\n [] true -> (x'=1-x);\nendmodule", "the chain never ends"),
        ("dtmc\nmodule a\n x : [0..2];\n [] true -> (x'=min(x+1,2));\nendmodule", "line 4: this command stays for ever at x = 2"),
        ("dtmc\nmodule a\n x : [0..1];\n [] x=0 => true -> (x'=1);\nendmodule", "line 4: found '=>'"),
        ("dtmc\nmodule a\n x : [0..1];\n [] round(x)=0 -> (x'=1);\nendmodule", "line 4: 'round' is not imported"),
        ("dtmc\nmodule a\n x : [0..1];\n", "line 3: the text ends, expected"),
        ("dtmc\nformula f = g;\nformula g = f;\nmodule a\n x:[0..1];\n [] f -> (x'=1);\nendmodule", "depends on itself"),
        ("dtmc\nmodule a\n x:[0..1000];\n y:[0..1000];\n [] true -> 0.5:(x'=mod(x+1,1001)) + 0.5:(y'=mod(y+1,1001));\nendmodule", "more than 20,000 states"),
        ("dtmc\nmodule a\n x:[0..1];\n [] " + "(" * 5000 + "x=0 -> (x'=1);\nendmodule", "line 4: the expression is nested too deeply"),
        ("dtmc\nmodule a\n x:[0..1];\n [] x=0 -> 1/x:(x'=1);\nendmodule", "line 4: division by zero"),
        ("\x00\x01", "line 1"),
    ],
)  # fmt: skip
def test_what_of_prism_is_not_imported_is_told_at_its_line(text: str, told: str) -> None:
    with pytest.raises(NotImported) as found:
        of_prism(text)
    assert told in str(found.value)
    assert "\n" not in str(found.value)


def test_an_end_that_no_state_is_has_another_one_asked_for() -> None:
    text = "dtmc\nmodule a\n x : [0..3];\n [] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);\n [] x>0 -> (x'=x);\nendmodule\n"

    with pytest.raises(NotImported, match="no reachable state is an end by --until: name another end"):
        of_prism(text, until="x=3")
    assert of_prism(text, until="x>1")
    assert of_prism(text, until="x=3", steps=2)


# --- PSI --------------------------------------------------------------------------------------------------------------

COINS = """\
def main() {
  n := 3; /* tosses */
  p := 0.3;
  s := uniformInt(0, 2);
  count := 0;
  for i in [0..n) {
    b := flip(p);
    if b && s > 0 { count += 1; } else if flip(1/2) == 1 { count = count + s; }
  }
  observe(count != 1);
  o := if count > 2 then 1 else categorical([1/2, 1/4, 0.25]);
  return (o, count % 2); // two outputs
}
"""


def coins() -> Mapping[tuple[int, int, int], Fraction]:
    """The joint law of s, o and count % 2, by hand."""
    laws: dict[tuple[int, int], Fraction] = {(s, 0): Fraction(1, 3) for s in range(3)}
    p = Fraction(3, 10)
    for _ in range(3):
        follow: dict[tuple[int, int], Fraction] = {}
        for (s, count), chance in laws.items():
            up = p if s > 0 else Fraction(0)
            for more, share in ((1, up), (s, (1 - up) / 2), (0, (1 - up) / 2)):
                follow[s, count + more] = follow.get((s, count + more), Fraction(0)) + chance * share
        laws = follow
    kept = {key: chance for key, chance in laws.items() if key[1] != 1}
    whole = sum(kept.values())
    found: dict[tuple[int, int, int], Fraction] = {}
    for (s, count), chance in kept.items():
        outputs = {1: Fraction(1)} if count > 2 else {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}
        for o, share in outputs.items():
            found[s, o, count % 2] = found.get((s, o, count % 2), Fraction(0)) + chance * share / whole
    return found


def test_a_program_of_psi_has_its_law() -> None:
    text = of_psi(COINS, secrets=["s"])
    assert "const n = 3\n" in text
    assert "secret s\noutput o, result_3\n" in text
    for (s, o, rest), chance in coins().items():
        assert number(text, f"P(s == {s} and o == {o} and result_3 == {rest})") == pytest.approx(
            float(chance), abs=1e-12
        )


def test_the_laws_of_psi_have_their_moments() -> None:
    laws = {"gauss(2, 9)": (2, 9), "uniform(1, 4)": (2.5, 0.75), "laplace(1, 2)": (1, 8), "exponential(4)": (1 / 4, 1 / 16),
            "binomial(4, 1/4)": (1, 0.75), "geometric(1/4)": (3, 12), "poisson(3)": (3, 3), "beta(2, 3)": (0.4, 0.04),
            "gamma(3, 2)": (1.5, 0.75)}  # fmt: skip
    for law, (mean, variance) in laws.items():
        text = of_psi(f"def main() {{ x := {law}; return x; }}")
        assert (number(text, "E(x)"), number(text, "Var(x)")) == pytest.approx((mean, variance)), law


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the text is empty"),
        ("def f(x) { return x; }", "line 1: found the function 'f'"),
        ("def main() {\n  x := [1, 2];\n}", "line 2: arrays are not imported"),
        ("def main() {\n  x := 1;\n  x[0] = 2;\n}", "line 3: arrays, calls and fields are not imported"),
        ("def main() {\n  while flip(1/2) { }\n}", "line 2: loops that end by chance"),
        ("def main() {\n  x := weibull(1, 2);\n}", "line 2: 'weibull' is not imported"),
        ("def main() {\n  x = 1;\n}", "line 2: 'x' is not declared"),
        ("def main() {\n  x := 1;\n  if x { x := 2; }\n}", "line 3: 'x' is declared again in a block"),
        ("def main() {\n  x := flip(1/2)\n  y := 1;\n}", "line 3: found 'y', expected ';'"),
        ("def main() {\n  x := flip(1/2, 3);\n}", "line 2: found 2 arguments, expected 1"),
        ("def main() {\n  return 1;\n  x := 1;\n}", "'return' before the end is not imported"),
        ("def main() {\n  x := 1;", "line 2: the text ends"),
        ("def main() { return 1; }\ndef g() { }", "line 2: only one function"),
        ("def main() {\n  x := " + "-" * 5000 + "1;\n}", "line 2: the expression is nested too deeply"),
        ("def main() {\n  x := " + "9" * 500 + ";\n}", "line 2: found a number of 500 digits"),
        ("def main() {\n" + "if 1 == 1 {" * 3000, "line 2: blocks are nested too deeply"),
    ],
)  # fmt: skip
def test_what_of_psi_is_not_imported_is_told_at_its_line(text: str, told: str) -> None:
    with pytest.raises(NotImported) as found:
        of_psi(text)
    assert told in str(found.value)
    assert "\n" not in str(found.value)


def test_a_draw_in_an_arm_is_drawn_where_the_arm_is_taken() -> None:
    arms = "x := if a == 0 then 0 else if flip(1/2) then 1 else uniformInt(1, a);"
    program = parse(of_psi(f"def main() {{ a := uniformInt(0, 3); {arms} return (a, x); }}"))

    # uniformInt(1, 0) has no value: it is not drawn where a is 0
    assert program.measure("P(x == 3)").number == pytest.approx(1 / 4 * 1 / 2 * 1 / 3)
    assert program.measure("P(x == 0)").number == pytest.approx(1 / 4)


def test_the_command_prints_programs_of_chains_and_of_psi(tmp_path: Path) -> None:
    tree(tmp_path, {"die.pm": DIE, "coins.psi": COINS, "walk.prism": RUIN})
    die = run("import", "die.pm", "--output", "d", "--until", "s=7", inside=tmp_path)
    assert number(die.stdout, "H(d)") == pytest.approx(2.584962500721156)
    assert run("import", "coins.psi", "--secret", "s", inside=tmp_path).stdout == of_psi(COINS, ["s"])
    assert run("import", "walk.prism", "--steps", "3", inside=tmp_path).exit_code == 0
    for arguments, code, told in (
        (("coins.psi", "--until", "s=7"), 2, "--until and --steps are for chains of PRISM"),
        (("die.pm", "--until", "s=9 9"), 1, "the end 's=9 9': line 1: found '9', expected ';'"),
        (("die.pm", "--secret", "q"), 1, "there is no variable 'q', expected one of: s, d"),
        (("coins.psi", "--secret", "q"), 1, "there is no variable 'q'"),
    ):
        found = run("import", *arguments, inside=tmp_path)
        assert (found.exit_code, found.stdout) == (code, "")
        assert told in found.stderr
