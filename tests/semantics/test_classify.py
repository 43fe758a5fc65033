"""Exactness while typing against the engine: what the engine approximates was named, statement by statement."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
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


# --- false alarms -----------------------------------------------------------------------------------------------------

_COINS = "b ~ bernoulli(1/3)\nd ~ uniform_int(1, 3)\nx ~ normal(0, 1)\ny ~ normal(1, 2)\n"


@st.composite
def _decided_programs(draw: st.DrawFn) -> str:
    """Programs in which every named statement is reached and matters: no variable is overwritten, and each coin decides one thing only."""
    names = ["b", "d", "x", "y"]
    lines: list[str] = []

    def a() -> str:
        return draw(st.sampled_from(names))

    def coin() -> str:
        lines.append(f"f{len(lines)} ~ bernoulli(1/2)")
        return lines[-1].partition(" ")[0]

    def value() -> str:
        shapes: list[Callable[[], str]] = [
            lambda: f"{a()} + {a()}",
            lambda: f"{a()} - 3/7 * {a()}",
            lambda: f"{a()} * {a()}",
            lambda: f"{a()} / (1 + {coin()})",
            lambda: f"{a()}^2",
            lambda: f"max({a()}, {a()})",
            lambda: f"abs({a()})",
            lambda: f"if {coin()} then {a()} else {a()}",
            lambda: f"if {a()} > 0 then {a()} else {a()}",
            lambda: f"{a()} > 1",
        ]
        return draw(st.sampled_from(shapes))()

    def law() -> str:
        shapes: list[Callable[[], str]] = [
            lambda: f"normal({a()}, 1)",
            lambda: f"normal({a()} * {a()}, 1)",
            lambda: f"normal(0, 1 + {coin()})",
            lambda: f"normal(0, {a()}^2)",
            lambda: f"1/2*normal({a()}, 1) + 1/2*{{0: 1}}",
            lambda: "uniform(0, 1)",
        ]
        return draw(st.sampled_from(shapes))()

    for k in range(draw(st.integers(1, 5))):
        match draw(st.sampled_from(("assign", "assign", "sample", "observe", "coin branch", "branch"))):
            case "assign":
                lines.append(f"v{k} := {value()}")
            case "sample":
                lines.append(f"v{k} ~ {law()}")
            case "observe":
                lines.append(f"observe({a()} > 0)")
                continue
            case branch:
                condition = coin() if branch == "coin branch" else f"{a()} > 0"
                first, second = value(), value()
                lines.append(f"if {condition} {{\nv{k} := {first}\n}} else {{\nv{k} := {second}\n}}")
        names.append(f"v{k}")
    return _COINS + "\n".join(lines) + "\n"


@settings(deadline=None)
@given(_decided_programs())
def test_what_is_named_is_approximated_where_it_is_reached_and_not_overwritten(text: str) -> None:
    program = checked(text)
    found = approximated(program)
    if program.has_errors or found is None:
        reject()

    lines = {program.source.position(one.span.start)[0] for one in found}
    named = [one for one in program.classification.inexact if program.source.position(one.span.start)[0] not in lines]
    assert named == []


@pytest.mark.parametrize(
    "text",
    [
        "x ~ normal(0, 1)\ny := max(x, x)\n",
        "x ~ normal(0, 1)\nd ~ uniform_int(1, 3)\ny := if d > 0 then x else x * x\n",
        "x ~ normal(0, 1)\nd ~ uniform_int(1, 3)\nb := d > 3 and x > 0\n",
        "x ~ normal(0, 1)\nd ~ uniform_int(1, 3)\nif d > 3 { y := x * x } else { y := x }\nz := y + 1\n",
        "x ~ normal(0, 1)\nd ~ uniform_int(1, 3)\ny := if d > 3 then x else 2\nz := x * y\n",
    ],
)
def test_what_no_run_evaluates_is_not_named(text: str) -> None:
    assert checked(text).classification.inexact == ()
