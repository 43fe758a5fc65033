"""The analysis of one text, as a report: the part of checking that computes, and so loads the engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from seepage.checking.file_report import Bounds, FileReport, ToldAnswer, ToldRow
from seepage.checking.order import Order, WrongProject, answer_value, read_order
from seepage.checking.walk import is_python
from seepage.configuration import WrongValue, program_files, project_values
from seepage.deadline import watched
from seepage.diagnostics import ordered
from seepage.exact import nearest_float
from seepage.functions import FunctionProgram, load_function, programs_of
from seepage.measures import facts
from seepage.measures.parameters import Value
from seepage.measures.result import Json, Result
from seepage.pipeline import Analysis
from seepage.program import Program, parse
from seepage.report.json import answer_json, row_json
from seepage.report.text import answer_lines, table_cells, verdict_place
from seepage.semantics.checked import Checked
from seepage.source import SourceFile


def answered(value: Mapping[str, Any]) -> Mapping[str, Json]:
    """Return the answer to an order, both as JSON values; raises as :func:`analysed`."""
    return answer_value(analysed(read_order(value)))


def analysed(order: Order) -> FileReport | WrongProject:
    """Return what checking and running find in a text.

    Raises:
        ValueError: a value of ``given`` is no number.
    """
    programs = programs_in(order)
    reports: list[FileReport] = []
    for program in programs:
        try:
            params = values_for(program, order)
        except WrongValue as error:
            return WrongProject(str(error))
        with watched() as watch:
            analysis = program.analyze(params=params, unit=order.unit, seconds=order.seconds / len(programs))
        if isinstance(program, FunctionProgram) and program.translation is not None:
            analysis = _named(analysis, program.translation.function)
        reports.append(file_report(program, analysis, order.digits, settled=not watch.cut))
    if not reports:
        told = f"no function of this file has a mark: 'seepage mark {order.name}::NAME' writes one for the function of this name"
        return replace(_together(reports), note=told)
    return reports[0] if len(reports) == 1 else _together(reports)


def programs_in(order: Order) -> Sequence[Program]:
    """Return the program of a text, or the functions of a Python file that are asked about."""
    if not is_python(order.name):
        return (parse(order.text, order.name, files=program_files(order.name)),)
    if order.function:
        mark = order.marks.get(order.function)
        return (load_function(order.text, order.name, order.function, mark, order.mechanisms),)
    return programs_of(order.text, order.name, order.marks, order.mechanisms)


def values_for(program: Program, order: Order) -> dict[str, Value]:
    """Return the values of a program's parameters: those that were given before those of its project.

    Raises:
        WrongValue: the project file has a value that is no number for this program.
    """
    given = {name: value for name, value in order.given.items() if name in program.checked.symbols.params}
    return {**project_values(program, order.project, order.project_file), **given}


def _named(analysis: Analysis, function: str) -> Analysis:
    """Return an analysis whose rows name the function of each secret."""
    return replace(analysis, table=tuple(replace(row, secret=f"{function}: {row.secret}") for row in analysis.table))


def _together(reports: Sequence[FileReport]) -> FileReport:
    """Return what is told of the functions of one file."""
    notes = dict.fromkeys(one.note for one in reports if one.note)
    return FileReport(
        ordered(*(one.findings for one in reports)),
        tuple(row for one in reports for row in one.rows),
        tuple(answer for one in reports for answer in one.answers),
        "; ".join(notes),
        round(sum(one.seconds for one in reports), 6),
        all(one.settled for one in reports),
    )


def file_report(program: Program | Checked, analysis: Analysis, digits: int | None, *, settled: bool) -> FileReport:
    """Return what is told of a program in its own text, numbers with at most so many digits."""
    source = program.source
    return FileReport(
        ordered(program.diagnostics, analysis.diagnostics),
        tuple(_row(row, source, digits) for row in analysis.table),
        tuple(_answer(answer, source, digits) for answer in analysis.answers),
        analysis.note,
        round(analysis.seconds, 6),
        settled,
    )


def _row(row: facts.LeakageRow, source: SourceFile, digits: int | None) -> ToldRow:
    return ToldRow(
        row.secret,
        row.output,
        row.span,
        row.headline,
        table_cells(row, source, digits),
        row.note,
        _bounds(row.information),
        row_json(row, source),
    )


def _answer(answer: facts.Answer, source: SourceFile, digits: int | None) -> ToldAnswer:
    return ToldAnswer(
        answer.role,
        answer.text,
        answer.span,
        answer.verdict,
        tuple(answer_lines(answer, source, digits)),
        _bounds(answer.result),
        None if answer.bound is None else nearest_float(answer.bound),
        "" if answer.diagnostic is None else answer.diagnostic.rule.code,
        answer_json(answer, source),
        verdict_place(answer),
    )


def _bounds(result: Result | None) -> Bounds | None:
    return None if result is None else Bounds(result.lower, result.upper, result.unit)
