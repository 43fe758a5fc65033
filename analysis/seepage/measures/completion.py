"""Results whose numbers are known, with their formulas: these are looked for once all numbers are told, since a search may take longer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.diagnostics import Fault
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate_text
from seepage.measures.facts import LeakageRow, VariableFacts
from seepage.measures.result import Result
from seepage.measures.variable_facts import beside_entropy


def row_with_formulas(asking: Asking, row: LeakageRow) -> LeakageRow:
    """Return a row of the leakage table with the formula of its information; the number comes from the memory of what it was asked of."""
    return replace(row, information=_again(asking, row.information))


def facts_with_formulas(asking: Asking, facts: VariableFacts, table: Sequence[LeakageRow]) -> VariableFacts:
    """Return the facts of a variable with formulas, and with what is to be known of these; ``table`` has its formulas already.

    Args:
        asking: of the program.
        facts: of one variable.
        table: the leakage table, which has its formulas already.
    """
    entropy = _again(asking, facts.entropy)
    told, known = beside_entropy(facts.entropy), beside_entropy(entropy)
    new = (note for note in known if note not in told)
    row = next((row for row in table if row.headline and row.secret == facts.name), None)
    return replace(
        facts,
        entropy=entropy,
        given_outputs=_again(asking, facts.given_outputs),
        information=facts.information if row is None or facts.information is None else row.information,
        note="; ".join(dict.fromkeys((*([facts.note] if facts.note else []), *new))),
    )


def _again(asking: Asking, result: Result | None) -> Result | None:
    """Return a result asked for once more; the same if that fails, as it may once the time is over."""
    if result is None:
        return None
    try:
        return replace(evaluate_text(asking, result.measure), seconds=result.seconds)
    except Fault:
        return result
