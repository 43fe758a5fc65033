"""Python functions as the library's users hold them: ``load("module.py::function")`` gives a program that is asked in Python's names.

What reads Python is loaded with the first function that is read: most programs are none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from seepage import rules
from seepage.configuration import NOTHING, Configuration, find_configuration, load_configuration, marks_of
from seepage.data_classes import dataclass
from seepage.diagnostics import Advice, Diagnostic, Rule, Severity
from seepage.measures.asking import InformationUnit
from seepage.measures.facts import Answer, LeakageRow, LeastLeft, VariableFacts, WorstCase
from seepage.measures.parameters import Value
from seepage.measures.result import Result
from seepage.pipeline import Analysis, check
from seepage.program import MeasureError, Program, parse
from seepage.program import load as load_file
from seepage.semantics.checked import Checked
from seepage.source import SourceFile, Span
from seepage.syntax.printer import applied, format_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seepage.priors import Prior
    from seepage.python.marks import Mark
    from seepage.python.translation import Translation

_KNOWN_PROGRAMS = 64
_TOLD = frozenset({"SEEP510", "SEEP511"})


@dataclass(frozen=True, slots=True)
class FunctionProgram(Program):
    """A marked Python function.

    Attributes:
        translation: the function as a program; None where it has none.
        file: the Python file.
        findings: what is wrong with the function, and what is told of it.
    """

    translation: Translation | None = None
    file: SourceFile = field(default_factory=lambda: SourceFile("", ""))
    findings: tuple[Diagnostic, ...] = ()

    @property
    def source(self) -> SourceFile:
        """The Python file."""
        return self.file

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the function, and what is told of it; places are those of Python."""
        return self.findings

    def measure(
        self,
        text: str,
        params: Mapping[str, Value] | None = None,
        *,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        method: Literal["huber", "hershey", "variational"] | None = None,
        **values: Value,
    ) -> Result:
        """Evaluate a measure in Python's names, such as ``"I(pin; result[0])"``; raises as :meth:`Program.measure`."""
        return self._told(
            Program.measure(self, text, params, unit=unit, seconds=seconds, method=method, **values), text
        )

    def analyze(
        self,
        params: Mapping[str, Value] | None = None,
        *,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        **values: Value,
    ) -> Analysis:
        """Answer the measures and budgets of the mark, and fill the leakage table; places are those of Python."""
        return self.told(Program.analyze(self, params, unit=unit, seconds=seconds, **values))

    def told(self, analysis: Analysis) -> Analysis:
        """Return an analysis of the program in Python's names and places; facts are those of what the mark names."""
        found = replace(analysis, note="")
        if self.translation is None:
            return replace(found, diagnostics=self.findings)
        told = [
            self._finding(one) for one in found.diagnostics if one.is_error or one.rule.code in _TOLD or _is_honest(one)
        ]
        answers = tuple(self._answer(one) for one in found.answers)
        table = tuple(self._row(one) for one in found.table)
        facts = {
            name: self._fact(name, found.variables[variables[0]])
            for name, seen in self.translation.seen.items()
            if len(variables := seen.variables(())) == 1 and variables[0] in found.variables
        }
        return replace(
            found,
            diagnostics=tuple(told),
            answers=answers,
            table=table,
            variables=facts,
            passing=(),
            parameters=(),
        )

    def with_priors(self, priors: Mapping[str, Prior] | None = None, /, **laws: Prior) -> Program:
        """Refuse: the laws of a Python function's arguments stand in its mark.

        Raises:
            ValueError: always.
        """
        raise ValueError("the laws of a Python function's arguments stand in its mark: give them there")

    def sample(
        self,
        size: int,
        seed: int | None = None,
        *,
        params: Mapping[str, Value] | None = None,
        seconds: float = 30.0,
        **values: Value,
    ) -> dict[str, NDArray[Any]]:
        """Refuse: runs of a Python function are those of the function itself.

        Raises:
            ValueError: always.
        """
        raise ValueError(
            "runs of a Python function are drawn by calling it; 'seepage translate' prints its program, which has runs"
        )

    # --- from the program's words and places to Python's ---

    def _asked(self, text: str) -> str:
        from seepage.python.questions import Wrong

        wrong = next((one for one in self.findings if one.is_error), None)
        if wrong is not None or self.translation is None:
            raise MeasureError(wrong or self.findings[0], self.file)
        try:
            return self.translation.measure(text)
        except Wrong as error:
            diagnostic = Diagnostic(rules.UNFIT_MEASURE, Span(error.start, error.end), error.message)
            raise MeasureError(diagnostic, SourceFile("<measure>", text)) from error

    def _moved(self, error: MeasureError, text: str) -> MeasureError:
        if error.source.name == "<measure>":
            whole = replace(error.diagnostic, span=Span(0, len(text)), labels=(), fixes=())
            return MeasureError(self._worded(whole), SourceFile("<measure>", text))
        return MeasureError(self._finding(error.diagnostic), self.file)

    def _finding(self, diagnostic: Diagnostic) -> Diagnostic:
        labels = tuple(
            replace(one, span=self.place_of(one.span), message=self.words(one.message)) for one in diagnostic.labels
        )
        return self._worded(replace(diagnostic, span=self.place_of(diagnostic.span), labels=labels, fixes=()))

    def _worded(self, diagnostic: Diagnostic) -> Diagnostic:
        message = self.words(diagnostic.message)
        notes = tuple(self.words(note) for note in diagnostic.notes if not isinstance(note, Advice))
        return replace(diagnostic, message=message, notes=notes)

    def place_of(self, span: Span) -> Span:
        """Return the place of Python that a place of the program comes from."""
        assert self.translation is not None
        line, _ = self.checked.source.position(min(span.start, len(self.checked.source.text)))
        places = self.translation.places
        return places[min(line, len(places)) - 1] if places else Span(0, 0)

    def words(self, text: str) -> str:
        """Return a sentence with Python's names and texts in place of the program's."""
        if self.translation is None:
            return text
        return self.translation.run.told(text)

    def _told(self, result: Result, text: str) -> Result:
        because = tuple(
            replace(one, span=self.place_of(one.span), message=self.words(one.message)) for one in result.because
        )
        remarks = tuple(replace(one, text=self.words(one.text)) for one in result.remarks)
        return replace(
            result,
            measure=text.strip(),
            because=because,
            remarks=remarks,
            witness=self.words(result.witness),
        )

    def _fact(self, name: str, facts: VariableFacts) -> VariableFacts:
        place, note = self.place_of(facts.span), self.words(facts.note)
        entropy, given, information, percent = map(
            self._number, (facts.entropy, facts.given_outputs, facts.information, facts.percent)
        )
        return VariableFacts(name, place, facts.role, facts.kind, entropy, given, information, percent, note)

    def _row(self, row: LeakageRow) -> LeakageRow:
        worst, least = row.worst, row.least_left
        if worst is not None:
            worst = WorstCase(self.words(worst.output), self._of(worst.divergence))
        if least is not None:
            least = LeastLeft(self.words(least.output), self._of(least.entropy))
        return replace(
            row,
            secret=self.words(row.secret),
            output=self.words(row.output),
            span=self.place_of(row.span),
            information=self._number(row.information),
            percent=self._number(row.percent),
            worst=worst,
            least_left=least,
            guess_before=self._number(row.guess_before),
            guess_after=self._number(row.guess_after),
            note=self.words(row.note),
        )

    def _number(self, result: Result | None) -> Result | None:
        return None if result is None else self._of(result)

    def _of(self, result: Result) -> Result:
        return self._told(result, self.words(result.measure))

    def _answer(self, answer: Answer) -> Answer:
        assert self.translation is not None
        place = self.place_of(answer.span)
        written = self.file[place]
        text = written[1:-1] if written[:1] in "\"'" and written[:1] == written[-1:] else self.words(answer.text)
        result = self._number(answer.result)
        diagnostic = None if answer.diagnostic is None else self._finding(answer.diagnostic)
        reason = self.words(answer.reason)
        over = self.words(answer.over)
        return replace(answer, span=place, text=text, result=result, diagnostic=diagnostic, reason=reason, over=over)


