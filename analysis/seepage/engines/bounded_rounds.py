"""Loops of unknown length over the digits of a wide value, as branches: a value that loses a digit in each round bounds the number of rounds.

Such a loop has as many states as the value, too many to settle one by one. Followed digit by digit, its condition is false in all runs after some
round, and ``while b { … }`` is that many times ``if b { … }``: once b fails, nothing changes any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seepage.engines.forward.class_widths import WIDE, width_of
from seepage.engines.outcome import Budget
from seepage.engines.words.circuit import Beyond
from seepage.engines.words.reading import read
from seepage.exact import Number
from seepage.semantics.core import CoreIf, CoreProgram, CoreStatement, CoreWhile
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import has_loops, names_read, walk


def in_rounds(
    loop: CoreWhile, before: CoreProgram, parameters: Mapping[str, Number], budget: Budget
) -> tuple[CoreStatement, ...] | None:
    """Return what a loop does, in as many rounds as it goes through at most.

    Args:
        loop: of unknown length; other loops in its body are left as they are.
        before: the settled statements that lead to it, as a program.
        parameters: values of the program's parameters.
        budget: its deadline counts.

    Returns:
        the branches; None where the condition depends on nothing that is drawn from many values, or where the loop's end is not known.
    """
    decisive = _deciding(loop, before)
    led = slice_program(before, tuple(before.expanded(names_read((decisive,)))))
    if not any(width_of(each, parameters) > WIDE for each in walk(led.statements)):
        return None
    try:
        found = read(replace(led, statements=(*led.statements, decisive)), parameters, budget)
    except Beyond:
        return None
    return (CoreIf(loop.condition, loop.body, (), loop.span),) * found.rounds[loop.span]


def _deciding(loop: CoreWhile, core: CoreProgram) -> CoreWhile:
    """Return a loop with those statements of its body that later rounds depend on; all, if it holds other loops."""
    body = replace(core, statements=loop.body)
    if has_loops(body):
        return loop
    names, more = frozenset[str](), core.expanded(plain_names(loop.condition))
    while more > names:
        names = more
        body = slice_program(replace(core, statements=loop.body), tuple(names))
        more = names | core.expanded(names_read(body.statements))
    return replace(loop, body=body.statements)
