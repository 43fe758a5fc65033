"""Lints hold on every run: what they say is compared with all runs of random programs."""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given, reject, settings
from tests.semantics.program_runs import State, TooManyRuns, runs_of_text
from tests.semantics.random_programs import VARIABLES, programs

from seepage import rules
from seepage.diagnostics import Rule
from seepage.fixing import apply_fixes
from seepage.semantics.check import check
from seepage.semantics.checked import Checked
from seepage.semantics.effects import idle_units
from seepage.semantics.flow import follow
from seepage.semantics.influence import influence
from seepage.semantics.leaks import determined_secrets, leaks_nothing
from seepage.semantics.removal import remove
from seepage.semantics.units import units_of
from seepage.source import SourceFile
from seepage.syntax.tree import Placed

Runs = list[tuple[State, Fraction]]

HEAD = "a ~ bernoulli(1/2)\nb ~ bernoulli(1/3)\nc := 1\nd := a\n"


def checked(text: str) -> Checked:
    return check(SourceFile("test.seep", text))


def runs(program: Checked) -> Runs:
    try:
        found = runs_of_text(program.tree, most=200)
    except TooManyRuns:
        reject()
    if program.has_errors or not found:
        reject()
    return found


def joint(found: Iterable[tuple[State, Fraction]], names: tuple[str, ...]) -> dict[tuple[Fraction, ...], Fraction]:
    """Return the distribution of variables on termination."""
    masses: dict[tuple[Fraction, ...], Fraction] = defaultdict(Fraction)
    for state, weight in found:
        masses[tuple(state.get(name, Fraction(0)) for name in names)] += weight
    total = sum(masses.values())
    return {values: mass / total for values, mass in masses.items() if mass}


@settings(max_examples=25, deadline=None, derandomize=True)
@given(programs(4).map(HEAD.__add__))
def test_values_lie_in_their_ranges_on_every_run(text: str) -> None:
    program = checked(text)
    end = follow(program.tree, program.symbols).end
    found = runs(program)
    bounds = {name: end[name.partition("[")[0]].range for name in VARIABLES if name.partition("[")[0] in end}

    assert all(
        (low is None or low <= state.get(name, 0)) and (high is None or state.get(name, 0) <= high)
        for state, _ in found
        for name, (low, high) in bounds.items()
    )


@settings(max_examples=25, deadline=None, derandomize=True)
@given(programs(4).map(HEAD.__add__))
def test_a_secret_that_leaks_nothing_is_independent_of_the_output(text: str) -> None:
    program = checked(f"secret final a\noutput b, c\n{text}")
    found = runs(program)
    if not list(leaks_nothing(influence(program.tree), program.symbols)):
        return
    outputs = tuple(one.name for one in program.symbols.outputs)
    both, secret, output = (joint(found, names) for names in (("a", *outputs), ("a",), outputs))

    assert all(mass == secret[(values[0],)] * output[values[1:]] for values, mass in both.items())


@settings(max_examples=25, deadline=None, derandomize=True)
@given(programs(4).map(HEAD.__add__))
def test_an_output_that_determines_a_secret_has_one_value_of_it_for_each_of_its_own(text: str) -> None:
    program = checked(f"secret final a\noutput b, c, d\n{text}")
    found = runs(program)
    for finding in determined_secrets(program.tree, influence(program.tree), program.symbols):
        output = program.source[finding.span]
        pairs = joint(found, (output, "a"))

        assert len({values[0] for values in pairs}) == len(pairs)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(programs(4).map(HEAD.__add__))
def test_statements_without_effect_can_go(text: str) -> None:
    program = checked(f"output a\n{text}")
    found = runs(program)
    units = units_of(program.tree)
    labels = sorted(unit.label for unit in idle_units(program.tree, program.symbols, units))
    idle = [entry.span for entry in map(units.entry, labels) if isinstance(entry, Placed)]
    rest = text_without(program, idle)

    assert joint(runs_of_text(checked(rest).tree, most=1000), ("a",)) == joint(found, ("a",))


def text_without(program: Checked, spans: Iterable[object]) -> str:
    text = program.source.text
    edits = remove("remove", spans, text).edits  # type: ignore[arg-type]  # spans of items
    for edit in reversed(edits):
        text = text[: edit.span.start] + "skip " + text[edit.span.end :]
    return text


# --- names in gains ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gain", ["tries({})", "{{({}, 1): 1}}", "{{(1, {}): 1}}", "{{(1, 1): {}}}"])
@pytest.mark.parametrize(
    ("name", "rule", "says"),
    [
        ("cuont", rules.UNKNOWN_IN_MEASURE, "did you mean 'count'?"),
        ("x", rules.MALFORMED_MEASURE, "'x' is a variable"),
        ("count", None, ""),
    ],
)
def test_a_gain_is_written_with_known_numbers(gain: str, name: str, rule: Rule | None, says: str) -> None:
    text = f"const count = 2\nx ~ uniform_int(1, 4)\ny := x\nshow H(x) + count\nshow G(x -> y, {gain.format(name)})\n"

    found = checked(text).diagnostics

    assert [one.rule for one in found] == ([] if rule is None else [rule])
    assert all(says in one.message and text[one.span.start : one.span.end] == name for one in found)


# --- fixes ------------------------------------------------------------------------------------------------------------


