r"""How likely runs pass an ``observe`` or take a branch, among those that get there.

Let :math:`\mu` be the sub-distribution of states right before a statement with condition b, left by the statements before it: observations
before it have removed runs, later ones have not. The number is :math:`\mu(b) / \mu(1)`, computed as the measure ``P(b | reached)`` of the
program cut off at that place, in which ``reached`` is assigned at the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate
from seepage.measures.facts import PassingFacts
from seepage.measures.joints import Memory
from seepage.measures.result import Result
from seepage.semantics.checked import Checked, Kind
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import written_variables
from seepage.source import Span
from seepage.syntax.tree import Binary, Boolean, Expression, If, MeasureCall, Name, Unary, While, array_of

# No name of the language holds an @.
REACHED, HOLDS = "reached@here", "holds@here"
# Of one statement in a loop so many times are looked at, of a program so many in all; each takes a run of what stands before.
MOST_TIMES = 8
_MOST = 64

Statements: TypeAlias = tuple[CoreStatement, ...]
_Around: TypeAlias = Callable[[Statements], Statements]


@dataclass(frozen=True, slots=True)
class _Place:
    """A condition at a place: ``program`` makes of what is to stand there the program that ends with it."""

    span: Span
    condition: Expression
    program: _Around


def passing_facts(asking: Asking) -> tuple[PassingFacts, ...]:
    """Return the probability of each ``observe`` and of each arm of each ``if``, in the order of the text, as far as limits allow.

    What has no number, because its computation meets a fault or a limit, is left out; so are arms that no unrolled program has.
    """
    places: dict[Span, list[_Place]] = {}
    # A loop that ends by chance is computed from the states of its rounds: branches that stand in its place are none of the text.
    loops = {item.arm.header for item in asking.checked.tree.walk() if isinstance(item, While)}
    statements = asking.core.statements
    for place in _places(statements, lambda inner: inner, _headers(asking.checked), loops, None):
        places.setdefault(place.span, []).append(place)
    found: list[PassingFacts] = []
    left = _MOST
    for span, times in sorted(places.items()):
        looked_at = times[: min(MOST_TIMES, left)]
        left -= len(looked_at)
        results = [_probability(asking, place, with_formula=len(times) == 1) for place in looked_at]
        known = tuple(result for result in results if result is not None)
        if known and len(known) == len(looked_at):
            of_density = any(_is_of_density(asking.checked, place.condition) for place in looked_at)
            found.append(PassingFacts(span, known, len(times), of_density))
    return tuple(found)


def _headers(checked: Checked) -> dict[Span, If]:
    """Return which chain of branches each header belongs to."""
    return {arm.header: item for item in checked.tree.walk() if isinstance(item, If) for arm in item.arms}


def _places(
    statements: Statements, around: _Around, chains: dict[Span, If], loops: Set[Span], within: If | None
) -> Iterator[_Place]:
    """Yield the conditions of statements but those of ``loops``; ``within`` is the chain of branches that they continue, if they do."""
    for number, statement in enumerate(statements):
        here = _after(statements[:number], around)
        match statement:
            case CoreObserve(condition=condition, span=span):
                yield _Place(span, condition, here)
            case CoreIf() if statement.span not in loops:
                chain = chains.get(statement.span)
                if chain is None or chain is not within:
                    yield from _arms(statement, here, chain, chains)
                yield from _places(statement.consequent, _inside(here, statement, True), chains, loops, None)
                yield from _places(statement.alternative, _inside(here, statement, False), chains, loops, chain)
            case _:
                pass


def _arms(first: CoreIf, here: _Around, chain: If | None, chains: dict[Span, If]) -> Iterator[_Place]:
    """Yield each arm of a chain with what must hold for a run to take it, and what is left for ``else``."""
    failed: Expression | None = None
    arm: CoreIf | None = first
    rest: Statements = ()
    live = 0
    while arm is not None:
        yield _Place(arm.span, _both(failed, arm.condition), here)
        live += 1
        failed = _both(failed, Unary("not", arm.condition, arm.condition.span))
        rest = arm.alternative
        following = rest[0] if len(rest) == 1 else None
        is_next = isinstance(following, CoreIf) and chain is not None and chains.get(following.span) is chain
        arm = following if is_next and isinstance(following, CoreIf) else None
    # Where an arm is decided without running, what is left at the end may be that arm and no 'else'.
    if chain is not None and chain.otherwise is not None and live == len(chain.arms) and failed is not None:
        yield _Place(chain.otherwise.span, failed, here)


def _both(first: Expression | None, second: Expression) -> Expression:
    return second if first is None else Binary("and", first, second, second.span)


def _after(before: Statements, around: _Around) -> _Around:
    return lambda inner: around((*before, *inner))


def _inside(here: _Around, branch: CoreIf, taken: bool) -> _Around:
    """Return the program around what stands in one arm; runs that take the other arm end there."""
    if taken:
        return lambda inner: here((replace(branch, consequent=inner, alternative=()),))
    return lambda inner: here((replace(branch, consequent=(), alternative=inner),))


def _probability(asking: Asking, place: _Place, *, with_formula: bool) -> Result | None:
    at = place.condition.span
    record = (
        CoreAssign(Name(REACHED, at), Boolean(True, at), at),
        CoreAssign(Name(HOLDS, at), place.condition, at),
    )
    statements = place.program(record)
    core = _core(asking.core, statements)
    always = statements[-1] is record[-1]
    given = () if always else (Name(REACHED, at),)
    call = MeasureCall("P", (Name(HOLDS, at),), None, (), given, (), (), None, at, at)
    try:
        return evaluate(replace(asking, core=core, memory=Memory()), call, formulas=with_formula)
    except Fault:
        return None


def _core(core: CoreProgram, statements: Sequence[CoreStatement]) -> CoreProgram:
    """Return a program cut off after some statements. Elements that are written later only are 0 until then, as in the whole program."""
    written = written_variables(statements)
    return replace(
        core,
        statements=tuple(statements),
        variables=tuple(dict.fromkeys((*core.variables, *written))),
        written_twice={},
    )


def _is_of_density(checked: Checked, condition: Expression) -> bool:
    """Tell whether a condition holds an equality of continuous values, which conditions on a density."""
    return any(
        isinstance(node, Binary)
        and node.operator == "=="
        and any(checked.kinds.get(array_of(name)) in (Kind.CONTINUOUS, Kind.MIXED) for name in plain_names(node))
        for node in nodes(condition)
    )
