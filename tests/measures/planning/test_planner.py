"""In which order the planner tries reductions and ways, what it makes of their answers, and when it stops: with ways and rules made for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import pytest
from flint import arb

import seepage
from seepage import rules
from seepage.diagnostics import Diagnostic, Fault, Rule
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning import planner
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions import Reduced, Reduction
from seepage.measures.planning.refusal import Kind, Refusal
from seepage.measures.planning.table import Relation
from seepage.measures.planning.ways import Cost, Way
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty, Result
from seepage.source import Span

PROGRAM = "secret s\noutput o\ns ~ flip(1/2)\nt ~ flip(1/2)\no := s\n"
INFINITE = float("inf")


def claim(lower: float, upper: float, certainty: Certainty = Certainty.CERTIFIED) -> Quantity:
    return Quantity(Enclosure.bounded(arb(lower), arb(lower), arb(upper), certainty), 1, "discrete")


WIDE, NARROW = claim(0, 1), claim(0.5, 0.5)


def fault(rule: Rule, message: str = "why not") -> Fault:
    return Fault(Diagnostic(rule, Span(0, 1), message))


def refusal(kind: Kind = "not supported", why: str = "why not", rule: Rule = rules.NOT_SUPPORTED) -> Refusal:
    return Refusal(kind, why, fault(rule, why))


def way(
    name: str,
    answer: Claim | Refusal,
    seconds: float = 1.0,
    promise: Literal[0, 1, 2] = 0,
    applies: bool = True,
    reads_constraints: bool = False,
) -> Way:
    return Way(name, "", lambda _: applies, lambda _: Cost(seconds, promise), lambda _: answer, reads_constraints)


def itself(claims: Sequence[Claim]) -> Claim:
    return claims[0]


def rule(
    name: str,
    relation: Relation = "=",
    fold: Callable[[Sequence[Claim]], Claim | None] = itself,
    is_quick: bool = False,
    reads_constraints: bool = False,
    parts: int = 1,
) -> Reduction:
    """A rule that takes a question to itself."""

    def apply(question: Question) -> Reduced:
        return Reduced((question,) * parts, fold, relation, f"because of {name}")

    return Reduction(name, "", apply, is_quick, reads_constraints)


def told(number: Claim) -> Callable[[Sequence[Claim]], Claim]:
    """A fold that says a number whatever the parts are."""
    return lambda _: number


def without_parts(name: str, number: Claim, relation: Relation = "=", is_quick: bool = False) -> Reduction:
    return rule(name, relation, told(number), is_quick, parts=0)


@dataclass
class Room:
    """What the planner has in a test."""

    patch: pytest.MonkeyPatch
    one_law: Way = field(default_factory=lambda: way("one law", refusal(why="no one law")))
    ways: tuple[Way, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    last: tuple[Reduction, ...] = ()
    small: bool = False
    large: bool = False
    of_words: bool = False

    def asked(self, measure: str = "I(s; o)") -> Result:
        return self.program().measure(measure, unit="nats")

    def program(self) -> seepage.Program:
        for name, value in {
            "ONE_LAW": self.one_law,
            "WAYS": (*self.ways, self.one_law),
            "REDUCTIONS": self.reductions,
            "LAST": self.last,
            "is_small": lambda _: self.small,
            "is_large": lambda _: self.large,
            "is_of_words": lambda _: self.of_words,
            "with_reason": lambda _, told: fault(told.diagnostic.rule, f"{told.diagnostic.message}, with a reason"),
        }.items():
            self.patch.setattr(planner, name, value)
        return seepage.parse(PROGRAM)

    def steps(self, measure: str = "I(s; o)") -> list[tuple[str, str]]:
        return [(step.name, step.outcome) for step in self.asked(measure).plan]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


def test_one_law_answers_a_small_question_at_once(room: Room) -> None:
    room.small, room.one_law = True, way("one law", NARROW)
    room.reductions, room.ways = (without_parts("a rule", NARROW),), (way("a way", NARROW, 0.0),)

    assert room.steps() == [("one law", "answered")]


def test_what_one_law_leaves_open_is_taken_apart_and_not_asked_of_it_again(room: Room) -> None:
    room.small, room.one_law = True, way("one law", WIDE)
    room.reductions, room.ways = (without_parts("a rule", WIDE),), (way("a way", WIDE, 2.0),)

    assert room.steps() == [("one law", "bounded"), ("a rule", "bounded"), ("a way", "bounded")]


def test_equalities_go_before_ways_and_end_the_search(room: Room) -> None:
    room.reductions, room.ways = (without_parts("a rule", NARROW),), (way("a way", NARROW, 0.0),)

    assert room.steps() == [("a rule", "answered")]


def test_ways_go_by_their_cost_and_those_that_promise_bounds_only_go_last(room: Room) -> None:
    room.one_law = way("one law", WIDE, 2.0)
    room.ways = (
        way("bounds", WIDE, 0.0, 2),
        way("slow", WIDE, 3.0),
        way("certified", WIDE, 1.5, 1),
        way("quick", WIDE, 1.0),
        way("not for this", NARROW, 0.0, applies=False),
    )

    assert [name for name, _ in room.steps()] == ["quick", "certified", "one law", "slow", "bounds"]


def test_the_search_ends_with_the_way_that_settles_it(room: Room) -> None:
    room.ways = (way("first", WIDE, 0.0), way("second", NARROW, 0.5), way("third", NARROW, 0.7))

    assert room.steps() == [("first", "bounded"), ("second", "answered")]


def test_bounds_by_rules_go_after_all_ways(room: Room) -> None:
    room.reductions = (without_parts("at most", NARROW, "<="), without_parts("at least", NARROW, ">="))
    room.ways = (way("a way", WIDE, 0.0),)

    assert room.steps() == [
        ("a way", "bounded"), ("one law", "declined"), ("at most", "bounded"), ("at least", "bounded")
    ]  # fmt: skip


@pytest.mark.parametrize(("relation", "ends"), [("<=", (0.0, 0.75)), (">=", (0.25, 1.0)), ("=", (0.25, 0.75))])
def test_a_rule_bounds_the_side_that_it_proves(room: Room, relation: Relation, ends: tuple[float, float]) -> None:
    room.one_law = way("one law", WIDE)
    room.reductions = (without_parts("a rule", claim(0.25, 0.75), relation),)
    found = room.asked()

    assert (found.lower, found.upper) == ends
    assert found.certainty is Certainty.CERTIFIED


def test_exact_parts_of_a_bound_are_no_exact_number(room: Room) -> None:
    room.one_law = way("one law", refusal())
    room.reductions = (without_parts("a rule", claim(0.5, 0.5, Certainty.EXACT), "<="),)
    found = room.asked()

    assert (found.lower, found.upper, found.certainty) == (0.0, 0.5, Certainty.CERTIFIED)


def test_the_steps_of_parts_stand_in_the_step_of_the_rule(room: Room) -> None:
    room.one_law, room.reductions = way("one law", WIDE), (rule("a rule"),)
    (step, *_) = room.asked().plan

    assert (step.name, step.question) == ("a rule", "I(s; o)")
    assert step.told == "because of a rule: from 0 to 1 (certified)"
    assert [inner.name for inner in step.steps] == ["a rule", "one law"]
    assert step.seconds >= sum(inner.seconds for inner in step.steps) >= 0


def test_an_exact_answer_is_told_without_bounds(room: Room) -> None:
    room.one_law = way("one law", claim(0.5, 0.5, Certainty.EXACT))

    assert room.asked().plan[0].told == "0.5 (exact)"


def test_a_rule_is_applied_to_what_it_posed_itself_four_times(room: Room) -> None:
    room.one_law, room.reductions = way("one law", WIDE), (rule("a rule"),)
    depth, (step, *_) = 0, room.asked().plan
    while step.name == "a rule":
        depth, step = depth + 1, step.steps[0]

    assert depth == 4


def test_a_rule_of_the_last_ones_is_applied_once(room: Room) -> None:
    again = rule("digits")
    room.one_law, room.last, room.of_words = way("one law", refusal("no time"), 1.0), (again,), True
    room.ways = (way("a way", WIDE, 5.0),)
    steps = room.asked().plan

    assert [step.name for step in steps] == ["one law", "digits", "one law", "a way"]
    assert "digits" not in [inner.name for inner in steps[1].steps]


def test_words_are_asked_of_one_law_for_a_moment_first(room: Room) -> None:
    given: list[object] = []

    def answer(question: Question) -> Claim | Refusal:
        given.append(question.evaluation.inquiry.budget.deadline)
        return refusal("no time") if len(given) == 1 else NARROW

    room.of_words, room.one_law = True, replace(way("one law", NARROW), compute=answer)

    assert room.steps() == [("one law", "declined"), ("one law", "answered")]
    hurried, whole = given
    assert hurried != whole


def test_one_law_that_had_time_is_not_asked_again(room: Room) -> None:
    room.of_words, room.one_law = True, way("one law", WIDE)
    room.ways = (way("a way", WIDE, 5.0),)

    assert [name for name, _ in room.steps()] == ["one law", "a way"]


@pytest.mark.parametrize(("large", "names"), [(True, ["low", "high"]), (False, ["one law"])])
def test_quick_bounds_from_both_sides_go_before_ways_where_one_law_is_large(
    room: Room, large: bool, names: list[str]
) -> None:
    room.large, room.one_law = large, way("one law", NARROW)
    room.reductions = (without_parts("low", NARROW, ">=", True), without_parts("high", NARROW, "<=", True))

    assert [name for name, _ in room.steps()] == names


def test_quick_bounds_that_leave_it_open_are_not_tried_again(room: Room) -> None:
    room.large, room.one_law = True, way("one law", WIDE)
    room.reductions = (without_parts("low", WIDE, ">=", True), without_parts("high", WIDE, "<=", True))

    assert [name for name, _ in room.steps()] == ["low", "high", "one law"]


def test_quick_bounds_wait_where_one_side_has_none(room: Room) -> None:
    none = Reduction("high", "", lambda _: None, is_quick=True)
    room.large, room.one_law = True, way("one law", WIDE)
    room.reductions = (without_parts("low", NARROW, ">=", True), none)

    assert [name for name, _ in room.steps()] == ["one law", "low"]


def test_parts_that_do_not_tell_the_whole_are_no_answer(room: Room) -> None:
    room.one_law, room.reductions = way("one law", NARROW), (rule("a rule", fold=lambda _: None),)
    steps = room.asked().plan

    assert [(step.name, step.outcome, step.told) for step in steps[:1]] == [
        ("a rule", "declined", "the parts do not tell it")
    ]
    assert steps[0].steps[-1].name == "one law"
    assert steps[-1].outcome == "answered"


@pytest.mark.parametrize("kind", [rules.NOT_SUPPORTED, rules.BUDGET_EXCEEDED, rules.TIME_LIMIT])
def test_parts_that_nothing_answers_leave_the_question_to_others(room: Room, kind: Rule) -> None:
    def fail(_: Sequence[Claim]) -> Claim:
        raise fault(kind)

    room.one_law, room.reductions = way("one law", NARROW), (rule("a rule", fold=fail, parts=0),)

    assert room.steps() == [("a rule", "declined"), ("one law", "answered")]


def test_what_is_wrong_with_the_program_is_told_at_once(room: Room) -> None:
    def fail(_: Sequence[Claim]) -> Claim:
        raise fault(rules.UNDEFINED_VALUE, "a quotient by 0")

    room.one_law, room.reductions = way("one law", NARROW), (rule("a rule", fold=fail, parts=0),)

    with pytest.raises(seepage.MeasureError, match="a quotient by 0"):
        room.asked()


def test_the_fault_of_one_law_is_told_where_nothing_answers(room: Room) -> None:
    room.ways = (way("a way", refusal(why="another reason"), 0.0),)

    with pytest.raises(seepage.MeasureError, match="no one law, with a reason"):
        room.asked()


def test_the_fault_of_a_part_is_told_without_the_reason_of_the_whole(room: Room) -> None:
    room.reductions = (rule("a rule"),)
    with pytest.raises(seepage.MeasureError, match=r"no one law, with a reason$"):
        room.asked()


def test_rules_and_ways_that_do_not_read_constraints_are_left_out(room: Room) -> None:
    room.one_law = way("one law", WIDE, reads_constraints=True)
    room.ways = (way("blind", NARROW, 0.0), way("reads", WIDE, 0.5, reads_constraints=True))
    room.reductions = (
        without_parts("blind rule", NARROW),
        rule("reading rule", fold=told(WIDE), parts=0, reads_constraints=True),
    )
    stated = "C(s -> o, power=1)"

    assert [name for name, _ in room.steps(stated)] == ["reading rule", "reads", "one law"]


def test_two_answers_that_exclude_each_other_are_told_with_all_that_was_said(room: Room) -> None:
    room.ways = (
        way("low", claim(0, 0.25), 0.0), way("silent", refusal(why="nothing"), 0.1), way("high", claim(0.5, 0.75), 0.2)
    )  # fmt: skip

    with pytest.raises(seepage.MeasureError) as caught:
        room.asked()

    (note,) = caught.value.diagnostic.notes
    assert note == "low: from 0 to 0.25 (certified); high: from 0.5 to 0.75 (certified)"
    assert caught.value.diagnostic.rule is rules.ANALYSIS_BROKE


def test_a_refusal_without_a_fault_is_no_reason_to_tell(room: Room) -> None:
    room.one_law = way("one law", Refusal("does not apply", "not for this"))

    with pytest.raises(ValueError, match="refused without a fault: not for this"):
        room.asked()


def test_what_was_tried_is_told_where_nothing_answers(room: Room) -> None:
    room.ways = (way("a way", refusal(why="another reason"), 0.0),)
    how = room.program().how("I(s; o)")

    assert how.result is None
    assert [(step.name, step.outcome, step.told) for step in how.steps] == [
        ("a way", "declined", "another reason"),
        ("one law", "declined", "no one law"),
    ]
