"""What an event tells of a secret from a huge range: by counting its values, and against small ranges one by one."""

from __future__ import annotations

import math

import pytest

import seepage
from seepage.engines.forward import class_widths

HUGE = "s ~ uniform_int(0, 2^64 - 1)\nu ~ uniform_int(0, 2^64 - 1)\n"
SMALL = "s ~ uniform_int(0, 4095 - 1)\n"
LARGE = "s ~ uniform_int(0, 4095 + 4095 - 1)\n"


@pytest.mark.parametrize(
    ("event", "values"),
    [
        ("s % 1000 == 3", (2**64 - 1 - 3) // 1000 + 1),
        ("s < 2^60", 2**60),
        ("s == 5", 1),
        ("s > 10 and s % 2 == 0", 2**63 - 6),
        ("s >= 0", 2**64),
    ],
)
def test_an_event_tells_the_logarithm_of_its_chance(event: str, values: int) -> None:
    found = seepage.parse(HUGE).measure(f"KL(s | {event} || s)")

    assert found.value == pytest.approx(64 - math.log2(values), abs=1e-12)
    assert found.lower <= found.number <= found.upper


def test_an_observation_of_the_program_counts_on_both_sides() -> None:
    found = seepage.parse(HUGE + "observe s < 2^62\n").measure("KL(s | s < 2^60 || s)")

    assert found.exact == 2


@pytest.mark.parametrize("event", ["s % 10 == 3", "s < 100 or s > 4000", "s * 2 == 10"])
def test_huge_ranges_and_small_ones_obey_one_law(event: str) -> None:
    for text, size in ((SMALL, 4095), (LARGE, 8190)):  # the second is wide enough for classes
        number = sum(
            {"s % 10 == 3": s % 10 == 3, "s < 100 or s > 4000": s < 100 or s > 4000, "s * 2 == 10": s * 2 == 10}[event]
            for s in range(size)
        )
        found = seepage.parse(text).measure(f"KL(s | {event} || s)")
        assert found.value == pytest.approx(math.log2(size / number), abs=1e-9)


@pytest.mark.parametrize(
    ("rule", "event", "bits"),
    [
        ("s % 4", "o == 1", 2),
        ("s % 4", "o >= 1", 2 - math.log2(3)),
        ("floor(s / 2^60)", "o == 3 or o == 5", 3),
        ("(s + u) % 2^64", "o == 7", 0),
        ("s % 4", "u == 5", 0),
    ],
)
def test_an_event_of_an_output_tells_what_the_table_says(rule: str, event: str, bits: float) -> None:
    program = seepage.parse(f"secret s\noutput o\n{HUGE}o := {rule}\n")
    found = program.measure(f"KL(s | {event} || s)")

    assert found.value == pytest.approx(bits, abs=1e-12)
    assert found.lower <= found.number <= found.upper
    if bits == int(bits):
        assert found.exact == bits


def test_noise_between_a_huge_secret_and_the_event_weighs_its_classes() -> None:
    text = HUGE + "w ~ bernoulli(1/3)\nt := s % 4 + w\n"
    # Given t = 1, s mod 4 is 1 with 2/3 and 0 with 1/3.
    expected = 2 / 3 * math.log2(2 / 3 / (1 / 4)) + 1 / 3 * math.log2(1 / 3 / (1 / 4))

    assert seepage.parse(text).measure("KL(s | t == 1 || s)").value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("rule", "event"), [("s % 6", "o == 1"), ("s > 2000", "o"), ("s % 3 + u", "o == 1")])
def test_classes_tell_of_outputs_what_single_values_do(rule: str, event: str) -> None:
    size = 8190  # wide enough for classes
    text = f"s ~ uniform_int(0, {size} - 1)\nu ~ uniform_of(0, 1)\no := {rule}\n"
    value = {
        "s % 6": lambda s, u: s % 6 == 1,
        "s > 2000": lambda s, u: s > 2000,
        "s % 3 + u": lambda s, u: s % 3 + u == 1,
    }
    weights = [sum(value[rule](s, u) for u in (0, 1)) for s in range(size)]
    total = sum(weights)
    expected = sum(one / total * math.log2(one / total * size) for one in weights if one)

    assert seepage.parse(text).measure(f"KL(s | {event} || s)").value == pytest.approx(expected, abs=1e-9)


def test_several_secrets_from_one_source_count_once() -> None:
    text = HUGE + "t := s + 1\no := s % 8\n"

    assert seepage.parse(text).measure("KL(s, t | o == 2 || s, t)").exact == 3
    assert seepage.parse(text).measure("KL(s, u | o == 2 || s, u)").exact == 3


