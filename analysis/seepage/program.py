"""Programs as the library's users hold them: load or parse one, read its diagnostics, ask for measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import Number
from seepage.exploration import Axis, Explored, Plot
from seepage.files import NO_FOLDER, AnyFiles, files_of
from seepage.measure_error import MeasureError as MeasureError
from seepage.measures.asking import InformationUnit
from seepage.measures.parameters import (
    Value,
    Values,
    need_names,
    need_once,
    need_parameters,
    need_size,
    parameter_values,
    read_number,
    read_value,
    values_in,
)
from seepage.measures.result import Method, Result
from seepage.notebook import Rendered
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
from seepage.sweeping import Progress, Sweep, Swept, Workers, sweep
from seepage.where import Where, where
from seepage.wishes import Wished

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seepage.measures.posterior import Posterior
    from seepage.priors import Prior

_SHOWN = 8  # names of a kind that a program shows of itself
_CURVE, _SIDE = 25, 17  # points of a plot over one parameter, and of each of two

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Program(Wished, Rendered):
    """A program and all that is known of it without running it; made by :func:`seepage.parse` and :func:`seepage.load`."""

    checked: Checked

    def __post_init__(self) -> None:
        if not isinstance(self.checked, Checked):
            made = "seepage.parse(text) or seepage.load(path)"
            raise TypeError(f"found {type(self.checked).__name__}, expected a checked program: write {made}")

    def __repr__(self) -> str:
        """Return its name and what it declares; a finding says where it is wrong."""
        declared = {"params": self.parameters, "secrets": self.secrets, "outputs": self.outputs}
        parts = [f"{what} {', '.join(names[:_SHOWN])}" for what, names in declared.items() if names]
        wrong = ["with errors"] if self.checked.has_errors else []
        return f"<Program {self.source.name!r}: {'; '.join((*parts, *wrong)) or 'nothing declared'}>"

    def _wish(self, name: str) -> str | None:
        return f"measure('H({name})')" if name in (*self.secrets, *self.outputs) else None

    @property
    def source(self) -> SourceFile:
        """The text."""
        return self.checked.source

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What checking found, in the order of the text; what only running finds is in :meth:`analyze`."""
        return self.checked.diagnostics

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in the order of the text."""
        return tuple(self.checked.symbols.params)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets, in the order of the text."""
        return tuple(each.name for each in self.checked.symbols.secrets)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs, in the order of the text."""
        return tuple(each.name for each in self.checked.symbols.outputs)

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
        """Evaluate a measure: ``program.measure("I(r[1]; o)", eps=2)``.

        Args:
            text: the measure, in Seep.
            params: values in place of the parameters' defaults: numbers, or Seep expressions such as ``"1/2"``.
            unit: of entropies, information and divergences.
            seconds: time limit.
            method: the paper's bounds for Gaussian mixtures, ``"huber"``, ``"hershey"`` or ``"variational"``, in place of quadrature, which
                encloses the same numbers far better.
            values: of parameters, as ``params``, for those whose names are no arguments of this method.

        Raises:
            MeasureError: if the program or the measure has a fault, or a limit was reached.
            ValueError: if a parameter does not exist, its value is no number, or the unit or the method is none.
            TypeError: if the measure is no text.
        """
        numbers, named = self.read_params(params, values), None if method is None else Method(method)
        return self._answered(text, lambda asked: measure(self.checked, asked, numbers, unit, seconds, method=named))

    def explain(
        self,
        text: str,
        params: Mapping[str, Value] | None = None,
        *,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        **values: Value,
    ) -> Explanation:
        """Derive a measure (one call of ``H``, ``I``, ``KL``, ``P`` or ``E``) by weakest pre-expectations, as the paper does.

        ``seepage.report.derivation.derivation_text`` writes it as text, Markdown or LaTeX.

        Arguments are those of :meth:`measure`; parameters stay symbols wherever they enter probabilities only. Returns its rows as data.

        Raises:
            MeasureError: as :meth:`measure`, and for a measure or a distribution that is not explained.
            ValueError: as :meth:`measure`.
        """
        numbers = self.read_params(params, values)
        return self._answered(text, lambda asked: explanation(self.checked, asked, numbers, unit, seconds))

    def how(
        self,
        text: str,
        params: Mapping[str, Value] | None = None,
        *,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        **values: Value,
    ) -> How:
        """Tell how a measure is answered: what it is taken apart to, which ways were tried, and what each gave or why it declined.

        ``seepage.report.plan.plan_text`` writes it. Of a number that is there, ``result.plan`` tells the same.

        Arguments are those of :meth:`measure`. Returns the steps as data, with the number, or why there is none.

        Raises:
            MeasureError: if the program or the measure has a fault; that nothing answers is none.
            ValueError: as :meth:`measure`.
        """
        numbers = self.read_params(params, values)
        return self._answered(text, lambda asked: how(self.checked, asked, numbers, unit, seconds))

    def where(
        self,
        text: str,
        params: Mapping[str, Value] | None = None,
        *,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        **values: Value,
    ) -> Where:
        """Tell where a measure comes from: what it is up to each statement, and with each statement changed.

        ``seepage.report.where.where_lines`` writes it. The numbers are those of other programs: they are no shares, and do not add up.

        Arguments are those of :meth:`measure`. Returns a row for each statement, in the order of the program.

        Raises:
            MeasureError: as :meth:`measure`, for the program as it is.
            ValueError: as :meth:`measure`.
        """
        numbers = self.read_params(params, values)
        return self._answered(text, lambda asked: where(self.checked, asked, numbers, unit, seconds))

    def plot(
        self,
        text: str,
        axes: Axis | Sequence[Axis] = (),
        *,
        points: int | None = None,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        **over: tuple[Value, Value],
    ) -> Plot:
        """Evaluate a measure at evenly spaced values of one parameter or two: ``program.plot("I(r; o)", eps=(0, 6))``.

        Each point has bounds, or a fault.

        Args:
            text: the measure, in Seep.
            axes: the parameter and how it varies, or two of them.
            points: of each axis in ``over``: 25, or 17 of two.
            params: values of the others, as for :meth:`measure`.
            unit: of entropies, information and divergences.
            seconds: time limit for all points together.
            over: parameters and between which two values they vary, in place of ``axes``.

        Raises:
            MeasureError: as :meth:`measure`, if no point can have a number.
            ValueError: too many points or axes, ends that do not ascend, or as :meth:`measure`.
        """
        numbers = self.read_params(params)
        given = (axes,) if isinstance(axes, Axis) else tuple(axes)
        if not (given or over) or not all(isinstance(each, Axis) for each in given):
            raise ValueError(
                f"found {axes!r} to plot over, expected a parameter with two ends, as in eps=(0, 6), or an Axis"
            )
        need_parameters(self.checked, over)
        wanted = points if points is not None else _CURVE if len(given) + len(over) == 1 else _SIDE
        varied = (*given, *(Axis.between(name, ends, wanted) for name, ends in over.items()))
        plot = self._answered(text, lambda asked: Explored(self.checked).plot(asked, varied, numbers, unit, seconds))
        return replace(plot, measure=text.strip(), source=self.source)

    def sweep(
        self,
        text: str,
        over: Mapping[str, Values] | None = None,
        /,
        *,
        params: Mapping[str, Value] | None = None,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        progress: Progress | bool | None = None,
        workers: Workers | None = None,
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
            progress: called after each point with how many are done, and how many there are. True writes that to the standard error, False does
                not; None does where people look at it and it takes long.
            workers: who computes, if not this process: a number of processes, an executor of ``concurrent.futures``, or a client of Dask.
            axes: parameters and their values: a number, or any number of them.

        Raises:
            MeasureError: as :meth:`measure`, if no point can have a number.
            ValueError: too many points or none, a parameter that is given twice, or as :meth:`measure`.
        """
        need_once(over, axes, params)
        need_parameters(self.checked, (*(over or {}), *axes))
        consts = self.checked.symbols.consts
        values = {
            name: tuple(read_number(each, consts) for each in values_in(given))
            for name, given in {**(over or {}), **axes}.items()
        }
        numbers = self.read_params(params)

        def swept(asked: str) -> Sweep:
            return sweep(Swept(self.checked, asked, values, numbers, unit, seconds), progress, workers)

        return replace(self._answered(text, swept), measure=text.strip())

    def posterior(
        self,
        secret: str,
        output: str,
        params: Mapping[str, Value] | None = None,
        *,
        seconds: float = 30.0,
        **values: Value,
    ) -> Posterior:
        """Return what each value of an output tells about a secret: prior, chance of each output, and posterior.

        Args:
            secret: a variable, or several separated by commas.
            output: likewise.
            params, seconds, values: as in :meth:`measure`.

        Raises:
            MeasureError: as :meth:`measure`, or if there are too many values to list, or a variable is continuous.
            ValueError: as :meth:`measure`.
        """
        need_names(secret, output)
        numbers, explored = self.read_params(params, values), Explored(self.checked)
        return self._answered(f"I({secret}; {output})", lambda _: explored.posterior(secret, output, numbers, seconds))

    def marginal(
        self,
        name: str,
        params: Mapping[str, Value] | None = None,
        *,
        seconds: float = 30.0,
        **values: Value,
    ) -> Any:  # SciPy tells no types
        """Return the law of a discrete variable as a ``scipy.stats.rv_discrete``: its mean, quantiles and samples.

        Args:
            name: of the variable.
            params, seconds, values: as in :meth:`measure`.

        Raises:
            MeasureError: as :meth:`posterior`.
            ValueError: as :meth:`measure`, or if its values are no numbers.
        """
        from seepage.priors import scipy_law

        need_names(name)
        numbers, explored = self.read_params(params, values), Explored(self.checked)
        found = self._answered(f"H({name})", lambda _: explored.law(name, numbers, seconds))
        return scipy_law([(value, float(chance.value.mid())) for (value,), chance in found], name)

    def analyze(
        self,
        params: Mapping[str, Value] | None = None,
        *,
        unit: InformationUnit = "bits",
        seconds: float = 30.0,
        **values: Value,
    ) -> Analysis:
        """Answer every ``show`` and ``require``, and fill the leakage table.

        Arguments are those of :meth:`measure`, the time is for all of it. Faults of the program are among the diagnostics.

        Raises:
            ValueError: as :meth:`measure`.
        """
        options = Options(self.read_params(params, values), unit, seconds)
        return replace(analyze(self.checked, options), source=self.source)

    def with_priors(self, priors: Mapping[str, Prior] | None = None, /, **laws: Prior) -> Program:
        """Return the program with other laws for some of what it draws: ``program.with_priors(pin=stats.binom(10, 0.3))``.

        Args:
            priors: by the name of the variable (a secret, as a rule) a frozen law of ``scipy.stats``, a mapping of values to probabilities, the
                probabilities of 0, 1, … as a list or an array, or a law as text. A float means the decimal that it prints as; probabilities
                whose sum differs from 1 by at most 1e-9 are divided by it. Texts among the values are symbols.
            laws: likewise, with the variables as arguments.

        Returns:
            the program of the edited text, which ``source.text`` has.

        Raises:
            ValueError: if a variable is not drawn by one statement outside of loops and branches, or a law has no form in the language.
            TypeError: if the laws are not given by the names of variables.
        """
        from seepage.priors import with_laws

        if priors is not None and not isinstance(priors, Mapping):
            expected = "the law of each variable: with_priors(pin=law), or {'pin': law}"
            raise TypeError(f"found {type(priors).__name__}, expected {expected}")
        need_once(priors, laws)
        text = with_laws(self.checked, {**(priors or {}), **laws})
        return Program(check(replace(self.source, text=text)))

    def sample(
        self,
        size: int,
        seed: int | None = None,
        *,
        params: Mapping[str, Value] | None = None,
        seconds: float = 30.0,
        **values: Value,
    ) -> dict[str, NDArray[Any]]:
        """Draw runs of the program at random, to look at: ``pandas.DataFrame(program.sample(1000))``. No measure is computed from them.

        Args:
            size: how many runs; those that an observation rejects do not count.
            seed: of the generator; with the same one, the same runs come.
            params: as in :meth:`measure`.
            seconds: time limit, of a processor.
            values: as in :meth:`measure`.

        Returns:
            for each variable of the text an array of ``size`` values: integers, floats, or objects (fractions, large integers, symbols as texts).
            Elements of arrays stand under their own names, such as ``r[1]``.

        Raises:
            MeasureError: if the program has an error, a value is undefined in a run, or a loop or an observation takes too long.
            ValueError: as :meth:`measure`, or if ``size`` is no whole number of at least 0.
        """
        from seepage.sampling.door import sample  # numpy is loaded by those who sample

        need_size(size)
        numbers = self.read_params(params, values)
        try:
            return sample(self.checked, parameter_values(self.checked, numbers), int(size), seed, seconds)
        except Fault as fault:
            raise self._error(fault.diagnostic, "") from fault

    def read_params(
        self, params: Mapping[str, Value] | None, values: Mapping[str, Value] = MappingProxyType({})
    ) -> dict[str, Number]:
        """Return exact numbers for parameter values.

        Args:
            params: by name.
            values: others, likewise.

        Raises:
            ValueError: if a parameter does not exist or is given twice, or a value is no number.
            TypeError: if ``params`` maps no names to values.
        """
        need_once(params, values)
        given = {**(params or {}), **values}
        need_parameters(self.checked, given)
        return {name: read_value(name, value, self.checked.symbols.consts) for name, value in given.items()}

    def _answered(self, text: str, answer: Callable[[str], A]) -> A:
        """Return the answer to a measure; faults get their places in the text of whoever asks."""
        if not isinstance(text, str):
            raise TypeError(f"found {type(text).__name__}, expected one measure as text, such as 'I(secret; output)'")
        asked = self._asked(text)
        try:
            return answer(asked)
        except Fault as fault:
            raise self._moved(self._error(fault.diagnostic, asked), text) from fault

    def _asked(self, text: str) -> str:
        """Return a measure in the words of the program; those that people write may be others."""
        return text

    def _moved(self, error: MeasureError, text: str) -> MeasureError:
        """Return an error about what :meth:`_asked` gave as one about the text that people wrote."""
        return error

    def _error(self, diagnostic: Diagnostic, text: str) -> MeasureError:
        _, offset = measured_source(self.checked, text)
        if diagnostic.span.start < offset:
            return MeasureError(diagnostic, self.source)
        span = Span(min(diagnostic.span.start - offset, len(text)), min(diagnostic.span.end - offset, len(text)))
        inside = tuple(label for label in diagnostic.labels if label.span.end < offset)
        return MeasureError(replace(diagnostic, span=span, labels=inside), SourceFile("<measure>", text))


