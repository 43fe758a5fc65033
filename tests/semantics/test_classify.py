"""Exactness while typing against the engine: what the engine approximates was named, statement by statement."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from seepage.diagnostics import Fault, Reason
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.engines.select import solve
from seepage.semantics.check import check
from seepage.semantics.checked import Checked
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

CASES = {
    case["name"]: case["program"]
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", ())
    if "normal(" in case["program"] or "approximate-allowed" in case["tags"]
}
BUDGET = Budget(states=5_000)


def checked(text: str) -> Checked:
    return check(SourceFile("test.seep", text))


def approximated(program: Checked) -> tuple[Reason, ...] | None:
    """Return what the engine approximated for all variables together, None if it gives no joint distribution."""
    try:
        core = unroll(program)
        values = {name: one.default for name, one in program.symbols.params.items() if one.default is not None}
        joint = solve(core, core.variables, values, BUDGET)
    except Fault:
        return None
    return joint.approximations if isinstance(joint, MixtureJoint) else ()


def unnamed(program: Checked) -> list[Reason]:
    """Return what the engine approximated in statements that the classification does not name."""
    lines = {program.source.position(one.span.start)[0] for one in program.classification.inexact}
    return [one for one in approximated(program) or () if program.source.position(one.span.start)[0] not in lines]


@pytest.mark.parametrize("name", CASES)
def test_the_engine_approximates_no_statement_of_a_case_that_was_not_named(name: str) -> None:
    program = checked(CASES[name])

    assert program.has_errors or unnamed(program) == []


# --- random programs, one statement a line ----------------------------------------------------------------------------

_NUMBERS = ("x", "y", "z")
_BOOLEANS = ("b", "c")
_names = st.sampled_from(_NUMBERS)
_any = st.sampled_from((*_NUMBERS, *_BOOLEANS))
_flags = st.sampled_from(_BOOLEANS)
_values = st.one_of(
    st.builds("{} + {}".format, _any, _any),
    st.builds("{} - 2 * {}".format, _any, _any),
    st.builds("{} * {}".format, _any, _any),
    st.builds("{} / (1 + {})".format, _any, _any),
    st.builds("{}^2".format, _any),
    st.builds("max({}, {})".format, _any, _any),
    st.builds("abs({})".format, _any),
    st.builds("if {} then {} else {}".format, _flags, _any, _any),
    st.builds("if {} > 0 then {} else {}".format, _any, _any, _any),
    st.sampled_from(["0", "1", "3"]),
)
_laws = st.one_of(
    st.builds("normal({}, 1)".format, _any),
    st.builds("normal({} * {}, 1)".format, _any, _any),
    st.builds("normal(0, 1 + {})".format, _flags),
    st.builds("normal(0, {}^2)".format, _any),
    st.builds("1/2*normal({}, 1) + 1/2*{{0: 1}}".format, _any),
    st.just("bernoulli(1/2)"),
    st.just("uniform(0, 1)"),
)
_conditions = st.one_of(
    _flags,
    st.builds("{} == 1".format, _any),
    st.builds("{} > 0".format, _any),
    st.builds("{} == {}".format, _any, _any),
    st.builds("{} and {} <= 1".format, _flags, _any),
)
_simple = st.one_of(
    st.builds("{} := {}".format, _names, _values),
    st.builds("{} ~ {}".format, _names, _laws),
    st.builds("{} := {} > 0".format, _flags, _any),
    st.builds("observe({})".format, _conditions),
)
_statements = st.one_of(
    _simple,
    _simple,
    st.builds("if {} {{\n{}\n}} else {{\n{}\n}}".format, _conditions, _simple, _simple),
    st.builds("for i in 1..2 {{\n{}\n{}\n}}".format, _simple, _simple),
)
_HEAD = "b ~ bernoulli(1/2)\nc ~ bernoulli(1/3)\nx ~ normal(0, 1)\ny ~ normal(1, 2)\nz := 0\n"


@settings(deadline=None)
@given(st.lists(_statements, min_size=1, max_size=6).map(lambda lines: _HEAD + "\n".join(lines) + "\n"))
def test_the_engine_approximates_no_statement_that_was_not_named(text: str) -> None:
    program = checked(text)
    if program.has_errors:
        reject()

    assert unnamed(program) == []
