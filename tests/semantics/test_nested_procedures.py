"""Procedures that each call the one before twice: what they say by themselves is looked for as long as they are of a size that somebody reads."""

from __future__ import annotations

import pytest

from seepage.semantics.check import check
from seepage.source import SourceFile


def doubling(levels: int) -> str:
    """Return procedures of which each has twice the statements of the one before, and one variable that nothing reads."""
    first = "def p0(x) { return x + 1 }\n"
    others = (
        f"def p{at}(x) {{ spare{at} := x  a := p{at - 1}(x)  b := p{at - 1}(x)  return a + b }}\n"
        for at in range(1, levels + 1)
    )
    return first + "".join(others) + f"secret s\noutput o\ns ~ uniform_int(0, 1)\no := p{levels}(s)\nshow I(s; o)\n"


@pytest.mark.parametrize(("levels", "told"), [(3, 3), (9, 7)])
def test_procedures_of_a_thousand_statements_and_more_are_not_looked_at_by_themselves(levels: int, told: int) -> None:
    found = check(SourceFile("p.seep", doubling(levels))).diagnostics

    spare = {one.message.split("'")[1] for one in found if "spare" in one.message}
    assert spare == {f"spare{at}" for at in range(1, told + 1)}
