"""Random programs over words: sums, differences, shifts, masks, comparisons, remainders, branches, loops, observations; strategies for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d")

draws = st.one_of(
    st.integers(1, 5).map(lambda k: f"uniform_int(0, 2^{k} - 1)"),
    st.tuples(st.integers(-3, 3), st.integers(1, 24)).map(lambda ends: f"uniform_int({ends[0]}, {ends[0] + ends[1]})"),
    st.sampled_from(("flip(1/2)", "flip(1/3)", "binomial(3, 1/4)", "bernoulli(if a > 2 then 1/4 else 1/2)")),
)
numbers = st.integers(0, 19).map(str)
names = st.sampled_from(NAMES)


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(("+", "-", "+", "xor")), inner).map(lambda p: _joined(*p)),
        st.tuples(inner, st.integers(-3, 13)).map(lambda p: f"({p[0]}) * ({p[1]})"),
        st.tuples(inner, st.sampled_from((2, 3, 4, 5, 8, 12, 32))).map(lambda p: f"({p[0]}) % {p[1]}"),
        st.tuples(inner, st.sampled_from((2, 3, 4, 6, 8))).map(lambda p: f"floor(({p[0]}) / {p[1]})"),
        st.tuples(inner, st.sampled_from((2, 3))).map(lambda p: f"ceil(({p[0]}) / {p[1]})"),
        st.tuples(st.sampled_from(("bit_xor", "bit_and", "bit_or", "min", "max")), inner, inner).map(
            lambda p: f"{p[0]}({p[1]}, {p[2]})"
        ),
        st.tuples(st.sampled_from(("shift_left", "shift_right")), inner, st.integers(0, 4)).map(
            lambda p: f"{p[0]}({p[1]}, {p[2]})"
        ),
        st.tuples(st.sampled_from(("shift_right", "shift_left")), inner, names).map(
            lambda p: f"{p[0]}({p[1]}, abs({p[2]}) % 4)"
        ),
        inner.map(lambda e: f"popcount({e})"),
        inner.map(lambda e: f"abs({e})"),
        st.tuples(conditions(inner), inner, inner).map(lambda p: f"(if {p[0]} then {p[1]} else {p[2]})"),
    )


def _joined(left: str, operator: str, right: str) -> str:
    if operator == "xor":
        return f"bit_xor(abs({left}), abs({right}))"
    return f"({left}) {operator} ({right})"


def conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return comparisons."""
    order = st.sampled_from(("<", "<=", ">", ">=", "==", "!="))
    return st.tuples(inner, order, inner).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})")


expressions = st.recursive(st.one_of(names, names, numbers), _expressions, max_leaves=4)
truths = conditions(st.recursive(st.one_of(names, numbers), _expressions, max_leaves=2))

assignments = st.tuples(names, expressions).map(lambda p: f"{p[0]} := {p[1]}")
statements = st.one_of(
    assignments,
    assignments,
    assignments,
    st.tuples(names, draws).map(lambda p: f"{p[0]} ~ {p[1]}"),
    st.tuples(truths, assignments, assignments).map(lambda p: f"if {p[0]} {{ {p[1]} }} else {{ {p[2]} }}"),
    st.tuples(truths, names, draws).map(lambda p: f"if {p[0]} {{ {p[1]} ~ {p[2]} }}"),
    truths.map(lambda e: f"observe {e}"),
    st.tuples(names, names).map(lambda p: f"for i in 0..3 {{ {p[0]} := {p[0]} + floor(abs({p[1]}) / 2^i) % 2 * 3 }}"),
)

programs = st.tuples(draws, draws, st.lists(statements, min_size=1, max_size=5)).map(
    lambda p: "\n".join(
        (f"a ~ {p[0].replace('if a > 2 then 1/4 else 1/2', '1/2')}", f"b ~ {p[1]}", "c := 0", "d := 1", *p[2])
    )
)
"""The text of a program, all of whose variables are assigned."""
