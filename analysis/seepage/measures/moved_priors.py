r"""Observations that change the law of a secret: what is believed of it beforehand is no longer what it was sampled from.

An observation b is looked at where it stands in the text: the law of a secret under the observations before it, :math:`\mu(s)`, and under it as
well, :math:`\mu(s \mid b)`. It moves the secret if a chance, a mean or an entropy differs by more than the bounds of both numbers leave open, which is a
proof; it does not where dependence alone says that b and s are independent. Observations behind it are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Advice, Diagnostic, Fault
from seepage.engines.outcome import MixtureJoint
from seepage.exact import show
from seepage.measures.asking import Asking
from seepage.measures.digits import FEW_DIGITS, justified, rounded, with_unit
from seepage.measures.evaluate import evaluate_text
from seepage.measures.joints import Memory, joint_of
from seepage.measures.result import Result
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.slice import independent
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax.tree import Name, array_of

_HOLDS = "holds@{}"  # no name of the language holds an @
_MOST_OBSERVATIONS = 16
_MOST_SECRETS = 8  # of one observation
_MOST_VALUES = 16  # of a secret; of more, the least and the largest ones
_MOST_NAMED = 3
_NOTES = (
    "leakage is measured from what is believed after all observations; to observe is to learn, not to draw again",
    Advice(
        "to draw noise again until the condition holds, and leave the secret's law as it is, write the condition behind the draw: 'x ~ D given b'"
    ),
)


@dataclass(frozen=True, slots=True)
class Move:
    """A number of a secret's law, before an observation and after it."""

    measure: str
    before: Result
    after: Result

    @property
    def distance(self) -> float:
        """How far the bounds are apart, 0 where they meet."""
        gap = max(self.before.lower - self.after.upper, self.after.lower - self.before.upper)
        return gap if gap > 0 else 0.0


def moved_priors(asking: Asking) -> Iterator[Diagnostic]:
    """Yield an information at each ``observe`` that changes the law of a secret, or of which that is not known, with numbers where there are some.

    Where the check says that an output is observed, nothing is added. ``asking`` has limits for all of it.
    """
    told = [each.span for each in asking.checked.diagnostics if each.rule is rules.OBSERVED_OUTPUT]
    found = {each.span: each for each in walk(asking.core.statements) if isinstance(each, CoreObserve)}
    places = [
        span
        for span in sorted(found)
        if span not in asking.core.endings and not any(each.contains(span.start) for each in told)
    ]
    secrets = secrets_of(asking)
    for span in places[:_MOST_OBSERVATIONS] if secrets else ():
        yield from _moved_by(asking, span, secrets)


def secrets_of(asking: Asking) -> tuple[str, ...]:
    """Return the secrets by names that measures take, elements of arrays one by one; those that nothing assigns, or that have two values, left out."""
    unclear = {each.subject for each in asking.ambiguous}
    names: list[str] = []
    for symbol in asking.checked.symbols.secrets:
        indices = asking.core.arrays.get(symbol.name)
        names += [symbol.name] if indices is None else [f"{symbol.name}[{index}]" for index in indices]
    return tuple(name for name in names if array_of(name) not in unclear and asking.core.written(name))


def moves_at(asking: Asking, span: Span, secrets: Sequence[str]) -> tuple[list[Move], list[str]]:
    """Return what observations at a place change of the laws of secrets, and the secrets that depend on them of which that is not known."""
    reached = with_observations(asking.core, lambda place: place < span, span)
    conditions = tuple(name for name in reached.variables if name.startswith(_HOLDS.format("")))
    dependent = [name for name in secrets if not independent(reached, conditions, reached.written(name))]
    if not dependent:
        return [], []
    before = replace(asking, core=with_observations(asking.core, lambda place: place < span), memory=Memory())
    after = replace(asking, core=with_observations(asking.core, lambda place: place <= span), memory=Memory())
    moves: list[Move] = []
    unknown: list[str] = []
    for name in dependent[:_MOST_SECRETS]:
        compared = [_move(before, after, measure) for measure in _measures(before, name)]
        known = [each for each in compared if each is not None]
        far = max(known, key=lambda each: each.distance, default=None)
        if far is not None and far.distance > 0:
            moves.append(far)
        elif len(known) < len(compared):
            unknown.append(name)
    return moves, unknown


