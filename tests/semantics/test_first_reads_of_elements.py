"""Elements that are read before they are assigned, held against the one run of programs without chance."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from seepage.rules import MISSING_ELEMENT, NO_EFFECT, READ_BEFORE_ASSIGNMENT
from seepage.semantics.check import check
from seepage.source import SourceFile

# One part of a program each: whether it writes, and the elements that it touches, in this order.
Part = tuple[bool, bool, int]
PARTS = st.tuples(st.booleans(), st.booleans(), st.integers(1, 3))


def written(part: Part) -> str:
    writes, loops, number = part
    index = "i" if loops else str(number)
    statement = f"y[{index}] := 1" if writes else f"x := x + y[{index}]"
    return f"for i in 1..{number} {{ {statement} }}\n" if loops else f"{statement}\n"


def early(parts: Sequence[Part]) -> dict[int, set[int]]:
    """Return the elements that each part reads before they are assigned, by running the program."""
    assigned: set[int] = set()
    found: dict[int, set[int]] = {}
    for at, (writes, loops, number) in enumerate(parts):
        for index in range(1, number + 1) if loops else (number,):
            if writes:
                assigned.add(index)
            elif index not in assigned:
                found.setdefault(at, set()).add(index)
    return found


@given(st.lists(PARTS, max_size=6))
def test_an_element_is_said_to_be_read_early_where_it_is_first(parts: list[Part]) -> None:
    head = "y[1] := 0\nx := 0\n"
    lines = [written(part) for part in parts]
    checked = check(SourceFile("test.seep", head + "".join(lines)))
    bounds = [len(head) + len("".join(lines[:at])) for at in range(len(lines) + 1)]
    told = {
        next(at for at in range(len(lines)) if bounds[at] <= one.span.start < bounds[at + 1])
        for one in checked.diagnostics
        if one.rule in (READ_BEFORE_ASSIGNMENT, MISSING_ELEMENT)
    }
    expected = {at - 1: elements for at, elements in early([(True, False, 1), *parts]).items()}

    assert told <= set(expected)
    # Loops are not unrolled here: a gap between the ends of one is found later.
    at_ends = [at for at, elements in expected.items() if elements & {1, parts[at][2]}]
    assert min(told, default=None) == min(at_ends, default=None)


def findings(text: str) -> list[tuple[str, int, list[int]]]:
    found = check(SourceFile("test.seep", text)).diagnostics
    return [(one.rule.code, one.span.start, [label.span.start for label in one.labels]) for one in found]


def test_an_element_that_is_assigned_later_only_is_read_early() -> None:
    text = "y[2] := 1\nx := y[1]\ny[1] := 3\nshow E(x)\n"

    assert findings(text)[0] == (READ_BEFORE_ASSIGNMENT.code, text.index("y[1]"), [text.index("y[1] :=")])


def test_an_earlier_iteration_may_have_assigned_an_element() -> None:
    text = "y[2] := 1\nx := 0\nfor i in 1..2 {\n    x := x + y[1]\n    y[1] := 3\n}\nshow E(x)\n"

    assert findings(text) == []


def test_no_advice_removes_the_only_assignment_of_an_element() -> None:
    text = "y[2] := 1\nx := y[1]\ny[1] := 3\nshow E(x)\n"
    dead = [one for one in check(SourceFile("test.seep", text)).diagnostics if one.rule is NO_EFFECT]

    assert [one.fixes for one in dead] == [()]


def test_what_is_assigned_before_a_value_without_effect_is_not_said_to_be_assigned_after_it() -> None:
    text = "x ~ flip(1/2)\no := x\nx := 5\nshow E(o)\n"

    assert findings(text) == [(NO_EFFECT.code, text.index("x := 5"), [])]
