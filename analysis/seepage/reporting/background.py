"""The background of programs: all that a report tells beside what ``seepage check`` does; loads the engines."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from seepage.data_classes import dataclass
from seepage.deadline import Deadline, sooner
from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault, Number
from seepage.functions import FunctionProgram
from seepage.measures.asking import InformationUnit
from seepage.measures.digits import FEW_DIGITS
from seepage.pipeline import explanation, measure
from seepage.program import Program
from seepage.report.asked_words import measure_words, require_words
from seepage.report.derivation import derivation_text
from seepage.report.findings import printable
from seepage.report.numbers import number_text
from seepage.report.where import without_text
from seepage.reporting.assumed import Assumed, Names, assumed
from seepage.reporting.drawing import Drawing, Helped
from seepage.reporting.told import AskedTold, DerivationTold, Fact, LineNote, PlotTold, ProgramTold, code
from seepage.source import SourceFile, Span
from seepage.syntax.tree import array_of
from seepage.where import Where, where

_MOST_LINES = 400  # of a derivation: nobody reads more
_MOST_SECRETS = 12  # whose leaks are derived and looked for
_ENTROPY_SECONDS = 2.0


@dataclass(frozen=True)
class Looking:
    """One program that is looked at.

    Attributes:
        program: it.
        params: values of its parameters.
        unit: of entropies.
        seconds: of a processor, for all of it.
    """

    program: Program
    params: Mapping[str, Number]
    unit: InformationUnit
    seconds: float

    def told(self) -> ProgramTold:
        """Return what is told of it; of one that cannot run, what is known without running."""
        facts = assumed(self.program.checked, self.params, self.names)
        name = self._function
        known = ProgramTold(
            name, facts.secrets, facts.outputs, facts.others, facts.choices, facts.parameters, lines=self._lines
        )
        if self.program.checked.has_errors or any(each.is_error for each in self.program.diagnostics):
            return known
        deadline = Deadline.after(self.seconds)
        missing: list[str] = []
        secrets = tuple(self._with_entropies(facts))
        derivations = tuple(self._derivations(self._share(deadline, 0.3), missing))
        notes = () if name else tuple(self._notes(self._share(deadline, 0.5), missing))
        drawing = Drawing(self.program.checked, self.params, self.unit, deadline)
        helped = tuple(drawing.helped())
        plots = tuple(map(self._in_words, drawing.plots(self.leaks, helped)))
        return ProgramTold(
            name,
            secrets,
            facts.outputs,
            facts.others,
            facts.choices,
            facts.parameters,
            tuple(self._asked(helped)),
            notes,
            plots,
            derivations,
            tuple(dict.fromkeys(missing)),
            self._lines,
        )

    def _share(self, deadline: Deadline, share: float) -> Deadline:
        """Return the end of a part of the search that may take a share of the time that is left."""
        found = sooner(deadline, share=share)
        assert found is not None
        return found

    # --- names and places ---------------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> Names:
        """How names and places are told."""
        program = self.program
        if isinstance(program, FunctionProgram):
            return Names(program.words, lambda span: program.file.position(program.place_of(span).start)[0])
        return Names(line=lambda span: program.source.position(span.start)[0])

    @property
    def _function(self) -> str:
        found = self.program.translation if isinstance(self.program, FunctionProgram) else None
        return "" if found is None else printable(found.function)

    @property
    def _of(self) -> str:
        """What stands before a measure of a function: of which it is."""
        return f"{self._function}: " if self._function else ""

    @cached_property
    def _lines(self) -> tuple[int, int]:
        """The lines of a function of Python; 0 and 0 for a whole file."""
        if not self._function:
            return 0, 0
        return lines_of_function(self.program.source, self._function)

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets."""
        return tuple(dict.fromkeys(each.name for each in self.program.checked.symbols.secrets))

    @cached_property
    def leaks(self) -> tuple[str, ...]:
        """What all outputs tell about each secret."""
        outputs = ", ".join(dict.fromkeys(each.name for each in self.program.checked.symbols.outputs))
        return tuple(f"I({secret}; {outputs})" for secret in self.secrets[:_MOST_SECRETS]) if outputs else ()

    # --- looking ------------------------------------------------------------------------------------------------------

    def _with_entropies(self, facts: Assumed) -> Iterator[Fact]:
        """Yield the secrets with how uncertain they are before anything is seen."""
        for fact, name in zip(facts.secrets, dict.fromkeys(map(array_of, self.secrets)), strict=True):
            unknown = ""
            try:
                found = measure(self.program.checked, f"H({name})", self.params, self.unit, _ENTROPY_SECONDS)
                unknown = number_text(found, FEW_DIGITS)
            except Fault:
                pass  # nothing is told of it: the leakage table says what has no number
            yield Fact(fact.name, fact.text, fact.line, fact.documentation, unknown)

    def _derivations(self, deadline: Deadline, missing: list[str]) -> Iterator[DerivationTold]:
        late, long = list[str](), list[str]()
        for leak in self.leaks:
            shown = f"{self._of}{printable(self.names.words(leak))}"
            if deadline.passed():
                late.append(shown)
                continue
            try:
                found = explanation(self.program.checked, leak, self.params, self.unit, deadline.left())
                lines = tuple(printable(self.names.words(line)) for line in derivation_text(found).splitlines())
            except (Fault, ArithmeticFault):
                continue  # a program or a law that has no derivation by weakest pre-expectations
            if len(lines) > _MOST_LINES:
                long.append(shown)
            else:
                yield DerivationTold(shown, lines)
        if late:
            missing.append(f"how {_first_of(late)} come about was not derived: the time was over")
        if long:
            missing.append(f"derivations of more than {_MOST_LINES} lines are left out: of {_first_of(long)}")

    def _notes(self, deadline: Deadline, missing: list[str]) -> Iterator[LineNote]:
        late = list[str]()
        for secret, leak in zip(self.secrets, self.leaks, strict=False):
            if deadline.passed():
                late.append(secret)
                continue
            try:
                found = where(self.program.checked, leak, self.params, self.unit, deadline.left())
            except Fault:
                continue
            yield from _line_notes(found, secret, self.program.source)
        if late:
            missing.append(f"which statements {_first_of(late)} leak by was not looked for: the time was over")

    def _in_words(self, plot: PlotTold) -> PlotTold:
        """Return a plot in the words of the text that is reported; that of a function says of which."""
        measure, parameter, words = map(self.names.words, (plot.measure, plot.parameter, plot.words))
        of = f"{self._function}: " if self._function else ""
        return replace(
            plot, measure=of + printable(measure), parameter=printable(parameter), words=of + printable(words)
        )

    def _asked(self, helped: tuple[Helped, ...]) -> Iterator[AskedTold]:
        symbols = self.program.checked.symbols
        place = self.program.place_of if isinstance(self.program, FunctionProgram) else _same

        def quote(text: str) -> str:
            return code(self.names.words(text))

        for shown in symbols.shows:
            yield AskedTold(place(shown.span).start, measure_words(shown.node.measure, quote))
        for require in symbols.requires:
            helps = tuple(self.names.words(each.words) for each in helped if each.require is require)
            yield AskedTold(place(require.span).start, require_words(require.node, quote), helps)


