"""Programs with a cursor: ``$0`` marks it and is taken out."""

from __future__ import annotations

from seepage.semantics.check import check
from seepage.semantics.checked import Checked
from seepage.source import SourceFile

PROGRAM = """\
/// how likely
param p in [0, 1] = 1/2
const n = 3
/// who did it
secret s
output o
s ~ bernoulli(p)
for i in 1..n { a[i] := s + i }
for i in 1..2 {
    if a[i] == 1 {
        b := i
    }
}
o := a[1] + b
show I(s; o)
"""


def cursor(text: str) -> tuple[Checked, int]:
    at = text.index("$0")
    return check(SourceFile("test.seep", text.replace("$0", "", 1))), at


def checked(text: str = PROGRAM) -> Checked:
    return check(SourceFile("test.seep", text))