def _moved_by(asking: Asking, span: Span, secrets: Sequence[str]) -> Iterator[Diagnostic]:
    moves, unknown = moves_at(asking, span, secrets)
    if moves:
        message = f"this observation changes what is believed of a secret beforehand: {said_of(moves)}"
        yield Diagnostic(rules.OBSERVATION_MOVES_PRIOR, span, message, notes=_NOTES)
    elif unknown:
        names = ", ".join(f"'{name}'" for name in unknown[:_MOST_NAMED])
        message = f"this observation depends on {names} and may change what is believed of it beforehand; no number says whether it does"
        yield Diagnostic(rules.OBSERVATION_MOVES_PRIOR, span, message, notes=_NOTES)


def said_of(moves: Sequence[Move]) -> str:
    """Return the numbers that change, before and after."""
    told = ", ".join(
        f"{each.measure} from {number_of(each.before)} to {number_of(each.after)}" for each in moves[:_MOST_NAMED]
    )
    more = len(moves) - _MOST_NAMED
    others = f" (and laws of {more} other secret{'s' if more > 1 else ''})" if more > 0 else ""
    return f"{told}{others}"


def number_of(result: Result) -> str:
    """Return a number as messages have it, with as many digits as are known."""
    known = justified(*result.ends, FEW_DIGITS)
    if known is not None:
        return with_unit(known, result.unit)
    lower, _, upper = result.ends
    return with_unit(f"[{rounded(lower, rounding='down')}, {rounded(upper, rounding='up')}]", result.unit)


def _move(before: Asking, after: Asking, measure: str) -> Move | None:
    try:
        return Move(measure, *(evaluate_text(each, measure, formulas=False) for each in (before, after)))
    except Fault:
        return None


def _measures(asking: Asking, name: str) -> list[str]:
    """Return what tells laws of a variable apart: the chances of its values, of a continuous one its mean, variance and entropy."""
    values = _values(asking, name)
    if not values:
        return [f"E({name})", f"Var({name})", f"H({name})"]
    if len(values) > _MOST_VALUES:
        values = [*values[: _MOST_VALUES // 2], *values[-_MOST_VALUES // 2 :]]
    return [f"P({name} == {show(value)})" for value in values]


def _values(asking: Asking, name: str) -> list[int | Fraction]:
    """Return the rational values of a discrete variable in ascending order; none of a continuous one, or where they are not known."""
    try:
        joint = joint_of(asking.inquiry(), asking.core, asking.core.elements(name))
    except Fault:
        return []
    if isinstance(joint, MixtureJoint):
        return []
    return sorted(value for (value,) in joint.masses if isinstance(value, int | Fraction))


def with_observations(core: CoreProgram, keeps: Callable[[Span], bool], asked: Span | None = None) -> CoreProgram:
    """Return a program with those observations alone whose places are kept; those at ``asked`` assign a variable of their own each."""
    conditions: list[str] = []

    def kept(statements: Sequence[CoreStatement]) -> Iterator[CoreStatement]:
        for each in statements:
            match each:
                case CoreObserve(condition=condition, span=span) if span == asked:
                    conditions.append(_HOLDS.format(len(conditions)))
                    yield CoreAssign(Name(conditions[-1], span), condition, span)
                case CoreObserve(span=span):
                    if keeps(span):
                        yield each
                case CoreIf():
                    arms = tuple(kept(each.consequent)), tuple(kept(each.alternative))
                    yield replace(each, consequent=arms[0], alternative=arms[1])
                case _:
                    yield each

    statements = tuple(kept(core.statements))
    return replace(core, statements=statements, variables=(*core.variables, *conditions))
