"""Observations that no run passes where values from huge ranges are compared, against the pairs of values one by one."""

from __future__ import annotations

from itertools import product

import pytest

import seepage
from seepage.engines.forward import class_widths

HUGE = "s ~ uniform_int(0, 9999)\nu ~ uniform_int(0, 9999)\nv ~ uniform_int(0, 9999)\n"


@pytest.mark.parametrize("measure", ["P(s < 2 | s == u)", "H(s | s == u)", "E(o | s == u)", "P(o | s == u and v < 5)"])
def test_an_event_that_observations_exclude_is_impossible(measure: str) -> None:
    program = seepage.parse(f"{HUGE}observe s != u\no := s < 2\n")

    with pytest.raises(seepage.MeasureError) as fault:
        program.measure(measure)

    assert fault.value.diagnostic.rule.code == "SEEP504"


@pytest.mark.parametrize(
    ("observed", "last"),
    [
        ("observe s != u\nobserve s == u\n", "s == u"),
        ("observe s != u and u != v and s != v\nobserve s == v\nobserve s < 7\n", "s == v"),
        ("observe s == u\nobserve u == v\nobserve s != v\n", "s != v"),
        ("observe s != u\nif s == u { x := 1 } else { observe s == u }\n", "s == u"),
    ],
)
def test_an_observation_that_takes_the_last_run_is_told(observed: str, last: str) -> None:
    text = f"{HUGE}{observed}o := s < 2\noutput o\n"

    (found,) = [each for each in seepage.parse(text).analyze().diagnostics if each.severity.name == "ERROR"]

    assert found.rule.code == "SEEP410"
    assert text[found.span.start : found.span.end].removeprefix("observe ") == last


def chance(program: seepage.Program, measure: str) -> float | None:
    """Return a chance; None where no run passes the observations or the event."""
    try:
        return program.measure(measure).value
    except seepage.MeasureError as fault:
        if fault.diagnostic.rule.code not in ("SEEP410", "SEEP504"):
            raise
        return None


OBSERVED = ("s == u", "s != u", "u == v", "s != v", "s + 1 == u", "s < 2", "u >= 2")


@pytest.mark.parametrize("first", OBSERVED)
def test_chances_behind_comparisons_are_those_of_all_values(first: str) -> None:
    count = 5
    for second, event in product(OBSERVED, ("s == v", "s != v", "u < 2")):
        runs = [
            s
            for s, u, v in product(range(count), repeat=3)
            if all(eval(condition, {}, {"s": s, "u": u, "v": v}) for condition in (first, second, event))
        ]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(class_widths, "WIDE", 3)
            program = seepage.parse(f"{HUGE.replace('9999', str(count - 1))}observe {first}\nobserve {second}\n")
            found = chance(program, f"P(s < 2 | {event})")
        assert found == (pytest.approx(sum(s < 2 for s in runs) / len(runs)) if runs else None)
