"""Facts as Markdown for hovers, and as short lines for code lenses and inlay hints.

``digits`` is the most that a number may have, where somebody asked for that; else it is as many as its place has room for.
"""

from __future__ import annotations

from collections.abc import Sequence

from seepage.exact import Number, show
from seepage.measures.digits import FEW_DIGITS, MOST_DIGITS, telling_digits
from seepage.measures.facts import Answer, LeakageRow, VariableFacts
from seepage.measures.parameters import show_domain
from seepage.measures.result import Formula, Result
from seepage.report.beside import beside_lines, ranges_text, reason_text, where_text
from seepage.report.marks import escaped, inline_code
from seepage.report.numbers import (
    equation_text,
    formula_lines,
    formula_text,
    guess_text,
    has_number,
    joint_text,
    number_text,
    percent_text,
    result_text,
    status_text,
)
from seepage.semantics.checked import ParamSymbol
from seepage.source import SourceFile

# Of the hover of a variable, which is to be brief; that of a ``show`` has all.
_SHORT_FORMULA, _FEW_DEFINITIONS = 100, 2
_FEW_MEASURES = 6


def describe_variable(
    facts: VariableFacts, source: SourceFile | None = None, law: str = "", digits: int | None = None
) -> str:
    """Return the hover of a variable: role, kind and the law that it is sampled from, entropy, for a secret also what the outputs tell."""
    drawn = [f"~ {inline_code(law)}"] if law else []
    lines = [_headline(facts.name, *([facts.role] if facts.role != "variable" else []), facts.kind, *drawn)]
    results = [facts.entropy, facts.given_outputs, facts.information]
    shown = [_described(result, source, digits, brief=True) for result in results if result is not None]
    if shown:
        lines += ["", *_bullets(shown)]
    if facts.percent is not None:
        lines += ["", f"{percent_text(facts.percent, digits or FEW_DIGITS)} of the secret leaks"]
    if facts.note:
        lines += ["", f"_{escaped(facts.note)}_"]
    return "\n".join(lines)


def describe_unmeasured(name: str, roles: Sequence[str], kind: str, law: str = "") -> str:
    """Return the hover of a variable by what is known without running."""
    return _headline(name, *roles, *([kind] if kind else []), *([f"~ {inline_code(law)}"] if law else []))


def describe_constant(name: str, value: Number) -> str:
    """Return the hover of a constant."""
    return _headline(name, "const", inline_code(show(value)))


def describe_parameter(param: ParamSymbol, shown_at: str | None = None, measures: Sequence[str] | None = None) -> str:
    """Return the hover of a parameter.

    Args:
        param: its declaration.
        shown_at: the value that the settings put in place of its default.
        measures: those that depend on it, None if that is not known.
    """
    domain = [f"in {inline_code(show_domain(param.domain))}"] if param.domain is not None else []
    default = f"default {inline_code(show(param.default))}" if param.default is not None else "no default"
    lines = [_headline(param.name, "param", *domain, default)]
    if shown_at is not None:
        lines.append(f"numbers are shown at {inline_code(shown_at)}, from the settings")
    if measures:
        named = ", ".join(map(inline_code, measures[:_FEW_MEASURES]))
        more = f" and {len(measures) - _FEW_MEASURES} more" if len(measures) > _FEW_MEASURES else ""
        lines.append(f"changes {named}{more}")
    elif measures is not None:
        lines.append("changes no measure that is asked for")
    return "\n\n".join(lines)


def _headline(name: str, *parts: str) -> str:
    return " · ".join([f"**{escaped(name)}**", *parts])


def describe_answer(answer: Answer, source: SourceFile | None = None, digits: int | None = None) -> str:
    """Return the hover of a ``show`` or ``require``: the measure, its value and bounds, formula, verdict, notes."""
    lines = [f"**{answer.role}** {inline_code(answer.text + ranges_text(answer))}"]
    if answer.verdict is not None:
        lines += ["", f"**{answer.verdict}**{where_text(answer)}"]
    if answer.result is not None:
        most = telling_digits(*answer.result.ends, answer.bound, digits or MOST_DIGITS)
        lines += ["", _described(answer.result, source, most)]
        lines += [line for note in answer.result.notes for line in ("", f"_{escaped(note)}_")]
    if answer.diagnostic is not None:
        notes = answer.diagnostic.notes if answer.verdict == "violated" else ()
        lines += [
            "",
            escaped(reason_text(answer, source)),
            *(line for note in notes for line in ("", f"_{escaped(note)}_")),
        ]
    return "\n".join(lines)


