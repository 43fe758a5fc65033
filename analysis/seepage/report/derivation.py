"""Derivations in words: the annotated program of the paper, as text, Markdown or LaTeX.

Brackets are Iverson brackets; a ghost is written with a line below (``o̲``), ``⟦…⟧`` around a pair divides its two parts.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import ONE, Node, Sum, Verbatim
from seepage.measures.told_derivation import Conclusion, Explanation, Section, Shown, ShownStep, Term
from seepage.report.derivation_words import (
    GHOST,
    RULES,
    definition,
    latex_expression,
    text_expression,
    with_fractions,
)
from seepage.report.findings import printable
from seepage.report.marks import escaped
from seepage.report.numbers import number_text
from seepage.syntax.tree import Name

Form: TypeAlias = Literal["text", "markdown", "latex"]

_DEEPEST = 2  # parentheses around a plus sign before which a line is broken
_WIDE = 100  # characters of an annotation; a longer sum is broken before its plus signs


def derivation_text(explanation: Explanation, form: Form = "text") -> str:
    """Return a derivation as a whole; in LaTeX as ``align*`` environments (of ``amsmath``)."""
    match form:
        case "text":
            return "\n".join(printable(line) for line in _text(explanation))
        case "markdown":
            return "\n".join(_markdown(explanation))
        case "latex":
            return "\n".join(_latex(explanation))


# --- expectations -----------------------------------------------------------------------------------------------------


def expectation_text(shown: Shown) -> str:
    """Return ``p·[o̲ = 1] + (1 − p)·[o̲ = 0]``; 0 for no term."""
    return " + ".join(_term(term) for term in shown) or "0"


def _term(term: Term) -> str:
    brackets = [f"[{text_expression(guard)}]" for guard in term.guards]
    brackets += [
        text_expression(factor) if isinstance(factor, Name) else f"({text_expression(factor)})"
        for factor in term.factors
    ]
    if term.coefficient == ONE and brackets:
        return "·".join(brackets)
    return "·".join([_factor(term.coefficient) if brackets else text_of(term.coefficient), *brackets])


def _factor(node: Node) -> str:
    text = text_of(node)
    return f"({text})" if _is_loose(node) else text


def _is_loose(node: Node) -> bool:
    return isinstance(node, Sum) or (isinstance(node, Verbatim) and not node.tight)


def parts_text(step: ShownStep) -> str:
    """Return the sum over the values of a sampling, without those at which it is 0."""
    return " + ".join(f"{_factor(chance)}·{_part(part)}" for chance, part in step.parts if part) or "0"


def _part(part: Shown) -> str:
    """Return an expectation as a factor."""
    if len(part) == 1 and not part[0].guards and not part[0].factors:
        return _factor(part[0].coefficient)
    return f"({expectation_text(part)})"


def expectation_latex(shown: Shown) -> str:
    """Return the same in LaTeX."""
    return " + ".join(_latex_term(term) for term in shown) or "0"


def _latex_term(term: Term) -> str:
    brackets = [rf"\left[{latex_expression(guard)}\right]" for guard in term.guards]
    brackets += [
        latex_expression(factor) if isinstance(factor, Name) else rf"\left({latex_expression(factor)}\right)"
        for factor in term.factors
    ]
    if term.coefficient == ONE and brackets:
        return r" \cdot ".join(brackets)
    return r" \cdot ".join([_latex_factor(term.coefficient) if brackets else latex_of(term.coefficient), *brackets])


def _latex_factor(node: Node) -> str:
    return rf"\left({latex_of(node)}\right)" if _is_loose(node) else latex_of(node)


def _parts_latex(step: ShownStep) -> str:
    return " + ".join(
        rf"{_latex_factor(chance)} \cdot \left({expectation_latex(part)}\right)" for chance, part in step.parts if part
    )


def shows_parts(step: ShownStep) -> bool:
    """Tell whether the sum over the values says more than what it comes to."""
    alike = len({expectation_text(part) for _, part in step.parts}) == 1  # the value matters to nothing
    return bool(step.parts) and bool(step.note) and not alike and parts_text(step) != expectation_text(step.before)


# --- annotated programs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of an annotated program: a statement, or the expectation there in both forms."""

    depth: int
    statement: str
    text: str = ""
    latex: str = ""


