"""What a user writes against the library, for the type checker alone: ``make check`` passes only if all of it is right but what says it is wrong.

An error that a line does not have (``type: ignore`` of a wrong use that passes) is an error of the check, too.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import seepage


def right_uses(program: seepage.Program) -> None:
    result = program.measure("I(s; o)", params={"p": np.float64(0.5)})
    small: bool = result <= 0.2 or result > Fraction(1, 2) or result == 1
    number: float = float(result) + round(result, 2)
    table = program.sweep("I(s; o)", p=np.linspace(0, 1, 5), progress=lambda done, total: print(done, total))
    again: seepage.Result = program.measure("I(s; o)", p="1/2")
    shared = program.sweep("I(s; o)", {"p": [0.1]}, workers=2, progress=False)
    largest: float = shared["value"].max().item() + np.max(table).item()
    at: float | None = shared[0].value
    cells: list[float | int | str | None] = [row["p"] for row in table]
    chart = program.plot("I(s; o)", p=(0, 1)).to_dict()
    prior = program.with_priors(s=[0.5, 0.5], o={"red": 1})
    value: float = table.to_numpy("lower").max().item()
    first: seepage.Certainty | None = table.points[0].certainty
    channel = seepage.channel(None, np.eye(2)) @ seepage.channel([0.5, 0.5], [[0.9, 0.1], ["1/4", "3/4"]])
    leak: seepage.Result = channel.measure("I(x; y)", unit="nats")
    outside: bool = bool((np.array([0.1, 0.2]) < leak).all())
    rows, columns = channel.shape
    posterior: float = channel.posteriors()[0, 1].item()
    if result.formula is not None:
        print(result.formula.to_sympy().symbols["p"])
    if not table.complete:
        table = table.resume()
    print(small, number, again, largest, at, cells, chart, prior, value, first, outside, rows, columns, posterior)


def wrong_uses(program: seepage.Program) -> None:
    program.measure(3)  # type: ignore[arg-type]
    program.sweep("H(s)", p=[0.1]).to_numpy("middle")  # type: ignore[arg-type]
    program.sweep("H(s)", p=None)  # type: ignore[arg-type]
