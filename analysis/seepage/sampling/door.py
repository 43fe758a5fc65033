"""Runs of a checked program, as columns that people read: symbols as texts, elements of arrays under their names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from seepage.deadline import Deadline
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import Number
from seepage.exact.symbols import symbol_of
from seepage.rules import PARAMETER_WITHOUT_VALUE
from seepage.sampling.runs import sampled
from seepage.sampling.vectors import Column
from seepage.semantics.blocking import blocking
from seepage.semantics.checked import Checked
from seepage.semantics.unroll import unroll


def sample(
    checked: Checked, parameters: Mapping[str, Number], size: int, seed: int | None, seconds: float
) -> dict[str, Column]:
    """Draw runs of a program that its observations pass.

    Args:
        checked: the program.
        parameters: their values.
        size: how many runs.
        seed: of the generator; with the same one, the same runs come.
        seconds: time limit, of a processor.

    Returns:
        for each variable of the text a column of ``size`` values, an array's elements as columns of their own.

    Raises:
        Fault: an error of the program, or what fails in some run (:func:`seepage.sampling.runs.sampled`).
    """
    deadline = Deadline.after(seconds)
    for diagnostic in blocking(checked):
        raise Fault(diagnostic)
    for name, symbol in checked.symbols.params.items():
        if name not in parameters:
            raise Fault(
                Diagnostic(
                    PARAMETER_WITHOUT_VALUE,
                    symbol.span,
                    f"parameter '{name}' has no value: give it a default or set it",
                )
            )
    core = unroll(checked)
    columns = sampled(core, parameters, size, np.random.default_rng(seed), deadline)
    found: dict[str, Column] = {}
    for name in checked.symbols.variables:
        elements = [name] if name not in core.arrays else [f"{name}[{index}]" for index in core.arrays[name]]
        for element in elements:
            column = columns.get(core.aliases.get(element, element))
            found[element] = np.zeros(size, dtype=np.int64) if column is None else _readable(column)
    return found


def _readable(column: Column) -> Column:
    """Return exact numbers as they are, and symbols as their texts."""
    if column.dtype != object:
        return column
    made = np.empty(len(column), dtype=object)
    made[:] = [(symbol_of(each) if isinstance(each, Fraction) else None) or each for each in column.tolist()]
    return made
