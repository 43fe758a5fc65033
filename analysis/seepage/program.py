"""Programs as the library's users hold them: load or parse one, read its diagnostics, ask for measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import Number
from seepage.exploration import Axis, Explored, Plot
from seepage.files import NO_FOLDER, AnyFiles, files_of
from seepage.measures.asking import InformationUnit
from seepage.measures.parameters import Value, Values, need_parameters, parameter_values, read_number, values_in
from seepage.measures.result import Method, Result
from seepage.pipeline import (
    Analysis,
    Explanation,
    How,
    Options,
    analyze,
    check,
    explanation,
    how,
    measure,
    measured_source,
)
from seepage.semantics.checked import Checked
from seepage.source import SourceFile, Span
from seepage.sweeping import Progress, Sweep, Swept, sweep
from seepage.where import Where, where

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seepage.priors import Prior

_SHOWN = 8  # names of a kind that a program shows of itself


class MeasureError(Exception):
    """A measure has no number; ``diagnostic`` says why.

    Attributes:
        diagnostic: the finding; its span counts from the start of ``source``.
        source: what the span points into: the program, or the text of the measure.
        line: of the finding in ``source``, counted from 1.
        column: counted from 1, in code points.
    """

    def __init__(self, diagnostic: Diagnostic, source: SourceFile) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.source = source
        self.line, self.column = source.position(diagnostic.span.start)

    def __reduce__(self) -> tuple[type[MeasureError], tuple[Diagnostic, SourceFile]]:
        return MeasureError, (self.diagnostic, self.source)


@dataclass(frozen=True, slots=True)
class Program:
    """A program and all that is known of it without running it."""

    checked: Checked

    def __repr__(self) -> str:
        """Return its name and what it declares; a finding says where it is wrong."""
        symbols = self.checked.symbols
        declared = {
            "params": list(symbols.params),
            "secrets": [each.name for each in symbols.secrets],
            "outputs": [each.name for each in symbols.outputs],
        }
        parts = [f"{what} {', '.join(names[:_SHOWN])}" for what, names in declared.items() if names]
        wrong = ["with errors"] if self.checked.has_errors else []
        return f"<Program {self.source.name!r}: {'; '.join((*parts, *wrong)) or 'nothing declared'}>"

    @property
    def source(self) -> SourceFile:
        """The text."""
        return self.checked.source

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What checking found, in the order of the text; what only running finds is in :meth:`analyze`."""
        return self.checked.diagnostics

    def measure(
        self,
        text: str,
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        method: Literal["huber", "hershey", "variational"] | None = None,
    ) -> Result:
        """Evaluate a measure, such as ``"I(r[1]; o)"``.

        Args:
            text: the measure, in Seep.
            params: values in place of the parameters' defaults: numbers, or Seep expressions such as ``"1/2"``.
            unit: of entropies, information and divergences.
            seconds: time limit.
            method: the paper's bounds for Gaussian mixtures, ``"huber"``, ``"hershey"`` or ``"variational"``, in place of quadrature, which
                encloses the same numbers far better.

        Raises:
            MeasureError: if the program or the measure has a fault, or a limit was reached.
            ValueError: if a parameter does not exist, its value is no number, or the unit or the method is none.
        """
        values = self.read_params(params or {})
        try:
            return measure(self.checked, text, values, unit, seconds, method=None if method is None else Method(method))
        except Fault as fault:
            raise self._error(fault.diagnostic, text) from fault

    def explain(
        self,
        text: str,
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
    ) -> Explanation:
        """Derive a measure (one call of ``H``, ``I``, ``KL``, ``P`` or ``E``) by weakest pre-expectations, as the paper does.

        ``seepage.report.derivation.derivation_text`` writes it as text, Markdown or LaTeX.

        Args:
            text: the measure, in Seep.
            params: as in :meth:`measure`; parameters stay symbols in the derivation wherever they enter probabilities only.
            unit: of logarithms.
            seconds: time limit.

        Raises:
            MeasureError: as :meth:`measure`, and for a measure or a distribution that is not explained.
            ValueError: as :meth:`measure`.
        """
        values = self.read_params(params or {})
        try:
            return explanation(self.checked, text, values, unit, seconds)
        except Fault as fault:
            raise self._error(fault.diagnostic, text) from fault

    def how(
        self,
        text: str,
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
    ) -> How:
        """Tell how a measure is answered: what it is taken apart to, which ways were tried, and what each gave or why it declined.

        ``seepage.report.plan.plan_text`` writes it. Of a number that is there, ``result.plan`` tells the same.

        Args:
            text: the measure, in Seep.
            params: as in :meth:`measure`.
            unit: of entropies, information and divergences.
            seconds: time limit.

        Raises:
            MeasureError: if the program or the measure has a fault; that nothing answers is none.
            ValueError: as :meth:`measure`.
        """
        values = self.read_params(params or {})
        try:
            return how(self.checked, text, values, unit, seconds)
        except Fault as fault:
            raise self._error(fault.diagnostic, text) from fault

    def where(
        self,
        text: str,
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
    ) -> Where:
        """Tell where a measure comes from: what it is up to each statement, and with each statement changed.

        ``seepage.report.where.where_lines`` writes it. The numbers are those of other programs: they are no shares, and do not add up.

        Args:
            text: the measure, in Seep.
            params: as in :meth:`measure`.
            unit: of entropies, information and divergences.
            seconds: time limit for all of it.

        Raises:
            MeasureError: as :meth:`measure`, for the program as it is.
            ValueError: as :meth:`measure`.
        """
        values = self.read_params(params or {})
        try:
            return where(self.checked, text, values, unit, seconds)
        except Fault as fault:
            raise self._error(fault.diagnostic, text) from fault

    def plot(
        self,
        text: str,
        axes: Axis | Sequence[Axis],
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
    ) -> Plot:
        """Evaluate a measure at evenly spaced values of one parameter or two, each point with bounds, or with a fault.

        Args:
            text: the measure, in Seep.
            axes: the parameter and how it varies, or two of them.
            params: values of the others, as for :meth:`measure`.
            unit: of entropies, information and divergences.
            seconds: time limit for all points together.

        Raises:
            MeasureError: as :meth:`measure`, if no point can have a number.
            ValueError: too many points or axes, ends that do not ascend, or as :meth:`measure`.
        """
        values = self.read_params(params or {})
        axes = (axes,) if isinstance(axes, Axis) else axes
        try:
            return Explored(self.checked).plot(text, axes, values, unit, seconds)
        except Fault as fault:
            raise self._error(fault.diagnostic, text) from fault

    def sweep(
        self,
        text: str,
        over: Mapping[str, Values] | None = None,
        /,
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        progress: Progress | None = None,
        **axes: Values,
    ) -> Sweep:
        """Evaluate a measure at all combinations of values of some parameters: ``program.sweep("I(r; o)", eps=np.linspace(0, 6, 25), p=["1/4", "1/2"])``.

        A keyboard interrupt keeps what is done: the sweep is returned with a warning, and its ``resume()`` goes on.

        Args:
            text: the measure, in Seep.
            over: parameters and their values, for those whose names are arguments of this method, too.
            params: values of parameters that do not vary, as for :meth:`measure`.
            unit: of entropies, information and divergences.
            seconds: time limit of each point.
            progress: called after each point with how many are done, and how many there are.
            axes: parameters and their values: a number, or any number of them.

        Raises:
            MeasureError: as :meth:`measure`, if no point can have a number.
            ValueError: too many points or none, a parameter that is given twice, or as :meth:`measure`.
        """
        return self._swept(text, text, {**(over or {})}, params, unit, seconds, progress, axes)

    def analyze(
        self, *, params: Mapping[str, Value] | None = None, unit: InformationUnit = "bits", seconds: float = 30.0
    ) -> Analysis:
        """Answer every ``show`` and ``require``, and fill the leakage table.

        Raises:
            ValueError: as :meth:`measure`.
        """
        return analyze(self.checked, Options(self.read_params(params or {}), unit, seconds))

    def with_priors(self, priors: Mapping[str, Prior]) -> Program:
        """Return the program with other laws for some of what it draws: ``program.with_priors({"pin": stats.binom(10, 0.3)})``.

        Args:
            priors: by the name of the variable (a secret, as a rule) a frozen law of ``scipy.stats``, a mapping of values to probabilities, or a law
                as text. A float means the decimal that it prints as; probabilities whose sum differs from 1 by at most 1e-9 are divided by it.

        Returns:
            the program of the edited text, which ``source.text`` has.

        Raises:
            ValueError: if a variable is not drawn by one statement outside of loops and branches, or a law has no form in the language.
        """
        from seepage.priors import with_laws

        source = self.source
        return Program(check(SourceFile(source.name, with_laws(self.checked, priors), files=source.files)))

    def sample(
        self,
        size: int,
        seed: int | None = None,
        *,
        params: Mapping[str, Value] | None = None,
        seconds: float = 30.0,
    ) -> dict[str, NDArray[Any]]:
        """Draw runs of the program at random, to look at: ``pandas.DataFrame(program.sample(1000))``. No measure is computed from them.

        Args:
            size: how many runs; those that an observation rejects do not count.
            seed: of the generator; with the same one, the same runs come.
            params: as in :meth:`measure`.
            seconds: time limit, of a processor.

        Returns:
            for each variable of the text an array of ``size`` values: integers, floats, or objects (fractions, large integers, symbols as texts).
            Elements of arrays stand under their own names, such as ``r[1]``.

        Raises:
            MeasureError: if the program has an error, a value is undefined in a run, or a loop or an observation takes too long.
            ValueError: as :meth:`measure`, or if ``size`` is negative.
        """
        from seepage.sampling.door import sample  # numpy is loaded by those who sample

        if size < 0:
            raise ValueError(f"found {size} runs, expected 0 or more")
        try:
            return sample(
                self.checked, parameter_values(self.checked, self.read_params(params or {})), size, seed, seconds
            )
        except Fault as fault:
            raise self._error(fault.diagnostic, "") from fault

    def read_params(self, params: Mapping[str, Value]) -> dict[str, Number]:
        """Return exact numbers for parameter values.

        Raises:
            ValueError: if a parameter does not exist, or a value is no number.
        """
        need_parameters(self.checked, params)
        return {name: read_number(value, self.checked.symbols.consts) for name, value in params.items()}

    def _swept(
        self,
        shown: str,
        text: str,
        over: Mapping[str, Values],
        params: Mapping[str, Value] | None,
        unit: InformationUnit,
        seconds: float,
        progress: Progress | None,
        axes: Mapping[str, Values],
    ) -> Sweep:
        names = [*over, *axes, *(params or {})]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"found '{twice}' twice, expected a parameter to vary, or to have one value")
        need_parameters(self.checked, names)
        consts = self.checked.symbols.consts
        values = {
            name: tuple(read_number(each, consts) for each in values_in(given))
            for name, given in {**over, **axes}.items()
        }
        try:
            swept = Swept(self.checked, text, values, self.read_params(params or {}), unit, seconds)
            return replace(sweep(swept, progress), measure=shown.strip())
        except Fault as fault:
            raise self._error(fault.diagnostic, text) from fault

    def _error(self, diagnostic: Diagnostic, text: str) -> MeasureError:
        _, offset = measured_source(self.checked, text)
        if diagnostic.span.start < offset:
            return MeasureError(diagnostic, self.source)
        span = Span(min(diagnostic.span.start - offset, len(text)), min(diagnostic.span.end - offset, len(text)))
        inside = tuple(label for label in diagnostic.labels if label.span.end < offset)
        return MeasureError(replace(diagnostic, span=span, labels=inside), SourceFile("<measure>", text))


def parse(text: str, name: str = "<text>", *, files: AnyFiles = NO_FOLDER) -> Program:
    """Return the program that a text means; its faults are in ``diagnostics``.

    Args:
        text: the program.
        name: of the text, for messages.
        files: where the files are that it names (``seepage.files.Folder``); without, such as a table is refused.

    Raises:
        TypeError: if ``text`` is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"found {type(text).__name__}, expected the text of a program as str")
    return Program(check(SourceFile(name, text, files=files)))


def load(path: str | PathLike[str], *, workspace: str | PathLike[str] | None = None) -> Program:
    """Return the program in a file.

    Args:
        path: of the file.
        workspace: a folder above it; files that the program names may lie anywhere in it. Without, they lie in the program's folder.

    Raises:
        OSError: if the file cannot be read.
        UnicodeDecodeError: if it is not UTF-8 (a ``ValueError``).
    """
    text = Path(path).read_bytes().decode("utf-8-sig")
    return parse(text, str(path), files=files_of(path, workspace))
