"""How a measure was answered, in words: what was tried, what it gave or why it declined, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage.measures.planning.plan import Outcome, Step
from seepage.measures.result import Result
from seepage.measures.told_plan import How
from seepage.report.beside import strategy_words
from seepage.report.findings import printable
from seepage.report.json import Json
from seepage.report.numbers import number_text

SCHEMA = 1
_NOTHING = "nothing had to be tried: dependence, or an equal measure, answers at once"
_MARKS: dict[Outcome, str] = {"answered": "answers", "bounded": "bounds", "declined": "declines"}


def plan_text(how: How) -> str:
    """Return a plan as indented lines, a question before those that it was taken to."""
    head = how.measure if how.result is None else f"{how.measure} = {number_text(how.result)}"
    lines = [head, *_lines(how.steps, 1), *_strategies(how.result)]
    if not how.steps and how.refused is None:
        lines.append(f"  {_NOTHING}")
    if how.refused is not None:
        lines.append(f"  no answer: {how.refused.message}")
        lines += [f"  {note}" for note in how.refused.notes]
    return "\n".join(map(printable, lines))


def _strategies(result: Result | None) -> Iterator[str]:
    """Yield the strategies that a number belongs to, as trees."""
    for one in () if result is None else (result, result.minimum, result.maximum):
        if one is not None and one.strategy is not None:
            yield f"  {one.measure} = {number_text(one)}, {strategy_words(one.strategy)}"
            yield from (f"    {line}" for line in str(one.strategy).splitlines())


def _lines(steps: Sequence[Step], depth: int) -> Iterator[str]:
    for step in steps:
        yield f"{'  ' * depth}{step.question}: '{step.name}' {_MARKS[step.outcome]} in {_seconds(step.seconds)}"
        yield f"{'  ' * (depth + 1)}{step.told}"
        yield from _lines(step.steps, depth + 1)


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def plan_json(how: How) -> dict[str, Json]:
    """Return a plan as data."""
    return {
        "schema": SCHEMA,
        "measure": how.measure,
        "steps": [_step(step) for step in how.steps],
        "refused": None if how.refused is None else how.refused.message,
        "code": None if how.refused is None else how.refused.rule.code,
    }


def _step(step: Step) -> Json:
    return {
        "question": step.question,
        "name": step.name,
        "outcome": step.outcome,
        "told": step.told,
        "seconds": round(step.seconds, 6),
        "steps": [_step(each) for each in step.steps],
    }
