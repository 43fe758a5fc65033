r"""Who sees the terms of a sum sees the sum: what they tell bounds what it tells.

The sum is a function of its terms, so publishing it in their place is post-processing: informations, capacities, losses and chances to guess can only fall, what
remains unknown can only grow. The terms are often independent parts, one a person, where the sum is one law of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from seepage.data_classes import dataclass
from seepage.engines.select import samples_continuous
from seepage.exact import Number
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.accumulation import Accumulation, accumulation
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.semantics.memo import Same
from seepage.semantics.slice import independent, sunk_slice
from seepage.semantics.statements import walk, written_variables
from seepage.syntax.tree import Name

_SOURCE = "data processing: Cover and Thomas 2006, theorem 2.8.1; Alvim et al. 2020, chapter 9; Dwork and Roth 2014, proposition 2.1"


_FEW = 3  # terms
_MOST_IMAGES = 8  # assignments that make the output of the sum


def terms_of(question: Question) -> Accumulation | None:
    """Return the program of a question with the terms of its one output as variables, which tell all that the output does; else None."""
    if len(question.y) != 1 or question.y[0] in question.x or question.given:
        return None
    return _terms_of(Same(question.core), question.x, question.y)


def _is_drawn(core: CoreProgram, name: str) -> bool:
    """Tell whether a statement draws a variable, which then is no sum."""
    return any(isinstance(each, CoreSample) and name in written_variables((each,)) for each in walk(core.statements))


@lru_cache(maxsize=4)
def _terms_of(key: Same[CoreProgram], x: tuple[str, ...], y: tuple[str, ...]) -> Accumulation | None:
    if _is_drawn(key.one, y[0]):
        return None
    core = sunk_slice(key.one, (*x, *y))
    found = accumulation(core, y[0])
    if found is not None and len(found.terms) <= _FEW and samples_continuous(core.statements):
        return None  # of a value with noise, to see the terms is to see the value
    return found if found is not None and independent(found.core, x, y, found.terms) else None


@dataclass(frozen=True, slots=True)
class SumOfTerms:
    """An output that is a function of a sum.

    Attributes:
        core: the program that makes the terms, as variables.
        terms: their names.
        image: the output for each value of the sum; raises ``Fault`` where it has none.
    """

    core: CoreProgram
    terms: tuple[str, ...]
    image: Callable[[Number], Number]


def sum_asked(question: Question) -> SumOfTerms | None:
    """Return the terms of the sum that the one output is computed from, at the values of the parameters; None where it is none."""
    if len(question.y) != 1 or question.y[0] in question.x or question.given:
        return None
    if _is_drawn(question.core, question.y[0]):
        return None
    core, name = sunk_slice(question.core, (*question.x, *question.y)), question.y[0]
    parameters = question.evaluation.scope.parameters
    after: list[tuple[str, CoreAssign]] = []
    for _ in range(_MOST_IMAGES):
        found = accumulation(core, name)
        if found is not None:
            if not independent(found.core, question.x, (name,), found.terms):
                return None
            return SumOfTerms(found.core, found.terms, lambda value: _image(value, after, parameters))
        last = core.statements[-1] if core.statements else None
        if not isinstance(last, CoreAssign) or last.target != Name(name, last.target.span):
            return None
        read = frozenset(plain_names(last.value)) - frozenset(core.parameters)
        if len(read) != 1 or core.expanded(read) != read or read & set(question.x):
            return None
        (source,) = read
        after.insert(0, (source, last))
        core, name = replace(core, statements=core.statements[:-1]), source
    return None


def _image(value: Number, after: Sequence[tuple[str, CoreAssign]], parameters: Mapping[str, Number]) -> Number:
    for source, statement in after:
        value = evaluate(statement.value, {**parameters, source: value})
    return value


def _apply(question: Question) -> Reduced | None:
    relation = question.measure.under_processing
    if relation is None or (found := terms_of(question)) is None:
        return None
    posed = question.of(found.core, question.x, found.terms)
    because = (
        f"'{question.y[0]}' is a sum of {len(found.terms):,} terms, and who sees all of them is told at least as much"
    )
    return Reduced((posed,), lambda claims: claims[0], relation, because)


TERMS = Reduction("terms of a sum", _SOURCE, _apply, is_quick=True)
