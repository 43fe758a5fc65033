"""The numbers of the first programs, once the fixes are followed: every ``show`` and ``require`` has an answer, and the right one."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest
from tests.fixing.test_habits import mended

import seepage
from seepage.measures.facts import Answer


@cache
def answers(name: str) -> dict[str, Answer]:
    text = mended((Path(__file__).parent / f"{name}.seep").read_text(encoding="utf-8"))
    return {each.text: each for each in seepage.parse(text).analyze(seconds=300).answers}


def number(answer: Answer) -> float:
    assert answer.result is not None
    return answer.result.number


def entropy(chances: list[float]) -> float:
    return -math.fsum(each * math.log2(each) for each in chances if each > 0)


def test_a_survey_of_fifty_people() -> None:
    """All but one person's reports are a binomial count, the one's report shifts it."""
    honest = math.e / (1 + math.e)
    reported = 0.3 * honest + 0.7 * (1 - honest)
    others = [math.comb(49, k) * reported**k * (1 - reported) ** (49 - k) for k in range(50)]

    def count(one: float) -> list[float]:
        return [one * low + (1 - one) * high for low, high in zip([0.0, *others], [*others, 0.0], strict=True)]

    given = 0.3 * entropy(count(honest)) + 0.7 * entropy(count(1 - honest))

    found = answers("survey")

    assert number(found["I(answer[1]; count)"]) == pytest.approx(entropy(count(reported)) - given, rel=1e-6)
    assert number(found["DP(answer[1] -> count)"]) == pytest.approx(1)
    over = found["DP(answer -> count) <= eps"]
    assert over.verdict == "violated"  # all 50 answers at once: (e / 1) ** 50 at a count of 50
    assert number(over) == pytest.approx(50)


def test_a_location_on_a_grid() -> None:
    """One coordinate's channel, by sums of the two-sided geometric law; both are alike and independent."""
    ratio = math.exp(-1)
    point = (1 - ratio) / (1 + ratio)
    end = 1 / (1 + ratio)  # all noise of at least 0

    def seen(place: int) -> list[float]:
        inner = [point * ratio ** abs(at - place) for at in range(1, 9)]
        return [end * ratio**place, *inner, end * ratio ** (9 - place)]

    rows = [seen(place) for place in range(10)]
    outputs = [math.fsum(column) / 10 for column in zip(*rows, strict=True)]
    information = entropy(outputs) - math.fsum(map(entropy, rows)) / 10
    away = math.fsum(abs(at - place) * chance for place, row in enumerate(rows) for at, chance in enumerate(row)) / 10

    found = answers("location")

    assert number(found["I(x, y; ox, oy)"]) == pytest.approx(2 * information, abs=1e-9)
    assert number(found["DP(x, y -> ox, oy)"]) == pytest.approx(18)
    assert number(found["E(abs(x - ox) + abs(y - oy))"]) == pytest.approx(2 * away, abs=1e-9)


def test_nothing_of_a_location_on_a_grid_is_left_for_want_of_time() -> None:
    """What is shown takes seconds of a processor, and each of the six rows gets its share of what is left."""
    text = mended((Path(__file__).parent / "location.seep").read_text(encoding="utf-8"))

    analysis = seepage.parse(text).analyze(seconds=30)

    assert [answer.text for answer in analysis.answers if answer.result is None] == []
    assert len(analysis.table) == 6
    assert [(row.secret, row.output) for row in analysis.table if row.information is None] == []


def clipped(people: int) -> seepage.Program:
    """The range that the noise is made for, 0 to 100, holds only once the salaries are kept in it."""
    text = mended((Path(__file__).parent / "laplace.seep").read_text(encoding="utf-8"))
    kept = text.replace("total + salary[i]", "total + min(max(salary[i], 0), 100)")
    assert kept != text
    assert "const n = 10" in kept
    return seepage.parse(kept.replace("const n = 10", f"const n = {people}"))


@pytest.mark.timeout(400)  # thousands of clipped sums are followed; a busy machine takes its time for them
def test_the_mean_of_ten_salaries_that_are_clipped_as_its_comment_says() -> None:
    program = clipped(10)

    assert program.measure("DP(salary[1] -> released)", seconds=300).number == 1
    told = program.measure("I(salary[1]; released)", seconds=300)
    assert told.certainty == "certified"
    assert 0 <= told.lower <= told.upper < 0.15


def test_the_budget_of_salaries_that_are_clipped_holds() -> None:
    found = {each.text: each for each in clipped(3).analyze(seconds=300).answers}

    kept = found["DP(salary[1] -> released) <= eps"]
    assert kept.verdict == "holds"
    assert number(kept) == 1


@pytest.mark.parametrize("name", ["kanon", "laplace", "location", "survey"])
def test_every_question_is_answered(name: str) -> None:
    found = answers(name)

    assert found
    for answer in found.values():
        assert answer.result is not None, answer
        assert answer.verdict != "cannot tell", answer


def test_a_password_of_continuous_values_tells_nothing() -> None:
    """It asks nothing, so the leakage table answers: a guess equals the pin with probability 0."""
    text = mended((Path(__file__).parent / "password.seep").read_text(encoding="utf-8"))

    (row,) = seepage.parse(text).analyze(seconds=300).table

    assert row.information is not None
    assert (row.information.lower, row.information.upper) == (0, 0)
