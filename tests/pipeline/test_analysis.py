"""The whole analysis of a program: answers, budgets, leakage table, facts, faults, limits."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import pytest

import seepage
from seepage.engines.outcome import Budget
from seepage.pipeline import Analysis, Options, analyze, check
from seepage.source import SourceFile

CHANNEL = """
secret s
output o, a
s ~ uniform_int(0, 3)
o := s % 2
a := s / 2 >= 1
"""


def analysis(text: str, seconds: float = 20.0) -> Analysis:
    program = seepage.parse(text)
    assert not [each.message for each in program.diagnostics if each.is_error]
    return program.analyze(seconds=seconds)


def names(found: Analysis) -> list[str]:
    return [each.rule.name for each in found.diagnostics]


def verdicts(text: str) -> list[str | None]:
    return [answer.verdict for answer in analysis(text).answers]


def test_the_headline_takes_all_outputs_jointly() -> None:
    headline, *single = analysis(CHANNEL).table

    assert headline.information is not None
    assert (headline.information.value, headline.output) == (2.0, "all outputs")
    assert [(row.output, row.information.value) for row in single if row.information] == [("o", 1.0), ("a", 1.0)]


def test_the_worst_case_and_the_guesses_stand_beside_the_average() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 7)\no := s == 0\n"

    (row,) = analysis(text).table

    assert row.worst is not None
    assert row.guess_before is not None
    assert row.guess_after is not None
    assert row.worst.output == "o = 1"
    assert row.worst.divergence.value == 3.0
    assert row.least_left is not None
    assert row.least_left.output == "o = 1"
    assert row.least_left.entropy.exact == 0
    assert row.guess_before.value == 1 / 8
    assert row.guess_after.value == 2 / 8
    assert row.percent is not None
    assert row.percent.value == pytest.approx(100 * (3 - 7 / 8 * math.log2(7)) / 3, rel=1e-13)


@pytest.mark.parametrize("prior", ["uniform(0, 1/2)", "exponential(3)", "normal(0, 1)"])
def test_a_secret_with_a_density_has_no_share(prior: str) -> None:
    """Its differential entropy may be negative: the share would be −200 % for the first, which tells 2 of −1 bits."""
    (row,) = analysis(f"secret x\noutput o\nx ~ {prior}\no := floor(8 * x)\n").table

    assert row.information is not None
    assert row.percent is None


def test_a_secret_that_a_density_decides_has_its_share() -> None:
    (row,) = analysis("secret x\noutput o\nn ~ normal(0, 1)\nx := n > 0\no := x\n").table

    assert row.percent is not None
    assert row.percent.value == 100


def test_an_unlikely_output_may_tell_most_and_another_leave_least() -> None:
    """s is 0 in 9 of 10 runs: o = 1 tells that it is one of the unlikely eight, o = 0 that it is 0, or hardly another."""
    text = "secret s\noutput o\ns ~ {0: 9/10, 1: 1/80, 2: 1/80, 3: 1/80, 4: 1/80, 5: 1/80, 6: 1/80, 7: 1/80, 8: 1/80}\no := s >= 1\n"

    (row,) = analysis(text).table

    assert row.worst is not None
    assert row.least_left is not None
    assert (row.worst.output, row.least_left.output) == ("o = 1", "o = 0")
    assert row.worst.divergence.value == pytest.approx(math.log2(10), rel=1e-13)
    assert row.least_left.entropy.exact == 0
    assert row.least_left.entropy.measure == "H(s | o == 0)"


def test_every_row_has_its_worst_case_and_its_guesses() -> None:
    assert [row.worst.output for row in analysis(CHANNEL).table if row.worst] == ["o = 0, a = 0", "o = 0", "a = 0"]
    assert [row.guess_after.exact for row in analysis(CHANNEL).table if row.guess_after] == [1, 1 / 2, 1 / 2]


def test_a_discrete_secret_behind_noise_has_its_chance_to_be_guessed() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\nn ~ normal(0, 1)\no := 2 * s - 1 + n\n"

    (row,) = analysis(text).table

    assert row.guess_before is not None
    assert row.guess_after is not None
    assert row.guess_before.exact == Fraction(1, 2)
    assert row.guess_after.value == pytest.approx((1 + math.erf(1 / math.sqrt(2))) / 2, rel=1e-14)
    assert row.worst is None
    assert "no worst case" in row.note


def test_discrete_outputs_that_noise_decides_have_a_worst_case() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/3)\nn ~ laplace(0, 1)\no := s + n > 1\n"
    passing = {0: math.exp(-1) / 2, 1: 1 / 2}
    chance = {1: (2 * passing[0] + passing[1]) / 3, 0: 1 - (2 * passing[0] + passing[1]) / 3}
    ones = {1: passing[1] / 3 / chance[1], 0: (1 - passing[1]) / 3 / chance[0]}  # the chance of s = 1 given the output

    (row,) = analysis(text).table

    assert row.worst is not None
    assert row.least_left is not None
    assert row.percent is not None
    divergence = {o: q * math.log2(3 * q) + (1 - q) * math.log2((1 - q) * 3 / 2) for o, q in ones.items()}
    entropy = {o: -q * math.log2(q) - (1 - q) * math.log2(1 - q) for o, q in ones.items()}
    assert row.worst.output == "o = 1"
    assert row.worst.divergence.value == pytest.approx(divergence[1], rel=1e-12)
    assert divergence[1] > divergence[0]
    assert row.least_left.output == "o = 0"
    assert row.least_left.entropy.value == pytest.approx(entropy[0], rel=1e-12)
    assert entropy[0] < entropy[1]
    told = sum(chance[o] * divergence[o] for o in (0, 1)) / (math.log2(3) - 2 / 3)
    assert row.percent.value == pytest.approx(100 * told, rel=1e-12)


def test_an_array_too_large_to_take_jointly_shows_its_worst_element() -> None:
    text = "secret r\noutput o\no ~ bernoulli(1/2)\nfor i in 1..24 { r[i] ~ bernoulli(1/2)\n o := o + (if i == 3 then 40 else 1) * r[i] }\nif r[1] and r[2] { o := o + 100 }\n"

    (row,) = analysis(text).table

    assert row.secret == "r[3]"
    assert row.information is not None
    assert row.information.value == 1.0
    assert "worst" in row.note


def test_a_function_of_a_large_array_is_taken_jointly_without_its_worst_case() -> None:
    text = "secret r\noutput o\no := 0\nfor i in 1..24 { r[i] ~ bernoulli(1/2)\n o := o xor r[i] }\n"

    (row,) = analysis(text).table

    assert row.secret == "r"
    assert row.information is not None
    assert row.information.value == 1.0
    assert row.worst is None
    assert "no worst case and guesses" in row.note


def test_without_a_secret_the_analysis_says_what_to_add() -> None:
    found = analysis("output o\no ~ bernoulli(1/2)\n")

    assert found.table == ()
    assert "'secret x'" in found.note
    assert "output" not in found.note.split("add")[1].split("to say")[0]


def test_an_array_of_continuous_secrets_has_no_guesses_but_a_note() -> None:
    (row,) = analysis("secret x\noutput y\nx ~ normal(0, 1)\nn ~ normal(0, 1)\ny := x + n\n").table

    assert row.information is not None
    assert row.information.value == pytest.approx(0.5, rel=1e-12)
    assert (row.percent, row.worst, row.guess_before) == (None, None, None)
    assert row.note


def test_a_complete_leak_is_a_warning() -> None:
    found = analysis("secret x\noutput y\nx ~ normal(0, 1)\ny := 2 * x\n")

    assert names(found) == ["complete-leak"]
    assert found.diagnostics[0].message == "'y' tells infinitely much of 'x'"


def test_only_information_itself_is_reported_as_a_complete_leak() -> None:
    text = "x ~ normal(0, 1)\ny := 2 * x\n"

    assert names(analysis(f"{text}show  I( x ; y )\n")) == ["complete-leak"]
    assert names(analysis(f"{text}show 2 * I(x; y)\n")) == []


def test_values_that_are_only_displayed_never_judge_a_budget() -> None:
    text = "param p in [0, 1] = 1/2\nsecret s\noutput s\ns ~ bernoulli(p)\nshow H(s)\nrequire H(s) <= 1/2\n"
    checked = check(SourceFile("budget", text))

    displayed = analyze(checked, Options(display_params={"p": 0}))
    given = analyze(checked, Options(params={"p": 0}))
    both = analyze(checked, Options(params={"p": 0}, display_params={"p": Fraction(1, 2)}))

    assert [(each.answers[0].result and each.answers[0].result.value) for each in (displayed, given, both)] == [0, 0, 1]
    assert [each.answers[1].verdict for each in (displayed, given, both)] == ["violated", "holds", "holds"]
    assert [names(each) for each in (displayed, given, both)] == [["leak-budget-violated"], [], []]
    with pytest.raises(ValueError, match="no parameter 'q'"):
        analyze(checked, Options(display_params={"q": 0}))


def test_budgets_are_judged_in_bits() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\n"
    requires = "require I(s; o) <= 1 bits\nrequire I(s; o) < 1\nrequire I(s; o) <= 0.7 nats\nrequire H(s | o) == 0\n"

    assert verdicts(text + requires) == ["holds", "violated", "holds", "holds"]


def test_a_violated_budget_names_both_numbers() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(3/4)\no := if t then s else !s\nrequire I(s; o) <= 0.188 bits\n"

    (found,) = analysis(text).diagnostics

    assert found.message == "budget exceeded: I(s; o) = 0.18872 bits > 0.188 bits"


def test_a_budget_over_a_range_is_proved_or_refuted() -> None:
    text = "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(p)\no := s xor t\n"
    found = analysis(f"{text}require I(s; o) <= 1 over p in [0, 1]\nrequire I(s; o) <= 0.5 over p in [0, 1/2]\n")

    assert [answer.verdict for answer in found.answers] == ["holds", "violated"]
    assert "at p = 0" in found.diagnostics[0].message


def test_an_approximate_number_cannot_hold_a_budget() -> None:
    text = "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := abs(x * y)\nrequire I(x; z) <= 1000\n"

    found = analysis(text)

    assert [answer.verdict for answer in found.answers] == ["cannot tell"]
    assert names(found) == ["nonlinear-function", "leak-budget-undecided"]


def test_a_fault_that_no_measure_depends_on_is_found() -> None:
    found = analysis("x ~ uniform_int(0, 1)\ny := 1 / x\nshow H(x)\n")

    assert names(found) == ["undefined-value"]
    assert found.answers[0].result is not None


def test_a_fault_in_the_slice_leaves_the_show_without_a_number() -> None:
    found = analysis("x ~ uniform_int(0, 1)\ny := 1 / x\nshow H(y)\n")

    assert names(found) == ["undefined-value"]
    assert found.answers[0].result is None


def test_an_error_inside_a_shown_measure_is_reported_in_it() -> None:
    text = "s ~ bernoulli(1/2)\nshow H(s | s == 9)\n"

    (found,) = analysis(text).diagnostics

    assert found.rule.name == "impossible-event"
    assert text[found.span.start : found.span.end] == "s == 9"


def test_an_impossible_observation_leaves_nothing_a_number() -> None:
    found = analysis("x ~ bernoulli(1/2)\ny ~ bernoulli(1/2)\nobserve(y == 2)\nshow H(x)\nrequire H(x) >= 0\n")

    assert names(found) == ["impossible-observation"]
    assert [answer.result for answer in found.answers] == [None, None]


def test_facts_of_a_secret_say_what_the_outputs_tell() -> None:
    facts = analysis(CHANNEL).variables["s"]

    assert facts.role == "secret"
    assert facts.entropy is not None
    assert facts.given_outputs is not None
    assert facts.information is not None
    assert (facts.entropy.value, facts.given_outputs.value, facts.information.value) == (2.0, 0.0, 2.0)
    assert facts.percent is not None
    assert facts.percent.value == 100.0


def test_the_time_limit_is_kept() -> None:
    walk = "for i in 1..3000 { d[i] ~ uniform_int(-3, 3)  x := (3 * x + d[i]) % 5003 }\n"  # a hundred million steps
    text = f"z ~ flip(1/2)\nx := 0\n{walk}show H(z)\nshow H(x)\nshow P(z)\n"

    found = analysis(text, seconds=2.0)

    assert found.answers[1].result is None
    assert found.answers[1].diagnostic is not None
    assert "time limit of 2 s" in found.answers[1].diagnostic.message
    assert found.answers[2].result is not None


def test_an_analysis_travels_between_processes() -> None:
    found = analysis("param p in [0, 1] = 1/3\n" + CHANNEL + "show I(s; o)\nrequire I(s; o) <= 0.1\n")

    assert pickle.loads(pickle.dumps(found)) == found


def test_the_same_text_gives_the_same_answers() -> None:
    first, second = analysis(CHANNEL + "show I(s; o)\n"), analysis(CHANNEL + "show I(s; o)\n")

    assert [row.information and row.information.value for row in first.table] == [
        row.information and row.information.value for row in second.table
    ]
    assert first.diagnostics == second.diagnostics


def test_the_share_of_a_discrete_secret_is_told_for_continuous_outputs_too() -> None:
    (row,) = analysis("secret s\noutput o\ns ~ uniform_int(0, 2)\no ~ normal(s, 1)\n").table

    assert row.information is not None
    assert row.percent is not None
    assert row.percent.number == pytest.approx(100 * row.information.number / math.log2(3), rel=1e-9)


GROWING = "secret s\noutput o\ns ~ uniform_int(1, 300)\nt ~ uniform_int(1, 300)\no := s * s * t + t\n"


def at_the_secret(text: str, options: Options) -> list[tuple[str, str]]:
    """Return rule and message of what is found at the secret's name, which is the first in the text."""
    found = analyze(check(SourceFile("<text>", text)), options).diagnostics
    return [(each.rule.name, each.message) for each in found if text[each.span.start : each.span.end] == "s"]