@pytest.mark.parametrize("event", ["s < 0", "s + u < 0", "s % 4 == 7 + 0 * u"])
def test_an_impossible_event_is_told_as_before(event: str) -> None:
    with pytest.raises(seepage.MeasureError, match="impossible"):
        seepage.parse(HUGE).measure(f"KL(s | {event} || s)")


def test_where_values_would_be_taken_one_by_one_the_measure_is_to_blame() -> None:
    with pytest.raises(seepage.MeasureError) as found:
        seepage.parse(HUGE + "o := s % 4\n").measure("1 + G(s -> o, distance)")

    span = found.value.diagnostic.span
    assert found.value.source.text[span.start : span.end] == "1 + G(s -> o, distance)"


def relative(p: dict[object, float], q: dict[object, float]) -> float:
    p_mass, q_mass = sum(p.values()), sum(q.values())
    if not p.keys() <= q.keys():
        return math.inf
    return sum(m / p_mass * math.log2(m / p_mass / (q[v] / q_mass)) for v, m in p.items())


NOISY = "s ~ uniform_int(0, {last})\nw ~ bernoulli(1/3)\nv ~ uniform_int(5, {last})\nt := s % 4 + w\nh := s >= 9\n"


@pytest.mark.parametrize(
    ("event", "reference"),
    [
        ("s % 6 == 0", "s % 3 == 0"),
        ("s < 10", "s % 2 == 0"),
        ("s < 10 and s > 2", "s < 20"),
        ("t == 1", "t >= 1"),
        ("t >= 1", "t == 1"),
        ("t == 1", "s % 4 < 2"),
        ("h", "s >= 3 or w == 1"),
        ("s == v", "s != 7"),
        ("s == v", "s != v"),
        ("s != v", "w == 0"),
    ],
)
def test_two_events_are_compared_as_one_by_one(event: str, reference: str) -> None:
    sides: list[dict[object, float]] = []
    last = 23
    for condition in (event, reference):
        side: dict[object, float] = {}
        for s in range(last + 1):
            for w in (0, 1):
                for v in range(5, last + 1):
                    if eval(condition, {}, {"s": s, "w": w, "v": v, "t": s % 4 + w, "h": s >= 9}):
                        side[s] = side.get(s, 0.0) + (2 - w) / 3
        sides.append(side)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "WIDE", 10)
        found = seepage.parse(NOISY.format(last=last)).measure(f"KL(s | {event} || s | {reference})")

    assert found.value == pytest.approx(relative(*sides), abs=1e-12)


@pytest.mark.parametrize("bits", [64, 4_096])
def test_two_events_on_a_huge_secret_are_compared_at_once(bits: int) -> None:
    program = seepage.parse(NOISY.format(last=f"2^{bits} - 1"))

    assert program.measure("KL(s | s < 2^40 || s | s < 2^50)").exact == 10
    assert program.measure("KL(s | s < 2^50 || s | s < 2^40)").value == math.inf
    assert program.measure("KL(s | s % 1000003 == 5 || s | s % 1000003 < 8)").value == pytest.approx(3)
    assert program.measure("KL(s || s | t == 1)").value == math.inf
    # Given t = 1, s mod 4 is 1 with 2/3 and 0 with 1/3; given s mod 4 < 2, they are equally likely.
    assert program.measure("KL(s | t == 1 || s | s % 4 < 2)").value == pytest.approx(
        2 / 3 * math.log2(4 / 3) + 1 / 3 * math.log2(2 / 3)
    )


def test_two_variables_from_huge_ranges_are_compared_by_their_values() -> None:
    program = seepage.parse("s ~ uniform_int(0, 2^64 - 1)\nu ~ uniform_int(0, 2^66 - 1)\no := u % 8\n")

    assert program.measure("KL(s || u)").exact == 2
    assert program.measure("KL(u || s)").value == math.inf
    assert program.measure("KL(s || u | o < 4)").value == math.inf
    assert program.measure("KL(s | s % 8 == 3 || u | o < 4)").exact == 4
    assert program.measure("KL(o || u)").exact == 63


@pytest.mark.parametrize("last", [11, 9_999])
@pytest.mark.parametrize(
    ("events", "impossible"),
    [
        ("s < 3 || s | s < 0", "s < 0"),
        ("s < 0 || s | s < 3", "s < 0"),
        ("s < 3 || s | s == u", "s == u"),
        ("s == u || s", "s == u"),
    ],
)
def test_an_impossible_event_on_either_side_is_told_at_it(events: str, impossible: str, last: int) -> None:
    program = seepage.parse(f"s ~ uniform_int(0, {last})\nu ~ uniform_int(0, {last})\nobserve s != u\n")
    text = f"KL(s | {events})"

    with pytest.raises(seepage.MeasureError) as fault:
        program.measure(text)

    found = fault.value.diagnostic
    assert found.rule.code == "SEEP504"
    assert text[found.span.start : found.span.end] == impossible
