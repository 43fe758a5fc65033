"""Propositions 1–3 of the paper as programs of cwp, against closed forms and against the measures of the forward machine."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from tests.engines.random_programs import core_of, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.engines.wpe import metrics
from seepage.engines.wpe.expectation import NOWHERE, Language, by_ghosts, iverson
from seepage.engines.wpe.transformer import wp
from seepage.exact import precision
from seepage.measures.discrete.divergence import divergence
from seepage.measures.discrete.entropy import conditional_entropy, entropy
from seepage.measures.enclosure import Enclosure
from seepage.syntax.tree import Binary, Name

RESPONSE = """
r ~ bernoulli({p})
t ~ bernoulli(exp({eps}) / (exp({eps}) + 1))
if t {{ o := r }} else {{ o := !r }}
"""


def bits(nats: arb) -> float:
    with precision(256):
        return float(nats / arb(2).log())


def test_the_paper_s_pre_expectation_of_the_output_with_its_misprint_corrected() -> None:
    core = core_of("param p in [0, 1] = 1/2\nparam eps in [0, 10] = 1" + RESPONSE.format(p="p", eps="eps"))
    ring = polynomials(core)
    post = iverson(
        Binary("==", Name("g", NOWHERE), Name("o", NOWHERE), NOWHERE),
        ring,
        Language(core.arrays, frozenset(core.parameters)),
    )

    table = by_ghosts(wp(core.statements, post), ("g",))

    # with t = e^eps / (e^eps + 1): (p e^eps − p + 1) / (e^eps + 1) = p t + (1 − p)(1 − t), and the rest
    p, t = ring.context.gen(0), ring.context.gen(2)
    assert table == {(1,): p * t + (1 - p) * (1 - t), (0,): (1 - p) * t + p * (1 - t)}


@pytest.mark.parametrize("p", ["1/10", "1/2", "2/3"])
@pytest.mark.parametrize("eps", ["0", "1", "3"])
def test_entropies_of_randomized_response_are_the_paper_s_formulas(p: str, eps: str) -> None:
    core = core_of(RESPONSE.format(p=p, eps=eps))
    prior, e = mpmath.mpf(eval_fraction(p)), mpmath.exp(mpmath.mpf(eps))

    def log2(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.log(x, 2)

    yes, no = prior * e - prior + 1, -prior * e + prior + e
    output = yes / (e + 1) * -log2(yes) + no / (e + 1) * -log2(no) + log2(e + 1)
    response = prior * -log2(prior) + (1 - prior) * -log2(1 - prior)

    assert abs(bits(metrics.entropy(core, "o")) - float(output)) < 1e-15
    assert abs(bits(metrics.entropy(core, "r")) - float(response)) < 1e-15


def eval_fraction(text: str) -> mpmath.mpf:
    above, below = text.split("/")
    return mpmath.mpf(above) / mpmath.mpf(below)


def test_conditional_entropy_of_randomized_response() -> None:
    core = core_of(RESPONSE.format(p="1/10", eps="1"))

    # listed with the verified cases of the paper
    assert abs(bits(metrics.conditional_entropy(core, "r", "o")) - 0.40990454418813355) < 1e-15


def test_reading_a_variable_before_writing_it_does_not_mix_its_initial_and_final_value() -> None:
    # x is 0 at first, so y is 1; a ghost renamed too early would compare the final x with it
    core = core_of("y := if x == 0 then 1 else 0\nx ~ bernoulli(1/4)\nx := x + y")

    assert bits(metrics.entropy(core, "x")) == pytest.approx(0.8112781244591328, abs=1e-15)  # h(1/4)


def test_divergence_is_infinite_where_the_other_variable_never_is() -> None:
    core = core_of("x ~ uniform_int(0, 2)\ny ~ uniform_int(0, 1)")

    assert metrics.divergence(core, "x", "y") == arb("inf")
    # log(3/2)
    assert bits(metrics.divergence(core, "y", "x")) == pytest.approx(0.5849625007211562, abs=1e-15)


@settings(deadline=None, max_examples=20)
@given(programs)
def test_the_definitions_agree_with_the_measures_of_the_forward_machine(text: str) -> None:
    core = core_of(text)
    try:
        joint = run(core, ("x", "y"), {}, RATIONALS, Budget())
    except Fault:
        return  # no run passes the observations, so there is no posterior

    assert agree(lambda: metrics.entropy(core, "x"), entropy(joint, ("x",)))
    assert agree(lambda: metrics.conditional_entropy(core, "x", "y"), conditional_entropy(joint, ("x",), ("y",)))
    assert agree(lambda: metrics.divergence(core, "x", "y"), divergence(joint, ("x",), joint, ("y",)))


def agree(definition: Callable[[], arb], measured: Enclosure) -> bool:
    found = definition()
    return bool(found.lower() <= measured.upper) and bool(measured.lower <= found.upper())
