"""Programs that are linear and Gaussian for each of a few discrete values: the ways that a run can take, each with a probability that is a formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from seepage import exact
from seepage.algebra import Alphabet, NoAlgebra, Quotient, times
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.engines.forward.quotients import Field
from seepage.exact import ArithmeticFault, Number
from seepage.laws.table import DISCRETE_LAWS
from seepage.measures.formulas.linear_gaussian import LinearGaussian
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.syntax.tree import Expression, Family, Name, Table

MOST_WAYS = 16


@dataclass(frozen=True, slots=True)
class Way:
    """One way through a program.

    Attributes:
        weight: the probability of its discrete choices, and of the observations of discrete values that it passes: not normalised.
        discrete: variables that are numbers on it.
        run: its continuous part.
        chances: probabilities that the program gives, each must be at least 0.
    """

    weight: Quotient
    discrete: dict[str, Number]
    run: LinearGaussian
    chances: tuple[Quotient, ...] = ()


def ways_of(core: CoreProgram, alphabet: Alphabet) -> list[Way]:
    """Return the ways through a program.

    Raises:
        NoAlgebra: if one is not linear and Gaussian, or there are too many, or several of which some observe a continuous value.
    """
    ways = _block(core.statements, [Way(alphabet.number(1), {}, LinearGaussian(alphabet))])
    if not ways or (len(ways) > 1 and any(way.run.observed for way in ways)):
        raise NoAlgebra("ways that are compared by densities")
    return ways


def _block(statements: Sequence[CoreStatement], ways: list[Way]) -> list[Way]:
    for statement in statements:
        ways = [after for way in ways for after in _step(statement, way)]
        if len(ways) > MOST_WAYS:
            raise NoAlgebra("too many ways")
    return ways


def _step(statement: CoreStatement, way: Way) -> Iterator[Way]:
    match statement:
        case CoreAssign(target=Name(id=name), value=value) if _is_known(value, way):
            yield _with(way, name, evaluate(value, way.discrete))
        case CoreSample(target=Name(id=name), distribution=Family(name=family) as law) if family in DISCRETE_LAWS:
            for number, weight in _drawn(law, way):
                yield _chosen(_with(way, name, number), weight)
        case CoreSample(target=Name(id=name), distribution=Table(entries=entries)):
            for value, chance_of in entries:
                weight = way.run.constant(chance_of)
                if not weight.is_zero:
                    yield _chosen(_with(way, name, evaluate(value, way.discrete)), weight)
        case CoreObserve(condition=condition) if _is_known(condition, way):
            if evaluate(condition, way.discrete) == 1:
                yield way
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            if not _is_known(condition, way):
                raise NoAlgebra("a branch on what is no number")
            yield from _block(consequent if evaluate(condition, way.discrete) == 1 else alternative, [way])
        case _:
            run = way.run.copy()
            run.step(statement)
            target = statement.target if isinstance(statement, CoreAssign | CoreSample) else None
            discrete = {k: v for k, v in way.discrete.items() if not (isinstance(target, Name) and target.id == k)}
            yield replace(way, run=run, discrete=discrete)


def _is_known(expression: Expression, way: Way) -> bool:
    return all(name in way.discrete for name in plain_names(expression))


class _Chances(Field):
    """Probabilities that are formulas, on one way."""

    def __init__(self, run: LinearGaussian) -> None:
        super().__init__(run.alphabet)
        self.run = run

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Quotient:
        """Return a probability; the state is that of the way."""
        return self.run.constant(expression)


def _drawn(law: Family, way: Way) -> Sequence[tuple[Number, Quotient]]:
    if bind(law).repeated:
        raise NoAlgebra("weights that are listed")
    try:
        return support(law, Place(way.discrete, {}), _Chances(way.run), MOST_WAYS)
    except (Fault, ArithmeticFault, KeyError) as fault:
        raise NoAlgebra(
            "a law that depends on parameters otherwise than by a chance, or has too many values"
        ) from fault


def _with(way: Way, name: str, value: Number) -> Way:
    fraction = exact.to_fraction(value)
    if fraction is None:
        raise NoAlgebra("an irrational value")
    run = way.run.copy()
    run.known(name, fraction)
    return replace(way, run=run, discrete={**way.discrete, name: value})


def _chosen(way: Way, chance: Quotient) -> Way:
    return replace(way, weight=times(way.weight, chance), chances=(*way.chances, chance))
