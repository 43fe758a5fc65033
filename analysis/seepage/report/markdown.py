"""Facts as Markdown for hovers, and as short lines for code lenses and inlay hints."""

from __future__ import annotations

from seepage.measures.digits import FEW_DIGITS, rounded
from seepage.measures.facts import Answer, LeakageRow, VariableFacts
from seepage.measures.result import Result
from seepage.report.numbers import number_text, result_text, status_text
from seepage.source import SourceFile


def describe_variable(facts: VariableFacts, source: SourceFile | None = None) -> str:
    """Return the hover of a variable: role and kind, documentation, entropy, for a secret also what the outputs tell."""
    lines = [
        f"**{facts.name}** · {facts.role} · {facts.kind}"
        if facts.role != "variable"
        else f"**{facts.name}** · {facts.kind}"
    ]
    results = [facts.entropy, facts.given_outputs, facts.information]
    shown = [_described(result, source) for result in results if result is not None]
    if shown:
        lines += ["", *_bullets(shown)]
    if facts.percent is not None:
        lines += ["", f"{rounded(facts.percent, FEW_DIGITS)} % of the secret leaks"]
    if facts.note:
        lines += ["", f"_{facts.note}_"]
    if facts.documentation:  # last: editors cut hovers, and numbers are what they are opened for
        lines += ["", facts.documentation]
    return "\n".join(lines)


def describe_answer(answer: Answer, source: SourceFile | None = None) -> str:
    """Return the hover of a ``show`` or ``require``: the measure, its value and bounds, formula, verdict, notes."""
    lines = [f"**{answer.role}** `{answer.text}`"]
    if answer.verdict is not None:
        lines += ["", f"**{answer.verdict}**"]
    if answer.result is not None:
        lines += ["", _described(answer.result, source)]
        lines += [line for note in answer.result.notes for line in ("", f"_{note}_")]
    if answer.diagnostic is not None:
        lines += ["", answer.diagnostic.message]
    return "\n".join(lines)


def describe_row(row: LeakageRow, source: SourceFile | None = None) -> str:
    """Return the leakage of a secret as a sentence or two, for the hover of its declaration."""
    lines = [f"**{row.secret}** → {row.output}"]
    if row.information is not None:
        lines += ["", _described(row.information, source)]
    if row.percent is not None:
        lines += ["", f"{rounded(row.percent.value, FEW_DIGITS)} % of the secret leaks"]
    if row.worst is not None:
        lines += ["", f"worst case: `{row.worst.output}` tells {number_text(row.worst.divergence, FEW_DIGITS)}"]
    if row.guess_before is not None and row.guess_after is not None:
        before, after = number_text(row.guess_before, FEW_DIGITS), number_text(row.guess_after, FEW_DIGITS)
        lines += ["", f"chance to guess it in one try: {before} before, {after} after"]
    if row.note:
        lines += ["", f"_{row.note}_"]
    return "\n".join(lines)


def lens_text(answer: Answer, source: SourceFile | None = None) -> str:
    """Return the code lens of a ``show`` or ``require``: ``0.0480 ≤ I ≤ 0.0491 nats · certified``, ``holds · 0.19 bits · exact``."""
    if answer.result is None:
        return f"{answer.verdict} · {_reason(answer)}" if answer.verdict else _reason(answer)
    number = result_text(answer.result, source, FEW_DIGITS)
    return f"{answer.verdict} · {number}" if answer.verdict else number


def row_lens_text(row: LeakageRow, source: SourceFile | None = None) -> str:
    """Return the code lens of a secret: ``0.0529 bits leak · exact``."""
    if row.information is None:
        return row.note or "no result"
    number = number_text(row.information, FEW_DIGITS)
    leak = number if "≤" in number else f"{number} leak"
    return f"{leak} · {status_text(row.information, source)}"


def output_lens_text(facts: VariableFacts, source: SourceFile | None = None) -> str:
    """Return the code lens of an output: its entropy, or why there is none."""
    if facts.entropy is None:
        return facts.note or "no result"
    return f"H = {result_text(facts.entropy, source, FEW_DIGITS)}"


def _described(result: Result, source: SourceFile | None) -> str:
    line = f"`{result.measure}` = {result_text(result, source)}"
    if result.formula is not None:
        line += f"  \n`= {result.formula.text}`"
        if result.formula.conditions:
            line += f" where {', '.join(f'`{condition}`' for condition in result.formula.conditions)}"
    if result.because:
        line += f"  \n_{result.because[0].message}_"
    return line


def _reason(answer: Answer) -> str:
    return answer.diagnostic.message if answer.diagnostic is not None else "no result"


def _bullets(lines: list[str]) -> list[str]:
    return [f"- {line}" for line in lines]
