"""The matrix as a page of the documentation: a table for each shape, laws downwards, measures across."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.matrix.answers import Found, Kind
from benchmarks.matrix.questions import SHAPES, Shape

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"

_SIGNS: Mapping[Kind, str] = {"exact": "●", "certified": "◐", "bounded": "○", "not": "·"}

_INTRODUCTION = """# What is computed

What Seepage answers for each law of the language with each measure, in the shapes that programs have. The page is made from data by
`.venv/bin/python -m benchmarks.matrix --freeze` (at most ten seconds a question), and a test holds the program to it: a cell may only get better.

| sign | meaning |
| --- | --- |
| ● | exact: a closed form or exact arithmetic |
| ◐ | certified: guaranteed bounds that agree to three digits or more; of a budget, that it is decided |
| ○ | bounded: guaranteed bounds that are wider than that |
| · | no number, or one without bounds: told at its place, with the reason |

A cell says what became of one simple program. Other programs of the same shape may do better or worse; [measures.md](measures.md) says what a
number means, [certainty.md](certainty.md) why its bounds can be trusted.
"""


def page(found: Mapping[str, Found]) -> str:
    """Return the page in Markdown."""
    return "\n".join([_INTRODUCTION, _summary(found), *(line for shape in SHAPES for line in _table(shape, found))])


def _summary(found: Mapping[str, Found]) -> str:
    counts = {kind: sum(each.kind == kind for each in found.values()) for kind in _SIGNS}
    told = ", ".join(f"{count:,} {sign}" for sign, count in zip(_SIGNS.values(), counts.values(), strict=True))
    return f"Of {len(found):,} questions: {told}.\n"


def _table(shape: Shape, found: Mapping[str, Found]) -> Iterator[str]:
    yield f"## {shape.title}\n"
    columns = (column.replace("|", r"\|") for column in shape.measures)
    yield f"| law | {' | '.join(columns)} |"
    yield f"| --- |{' :-: |' * len(shape.measures)}"
    for law in shape.laws:
        signs = (_SIGNS[found[f"{shape.name}/{law}/{column}"].kind] for column in shape.measures)
        yield f"| `{law}` | {' | '.join(signs)} |"
    yield ""