def _annotated(section: Section) -> Iterator[_Line]:
    if section.left_out:
        yield _Line(0, f"… {section.left_out} more")
    yield from _block(section.steps, 0)
    yield _expectation(0, section.post)


def is_idle(step: ShownStep) -> bool:
    """Tell whether a statement, with all that it holds, changes no expectation."""
    return step.before == step.after and all(is_idle(inner) for arm in step.arms for inner in arm)


def opens(steps: Sequence[ShownStep], number: int) -> bool:
    """Tell whether the expectation before a statement is to be shown: it is not the one before its neighbour, too."""
    return number == 0 or not is_idle(steps[number - 1])


def _block(steps: Sequence[ShownStep], depth: int) -> Iterator[_Line]:
    """Yield each statement with the expectations before it: the one that it comes to first, as the paper has it."""
    for number, step in enumerate(steps):
        if opens(steps, number):
            yield _expectation(depth, step.before)
        if is_idle(step):
            yield _Line(depth, f"{step.statement} {{ … }}" if step.rule == "if" else step.statement)
            continue
        if shows_parts(step):
            yield _Line(depth, "", f"= {parts_text(step)}", f"= {_parts_latex(step)}")
        if step.rule != "if":
            yield _Line(depth, step.statement)
            continue
        first, second = step.arms
        yield _Line(depth, f"{step.statement} {{")
        yield from _arm(first, step.after, depth + 1)
        yield _Line(depth, "} else {")
        yield from _arm(second, step.after, depth + 1)
        yield _Line(depth, "}")


def _arm(steps: Sequence[ShownStep], after: Shown, depth: int) -> Iterator[_Line]:
    yield from _block(steps, depth)
    yield _expectation(depth, after)


def _expectation(depth: int, shown: Shown) -> _Line:
    return _Line(depth, "", expectation_text(shown), expectation_latex(shown))


def _program(section: Section) -> Iterator[str]:
    for line in _annotated(section):
        indent = "    " * line.depth
        if line.text:
            first, *more = _broken(line.text)
            yield f"{indent}⟨ {first}" + ("" if more else " ⟩")
            for number, part in enumerate(more, 1):
                yield f"{indent}    {part}" + (" ⟩" if number == len(more) else "")
        else:
            yield f"{indent}{text_expression_of_code(line.statement)}"


def text_expression_of_code(code: str) -> str:
    """Return a statement without the marks of ghosts that stand for initial and final values."""
    return with_fractions(code.replace("@initial", "₀").replace("@final", "₁"))


def _broken(text: str, inside: int = 0) -> list[str]:
    """Break a long sum before plus signs that stand in no parentheses or brackets; what is still too long, before those in parentheses."""
    lines, start, last, depth = list[str](), 0, 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if depth <= inside and text.startswith((" + ", " − "), place):
            if place - start > _WIDE and last > start:
                lines.append(text[start:last])
                start = last + 1
            last = place
    if len(text) - start > _WIDE and last > start:
        lines.append(text[start:last])
        start = last + 1
    lines.append(text[start:])
    if inside == _DEEPEST:
        return lines
    return [
        piece if number == 0 else f"    {piece}"
        for line in lines
        for number, piece in enumerate([line] if len(line) <= _WIDE else _broken(line, inside + 1))
    ]


def _steps(steps: Sequence[ShownStep]) -> Iterator[ShownStep]:
    """Yield steps from the last to the first, what stands in a branch before the branch."""
    for step in reversed(steps):
        for arm in step.arms:
            yield from _steps(arm)
        yield step


# --- whole derivations ------------------------------------------------------------------------------------------------


def section_title(section: Section) -> str:
    """Return what a section derives."""
    return f"wp⟦{section.program}⟧({expectation_text(section.post)})"


def _text(explanation: Explanation) -> Iterator[str]:
    yield f"{explanation.measure}, {explanation.source}"
    yield ""
    yield f"  {definition(explanation).text}"
    yield from (f"  note: {note}" for note in explanation.notes)
    for section in explanation.sections:
        yield ""
        yield f"{section_title(section)}, read from the bottom up:"
        yield ""
        yield from (f"    {line}" for line in _program(section))
    if explanation.conclusions:
        yield ""
    for conclusion in explanation.conclusions:
        yield from textwrap.wrap(conclusion.why + (":" if conclusion_text(conclusion) else ""), _WIDE)
        yield from (f"    {line}" for line in _broken(conclusion_text(conclusion)) if line)
    yield ""
    yield f"{explanation.measure} = {value_text(explanation)}"


