"""Numbers as plain sentences: each holds for what the bounds leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import pytest

from seepage.reporting.sentences import number_words, percent_of, share_words, times
from seepage.reporting.told import Colour, DataFile, Fact, LineNote, ProgramTold
from seepage.reporting.values import read_as


def told(lower: float | str, value: float | str | None, upper: float | str, unit: str = "") -> Mapping[str, object]:
    return {"lower": lower, "value": value, "upper": upper, "unit": unit, "estimated": False}


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (0.0, 0.0, "nothing"),
        (0.4, 0.5, "less than a hundredth of it"),
        (0.5, 1.5, "0.5 % to 1.5 % of it"),
        (12.0, 19.9, "less than a fifth of it"),
        (47.2, 47.2, "almost half of it"),
        (50.0, 50.0, "more than half of it"),
        (99.5, 99.9, "nearly all of it"),
        (100.0, 100.0, "all of it"),
        (99.9, 100.0, "99.9 % to 100 % of it"),
    ],
)
def test_a_share_is_in_words_only_where_both_bounds_say_them(lower: float, upper: float, expected: str) -> None:
    assert share_words(told(lower, None if lower != upper else lower, upper)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1 / 72, "1 time in 72"),
        (1 / 5000, "1 time in 5,000"),
        (0.739, None),
        (1.0, None),
        (0.5, "1 time in 2"),
        (0.0, None),
    ],
)
def test_a_chance_is_one_time_in_many_only_where_it_is(value: float, expected: str | None) -> None:
    assert times(told(value, value, value)) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (told(0.125, 0.125, 0.125, "bits"), "0.125 bits"),
        (told(1.0, 1.0, 1.0, "bits"), "1 bit"),
        (told(1.061, 1.5, 1.759, "bits"), "1.06 to 1.76 bits"),
        (told(0.2, None, "inf", "bits"), "at least 0.2 bits"),
        (told("-inf", None, 18.0, "nats"), "at most 18 nats"),
        (told("-inf", None, "inf", "bits"), "no bounds known"),
        (told("1.2e-345", "1.2e-345", "1.2e-345"), "1.2e-345"),
    ],
)
def test_a_number_is_told_with_what_its_bounds_leave(data: Mapping[str, object], expected: str) -> None:
    assert number_words(data) == expected


def test_a_chance_in_per_cent_keeps_its_bounds() -> None:
    assert percent_of(told(1 / 72, 1 / 72, 1 / 72)) == "1.39 %"
    assert percent_of(told(0.1, 0.11, 0.121)) == "10 % to 12.1 %"


def test_data_is_read_back_as_it_was() -> None:
    program = ProgramTold("f", (Fact("s", "x", 3),), notes=(LineNote(1, "n", hides=True),), lines=(2, 9))

    assert read_as(ProgramTold, asdict(program)) == program


@pytest.mark.parametrize(
    "value", [None, [], {}, {"name": 3, "sha256": ""}, {"name": "a"}, {"name": "a", "sha256": None}, {"start": "1"}]
)
def test_what_holds_no_data_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="found"):
        read_as(DataFile, value)
    with pytest.raises(ValueError, match="found"):
        read_as(Colour, value)
