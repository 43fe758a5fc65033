"""A parameter that decides which runs there are is told from one that only weighs them."""

from __future__ import annotations

import pytest

from seepage.measures.formulas.substitution import substituted_parameters
from seepage.semantics.check import check
from seepage.semantics.core import CoreProgram
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

PARAMETERS = "param p in [0, 1] = 1/2\nparam t in [0, 9] = 3\n"


def core_of(text: str) -> CoreProgram:
    checked = check(SourceFile("test.seep", PARAMETERS + text))
    assert not [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error]
    return unroll(checked)


@pytest.mark.parametrize(
    "text",
    [
        "x ~ bernoulli(p)\ny := x",
        "x ~ bernoulli(exp(t) / (exp(t) + 1))\ny ~ bernoulli(if x == 1 then p else p^2)",
        "x ~ {1: p, 2: 1 - p}\nif x > 1 { y ~ binomial(3, p) } else { y := 0 }",
        "x ~ mixture(p: uniform_int(1, 3), 1 - p: bernoulli(p))\nobserve(x > 0)",
    ],
)
def test_a_parameter_in_probabilities_alone_stays_a_symbol(text: str) -> None:
    assert substituted_parameters(core_of(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "x ~ uniform_int(0, 9)\nif x > t { y := 1 } else { y := 0 }",
        "x ~ uniform_int(0, 9)\nobserve(x <= t)",
        "x ~ bernoulli(p)\ny := x * t",
        "x ~ {t: p, 10: 1 - p}",
        "x ~ bernoulli(if t > 2 then p else 1/2)",
        "x ~ bernoulli(p * (if t == 3 then 1 else 0))",
        "a[0] := 1\na[1] := 2\nx ~ bernoulli(p)\nx := a[if t > 2 then 0 else x]",
        "x ~ binomial(t, p)",
        "x ~ uniform_int(0, t)",
    ],
)
def test_a_parameter_in_a_value_a_guard_or_a_comparison_is_substituted(text: str) -> None:
    assert substituted_parameters(core_of(text)) == ("t",)


def test_what_the_asked_variables_do_not_depend_on_does_not_count() -> None:
    core = core_of("x ~ bernoulli(p)\ny ~ uniform_int(0, 9)\nz := y > t")

    assert substituted_parameters(core, ("x",)) == ()
    assert substituted_parameters(core, ("x", "z")) == ("t",)
