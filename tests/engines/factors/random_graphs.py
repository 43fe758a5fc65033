"""Random finite programs with arrays, elements picked at random, nested branches, folds and observations; all of their values are small."""

from __future__ import annotations

from hypothesis import strategies as st

BITS = ("b[0]", "b[1]", "b[2]")
NUMBERS = ("x", "y")
ALL = (*BITS, *NUMBERS, "k")

bits = st.sampled_from(BITS)
numbers = st.sampled_from((*NUMBERS, "k"))
anything = st.sampled_from(ALL)
small = st.integers(0, 3)

booleans = st.one_of(
    bits,
    st.builds("{} == {}".format, anything, small),
    st.builds("{} < {}".format, anything, anything),
    st.builds("{} xor {}".format, bits, bits),
    st.builds("{} and {}".format, bits, bits),
    st.builds("(not {} or {} >= {})".format, bits, numbers, small),
    st.builds("(x != 0 and 6 / x > {})".format, small),
    st.just("b[k]"),
)
values = st.one_of(
    st.builds("{} + {}".format, anything, anything),
    st.builds("{} - {}".format, numbers, bits),
    st.builds("{} * {}".format, numbers, numbers),
    st.builds("max({}, {}, {})".format, anything, small, anything),
    st.builds("min({}, {})".format, numbers, small),
    st.builds("(if {} then {} else {})".format, booleans, anything, anything),
    st.builds("({0} + {1}) % 3 + {0}".format, numbers, anything),
    st.just("b[k]"),
    st.just("b[(k + 1) % 3]"),
    st.builds("{}".format, small),
)
laws = st.one_of(
    st.builds("bernoulli({}/5)".format, st.integers(0, 5)),
    st.builds("bernoulli((1 + {}) / 4)".format, bits),
    st.builds("uniform_int(0, {})".format, st.integers(1, 3)),
    st.builds("{{0: 1/2, {}: 1/6, 2: 1/3}}".format, anything),
)
numeric_laws = st.one_of(laws, st.builds("binomial(2, {}/3)".format, small))
bit_laws = st.one_of(
    st.builds("bernoulli({}/5)".format, st.integers(0, 5)), st.builds("bernoulli((1 + {}) / 4)".format, bits)
)
index_laws = st.sampled_from(["uniform_int(0, 2)", "uniform_int(0, 1)", "{0: 1/5, 2: 4/5}"])


def block(statements: list[str]) -> str:
    return "{ " + "\n".join(statements) + " }"


simple = st.one_of(
    st.builds("{} := {}".format, st.sampled_from(NUMBERS), values),
    st.builds("{} ~ {}".format, st.sampled_from(NUMBERS), numeric_laws),
    st.builds("{} := {}".format, bits, booleans),
    st.builds("{} ~ {}".format, bits, bit_laws),
    st.builds("b[k] := {}".format, booleans),
    st.builds("k ~ {}".format, index_laws),
    st.builds("observe({})".format, booleans),
    st.builds("observe({} and {})".format, booleans, booleans),
)
local = st.builds(
    "if {0} {{ {2} ~ {3} }} else if {1} {{ {2} ~ {4} }} else {{ {2} := {5} }}".format,
    booleans,
    booleans,
    st.sampled_from(NUMBERS),
    numeric_laws,
    numeric_laws,
    anything,
)


def branching(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blocks = st.lists(inner, min_size=0, max_size=2).map(block)
    return st.one_of(
        st.builds("if {} {} else {}".format, booleans, blocks, blocks),
        st.builds("if {} {} else if {} {} else {}".format, booleans, blocks, booleans, blocks, blocks),
    )


statements = st.recursive(st.one_of(simple, local), branching, max_leaves=4)
programs = st.lists(statements, min_size=1, max_size=7).map(
    lambda body: (
        "\n".join(
            [
                "for i in 0..2 { b[i] ~ bernoulli(1/(i + 2)) }",
                "x ~ uniform_int(0, 2)",
                "y := 1",
                "k ~ uniform_int(0, 2)",
                *body,
            ]
        )
        + "\n"
    )
)
asked = st.lists(anything, min_size=1, max_size=3, unique=True).map(tuple)