def _is_honest(diagnostic: Diagnostic) -> bool:
    """Whether a finding says that a number is not what it seems."""
    rule: Rule = diagnostic.rule
    return rule.code.startswith(("SEEP3", "SEEP9")) and rule.severity is not Severity.HINT


def programs_of(
    text: str,
    name: str,
    marks: Mapping[str, Mapping[str, object]] | None = None,
    mechanisms: Mapping[str, Mapping[str, object]] | None = None,
) -> list[FunctionProgram]:
    """Return the marked functions of a Python text as programs, in the order of the text.

    A text that does not hold the name of the marks is not even parsed, unless a table marks functions of it. Why a file cannot be
    read, and a table for a function that is not there, is a program without anything but a finding.
    """
    tables = marks or {}
    if "seepage_marks" not in text and not tables:
        return []
    from seepage.python.excerpts import pieces_of
    from seepage.python.program import marked_functions

    pieces = pieces_of(text)
    if isinstance(pieces, Diagnostic):
        return [_broken(SourceFile(name, text), (pieces,))]
    return [load_function(text, name, each, tables.get(each), mechanisms) for each in marked_functions(pieces, tables)]


def _broken(file: SourceFile, findings: tuple[Diagnostic, ...]) -> FunctionProgram:
    return FunctionProgram(parse("", file.name).checked, None, file, findings)