def test_a_secret_whose_leakage_is_not_computed_in_time_is_an_error() -> None:
    assert at_the_secret(GROWING, Options(seconds=0.0)) == [
        ("time-limit-reached", "the leakage of 's' is not computed: the time limit of 0 s was reached")
    ]


def test_a_secret_whose_leakage_grows_past_the_budget_is_an_error_that_says_where_it_grows() -> None:
    options = Options(budget=Budget(states=1000))

    assert at_the_secret(GROWING, options) == [
        ("limit-reached", "the leakage of 's' is not computed: the analysis grew past its limit")
    ]
    (found,) = analyze(check(SourceFile("<text>", GROWING)), options).diagnostics
    assert [GROWING[label.span.start : label.span.end] for label in found.labels] == ["t ~ uniform_int(1, 300)"]


def test_a_secret_whose_leakage_no_engine_computes_is_an_error() -> None:
    text = "secret s\noutput o\ns ~ normal(0, 1)\no := s + 1 / s\n"

    assert [rule for rule, _ in at_the_secret(text, Options())] == ["not-supported-yet"]


def test_a_secret_array_that_shows_its_worst_element_is_no_error() -> None:
    text = "secret s\noutput o\no := 0\nfor i in 1..5 { s[i] ~ uniform_int(0, 9); o := o + s[i] }\nt ~ flip(1/3)\nif t { o := o + 1 }\n"

    found = analysis(text)

    assert found.table[0].information is not None
    assert "the limit is" in found.table[0].note
    assert not [each for each in found.diagnostics if each.is_error]


