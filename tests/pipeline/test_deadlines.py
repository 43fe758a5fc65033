"""Deadlines count the time of a processor; the wall's clock is a generous second limit."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

import seepage
from seepage import exact
from seepage.deadline import WALL, Clock, Deadline, sooner, using, watched
from seepage.exact import Number
from seepage.measures.channels import tail_channel
from seepage.measures.channels.channel import Channel, closed_channels
from seepage.measures.discrete.weights import Values


class Hands:
    """A clock whose hands are set; what passes for the processor passes on the wall."""

    def __init__(self) -> None:
        self.processor, self.wall = 100.0, 7.0

    def work(self, seconds: float) -> None:
        self.processor += seconds
        self.wall += seconds

    def wait(self, seconds: float) -> None:
        self.wall += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.processor, lambda: self.wall)


def test_time_in_which_others_have_the_processor_does_not_count() -> None:
    hands = Hands()
    with using(hands.clock):
        deadline = Deadline.after(3)
        hands.wait(20)
        assert not deadline.passed()
        assert deadline.left() == pytest.approx(1.0)  # as (30 − 20) / 10 on the wall
        hands.work(2.9)
        assert not deadline.passed()
        hands.work(0.2)
        assert deadline.passed()


def test_the_wall_is_an_end_all_the_same() -> None:
    hands = Hands()
    with using(hands.clock):
        deadline = Deadline.after(3)
        hands.wait(3 * WALL + 0.1)
        assert deadline.passed()
        assert deadline.left() == 0


def test_a_part_that_is_given_up_for_the_limit_is_noticed_one_for_its_own_patience_is_not() -> None:
    hands = Hands()
    with using(hands.clock):
        limit = Deadline.after(10)
        patience, share = sooner(limit, 1.0), sooner(limit, share=0.5)
        assert patience is not None
        assert share is not None
        hands.work(6)
        with watched() as own:
            assert patience.passed()
        with watched() as around:
            assert not limit.passed()
            with watched() as within:
                assert share.passed()
    assert (own.cut, within.cut, around.cut) == (False, True, True)


def test_a_clock_is_read_in_one_place_only() -> None:
    folder = Path(seepage.__file__).parent
    reading = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import) and any(alias.name == "time" for alias in node.names)
    }
    assert reading == {"deadline.py"}


# max(0, min(1, x + n)) of an exponential secret behind normal noise: the exact laws of its paths take more than a moment.
CLAMPED = "secret x\noutput o\nx ~ exponential(1/2)\nn ~ normal(0, 1)\no := max(0, min(1, x + n))\n"


def test_a_number_that_time_cut_short_says_so_and_blames_nothing_else() -> None:
    passed = [0.0]

    def tick() -> float:  # each look at the clock is work, so that the answer is the same on every machine
        passed[0] += 0.01
        return passed[0]

    with using(Clock(tick, tick)):
        found = seepage.parse(CLAMPED).measure("I(x; o)", seconds=0.3)

    assert found.given_up is not None
    assert not found.because
    assert any("larger time limit" in note for note in found.notes)
    assert found.lower <= 0.36487534 <= found.upper  # by quadrature


def test_products_of_irrational_numbers_end_with_their_time() -> None:
    hands, root = Hands(), exact.add(1, exact.exp_(1))
    with using(hands.clock):
        with exact.arithmetic_until(Deadline.after(1)):
            assert exact.mul(root, root) == exact.add(exact.add(1, exact.mul(2, exact.exp_(1))), exact.exp_(2))
            hands.work(2)
            with pytest.raises(exact.TooLarge, match="no time is left"):
                exact.mul(root, root)
        assert exact.sign(exact.mul(root, root)) == 1


def test_closed_forms_of_a_channel_that_take_too_long_leave_half_of_the_time_to_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ discrete_laplace(1)\no := min(max(s + n, 0), 3)\n"
    hands = Hands()
    whole = closed_channels

    def slow(found: Mapping[Values, Mapping[Values, Mapping[Values, Number]]]) -> dict[Values, Channel[Number]]:
        hands.work(7)
        return whole(found)

    monkeypatch.setattr(tail_channel, "closed_channels", slow)
    with using(hands.clock):
        found = seepage.parse(text).measure("DP(s -> o)", seconds=10)

    assert found.certainty is seepage.Certainty.CERTIFIED  # in closed form it would be exact
    # an end of the outputs is e^3 times as likely
    assert [found.lower, found.upper] == pytest.approx([3, 3])
