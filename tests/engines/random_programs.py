"""Random finite programs as text, and what they do by brute force: every path is walked on its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from hypothesis import strategies as st

from seepage.exact import Number
from seepage.semantics.check import check
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate, truth
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile
from seepage.syntax import tree

VARIABLES = ("x", "y", "z")


def core_of(text: str) -> CoreProgram:
    """Return the core program of a text without errors."""
    checked = check(SourceFile("test.seep", text))
    errors = [diagnostic.message for diagnostic in checked.diagnostics if diagnostic.is_error]
    assert not errors, f"{errors} in\n{text}"
    return unroll(checked)


variables = st.sampled_from(VARIABLES)
small = st.integers(0, 3)
values = st.one_of(
    st.builds("{}".format, small),
    variables,
    st.builds("{} + {}".format, variables, small),
    st.builds("{} * {}".format, variables, variables),
    st.builds("(if {} > {} then {} else {})".format, variables, small, variables, small),
    st.builds("max({}, {})".format, variables, variables),
)
conditions = st.one_of(
    st.builds("{} == {}".format, variables, small),
    st.builds("{} != {}".format, variables, variables),
    st.builds("{} <= {} or {} > 1".format, variables, small, variables),
    st.builds("{0} != 0 and 6 / {0} > {1}".format, variables, small),
    st.builds("not ({} < {})".format, variables, variables),
)
laws = st.one_of(
    st.builds("bernoulli({}/7)".format, st.integers(0, 7)),
    st.builds("bernoulli(1 / (1 + {}))".format, variables),
    st.builds("uniform_int({}, 2)".format, st.integers(0, 2)),
    st.builds("{{{0}: 1/4, {1}: 1/4, {2}: 1/2}}".format, small, variables, small),
    st.builds("binomial(2, {}/5)".format, st.integers(0, 5)),
    st.builds("1/3*bernoulli(1/2) + 2/3*uniform_int(1, {})".format, st.integers(1, 3)),
)
simple = st.one_of(
    st.builds("{} := {}".format, variables, values),
    st.builds("{} ~ {}".format, variables, laws),
    st.builds("observe({})".format, conditions),
)
branches = st.builds("if {} {{ {} }} else {{ {} }}".format, conditions, simple, st.one_of(simple, st.just("skip")))
bodies = st.lists(st.one_of(simple, branches), min_size=1, max_size=5).map("\n".join)
# All variables are assigned first, so that each is one of the core program's.
programs = bodies.map(lambda body: f"x ~ bernoulli(1/3)\ny ~ uniform_int(0, 2)\nz := 0\n{body}\n")


def paths(
    statements: tuple[CoreStatement, ...], state: dict[str, Number], weight: Fraction = Fraction(1)
) -> Iterator[tuple[dict[str, Number], Fraction]]:
    """Yield the final state and probability of every path that passes its observations."""
    if not statements:
        yield state, weight
        return
    first, rest = statements[0], statements[1:]
    match first:
        case CoreAssign(target=tree.Name(id=name), value=value):
            yield from paths(rest, {**state, name: evaluate(value, state)}, weight)
        case CoreSample(target=tree.Name(id=name), distribution=distribution):
            for drawn, chance in outcomes(distribution, state):
                if chance:
                    yield from paths(rest, {**state, name: drawn}, weight * chance)
        case CoreObserve(condition=condition):
            if truth(condition, state):
                yield from paths(rest, state, weight)
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            chosen = consequent if truth(condition, state) else alternative
            yield from paths((*chosen, *rest), state, weight)
        case _:
            raise AssertionError(first)


def outcomes(distribution: tree.Distribution, state: dict[str, Number]) -> Iterator[tuple[Number, Fraction]]:
    """Yield values and probabilities of the laws that the strategies write."""

    def number(expression: tree.Expression) -> Fraction:
        value = evaluate(expression, state)
        assert isinstance(value, int | Fraction)
        return Fraction(value)

    match distribution:
        case tree.Family(name="bernoulli", arguments=(chance,)):
            yield 1, number(chance.value)
            yield 0, 1 - number(chance.value)
        case tree.Family(name="uniform_int", arguments=(low, high)):
            first, last = int(number(low.value)), int(number(high.value))
            yield from ((value, Fraction(1, last - first + 1)) for value in range(first, last + 1))
        case tree.Family(name="binomial", arguments=(_, chance)):
            p = number(chance.value)
            yield from ((0, (1 - p) ** 2), (1, 2 * p * (1 - p)), (2, p**2))
        case tree.Table(entries=entries):
            yield from ((evaluate(value, state), number(weight)) for value, weight in entries)
        case tree.Mixture(parts=parts):
            for weight, part in parts:
                yield from ((value, number(weight) * chance) for value, chance in outcomes(part, state))
        case _:
            raise AssertionError(distribution)
