"""Snippets with their defaults are programs: they parse, have no errors, and are analysed; some against numbers known otherwise."""

from __future__ import annotations

import math

import pytest
from tests.editors.vscode.snippets import Snippet, expand, snippets

import seepage
from seepage.diagnostics import Severity
from seepage.syntax.printer import format_text

PROGRAMS = {snippet.name: snippet for snippet in snippets() if snippet.is_program}


@pytest.fixture(scope="module")
def programs() -> dict[str, seepage.Program]:
    return {name: seepage.parse(snippet.text) for name, snippet in PROGRAMS.items()}


def test_a_place_without_a_default_repeats_the_default_of_its_number() -> None:
    assert expand("secret ${1:s}\n$1 ~ flip(${2:1/2})\n$0") == "secret s\ns ~ flip(1/2)\n"


def test_the_mechanisms_and_protocols_that_are_promised_are_there() -> None:
    assert set(PROGRAMS) == {
        "Randomized response",
        "k-ary randomized response",
        "Geometric mechanism",
        "Laplace mechanism",
        "Gaussian mechanism",
        "Exponential mechanism",
        "Sparse vector",
        "Dining cryptographers",
        "Crowds",
        "Password check",
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_has_no_errors_and_a_number_for_everything_it_asks(
    name: str, programs: dict[str, seepage.Program]
) -> None:
    program = programs[name]
    assert [found.message for found in program.diagnostics if found.severity is Severity.ERROR] == []

    answers = program.analyze().answers

    assert [answer.diagnostic for answer in answers if answer.result is None] == []
    assert {answer.result.certainty.value for answer in answers if answer.result} <= {"exact", "certified"}
    assert all(answer.verdict in (None, "holds") for answer in answers)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_in_the_style_of_the_formatter(name: str) -> None:
    text = PROGRAMS[name].text.rstrip("\n") + "\n"

    assert format_text(text).edits == ()


@pytest.mark.parametrize("snippet", [one for one in snippets() if not one.is_program], ids=lambda one: one.name)
def test_a_piece_parses_in_a_program(snippet: Snippet) -> None:
    context = "secret secret_\noutput out\nn := 3\ncondition := true\nsecret_ ~ flip(1/2)\nout := secret_\n"
    text = context + snippet.text.replace("secret;", "secret_;").replace("output)", "out)").replace(
        "in 1..n", "in 1..3"
    )

    assert [found.message for found in seepage.parse(text).diagnostics if found.severity is Severity.ERROR] == []


def test_k_ary_randomized_response_keeps_its_promise(programs: dict[str, seepage.Program]) -> None:
    promise = programs["k-ary randomized response"].measure("DP(r -> o)", params={"eps": "2"}, unit="nats")

    assert promise.lower <= 2 <= promise.upper


def test_dining_cryptographers_tell_whether_one_has_paid_and_nothing_else(programs: dict[str, seepage.Program]) -> None:
    leak = programs["Dining cryptographers"].measure("I(who; said)", unit="bits")
    paid = -(3 / 4) * math.log2(3 / 4) - (1 / 4) * math.log2(1 / 4)

    assert math.isclose(leak.number, paid)


def test_the_gaussian_mechanism_has_the_information_of_a_gaussian_channel(programs: dict[str, seepage.Program]) -> None:
    leak = programs["Gaussian mechanism"].measure("I(x; published)", unit="bits")
    noise = 9 + 2 * math.log(1.25 / 1e-3) / (1 / 2) ** 2

    assert math.isclose(leak.number, math.log2(1 + 1 / noise) / 2)


def test_crowds_is_seen_as_a_simulation_of_its_rule_sees_it(programs: dict[str, seepage.Program]) -> None:
    leak = programs["Crowds"].measure("I(author; seen)", unit="bits")

    assert math.isclose(leak.number, _crowds(honest=4, hops=6, forward=3 / 4))


def _crowds(honest: int, hops: int, forward: float) -> float:
    """The information in closed form: a first hop to the watcher names the author; a later one names each member alike."""
    direct = 1 / (honest + 1)
    on = forward * honest / (honest + 1)
    later = sum(direct * on**hop for hop in range(1, hops)) * 1.0
    to_author, to_other = direct + later / honest, later / honest
    seen = direct + later
    entropy_of_author = math.log2(honest)
    parts = [to_author / seen] + [to_other / seen] * (honest - 1)
    return seen * (entropy_of_author + sum(part * math.log2(part) for part in parts))