def describe_row(row: LeakageRow, source: SourceFile | None = None, digits: int | None = None) -> str:
    """Return the leakage of a secret as a sentence or two, for the hover of its declaration."""
    lines, few = [f"**{escaped(row.secret)}** → {escaped(row.output)}"], digits or FEW_DIGITS
    if row.information is not None:
        lines += ["", _described(row.information, source, digits)]
    if row.percent is not None:
        lines += ["", f"{percent_text(row.percent, few)} of the secret leaks"]
    if row.worst is not None:
        lines += ["", f"worst case: {inline_code(row.worst.output)} tells {number_text(row.worst.divergence, few)}"]
    if row.least_left is not None:
        left = number_text(row.least_left.entropy, few)
        lines += ["", f"least is left after {inline_code(row.least_left.output)}: {left}"]
    if row.guess_before is not None and row.guess_after is not None:
        before, after = (guess_text(one, source, few) for one in (row.guess_before, row.guess_after))
        lines += ["", f"chance to guess it in one try: {before} before, {after} after"]
    if row.note:
        lines += ["", f"_{escaped(row.note)}_"]
    return "\n".join(lines)


def lens_text(answer: Answer, source: SourceFile | None = None, digits: int | None = None) -> str:
    """Return the code lens of a ``show`` or ``require``: ``0.0480 ≤ I ≤ 0.0491 nats · certified``, ``holds · 0.19 bits · exact``.

    A budget that is proved over ranges has no number, and its verdict needs no reason: ``holds``.
    """
    if answer.verdict is not None and answer.result is None and answer.diagnostic is None:
        return answer.verdict
    if answer.result is None:
        return f"{answer.verdict} · {reason_text(answer, source)}" if answer.verdict else reason_text(answer, source)
    most = telling_digits(*answer.result.ends, answer.bound, digits or FEW_DIGITS)
    number = result_text(answer.result, source, most) + where_text(answer)
    return f"{answer.verdict} · {number}" if answer.verdict else number


def row_lens_text(row: LeakageRow, source: SourceFile | None = None, digits: int | None = None) -> str:
    """Return the code lens of a secret: ``0.0529 bits leak · exact``, and why nothing leaks where that may surprise."""
    if row.information is None:
        return row.note or "no result"
    number = number_text(row.information, digits or FEW_DIGITS)
    leak = f"{number} leak" if has_number(row.information, digits or FEW_DIGITS) else number
    why = f": {row.why_nothing}" if row.why_nothing else ""
    return f"{leak} · {status_text(row.information, source)}{why}"


def output_lens_text(facts: VariableFacts, source: SourceFile | None = None, digits: int | None = None) -> str:
    """Return the code lens of an output: its entropy, or why there is none."""
    if facts.entropy is None:
        return facts.note or "no result"
    most = digits or FEW_DIGITS
    return f"H{joint_text(facts.entropy, most)}{result_text(facts.entropy, source, most)}"


def _described(result: Result, source: SourceFile | None, digits: int | None, *, brief: bool = False) -> str:
    most = digits or MOST_DIGITS
    lines = [equation_text(result, source, inline_code, most)]
    if result.formula is not None and (not brief or _is_short(result.formula)):
        first, *definitions = formula_lines(result.formula, inline_code)
        lines += [f"= {first}", *definitions]
    elif result.formula is not None:
        lines.append(f"_its formula is long: {inline_code(f'show {result.measure}')} shows it_")
    if result.because:
        lines.append(f"_{escaped(result.because[0].message)}_")
    lines += beside_lines(result, inline_code, most)
    return "  \n".join(lines)


def _is_short(formula: Formula) -> bool:
    return len(formula_text(formula)) <= _SHORT_FORMULA and len(formula.definitions) <= _FEW_DEFINITIONS


def _bullets(lines: list[str]) -> list[str]:
    return [f"- {line}" for line in lines]
