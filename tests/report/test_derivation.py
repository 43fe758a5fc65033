"""What derivations look like, and that the printed formulas have the values that they should."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seepage import MeasureError, parse
from seepage.measures.formulas.text import text_of
from seepage.measures.told_derivation import Explanation, Shown, ShownStep
from seepage.report.derivation import derivation_text, expectation_text
from seepage.syntax.spell import spell

RESPONSE = parse(
    "param p in [0, 1] = 1/2\nparam eps in [0, 10] = 1\nsecret r\noutput o\n"
    "r ~ bernoulli(p)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
)

FIGURE = """\
    ⟨ (p·e^eps − p + 1)/(e^eps + 1)·[o̲ = 1] + (p + e^eps − p·e^eps)/(e^eps + 1)·[o̲ = 0] ⟩
    ⟨ = p·(e^eps/(e^eps + 1)·[o̲ = 1] + 1/(e^eps + 1)·[o̲ = 0])
        + (1 − p)·(e^eps/(e^eps + 1)·[o̲ = 0] + 1/(e^eps + 1)·[o̲ = 1]) ⟩
    r ~ bernoulli(p)
    ⟨ e^eps/(e^eps + 1)·[o̲ = r] + 1/(e^eps + 1)·[o̲ = ¬r] ⟩
    t ~ bernoulli(exp(eps) / (exp(eps) + 1))
    ⟨ [t]·[o̲ = r] + [¬t]·[o̲ = ¬r] ⟩
    if t {
        ⟨ [o̲ = r] ⟩
        o := r
        ⟨ [o̲ = o] ⟩
    } else {
        ⟨ [o̲ = ¬r] ⟩
        o := !r
        ⟨ [o̲ = o] ⟩
    }
    ⟨ [o̲ = o] ⟩"""


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_a_reader_of_the_paper_recognises_its_figure_without_the_misprints() -> None:
    text = derivation_text(RESPONSE.explain("H(o)"))

    assert squeezed(FIGURE) in squeezed(text)
    assert "H(o) = ⟦cwp⟦S⟧(−log ⟦cwp⟦S⟧([o̲ = o], 1)⟧[o̲ ↦ o], 1)⟧" in text
    assert text.endswith("H(o) = 1 bit at p = 1/2, eps = 1")


@pytest.mark.parametrize(
    ("measure", "line"),
    [
        ("H(r | o)", "H(r | o) = ⟦cwp⟦S⟧(−log ⟦cwp⟦S⟧([o̲ = o ∧ r̲ = r], [o̲ = o])⟧[o̲ ↦ o][r̲ ↦ r], 1)⟧"),
        ("KL(r || o)", "KL(r ‖ o) = ⟦cwp⟦S⟧(log ⟦cwp⟦S⟧([r̲ = r], [r̲ = o])⟧[r̲ ↦ r], 1)⟧"),
        ("I(r; o)", "I(r; o) = H(r) − H(r | o)"),
        ("I(r; o | t)", "I(r; o | t) = H(r | t) − H(r | o, t)"),
        ("P(o == r)", "P(o = r) = ⟦cwp⟦S⟧([o = r], 1)⟧"),
        ("E(o + 2 * r)", "E(o + 2·r) = ⟦cwp⟦S⟧(o + 2·r, 1)⟧"),
        ("H(r | o == 1)", "observe o == 1"),
    ],
)
def test_each_measure_is_put_in_terms_of_cwp(measure: str, line: str) -> None:
    assert line in derivation_text(RESPONSE.explain(measure))


# --- values of what is printed ----------------------------------------------------------------------------------------

P, EPS = 0.3, 0.7


def number(text: str) -> float:
    """Return the value of a printed formula at P and EPS, by Python's own arithmetic."""
    text = text.replace("·", "*").replace("−", "-").replace("^", "**").replace("log₂", "math.log2")
    text = re.sub(r"math\.log2 (\w+)", r"math.log2(\1)", text)
    return float(eval(text, {"math": math, "e": math.e, "p": P, "eps": EPS}))  # a text of our own making


def value(shown: Shown, names: dict[str, int]) -> float:
    total = 0.0
    for term in shown:
        holds = True
        for guard in term.guards:
            code = re.sub(r"(\w+)@ghost", r"ghost_\1", spell(guard))
            code = re.sub(r"!(\w+)", r"(1 - \1)", code)
            holds = holds and bool(eval(code, {}, names))
        product = number(text_of(term.coefficient)) if holds else 0.0
        for factor in term.factors:
            product *= float(eval(re.sub(r"!(\w+)", r"(1 - \1)", spell(factor)), {}, names))
        total += product
    return total


def states() -> Iterator[dict[str, int]]:
    for bits in range(64):
        names = ("r", "t", "o", "ghost_r", "ghost_o", "ghost_t")
        yield {name: bits >> place & 1 for place, name in enumerate(names)}


