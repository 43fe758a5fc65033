"""Where it leaks, and where budgets hold: what the process that explores answers, each ``span`` a pair of offsets into the text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from seepage.exact import Number, to_fraction
from seepage.measures.asking import InformationUnit
from seepage.measures.parameters import need_parameters, read_number
from seepage.report.json import Json, number_json, result_json
from seepage.report.where import WARNING, statement_words, where_json
from seepage.semantics.checked import Checked
from seepage.source import SourceFile
from seepage.tuning.segments import segments
from seepage.where import StatementTold, Where, where
from seepage_lsp.questions import RangeQuestion

_LONGEST_STATEMENT = 60


def told_where(
    checked: Checked, measure: str, values: Mapping[str, Number], unit: InformationUnit, seconds: float
) -> dict[str, Json]:
    """Return what each statement does to a measure, in words and numbers; raises a ``Fault`` as :func:`seepage.where.where`."""
    found, source = where(checked, measure, values, unit, seconds), checked.source
    told = where_json(found, source)
    return {
        "measure": found.measure,
        "result": result_json(found.whole, source),
        "note": WARNING,
        "statements": [_statement(found, each, source) for each in found.statements],
        "singles": told["singles"],
        "pairs": told["pairs"],
    }


def _statement(found: Where, statement: StatementTold, source: SourceFile) -> dict[str, Json]:
    text = " ".join(source[statement.span].split())
    falls, rises = found.moves(statement)
    ends = statement.without
    return {
        "span": [statement.span.start, statement.span.end],
        "text": text if len(text) <= _LONGEST_STATEMENT else f"{text[: _LONGEST_STATEMENT - 1]}…",
        "told": statement_words(found, statement),
        "without": None if ends is None else {"lower": number_json(ends[0]), "upper": number_json(ends[1])},
        "falls": number_json(falls),
        "rises": number_json(rises),
        "note": statement.note or None,
    }


def told_range(checked: Checked, asked: RangeQuestion, values: Mapping[str, Number], seconds: float) -> dict[str, Json]:
    """Return where budgets hold, each end as a number and as source text.

    Raises:
        ValueError: there is no such parameter, or its ends are no rational numbers that ascend.
    """
    need_parameters(checked, (asked.parameter,))
    constants = checked.symbols.consts
    low, high = (to_fraction(read_number(end, constants)) for end in (asked.low, asked.high))
    if low is None or high is None:
        raise ValueError(f"found '{asked.parameter}' from {asked.low} to {asked.high}, expected rational ends")
    others = {name: value for name, value in values.items() if name != asked.parameter}
    found = segments(checked, asked.budgets, asked.parameter, low, high, others, seconds)
    return {
        "parameter": asked.parameter,
        "segments": [
            {
                "low": float(each.low),
                "high": float(each.high),
                "lowText": _written(each.low),
                "highText": _written(each.high),
                "told": each.told,
            }
            for each in found
        ],
    }


def _written(value: Fraction) -> str:
    """Return a rational number as source text: a decimal where that is all of it."""
    decimal = f"{float(value):.12g}"
    return decimal if Fraction(decimal) == value else str(value)