def fixed(text: str, rule: Rule) -> str:
    """Return the text with the only fixes of one rule applied."""
    return apply_fixes(text, [one for one in checked(text).diagnostics if one.rule is rule])


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            rules.UNUSED_PARAMETER,
            "/// the prior\nparam p = 1/2\nx ~ bernoulli(1/2)\nshow H(x)\n",
            "x ~ bernoulli(1/2)\nshow H(x)\n",
        ),
        (
            rules.UNUSED_CONSTANT,
            "const n = 3; x ~ bernoulli(1/2)\nshow H(x)\n",
            "x ~ bernoulli(1/2)\nshow H(x)\n",
        ),
        (
            rules.NO_EFFECT,
            "x ~ bernoulli(1/2)\nx ~ bernoulli(1/3) // again\nshow H(x)\n",
            "x ~ bernoulli(1/3) // again\nshow H(x)\n",
        ),
        (rules.NOT_BOOLEAN, "n := 2\nif n { x := 1 }\n", "n := 2\nif n != 0 { x := 1 }\n"),
        (rules.UNKNOWN_NAME, "count := 1\nx := coutn\n", "count := 1\nx := count\n"),
        (rules.UNKNOWN_FUNCTION, "x := mini(1, 2)\n", "x := min(1, 2)\n"),
        (rules.UNKNOWN_DISTRIBUTION, "x ~ bernouli(1/2)\n", "x ~ bernoulli(1/2)\n"),
        (rules.EMPTY_DOMAIN, "param p in [1, 0]\n", "param p in [0, 1]\n"),
    ],
)
def test_a_fix_gives_a_text_without_the_finding(rule: Rule, before: str, after: str) -> None:
    assert fixed(before, rule) == after
    assert rule not in {one.rule for one in checked(after).diagnostics}


def choices(text: str, rule: Rule) -> list[str]:
    """Return the texts that the fixes of the first finding of a rule lead to."""
    finding = next(one for one in checked(text).diagnostics if one.rule is rule)
    found = []
    for fix in finding.fixes:
        changed = text
        for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
            changed = changed[: edit.span.start] + edit.replacement + changed[edit.span.end :]
        found.append(changed)
    return found


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            rules.UNUSED_VARIABLE,
            "x ~ bernoulli(1/2)\nif x { y := 1 } else { y := 2 }\nshow H(x)",
            [
                "x ~ bernoulli(1/2)\nif x {  } else {  }\nshow H(x)",
                "x ~ bernoulli(1/2)\nif x { y := 1 } else { y := 2 }\nshow H(x)\nshow H(y)\n",
            ],
        ),
        (
            rules.LOOP_NEVER_RUNS,
            "for i in 3..1 { x := i }\n",
            ["for i in 1..3 { x := i }\n", ""],
        ),
        (
            rules.LOOP_NEVER_RUNS,
            "for i in 3..1 { x := i }\ny := x\n",
            ["for i in 1..3 { x := i }\ny := x\n"],
        ),
        (
            rules.LOOP_NEVER_RUNS,
            "x := 1\nfor i in 3..1 { x := i; z := x }\ny := x\n",
            ["x := 1\nfor i in 1..3 { x := i; z := x }\ny := x\n", "x := 1\ny := x\n"],
        ),
        (
            rules.PROBABILITIES_DO_NOT_SUM_TO_ONE,
            "x ~ {1: 1/3, 2: 1/3}\n",
            ["x ~ {1: 1/3, 2: 2/3}\n", "x ~ {1: 1/2, 2: 1/2}\n"],
        ),
        (
            rules.PROBABILITIES_DO_NOT_SUM_TO_ONE,
            "x ~ mixture(0.5: normal(0, 1), 1: normal(1, 2))\n",
            [
                "x ~ mixture(0.5: normal(0, 1), 1/2: normal(1, 2))\n",
                "x ~ mixture(1/3: normal(0, 1), 2/3: normal(1, 2))\n",
            ],
        ),
        (
            rules.SECRET_ASSIGNED_TWICE,
            "secret s\ns := 1\ns := 2\n",
            ["secret initial s\ns := 1\ns := 2\n", "secret final s\ns := 1\ns := 2\n"],
        ),
    ],
)
def test_a_finding_offers_choices(rule: Rule, before: str, after: list[str]) -> None:
    assert choices(before, rule) == after
    assert all(rule not in {one.rule for one in checked(text).diagnostics} for text in after)


@pytest.mark.parametrize(
    ("program", "note"),
    [
        ("s ~ flip(1/2)\no := 3", "'s' depends on 's', and 'o' on no random value"),
        ("s ~ flip(1/2)\ny ~ flip(1/2)\no := y", "'s' depends on 's', and 'o' on 'y'"),
        ("s := 1\ny ~ flip(1/2)\nz ~ flip(y / 2)\no := z", "'s' depends on no random value, and 'o' on 'y', 'z'"),
    ],
)
def test_what_a_secret_and_the_outputs_depend_on_is_told(program: str, note: str) -> None:
    found = checked(f"secret s\noutput o\n{program}").diagnostics

    assert [one.notes for one in found if one.rule is rules.LEAKS_NOTHING] == [(note,)]


# --- cost -------------------------------------------------------------------------------------------------------------


def calls_of_check(text: str) -> int:
    """Return how many functions a check calls."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    checked(text)  # fills caches
    gc.disable()  # what others have called at each collection does not count
    sys.setprofile(note)
    try:
        checked(text)
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def test_three_iterations_and_three_million_cost_the_same() -> None:
    program = (
        "const n = {}\nsecret r\noutput o\no := 0\n"
        "for i in 1..n {{ r[i] ~ bernoulli(1/2)\n for j in i..n {{ if r[i] {{ o := o + j }} else {{ x := o * 2 }} }} }}\n"
        "y ~ normal(x, 1)\nobserve(y == 3)\nshow I(r[1]; o)\n"
    )

    assert calls_of_check(program.format(3)) == calls_of_check(program.format(3_000_000))
