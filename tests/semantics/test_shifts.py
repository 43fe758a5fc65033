"""By how much variables move with one of them."""

from __future__ import annotations

import pytest

import seepage
from seepage.semantics.shifts import NotMoved, moves
from seepage.semantics.unroll import unroll

HEAD = "n ~ laplace(0, 1)\nm ~ normal(0, 1)\n"


def moved(body: str, **parameters: int) -> dict[str, object]:
    checked = seepage.parse(f"param k = 3\nt ~ uniform_int(0, 9)\n{HEAD}{body}\n").checked
    statements = unroll(checked).statements
    at = next(place for place, each in enumerate(statements) if each.span.start > checked.source.text.index("t ~"))
    return {name: value for name, value in moves(statements[at:], "t", {"k": 3, **parameters}).items() if name != "t"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("o := t + n", {"o": 1}),
        ("o := 2*t - n; p := o - t; q := o - 2*t", {"o": 2, "p": 1}),
        ("o := k*t/2 + max(n, m)", {"o": pytest.approx(1.5)}),
        ("o := -(t + 1)", {"o": -1}),
        ("o := n; if m > 0 { o := o + t } else { o := t - 5 }", {"o": 1}),
        ("o := t; o := n", {}),
        ("observe n > 0; o := t + n", {"o": 1}),
    ],
)
def test_what_is_added_of_a_move(body: str, expected: dict[str, object]) -> None:
    assert moved(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "o := max(t + n, 0)",
        "o := t * n",
        "o := t * t",
        "o := t + n > 3",
        "if t > 3 { o := n }",
        "observe t + n > 0; o := n",
        "o := n; if m > 0 { o := t }",
        "o ~ bernoulli(t/10)",
        "o := floor(t + n)",
    ],
)
def test_what_changes_otherwise_is_told(body: str) -> None:
    with pytest.raises(NotMoved):
        moved(body)