def test_a_secret_that_nothing_assigns_is_told_once() -> None:
    found = seepage.parse("secret s\noutput o\no ~ flip(1/2)\n").analyze(seconds=20.0)

    assert found.diagnostics == ()


def test_the_time_limit_is_named_with_the_option_that_raises_it() -> None:
    program = seepage.parse(f"{GROWING}show H(o)\n")

    found = program.analyze(seconds=0.0)
    with pytest.raises(seepage.MeasureError) as failed:
        program.measure("H(o)", seconds=0.0)

    (answer,) = found.answers
    assert answer.diagnostic in found.diagnostics
    for each in (answer.diagnostic, failed.value.diagnostic):
        assert each is not None
        assert each.message == "time limit of 0 s reached before 'H(o)' was computed"
        assert "raise the limit with --time-limit (seepage.timeLimit in an editor)" in each.notes


def test_an_error_of_a_value_leaves_measures_alone_whose_slice_does_not_hold_it() -> None:
    text = "x ~ uniform_int(1, 4)\ny := 1 / 0\nz ~ bernoulli(3/2)\nshow H(x)\nshow E(y)\nshow E(z)\n"
    found = seepage.parse(text).analyze(seconds=20.0)

    assert [answer.result is not None for answer in found.answers] == [True, False, False]
    assert found.answers[0].result is not None
    assert found.answers[0].result.exact == 2
    assert found.diagnostics == ()  # told by the check already