def parse(
    text: str, name: str = "<text>", *, files: AnyFiles = NO_FOLDER, priors: Mapping[str, Prior] | None = None
) -> Program:
    """Return the program that a text means; its faults are in ``diagnostics``.

    Args:
        text: the program.
        name: of the text, for messages.
        files: where the files are that it names (``seepage.files.Folder``); without, such as a table is refused.
        priors: laws in place of those that it gives, as for :meth:`Program.with_priors`.

    Raises:
        TypeError: if ``text`` is no string.
        ValueError: as :meth:`Program.with_priors`.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"found {type(text).__name__}, expected the text of a program as str; seepage.load(path) reads a file"
        )
    program = Program(check(SourceFile(name, text, files=files)))
    return program.with_priors(priors) if priors else program


def load(path: str | PathLike[str], *, workspace: str | PathLike[str] | None = None) -> Program:
    """Return the program in a file.

    Args:
        path: of the file.
        workspace: a folder above it; files that the program names may lie anywhere in it. Without, they lie in the program's folder.

    Raises:
        OSError: if the file cannot be read.
        UnicodeDecodeError: if it is not UTF-8 (a ``ValueError``).
        ValueError: if the path is the text of a program.
    """
    if "\n" in fspath(path):
        raise ValueError("found the text of a program, expected the path of its file; seepage.parse(text) reads a text")
    text = Path(path).read_bytes().decode("utf-8-sig")
    return parse(text, str(path), files=files_of(path, workspace))