def check_step(step: ShownStep) -> None:
    q = math.exp(EPS) / (math.exp(EPS) + 1)
    for state in states():
        before = value(step.before, state)
        if step.parts:
            assert before == pytest.approx(sum(number(text_of(c)) * value(part, state) for c, part in step.parts))
        match step.statement.split()[0], step.rule:
            case "r", "sample":
                after = P * value(step.after, {**state, "r": 1}) + (1 - P) * value(step.after, {**state, "r": 0})
            case "t", "sample":
                after = q * value(step.after, {**state, "t": 1}) + (1 - q) * value(step.after, {**state, "t": 0})
            case "if", _:
                after = value(step.after, {**state, "o": state["r"] if state["t"] else 1 - state["r"]})
            case "o", "assign":
                result = state["r"] if step.statement == "o := r" else 1 - state["r"]
                after = value(step.after, {**state, "o": result})
            case _:
                raise AssertionError(step.statement)
        assert before == pytest.approx(after)
    for arm in step.arms:
        for inner in arm:
            check_step(inner)


@pytest.mark.parametrize(
    "measure", ["H(o)", "H(r)", "H(r | o)", "I(r; o)", "I(r; o | t)", "KL(r || o)", "E(o + 2 * r)"]
)
def test_every_printed_step_equals_the_next(measure: str) -> None:
    for section in RESPONSE.explain(measure).sections:
        for step in section.steps:
            check_step(step)


@pytest.mark.parametrize(
    "measure",
    ["H(o)", "H(r)", "H(r | o)", "I(r; o)", "I(r; o | t)", "I(r, t; o | t)", "KL(r || o)", "P(o == r)", "E(o + 2 * r)"],
)
def test_the_last_printed_formula_is_the_measure(measure: str) -> None:
    explanation: Explanation = RESPONSE.explain(measure, params={"p": P, "eps": EPS})

    formula = explanation.conclusions[-1].formula

    assert formula is not None
    assert number(text_of(formula)) == pytest.approx(explanation.result.value, rel=1e-9)


# --- other programs ---------------------------------------------------------------------------------------------------


def test_observations_divide_by_the_weight_that_passes() -> None:
    program = parse("x ~ uniform_int(1, 3)\nobserve x != 2\n")

    text = derivation_text(program.explain("P(x == 3)"))

    assert "⟨ [x = 3] ⟩" in text
    assert "wp⟦S⟧(1), read from the bottom up:" in text
    assert text.endswith("P(x == 3) = 0.5")


def test_a_parameter_that_decides_a_value_is_taken_at_its_value() -> None:
    program = parse("param k in [0, 9] = 2\nx ~ bernoulli(1/3)\ny := x * k\n")

    found = program.explain("H(y)")

    assert found.notes[0].startswith("at k = 2: the parameter 'k' stands in 'x * k'")
    assert expectation_text(found.sections[0].steps[-1].before) == "[y̲ = x·2]"


def test_one_statement_that_is_left_out_is_told_without_its_number() -> None:
    text = (Path(__file__).parents[2] / "examples" / "password-check.seep").read_text(encoding="utf-8")

    assert parse(text).explain("I(pin; right)").notes[0].startswith("cut: the first statement is not derived, since")


def test_a_long_program_is_cut_with_a_note() -> None:
    text = "".join(f"x{i} ~ bernoulli(1/3)\n" for i in range(9))
    text += "o := " + " + ".join(f"{2**i} * x{i}" for i in range(9)) + "\n"

    found = parse(text).explain("H(o)")

    assert "cut: the first" in found.notes[-1]
    assert found.conclusions == ()
    assert "more" in derivation_text(found)


def test_what_has_no_list_of_values_is_told() -> None:
    with pytest.raises(MeasureError, match="expected one of H, I, KL, P and E"):
        RESPONSE.explain("V(r)")


def test_markdown_folds_each_step() -> None:
    text = derivation_text(RESPONSE.explain("H(o)"), "markdown")

    assert text.count("<details") == text.count("</details>") == 1 + 5
    assert "<summary><code>o := !r</code></summary>" in text
    assert text.count("$$") % 2 == 0


def test_latex_is_balanced_and_names_its_packages() -> None:
    text = derivation_text(RESPONSE.explain("H(r | o)"), "latex")

    assert "amsmath" in text
    assert text.count(r"\begin{align*}") == text.count(r"\end{align*}")
    assert text.count(r"\left") - text.count(r"\left\langle") >= 0
    assert text.count(r"\left") == text.count(r"\right")
    assert text.count("{") == text.count("}")
    assert r"\left[\underline{o} = o\right]" in text


def test_sums_are_folded_ordered_and_kept_within_a_page() -> None:
    text = (
        "param eps in [0, 5] = 1\ns ~ uniform_int(0, 5)\nt ~ uniform_of(1, 2, 4)\n"
        "u ~ bernoulli(exp(eps) / (exp(eps) + 1))\no := s * t + u\n"
    )
    lines = derivation_text(parse(text).explain("I(s; o)")).splitlines()

    assert not any("· 1 + 1" in line or "+ 0]" in line for line in lines)  # s·1 + 0 is s
    assert not any("1/3·([" in line for line in lines)  # a draw that matters to nothing is passed over
    first = next(line for line in lines if "[o̲ = 0]" in line)
    assert first.index("[o̲ = 0]") < first.index("[o̲ = 1]")
    assert max(len(re.sub("\N{COMBINING LOW LINE}", "", line)) for line in lines) <= 114