def test_what_is_no_text_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match="found NoneType, expected the text of a program"):
        seepage.parse(None)  # type: ignore[arg-type]


def test_numbers_are_told_before_formulas_are_looked_for() -> None:
    text = "param p in [0, 1] = 1/3\nsecret s\noutput o\ns ~ flip(p)\nt ~ flip(1/4)\no := s xor t\nshow H(o)\nshow I(s; o) / H(s)\n"
    checked = check(SourceFile("order", text))
    told: list[Analysis] = []

    found = analyze(checked, Options(), told.append)

    shown = [[answer.result for answer in one.answers] for one in told]
    without = [results for results in shown if len(results) == 2 and not any(one and one.formula for one in results)]
    assert without
    assert shown.index(without[0]) < len(shown) - 1
    assert [one.value if one else None for one in without[0]] == [one.value if one else None for one in shown[-1]]
    assert all(one and one.formula for one in shown[-1])
    assert next(one for one in told if one.variables).variables["s"].entropy
    fresh = analyze(checked)
    assert [answer.result and answer.result.formula for answer in found.answers] == [
        answer.result and answer.result.formula for answer in fresh.answers
    ]
    assert found.variables["o"].entropy
    assert fresh.variables["o"].entropy
    assert found.variables["o"].entropy.formula == fresh.variables["o"].entropy.formula
    assert found.table[0].information
    assert fresh.table[0].information
    assert found.table[0].information.formula == fresh.table[0].information.formula


def test_an_entropy_of_many_parts_has_the_formula_of_all_of_them() -> None:
    """Its parts are looked up one by one, and none of their formulas is that of the sum."""
    text = "param p in [0, 1] = 1/3\nfor i in 1..10 { x[i] ~ flip(p) }\nshow H(x)\n"
    checked = check(SourceFile("parts", text))

    (answer,) = analyze(checked, Options(), lambda known: None).answers

    (fresh,) = analyze(checked).answers
    assert answer.result
    assert fresh.result
    assert fresh.result.formula
    assert answer.result.formula == fresh.result.formula
    assert answer.result.notes == fresh.result.notes