def load_function(
    text: str,
    name: str,
    function: str,
    mark: Mark | Mapping[str, object] | None = None,
    mechanisms: Mapping[str, Mapping[str, object]] | None = None,
) -> FunctionProgram:
    """Return a function of a Python text as a program; what is wrong with it is in ``diagnostics``.

    Args:
        text: of the file.
        name: of the file; modules beside it are looked for by their names.
        function: ``f``, or ``Class.method``.
        mark: that of a project file, for a function without a decorator.
        mechanisms: what functions of libraries draw, from a project file, by their full paths.
    """
    from seepage.python.marks import read
    from seepage.python.mechanisms import read as read_mechanisms
    from seepage.python.program import Unmarked, translated_function

    file = SourceFile(name, text)
    if isinstance(mark, Mapping):
        mark, wrong_keys = read(mark, Span(0, 0))
        if wrong_keys:
            return _broken(file, tuple(wrong_keys))
    found = translated_function(file, function, mark, read_mechanisms(mechanisms or {}))
    if isinstance(found, Unmarked):
        return _broken(file, found.findings)
    checked = _checked(found.text)
    program = FunctionProgram(checked, found, file, found.findings)
    wrong = tuple(program._finding(one) for one in checked.diagnostics if one.is_error)
    return replace(program, findings=(*found.findings, *wrong))


@lru_cache(_KNOWN_PROGRAMS)
def _checked(text: str) -> Checked:
    return check(SourceFile("<text>", text, is_guarded=True))


def load(path: str | PathLike[str], *, priors: Mapping[str, Prior] | None = None) -> Program:
    """Return the program in a file; of ``module.py::function``, the function, which is read and never run.

    Args:
        path: of the file.
        priors: laws in place of those that it gives, as for :meth:`Program.with_priors`.

    Raises:
        OSError: if the file cannot be read.
        UnicodeDecodeError: if it is not UTF-8 (a ``ValueError``).
        ValueError: if the path is the text of a program, or of a Python file without a function; also as :meth:`Program.with_priors`.
    """
    text = fspath(path)
    file, separator, function = text.partition("::")
    if separator and "\n" not in text:
        found: Program = load_in_project(Path(file).read_bytes().decode("utf-8-sig"), file, function)
    elif text.endswith(".py") and "\n" not in text:
        raise ValueError(f"found a Python file, expected one function of it, as '{text}::respond'")
    else:
        found = load_file(path)
    return found.with_priors(priors) if priors else found


def load_in_project(text: str, file: str, function: str) -> FunctionProgram:
    """Return a function of the text of a Python file as a program, with what the project file of this says of it."""
    project = project_of(file)
    return load_function(text, file, function, marks_of(file, project).get(function), project.mechanisms)


def translated_text(program: FunctionProgram) -> str:
    """Return the program that a function is read as, each line of Python as a comment above what it becomes; empty if there is none."""
    translation = program.translation
    if translation is None or not translation.text:
        return ""
    found: list[str] = []
    last = 0
    for line, place in zip(translation.text.splitlines(), translation.places, strict=True):
        number, _ = program.file.position(place.start)
        if number != last and not line.strip().startswith("}"):
            blank = line[: len(line) - len(line.lstrip())]
            found.append(f"{blank}// {number}: {program.file.line_text(number).strip()}")
            last = number
        found.append(line)
    text = "\n".join(found) + "\n"
    formatted = format_text(text)
    return applied(text, formatted.edits)


def project_of(file: str) -> Configuration:
    """Return what the project of a Python file sets."""
    found = find_configuration(Path(file).absolute().parent)
    return NOTHING if found is None else load_configuration(found)[0]