def conclusion_text(conclusion: Conclusion) -> str:
    """Return what follows as text; empty if only the reason says something."""
    if conclusion.formula is not None:
        return text_of(conclusion.formula)
    return expectation_text(conclusion.expectation) if conclusion.expectation else ""


def value_text(explanation: Explanation) -> str:
    """Return the number, and the values of parameters that it is for."""
    result = explanation.result
    at = ", ".join(f"{name} = {value}" for name, value in result.params.items())
    return number_text(result) + (f" at {at}" if at else "")


def _markdown(explanation: Explanation) -> Iterator[str]:
    yield f"### {escaped(explanation.measure)}"
    yield ""
    yield f"{escaped(explanation.source)}:"
    yield ""
    yield f"$${definition(explanation).latex}$$"
    for note in explanation.notes:
        yield ""
        yield f"*{escaped(note)}*"
    for section in explanation.sections:
        yield ""
        yield "<details open>"
        yield f"<summary>{_html(section_title(section))}</summary>"
        yield ""
        yield "```text"
        yield from _program(section)
        yield "```"
        yield ""
        for step in _steps(section.steps):
            yield from _folded(step)
        yield "</details>"
    for conclusion in explanation.conclusions:
        yield ""
        yield f"{escaped(conclusion.why)}:"
        if latex := _conclusion_latex(conclusion):
            yield ""
            yield f"$${latex}$$"
    yield ""
    yield f"**{escaped(explanation.measure)} = {escaped(value_text(explanation))}**"


def _folded(step: ShownStep) -> Iterator[str]:
    yield "<details>"
    yield f"<summary><code>{_html(text_expression_of_code(step.statement))}</code></summary>"
    yield ""
    yield f"{RULES[step.rule].text}" + (f"; {escaped(step.note)}" if step.note else "")
    yield ""
    parts = rf" = {_parts_latex(step)}" if shows_parts(step) else ""
    yield rf"$$\mathsf{{wp}}\llbracket\ldots\rrbracket\left({expectation_latex(step.after)}\right){parts} = {expectation_latex(step.before)}$$"
    yield ""
    yield "</details>"
    yield ""


def _conclusion_latex(conclusion: Conclusion) -> str:
    if conclusion.formula is not None:
        return latex_of(conclusion.formula)
    return expectation_latex(conclusion.expectation) if conclusion.expectation else ""


def _latex(explanation: Explanation) -> Iterator[str]:
    yield f"% {explanation.measure}, {explanation.source}; needs the packages amsmath and stmaryrd"
    yield r"\begin{align*}"
    yield f"  {definition(explanation).latex}"
    yield r"\end{align*}"
    yield from (f"% note: {note}" for note in explanation.notes)
    for section in explanation.sections:
        yield rf"% wp of {_ascii(expectation_text(section.post))}, read from the bottom up"
        yield r"\begin{align*}"
        lines = list(_annotated(section))
        for number, line in enumerate(lines):
            indent = r"\quad " * line.depth
            body = rf"\left\langle {line.latex} \right\rangle" if line.latex else rf"\mathtt{{{_code(line.statement)}}}"
            yield f"  & {indent}{body}" + (r" \\" if number + 1 < len(lines) else "")
        yield r"\end{align*}"
    for conclusion in explanation.conclusions:
        yield f"% {_ascii(conclusion.why)}"
        if latex := _conclusion_latex(conclusion):
            yield r"\begin{align*}"
            yield f"  {latex}"
            yield r"\end{align*}"
    yield f"% {_ascii(f'{explanation.measure} = {value_text(explanation)}')}"


def _code(text: str) -> str:
    escapes = {"{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", " ": r"\ "}
    escapes |= {"~": r"{\sim}", "^": r"\hat{}", "…": r"\ldots", "\\": r"\backslash "}
    return "".join(escapes.get(letter, letter) for letter in text_expression_of_code(text))


def _ascii(text: str) -> str:
    return text.replace("\n", " ")


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


__all__ = ["GHOST", "Form", "derivation_text", "expectation_latex", "expectation_text"]
