"""What an analysis says about a program: plain values that reports print and that travel between processes."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.measures.requirement import Verdict
from seepage.measures.result import Result, Unit
from seepage.source import Span


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a ``show`` or ``require``.

    Attributes:
        role: which of the two.
        span: absolute place of the whole declaration.
        text: the measure as written; for a ``require`` with its comparison and bound.
        result: the measure's number, None where there is none.
        verdict: of a ``require``.
        diagnostic: what went wrong: the fault that left it without a number, or the budget that is violated or undecided.
        worst: of a budget over ranges that is violated, a point at which it is, the worst one known: ``eps = 1, p = 1/2``.
        bound: what a budget was compared with, or a rational next to it.
        given_up: of a budget that is undecided, the seconds of a processor after which the search was given up: a larger time limit may decide it.
            None if time was no reason.
        reason: why it has no verdict, where the finding says what is asked, too; else empty.
        over: of a budget over ranges, these as they are written: ``p in [0, 1], q in (0, 1)``.
    """

    role: Literal["show", "require"]
    span: Span
    text: str
    result: Result | None
    verdict: Verdict | None = None
    diagnostic: Diagnostic | None = None
    worst: str = ""
    bound: Fraction | None = None
    given_up: float | None = None
    reason: str = ""
    over: str = ""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The output value that says most about a secret.

    Attributes:
        output: the value as text, ``o = 3`` or ``o = 3, a = 0``.
        divergence: KL(secret | output = value ‖ secret).
    """

    output: str
    divergence: Result


@dataclass(frozen=True, slots=True)
class LeastLeft:
    """The output value after which least is left to find out about a secret.

    Attributes:
        output: the output value as text, ``o = 3`` or ``o = 3, a = 0``.
        entropy: H(secret | output = value), of the event.
    """

    output: str
    entropy: Result


@dataclass(frozen=True, slots=True)
class LeakageRow:
    """One row of the leakage table.

    Attributes:
        secret: the declared name; for a worst element that element.
        output: the output's name, or all of them joined by commas.
        span: absolute place of the secret's name.
        headline: whether the row takes all outputs jointly.
        information: I(secret; output), None where nothing was computed (then ``note`` says why).
        percent: 100 · I / H(secret), for discrete secrets only.
        worst: the worst single output value.
        guess_before: chance to guess the secret in one try before the output is seen: V(secret).
        guess_after: the same after: V(secret | output).
        note: what a reader must know about the row; empty if nothing.
        least_left: the single output value that leaves the secret least uncertain.
        why_nothing: why nothing leaks, where that is a comparison that is never true; empty elsewhere.
        is_late: whether nothing was computed for want of time.
    """

    secret: str
    output: str
    span: Span
    headline: bool
    information: Result | None
    percent: Result | None = None
    worst: WorstCase | None = None
    guess_before: Result | None = None
    guess_after: Result | None = None
    note: str = ""
    least_left: LeastLeft | None = None
    why_nothing: str = ""
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class VariableFacts:
    """What is known of one variable (an array: of all its elements jointly).

    Attributes:
        name: as in the text.
        span: of its first assignment or its declaration.
        role: "secret", "output" or "variable".
        kind: "boolean", "discrete", "continuous" or "mixed".
        entropy: H(variable).
        given_outputs: H(variable | all outputs), for secrets.
        information: I(variable; all outputs), for secrets.
        percent: 100 · I / H, for discrete secrets.
        note: why something is missing; empty if nothing is.
        documentation: the text of its ``///`` comment.
    """

    name: str
    span: Span
    role: Literal["secret", "output", "variable"]
    kind: str
    entropy: Result | None
    given_outputs: Result | None = None
    information: Result | None = None
    percent: Result | None = None
    note: str = ""
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class PassingFacts:
    """How likely runs pass an ``observe``, or take an arm of an ``if``, among those that get there.

    Observations before it have removed runs, later ones have not.

    Attributes:
        span: absolute place of the ``observe`` statement, of the arm's header, or of the block behind ``else``.
        results: probabilities, one for each of the first times that the statement is run in the unrolled program.
        times: how often the unrolled program has the statement.
        of_density: whether the condition holds an equality of continuous values: it conditions on a density and has probability 0.
    """

    span: Span
    results: tuple[Result, ...]
    times: int
    of_density: bool = False


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A measure where a parameter is about ``at``: ``lower <= true value <= upper``; ``value`` is None where there is no one number to draw."""

    at: float
    lower: float
    value: float | None
    upper: float


@dataclass(frozen=True, slots=True)
class Plot:
    """A measure at values of one parameter over its domain, ascending; points without a number are left out, and some may be ``approximate``."""

    measure: str
    unit: Unit
    points: tuple[PlotPoint, ...]
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class ParameterFacts:
    """What depends on a parameter.

    Attributes:
        name: of the parameter.
        measures: those of ``show`` and ``require`` and the leakage of the first secret, as written, if the parameter can change them.
        plot: the leakage of the first secret over the parameter's domain; None if it was not asked for or takes too long.
        informations: those of the measures that are an information and nothing else.
    """

    name: str
    measures: tuple[str, ...]
    plot: Plot | None = None
    informations: tuple[str, ...] = ()
