"""Conditions are compared by what they state, never by how they are written."""

from __future__ import annotations

from fractions import Fraction

from seepage.measures.formulas.condition import ZERO_LOG_ZERO, Condition, relating
from seepage.measures.formulas.definedness import strongest
from seepage.measures.formulas.tree import ONE, ZERO, Symbol, numeral

P = Symbol("p")


def test_a_loose_condition_falls_beside_its_strict_one_whatever_both_are_called() -> None:
    strict, loose = relating(P, "<", ONE, "p is below 1"), relating(P, "≤", ONE)

    assert strongest((loose, strict, ZERO_LOG_ZERO)) == (strict, ZERO_LOG_ZERO)
    assert strongest((relating(P, ">", ZERO), relating(P, "≥", ZERO))) == (relating(P, ">", ZERO),)


def test_conditions_on_other_things_stay_though_they_read_alike() -> None:
    half = numeral(Fraction(1, 2))
    strict, loose = relating(P, "<", half, "p < 1"), relating(P, "≤", ONE, "p ≤ 1")

    assert strongest((strict, loose)) == (strict, loose)


def test_several_relations_fall_beside_a_condition_that_states_them_all() -> None:
    strict = Condition("0 < p < 1", [(P, ">", ZERO), (P, "<", ONE)])
    loose = Condition("0 ≤ p ≤ 1", [(P, "≥", ZERO), (P, "≤", ONE)])

    assert strongest((loose, strict)) == (strict,)
    assert strongest((loose, relating(P, "<", ONE))) == (loose, relating(P, "<", ONE))
