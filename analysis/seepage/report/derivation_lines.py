"""Derivations as lines of data, for a page that folds them and goes from a statement to its place in the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias
from xml.etree import ElementTree

from seepage.data_classes import dataclass
from seepage.measures.formulas.mathml import NAMESPACE, mathml_of, mathml_row
from seepage.measures.formulas.tree import ONE, Node, Sum
from seepage.measures.told_derivation import Conclusion, Explanation, Section, Shown, ShownStep, Term
from seepage.report.derivation import (
    conclusion_text,
    expectation_text,
    is_idle,
    opens,
    parts_text,
    section_title,
    shows_parts,
    text_expression_of_code,
    value_text,
)
from seepage.report.derivation_words import RULES, definition, text_expression
from seepage.source import Span
from seepage.syntax.tree import Expression, Name

Kind: TypeAlias = Literal["expectation", "statement", "why", "conclusion"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a derivation.

    Attributes:
        kind: an expectation between statements, a statement, a reason, or what follows for the measure.
        text: in Unicode.
        mathml: the same as one ``math`` element; empty where there is none.
        depth: of branches around it.
        span: absolute place of the statement; None where it has none.
        folds: how many of the following lines belong under it.
    """

    kind: Kind
    text: str
    mathml: str = ""
    depth: int = 0
    span: Span | None = None
    folds: int = 0


@dataclass(frozen=True, slots=True)
class LineSection:
    """Lines under a title."""

    title: str
    lines: tuple[Line, ...]


def derivation_sections(explanation: Explanation) -> tuple[LineSection, ...]:
    """Return the definition, one section for each pre-expectation (read from the bottom up), and what follows from them."""
    meaning = [Line("conclusion", definition(explanation).text), *(Line("why", note) for note in explanation.notes)]
    derived = [LineSection(section_title(section), tuple(_section(section))) for section in explanation.sections]
    follows = [line for each in explanation.conclusions for line in _conclusion(each)]
    follows.append(Line("conclusion", f"{explanation.measure} = {value_text(explanation)}"))
    return (LineSection("definition", tuple(meaning)), *derived, LineSection("what follows", tuple(follows)))


def _section(section: Section) -> Iterator[Line]:
    if section.left_out:
        yield Line("why", f"… {section.left_out} more")
    yield from _block(section.steps, 0)
    yield _expectation(0, section.post)


def _block(steps: Sequence[ShownStep], depth: int) -> Iterator[Line]:
    for number, step in enumerate(steps):
        if opens(steps, number):
            yield _expectation(depth, step.before)
        if is_idle(step):
            yield from _idle(step, depth)
            continue
        if shows_parts(step):
            yield Line("expectation", f"= {parts_text(step)}", _parts_mathml(step), depth)
        yield from _statement(step, depth)


def _idle(step: ShownStep, depth: int) -> Iterator[Line]:
    text = text_expression_of_code(step.statement)
    yield Line("statement", f"{text} {{ … }}" if step.rule == "if" else text, "", depth, step.span, 1)
    yield Line("why", "nothing that is expected here depends on it", "", depth + 1)


def _statement(step: ShownStep, depth: int) -> Iterator[Line]:
    why = Line("why", "; ".join(part for part in (RULES[step.rule].text, step.note) if part), "", depth + 1)
    line = Line("statement", text_expression_of_code(step.statement), "", depth, step.span, 1)
    if step.rule != "if":
        yield from (line, why)
        return
    first, second = (
        [*_block(arm, depth + 1), _expectation(depth + 1, step.after)] for arm in (step.arms[0], step.arms[1])
    )
    inside = [why, *first, Line("statement", "} else {", "", depth), *second, Line("statement", "}", "", depth)]
    yield replace(line, text=f"{line.text} {{", folds=len(inside))
    yield from inside


def _conclusion(conclusion: Conclusion) -> Iterator[Line]:
    text = conclusion_text(conclusion)
    yield Line("why", conclusion.why)
    if text:
        mathml = (
            mathml_of(conclusion.formula) if conclusion.formula is not None else _mathml(_sum(conclusion.expectation))
        )
        yield Line("conclusion", text, mathml)


def _expectation(depth: int, shown: Shown) -> Line:
    return Line("expectation", expectation_text(shown), _mathml(_sum(shown)), depth)


# --- MathML -----------------------------------------------------------------------------------------------------------


def _mathml(parts: Sequence[ElementTree.Element]) -> str:
    root = ElementTree.Element("math", {"xmlns": NAMESPACE})
    root.extend(parts)
    return ElementTree.tostring(root, encoding="unicode")


def _sum(shown: Shown) -> list[ElementTree.Element]:
    # Each term is a row with the sign before it, so that a line can end between terms; at the start of a row "+" must be told to be no prefix.
    return [
        _row(_sign("+", form="infix"), *_term(term)) if place else _row(*_term(term))
        for place, term in enumerate(shown)
    ] or [_text("mn", "0")]


def _term(term: Term) -> Iterator[ElementTree.Element]:
    brackets = [_around("[", guard, "]") for guard in term.guards]
    brackets += [
        _text("mtext", text_expression(factor)) if isinstance(factor, Name) else _around("(", factor, ")")
        for factor in term.factors
    ]
    if term.coefficient != ONE or not brackets:
        yield _factor(term.coefficient) if brackets else mathml_row(term.coefficient)
        if brackets:
            yield _sign("·")
    for place, bracket in enumerate(brackets):
        if place:
            yield _sign("·")
        yield bracket


def _parts_mathml(step: ShownStep) -> str:
    parts = [_sign("=")]
    for place, (chance, part) in enumerate((chance, part) for chance, part in step.parts if part):
        if place:
            parts.append(_sign("+"))
        parts += [_factor(chance), _sign("·"), _row(_sign("("), *_sum(part), _sign(")"))]
    return _mathml(parts)


def _factor(node: Node) -> ElementTree.Element:
    return _row(_sign("("), mathml_row(node), _sign(")")) if isinstance(node, Sum) else mathml_row(node)


def _around(left: str, inside: Expression, right: str) -> ElementTree.Element:
    # What is inside is one line of text, which no bracket needs to grow around; some fonts let them at an underline.
    first, last = _sign(left, stretchy="false"), _sign(right, stretchy="false")
    return _row(first, _text("mtext", text_expression(inside)), last)


def _sign(sign: str, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element("mo", attributes)
    element.text = sign
    return element


def _row(*parts: ElementTree.Element) -> ElementTree.Element:
    row = ElementTree.Element("mrow")
    row.extend(parts)
    return row


def _text(tag: str, text: str) -> ElementTree.Element:
    element = ElementTree.Element(tag)
    element.text = text
    return element
