"""How large one law of a question would be, as far as the text tells at a glance."""

from __future__ import annotations

import math
from collections.abc import Iterable

from seepage.distributions.arguments import bind
from seepage.distributions.kinds import is_continuous, is_gaussian
from seepage.distributions.supports import whole_ends
from seepage.engines.select import samples_continuous
from seepage.measures.cells.extremes import extreme_of
from seepage.measures.planning.question import Question
from seepage.semantics.core import CoreAssign, CoreIf, CoreSample, CoreStatement
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import expressions_of, walk
from seepage.syntax.tree import Call, Conditional, Distribution, Family, Name, Table

SMALL = 10.0  # bits: a thousand states are held in milliseconds
MIXED = 6.0  # bits of what laws with a density depend on
LARGE = 24.0  # bits, from which on one law takes seconds, if it is held at all
_UNKNOWN = 6.0  # bits of a law whose number of values is not seen
_MANY_ORDERED = 4  # values with 24 orders
_OF_CHANNELS = frozenset({"of x given y", "x and y", "channel"})


def is_small(question: Question) -> bool:
    """Tell whether the joint law of all that a question asks has few states: then nothing is gained by taking it apart."""
    if is_integral(question) or follows_many_orders(question):
        return False
    programs = [question.core] if question.other is None else [question.core, question.other]
    sliced = [slice_program(core, question.names).statements for core in programs]
    return all(bits_of(each) + cuts(each) <= SMALL for each in sliced)


def cuts(statements: Iterable[CoreStatement]) -> int:
    """Return how often what is done with a continuous value depends on which side of a place it is on: each may double the pieces of one law."""
    continuous: set[str] = set()
    found = 0
    statements = tuple(statements)
    if not samples_continuous(statements):
        return 0
    for statement in walk(statements):
        read = [each for each in expressions_of(statement) if not continuous.isdisjoint(plain_names(each))]
        drawn = isinstance(statement, CoreSample) and is_continuous(statement.distribution)
        if isinstance(statement, CoreSample | CoreAssign) and isinstance(statement.target, Name) and (read or drawn):
            continuous.add(statement.target.id)
        if isinstance(statement, CoreIf):
            found += bool(read)
        else:
            found += sum(isinstance(node, Call | Conditional) for each in read for node in nodes(each))
    return found


def is_large(question: Question) -> bool:
    """Tell whether the draws that a question depends on have so many combinations that one law of them may not be held."""
    return bits_of(slice_program(question.core, question.names).statements) > LARGE


def has_many_components(question: Question) -> bool:
    """Tell whether laws with a density depend on so many combinations of discrete draws that one law, which holds a component or an integral of each, takes long."""
    statements = slice_program(question.core, question.names).statements
    is_mixed = any(isinstance(each, CoreSample) and is_continuous(each.distribution) for each in walk(statements))
    return is_mixed and bits_of(statements) > MIXED


def is_integral(question: Question) -> bool:
    """Tell whether one law takes integrals over several continuous outputs: discrete draws decide on them, their noise is not normal, or several inputs have many neighbours."""
    if question.measure.shape not in _OF_CHANNELS or len(question.y) < 2:
        return False
    draws = [
        each for each in walk(slice_program(question.core, question.names).statements) if isinstance(each, CoreSample)
    ]
    asked = frozenset(question.x)
    hidden = [each for each in draws if not (isinstance(each.target, Name) and each.target.id in asked)]
    continuous = [each for each in hidden if is_continuous(each.distribution)]
    if len(continuous) < 2:
        return False
    has_pairs = len(question.x) > 1 and question.measure.is_of_losses
    return has_pairs or len(continuous) < len(hidden) or not all(is_gaussian(each.distribution) for each in continuous)


def follows_many_orders(question: Question) -> bool:
    """Tell whether one law follows all orders of many values, of which the one output is the greatest or the least."""
    if len(question.y) != 1:
        return False
    extreme = extreme_of(slice_program(question.core, question.names), question.y[0])
    return extreme is not None and len(extreme.terms) >= _MANY_ORDERED


def bits_of(statements: Iterable[CoreStatement]) -> float:
    """Return the logarithm (base 2) of how many combinations of values the draws of some statements have; continuous ones count as one."""
    laws = [each.distribution for each in walk(statements) if isinstance(each, CoreSample)]
    bits = {place: _bits(law) for place, law in {id(law): law for law in laws}.items()}  # rounds of a loop share laws
    return sum((bits[id(law)] for law in laws), 0.0)


def _bits(law: Distribution) -> float:
    if is_continuous(law):
        return 0.0
    match law:
        case Family() if (ends := whole_ends(bind(law))) is not None:
            return math.log2(max(1, ends[1] - ends[0] + 1))
        case Table(entries=entries):
            return math.log2(max(1, len(entries)))
        case _:
            return _UNKNOWN
