"""How the time limit is shared between the answers of a program, by a clock that only answers move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

import pytest
from flint import arb, fmpq

from seepage import answering, rules
from seepage.deadline import Clock, Deadline, cut_short, using, watched
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.measures import evaluate, table_rounds
from seepage.measures.asking import Asking
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluate import evaluate_text
from seepage.measures.evaluation import Evaluation
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.leakage_table import RowQuestion
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import fail
from seepage.measures.settled_asking import asking_at
from seepage.pipeline import Analysis, Options, analyze, check
from seepage.semantics.checked import ShowSymbol
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile, Span
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall

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
        left = asking.budget.deadline.left()
        now[0] += min(left, needs[text])
        late = None if needs[text] <= left else Diagnostic(rules.TIME_LIMIT, symbol.span, "time limit reached")
        return Answer("show", symbol.span, text, None, None, late)

    monkeypatch.setattr(answering, "show", show)
    with using(Clock(lambda: now[0], lambda: now[0])):
        answers = analyze(check(SourceFile("shares", TEXT)), Options(seconds=limit)).answers
    return order, [answer.text for answer in answers if answer.diagnostic is not None]


def test_one_that_takes_forever_leaves_the_others_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets 3 s at first, as each does; then, as nobody else waits, what is left but a tenth."""
    order, late = asked(monkeypatch, {"0": 1e9, "1": 1.0, "2": 1.0, "3": 1.0}, 60.0)

    assert order == ["0", "1", "2", "3", "0"]
    assert late == ["0"]


def test_those_that_need_more_than_the_first_share_wait_for_those_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 s the first two take 3 s each, the others 2 s together; of the 52 s left the first gets half, the second 0.9 times what it leaves."""
    order, late = asked(monkeypatch, {"0": 16.0, "1": 30.0, "2": 1.0, "3": 1.0}, 60.0)

    assert order == ["0", "1", "2", "3", "0", "1"]
    assert late == []


def test_who_needs_what_others_left_is_asked_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three take 3 s each; of the 51 s left the first gets a third, the others 4 s each; of the 26 s left then the first is asked again."""
    order, late = asked(monkeypatch, {"0": 20.0, "1": 4.0, "2": 4.0, "3": 0.0}, 60.0)

    assert order == ["0", "1", "2", "3", "0", "1", "2", "0"]
    assert late == []


def test_none_is_asked_again_with_less_than_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    order, late = asked(monkeypatch, {"0": 1e9, "1": 1e9, "2": 1e9, "3": 1e9}, 60.0)

    assert order[:4] == ["0", "1", "2", "3"]
    assert late == ["0", "1", "2", "3"]
    assert len(order) <= 12  # not over and over


LEAK = "secret r\noutput o\nr ~ flip(1/2)\no ~ flip(1/2)\nfor i in 1..9 { s := s + o }\n"


@pytest.mark.parametrize("slow", ["H(o)", "H(s)"])
def test_one_that_takes_all_of_its_time_leaves_the_table_and_what_hovers_show_theirs(
    monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    """Neither the answer, which reads less than the table or more of the program, nor hovers on such variables go without."""
    now = [0.0]

    def show(asking: Asking, symbol: ShowSymbol) -> Answer:
        assert asking.budget.deadline is not None
        now[0] = asking.budget.deadline.processor
        return Answer("show", symbol.span, slow, None, None, Diagnostic(rules.TIME_LIMIT, symbol.span, "time limit"))

    monkeypatch.setattr(answering, "show", show)
    with using(Clock(lambda: now[0], lambda: now[0])):
        found = analyze(check(SourceFile("shares", f"{LEAK}show {slow}\n")), Options(seconds=60.0))

    assert [row.information is not None for row in found.table] == [True]
    assert {name: facts.entropy is not None for name, facts in found.variables.items()} == dict.fromkeys("ros", True)
    assert [answer.result for answer in found.answers] == [None]


def test_what_is_asked_comes_before_the_table_what_reads_least_first(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, bool, set[str]]] = []
    known: list[Analysis] = []

    def show(asking: Asking, symbol: ShowSymbol) -> Answer:
        text = spell(symbol.node.measure)
        told.append((text, bool(known and known[-1].table), set(known[-1].variables) if known else set()))
        return Answer("show", symbol.span, text, None)

    monkeypatch.setattr(answering, "show", show)
    found = analyze(check(SourceFile("order", f"{LEAK}show H(s)\nshow I(r; o)\nshow H(o)\n")), tell=known.append)

    assert told == [("H(o)", False, set()), ("I(r; o)", False, set()), ("H(s)", False, set())]
    assert set(found.variables) == set("ros")