def _first_of(names: Sequence[str]) -> str:
    """Return the first of many names, and how many more there are."""
    more = "" if len(names) == 1 else f" and {len(names) - 1} more"
    return f"{code(names[0])}{more}"


def _same(span: Span) -> Span:
    return span


def _line_notes(found: Where, secret: str, source: SourceFile) -> Iterator[LineNote]:
    """Yield what statements surely do to a leak, one for each line: that of its first, outermost statement that does anything."""
    seen: set[int] = set()
    for each in found.statements:
        line = source.position(each.span.start)[0]
        falls, rises = found.moves(each)
        if line in seen or not (falls or rises):
            continue
        seen.add(line)
        hides = rises > falls
        yield LineNote(line, f"{printable(secret)}: {without_text(each.variants)} without it", hides)


def lines_of_function(source: SourceFile, name: str) -> tuple[int, int]:
    """Return the first and the last line of a function of a Python file, decorators included; 0 and 0 where it is not there."""
    try:
        scope: ast.AST = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError):
        return 0, 0
    for part in name.split("."):
        inner = (each for each in ast.iter_child_nodes(scope) if getattr(each, "name", None) == part)
        scope = next(inner, scope)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return 0, 0
    first = min([scope.lineno, *(each.lineno for each in scope.decorator_list)])
    return first, scope.end_lineno or scope.lineno


def sha256_of(data: bytes) -> str:
    """Return what stands for a text in a report, so that another can be told from it."""
    return hashlib.sha256(data).hexdigest()
