"""Symbolic runs and grids over parameters, against the ways without circuits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.task import Job, Task

if TYPE_CHECKING:
    from seepage.measures.asking import Asking

_EXAMPLE = Path(__file__).parents[1] / "examples" / "randomized-response.seep"


def _poll(people: int) -> Asking:
    from seepage.engines.outcome import Budget
    from seepage.exact import number
    from seepage.measures.asking import Asking
    from seepage.measures.joints import Memory
    from seepage.semantics.check import check
    from seepage.semantics.unroll import unroll
    from seepage.source import SourceFile

    text = _EXAMPLE.read_text(encoding="utf-8").replace("const n = 6", f"const n = {people}")
    checked = check(SourceFile("poll.seep", text))
    values = {"p": number(Fraction(1, 2)), "eps": number(1)}
    return Asking(checked, unroll(checked), values, "bits", Budget(), Memory())


def symbolic_run() -> Job:
    """The distribution of r[1] and o of 100 people, symbolic in p and eps, as a circuit."""
    from seepage.engines.forward.circuits import Circuits

    asking, ring = _poll(100), Circuits

    def job() -> object:
        from seepage.engines.forward.run import run
        from seepage.semantics.slice import sink, slice_program

        asked = ("r[1]", "o")
        return run(sink(slice_program(asking.core, asked)), asked, {}, ring(("p", "eps")), asking.budget)

    return job


def expanded_run() -> Job:
    """The same of 30 people with every weight expanded as a polynomial."""
    from flint import fmpq_mpoly, fmpq_mpoly_ctx

    p, q = fmpq_mpoly_ctx.get(["p", "q"]).gens()
    yes = p * q + (1 - p) * (1 - q)

    def job() -> object:
        states: dict[tuple[int, int], fmpq_mpoly] = {
            (first, answer): (p if first else 1 - p) * (q if answer == first else 1 - q)
            for first in (0, 1)
            for answer in (0, 1)
        }
        for _ in range(29):
            after: dict[tuple[int, int], fmpq_mpoly] = {}
            for (first, count), weight in states.items():
                for answer, chance in ((1, yes), (0, 1 - yes)):
                    key = (first, count + answer)
                    after[key] = after[key] + weight * chance if key in after else weight * chance
            states = after
        return states

    return job


def _values(high: int, count: int) -> list[int | Fraction]:
    from seepage.exact import number

    return [number(Fraction(high * i, count - 1)) for i in range(count)]


def grid_of_64() -> Job:
    """I(r[1]; o) of 100 people at 64 × 64 values of p and eps, each with bounds."""
    from seepage.measures.evaluate import measure_of
    from seepage.measures.plotting import grid

    asking, measure = _poll(100), measure_of("I(r[1]; o)")
    return lambda: grid(asking, measure, ("p", _values(1, 64)), ("eps", _values(10, 64)))


def four_points_anew() -> Job:
    """The same at four points, each asked anew."""
    from dataclasses import replace

    from seepage.measures.evaluate import evaluate, measure_of
    from seepage.measures.joints import Memory

    asking, measure = _poll(100), measure_of("I(r[1]; o)")
    evaluate(_poll(3), measure, formulas=False)

    def job() -> object:
        return [
            evaluate(replace(asking, parameters={"p": p, "eps": eps}, memory=Memory()), measure, formulas=False)
            for p in _values(1, 4)[1:3]
            for eps in _values(10, 4)[1:3]
        ]

    return job


def formula_of_the_leak() -> Job:
    """The number and the formula of I(r; o) of one randomized answer."""
    from seepage.measures.evaluate import evaluate, measure_of

    asking = _poll(1)
    measure = measure_of("I(r[1]; o)")
    return lambda: evaluate(asking, measure)


def number_of_the_leak() -> Job:
    """The number alone."""
    from seepage.measures.evaluate import evaluate, measure_of

    asking = _poll(1)
    measure = measure_of("I(r[1]; o)")
    return lambda: evaluate(asking, measure, formulas=False)


TASKS = {
    "symbolic run, n = 100": Task(
        symbolic_run, expanded_run, "expanding every weight as a polynomial in p and q, for n = 30"
    ),
    "grid 64 × 64, n = 100": Task(grid_of_64, four_points_anew, "asking 4 of the 4096 points anew"),
    "a formula": Task(formula_of_the_leak, number_of_the_leak, "the number without its formula"),
}
