"""How the time limit is shared between the answers of a program, by a clock that only answers move."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from flint import fmpq

from seepage import answering, rules
from seepage.diagnostics import Diagnostic
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import DiscreteJoint
from seepage.measures.asking import Asking
from seepage.measures.facts import Answer
from seepage.pipeline import Analysis, Options, analyze, check
from seepage.semantics.checked import ShowSymbol
from seepage.source import SourceFile
from seepage.syntax.spell import spell

TEXT = "x ~ flip(1/2)\n" + "\n".join(f"show P(x == {n})" for n in range(4))


def asked(monkeypatch: pytest.MonkeyPatch, needs: Mapping[str, float], limit: float) -> tuple[list[str], list[str]]:
    """Return which measures were asked, in order, and which have no answer in the end, if each takes so many seconds."""
    now = [0.0]
    order: list[str] = []

    def show(asking: Asking, symbol: ShowSymbol) -> Answer:
        text = spell(symbol.node.measure)[-2]
        order.append(text)
        assert asking.budget.deadline is not None
        asking.memory.joints[(), ("x",)] = DiscreteJoint(("x",), RATIONALS, {(1,): fmpq(1)}, fmpq(1))
        left = max(0.0, asking.budget.deadline - now[0])
        now[0] += min(left, needs[text])
        late = None if needs[text] <= left else Diagnostic(rules.TIME_LIMIT, symbol.span, "time limit reached")
        return Answer("show", symbol.span, text, None, None, late)

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(answering, "show", show)
    answers = analyze(check(SourceFile("shares", TEXT)), Options(seconds=limit)).answers
    return order, [answer.text for answer in answers if answer.diagnostic is not None]


def test_one_that_takes_forever_leaves_the_others_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets 30 s, half of all; of the 30 s left the next gets 10 s, the one after half of 20 s, the last nine tenths of 10 s."""
    order, late = asked(monkeypatch, {"0": 1e9, "1": 10.0, "2": 10.0, "3": 9.0}, 60.0)

    assert order == ["0", "1", "2", "3"]
    assert late == ["0"]


def test_one_that_needs_more_than_its_share_is_asked_again_with_what_others_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second one gets 20 s, a third of 60 s, and then the 40 s that nobody needed."""
    order, late = asked(monkeypatch, {"0": 0.0, "1": 40.0, "2": 0.0, "3": 0.0}, 60.0)

    assert order == ["0", "1", "2", "3", "1"]
    assert late == []


def test_none_is_asked_again_with_less_than_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    order, late = asked(monkeypatch, {"0": 1.0, "1": 21.0, "2": 15.0, "3": 15.0}, 61.0)

    assert order == ["0", "1", "2", "3"]
    assert late == ["1"]


LEAK = "secret r\noutput o\nr ~ flip(1/2)\no ~ flip(1/2)\nfor i in 1..9 { s := s + o }\n"


@pytest.mark.parametrize("slow", ["H(o)", "H(s)"])
def test_one_that_takes_all_of_its_time_leaves_the_table_and_what_hovers_show_theirs(
    monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    """Neither the answer, which reads less than the table or more of the program, nor hovers on such variables go without."""
    now = [0.0]

    def show(asking: Asking, symbol: ShowSymbol) -> Answer:
        assert asking.budget.deadline is not None
        now[0] = asking.budget.deadline
        return Answer("show", symbol.span, slow, None, None, Diagnostic(rules.TIME_LIMIT, symbol.span, "time limit"))

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(answering, "show", show)
    found = analyze(check(SourceFile("shares", f"{LEAK}show {slow}\n")), Options(seconds=60.0))

    assert [row.information is not None for row in found.table] == [True]
    assert {name: facts.entropy is not None for name, facts in found.variables.items()} == dict.fromkeys("ros", True)
    assert [answer.result for answer in found.answers] == [None]


def test_what_reads_more_of_the_program_than_the_table_waits_for_it_and_for_hovers_on_what_reads_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[str, bool, set[str]]] = []
    known: list[Analysis] = []

    def show(asking: Asking, symbol: ShowSymbol) -> Answer:
        text = spell(symbol.node.measure)
        told.append((text, bool(known and known[-1].table), set(known[-1].variables) if known else set()))
        return Answer("show", symbol.span, text, None)

    monkeypatch.setattr(answering, "show", show)
    found = analyze(check(SourceFile("order", f"{LEAK}show H(s)\nshow I(r; o)\nshow H(o)\n")), tell=known.append)

    assert told[:2] == [("H(o)", False, set()), ("I(r; o)", False, set())]
    assert told[2] == ("H(s)", True, set("ro"))
    assert set(found.variables) == set("ros")