@pytest.mark.parametrize("slow", ["r", "q"])
def test_a_row_that_takes_all_of_its_time_leaves_the_others_theirs(monkeypatch: pytest.MonkeyPatch, slow: str) -> None:
    now = [0.0]
    asked_for: list[str] = []

    def row(asking: Asking, question: RowQuestion) -> LeakageRow:
        asked_for.append(question.secret.name)
        found = LeakageRow(question.secret.name, question.label, question.secret.span, question.headline, None)
        if question.secret.name != slow:
            return replace(found, note="found")
        assert asking.budget.deadline is not None
        now[0] = asking.budget.deadline.processor + 0.001
        assert asking.budget.expired()
        return replace(found, note="late")

    monkeypatch.setattr(table_rounds, "leakage_row", row)
    text = "secret r, q\noutput o\nr ~ flip(1/2)\nq ~ flip(1/2)\no := r and q\nshow I(r; o)\n"
    known: list[Analysis] = []
    with using(Clock(lambda: now[0], lambda: now[0])):
        found = analyze(check(SourceFile("rows", text)), Options(seconds=60.0), known.append)

    assert [each.note for each in found.table] == ["late" if name == slow else "found" for name in "rq"]
    assert asked_for[:3] == ["r", "q", slow]  # put back, asked again after the others
    assert all(row.note != "late" for one in known[:3] for row in one.table)


# E(n) = (1 - q)/q of a geometric n grows beyond every bound as q falls to 0, so that some q refutes each budget.
UNBOUNDED = "param q in (0, 1] = 1/2\nn ~ geometric(q)\nrequire E(n) <= 1000000 over q in (0, 1]\n"


@pytest.mark.family(every=3)
@pytest.mark.parametrize("tick", [0.001, 0.005, 0.01, 0.02, 0.03, 0.1, 0.3, 1.0])
def test_a_budget_over_a_range_that_is_cut_short_is_asked_again_or_names_time(tick: float) -> None:
    """Each look at the clock takes so many seconds; the first share, 1.5 s of 30 s, is too short for the search from the third one on."""
    now = [0.0]

    def look() -> float:
        now[0] += tick
        return now[0]

    with using(Clock(look, look)):
        (answer,) = analyze(check(SourceFile("cut", UNBOUNDED)), Options(seconds=30.0)).answers

    told = answer.diagnostic
    assert told is not None
    if tick <= 0.02:
        assert answer.verdict == "violated"
    if tick >= 0.3:
        assert answer.verdict == "cannot tell"
    assert answer.verdict == "violated" or any("time limit" in words for words in (told.message, *told.notes))


def test_what_is_not_tried_again_for_want_of_time_is_told_as_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a row of the table that asks what a ``show`` gave up for time is not late, and is never asked again."""
    now = [0.0]

    def late(*_: object) -> NoReturn:
        now[0] += 0.6
        cut_short()
        fail(rules.TIME_LIMIT, Span(0, 0), "the time limit was reached")

    monkeypatch.setattr(evaluate, "_computed", late)
    checked = check(SourceFile("late", LEAK))
    given_up: list[bool] = []
    with using(Clock(lambda: now[0], lambda: now[0])):
        asking = asking_at(checked, unroll(checked), (), {}, "bits", Budget(deadline=Deadline.after(1.0)))
        for _ in range(2):
            with watched() as watch, pytest.raises(Fault):
                evaluate_text(asking, "I(r; o)")
            given_up.append(watch.cut)

    assert (given_up, now) == ([True, True], [0.6])


def test_a_number_that_holds_is_told_at_once_and_asked_again_for_more_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def rougher_at_first(evaluation: Evaluation, call: MeasureCall, _: Span) -> Quantity:
        short = evaluation.inquiry.budget.deadline is not None and spell(call) == "I(r; o)" and not looks
        if short:
            looks.append(1)
            cut_short()
        upper = arb(1) + (arb(10) ** -4 if short else 0)
        return Quantity(Enclosure.bounded(arb(1), arb(1), upper, Certainty.CERTIFIED), 1, "discrete")

    monkeypatch.setattr(evaluate, "_computed", rougher_at_first)
    known: list[Analysis] = []
    found = analyze(check(SourceFile("digits", f"{LEAK}show I(r; o)\n")), Options(seconds=60.0), known.append)

    widths = [each.answers[0].result for each in (*known, found) if each.answers]
    assert widths[0] is not None
    assert widths[0].upper - widths[0].lower > 1e-5
    assert widths[-1] is not None
    assert widths[-1].upper == widths[-1].lower


def test_a_table_of_too_many_pairs_tells_secrets_alone_and_how_to_ask_for_the_others() -> None:
    names = range(21)
    declared = "".join(f"secret s{i}\noutput o{i}\n" for i in names)
    text = declared + "".join(f"s{i} ~ flip(1/2)\nt{i} ~ flip(1/4)\no{i} := s{i} xor t{i}\n" for i in names)
    found = analyze(check(SourceFile("pairs", text)), Options(seconds=60.0))

    assert [(row.secret, row.output) for row in found.table] == [(f"s{i}", "all outputs") for i in names]
    # A bit that is flipped with probability 1/4 tells 1 - h(1/4) bits.
    assert {round(row.information.lower, 9) for row in found.table if row.information} == {0.188721876}
    assert found.note == "no rows for single outputs, of which there would be 441: ask for one by 'show I(s0; o0)'"
