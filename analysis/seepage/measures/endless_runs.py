r"""Loops that some runs never end: how many do not, and whether that depends on a secret.

Runs that never end in a loop are left out, as by an observation at the loop. Where the observation moves the law of a secret
(:mod:`seepage.measures.moved_priors`), whoever waits for the end in vain learns something that no number of the program counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fault, Fix
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate
from seepage.measures.joints import Memory
from seepage.measures.moved_priors import Move, moves_at, number_of, said_of, secrets_of, with_observations
from seepage.measures.result import Result
from seepage.semantics.core import ENDLESS
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression, While

_MOST_LOOPS = 16
LEFT_OUT = "runs that never end in a loop are left out"


def endless_runs(asking: Asking) -> Iterator[Diagnostic]:
    """Yield a warning at each loop that some runs never end, if nothing says what they go on with, and an information at each idle ``never``.

    ``asking`` has limits for all of it.
    """
    secrets = secrets_of(asking)
    for span in sorted(asking.core.endings)[:_MOST_LOOPS]:
        yield _told(asking, span, moves_at(asking, span, secrets)[0] if secrets else [])
    for span in asking.core.never_entered:
        message = "each run that gets to this loop leaves it: no run goes on with its 'never'"
        yield Diagnostic(rules.NEVER_ENTERED, span, message)


def _told(asking: Asking, span: Span, moves: list[Move]) -> Diagnostic:
    share = _share(asking, span)
    said = "some runs never end" if share is None else f"with probability {number_of(share)} a run never ends"
    fixes = _never(asking.checked.tree, span)
    if moves:
        message = f"whether the run ends here depends on a secret: {said_of(moves)}; say in 'never' what is seen of a run that never ends"
        notes = (
            f"{said} in this loop; {LEFT_OUT}, so that the numbers are those of an attacker who knows that the run ends",
        )
        return Diagnostic(rules.ENDING_TELLS, span, message, notes=notes, fixes=fixes)
    message = f"{said} in this loop; such runs are left out"
    return Diagnostic(rules.ENDLESS_RUNS, span, message, fixes=fixes)


def _share(asking: Asking, span: Span) -> Result | None:
    """Return the probability that a run never ends in the loops with one header, of the runs that pass what comes before them."""
    core = with_observations(asking.core, lambda place: place < span)
    tests: list[Expression] = [
        tree.Binary("==", tree.Name(name, span), tree.Number(Fraction(ENDLESS), span), span)
        for name in asking.core.endings[span]
    ]
    event = reduce(lambda one, other: tree.Binary("or", one, other, span), tests)
    measure = tree.MeasureCall("P", (event,), None, (), (), (), (), None, span, span)
    try:
        return evaluate(replace(asking, core=core, memory=Memory()), measure, 0)
    except Fault:
        return None


def _never(module: tree.Module, span: Span) -> tuple[Fix, ...]:
    """Return the fix that lets endless runs go on as they are."""
    for item in module.walk():
        if isinstance(item, While) and item.arm.header == span and item.never is None:
            behind = Span(item.span.end, item.span.end)
            return (Fix("let runs that never end go on as they are", (Edit(behind, " never { skip }"),)),)
    return ()
