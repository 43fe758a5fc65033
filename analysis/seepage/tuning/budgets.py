"""A budget that is given as text, put into a program and judged there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import Number
from seepage.measures.answers import require
from seepage.measures.asking import Asking
from seepage.measures.requirement import Verdict
from seepage.pipeline import asking_of, check, need_meaning
from seepage.semantics.blocking import blocking
from seepage.semantics.checked import Checked, RequireSymbol
from seepage.semantics.measure_names import names_in
from seepage.semantics.needed import unroll_for
from seepage.source import Span
from seepage.syntax.spell import spell

_OPPOSITE: Mapping[str, str] = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


def judged(checked: Checked, text: str, params: Mapping[str, Number], seconds: float) -> tuple[Verdict, str]:
    """Return what a budget comes to, "cannot tell" where the program has no meaning, and where it is violated, in words.

    Raises:
        Fault: the text is no budget, or asks for what the program does not have.
    """
    wider, symbol = with_budget(checked, text)
    core = unroll_for(wider, (name for _, name in names_in(symbol.node.measure)))
    asking = asking_of(wider, core, params, "bits", seconds)
    if not _has_meaning(asking, symbol, seconds):
        return "cannot tell", ""
    answer = require(asking, symbol)
    return answer.verdict or "cannot tell", answer.worst


def with_budget(checked: Checked, text: str) -> tuple[Checked, RequireSymbol]:
    """Return a program with one more ``require`` at its end, and that.

    Raises:
        Fault: the text is none; the places of what is wrong count from the start of that program.
    """
    source = checked.source
    head = f"{source.text}\nrequire "
    wider = check(replace(source, text=head + text))
    for each in blocking(wider):
        raise Fault(each)
    for each in wider.diagnostics:
        if each.is_error and each.span.end >= len(head):
            raise Fault(each)
    if (
        len(wider.symbols.requires) != len(checked.symbols.requires) + 1
        or len(wider.tree.items) != len(checked.tree.items) + 1
    ):
        raise Fault(
            Diagnostic(rules.UNFIT_MEASURE, Span(len(head), len(head) + len(text)), "found no budget, expected M <= e")
        )
    return wider, wider.symbols.requires[-1]


def opposite(checked: Checked, budget: str) -> str | None:
    """Return the budget that holds exactly where this one is violated; None for an equation.

    Raises:
        Fault: as :func:`with_budget`.
    """
    node = with_budget(checked, budget)[1].node
    if node.comparison not in _OPPOSITE:
        return None
    unit = f" {node.unit}" if node.unit else ""
    return f"{spell(node.measure)} {_OPPOSITE[node.comparison]} {spell(node.bound)}{unit}"


def _has_meaning(asking: Asking, symbol: RequireSymbol, seconds: float) -> bool:
    """Tell whether the program surely has a meaning at the parameters' values, as far as the budget asks of it."""
    if symbol.node.ranges:  # each of their points is looked at where the range is decided
        return True
    try:
        return not need_meaning(asking, symbol.node.measure, seconds)
    except Fault:
        return False
