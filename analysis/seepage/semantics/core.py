"""The core program: what is left when loops of known length are unrolled and static expressions folded.

Plain variables only: an array element is a variable of its own, named ``r[1]``. Spans are absolute. Expressions are those
of :mod:`seepage.syntax.tree` without :class:`Parenthesized` and :class:`Infinity`; :class:`Name` is a variable or a parameter;
:class:`Index` is left only where the index is random: then the array's elements are ``CoreProgram.arrays[array]``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NoReturn, TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.source import Span
from seepage.syntax.tree import Distribution, Expression, Index, Name, array_of


@dataclass(frozen=True, slots=True)
class CoreAssign:
    """``x := e``, where x may be an element picked by a random index."""

    target: Name | Index
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class CoreSample:
    """``x ~ D``."""

    target: Name | Index
    distribution: Distribution
    span: Span


@dataclass(frozen=True, slots=True)
class CoreObserve:
    """``observe b``.

    Attributes:
        condition: b.
        span: of the statement.
        of_event: whether it is a part of the event of a measure, appended to the program. The runs that the program leaves are settled
            before the first such part, and once more after the last.
    """

    condition: Expression
    span: Span
    of_event: bool = False


@dataclass(frozen=True, slots=True)
class CoreIf:
    """``if b { … } else { … }``; ``span`` is that of the header, and ``remembered`` what passes have found of it."""

    condition: Expression
    consequent: tuple[CoreStatement, ...]
    alternative: tuple[CoreStatement, ...]
    span: Span
    remembered: dict[object, object] = field(init=False, default_factory=dict, compare=False, repr=False)

    def with_arms(self, consequent: tuple[CoreStatement, ...], alternative: tuple[CoreStatement, ...]) -> CoreIf:
        """Return the branch with other arms; itself, with what is remembered of it, where they are the same."""
        arms, own = (consequent, alternative), (self.consequent, self.alternative)
        if all(
            len(one) == len(other) and all(map(operator.is_, one, other)) for one, other in zip(arms, own, strict=True)
        ):
            return self
        return CoreIf(self.condition, *arms, self.span)


@dataclass(frozen=True, slots=True)
class CoreWhile:
    """``while b { … } never { … }``: the body as long as b holds, tested before each round.

    Runs that never end are left out, as by an observation at the loop, unless there is a block ``never``: then they go on with it, and
    the variables that the loop writes are as they were when it was entered.

    Attributes:
        condition: b.
        body: of one round; empty for a loop that changes nothing.
        never: what runs that never end go on with; None if they are left out, ``()`` for ``never { skip }``.
        span: of the header.
    """

    condition: Expression
    body: tuple[CoreStatement, ...]
    never: tuple[CoreStatement, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class CoreLocal:
    """A local draw: statements whose observations condition what they draw, and nothing else of the program.

    ``wp(local c)(φ) = wp(c)(φ) / (wp(c)(1) + d(c))`` in each state before it, where d is the chance that c never ends.

    Attributes:
        body: the statements; all that they write is as they leave it.
        procedure: whose they are, "" for those of ``given``.
        span: of the draw.
    """

    body: tuple[CoreStatement, ...]
    procedure: str
    span: Span


ENDLESS = -1
"""The value that tells of a run that it never ends in a loop; 1 of one that does, 0 of one that an observation in the loop leaves out."""

CoreStatement: TypeAlias = CoreAssign | CoreSample | CoreObserve | CoreIf | CoreWhile | CoreLocal


def unsettled(statement: CoreWhile | CoreLocal) -> NoReturn:
    """Raise: loops and local draws are settled, that is put as draws of their laws, before any engine or measure reads a program.

    Raises:
        AssertionError: always.
    """
    raise AssertionError(f"{type(statement).__name__} at {statement.span} was not settled")


@dataclass(frozen=True, slots=True)
class CoreProgram:
    """An unrolled program.

    Attributes:
        statements: in order.
        variables: every plain variable that some statement may write, in order of first appearance.
        arrays: for each array the static indices of its elements, ascending.
        parameters: names of the ``param`` declarations; free names of the expressions.
        aliases: what a declared secret means in measures, when that is another variable: ``s -> s@initial``.
        written_twice: for a plain ``secret`` that some path of the text assigns twice, the counter variable (``s@writes``) that the
            program keeps of its assignments, with the span of its declaration. A reachable final state in which it is
            above 1 is the error "assigned more than once".
        left_out: names (an array's without an index) whose statements are no part of this, since they are too many, with what says so.
            No statement writes or reads them, and no measure of them has a number.
        endings: for each header of loops that some runs never end, the variables that are :data:`ENDLESS` in those runs, once loops are settled.
        never_entered: the headers of loops whose ``never`` no run enters, once loops are settled.
        rests_on: parameters at whose present values alone loops were settled; at others no run of this program ends.
        proved: chances that lie between 0 and 1 at all values of the parameters, once loops are settled: those of their laws.
        rounds: for elements that a loop of like rounds writes, for how many of its rounds the one that writes this one stands
            (:mod:`seepage.semantics.like_rounds`). Where there are any, only ways that count them may answer.
    """

    statements: tuple[CoreStatement, ...]
    variables: tuple[str, ...]
    arrays: Mapping[str, tuple[int, ...]]
    parameters: tuple[str, ...]
    aliases: Mapping[str, str]
    written_twice: Mapping[str, Span]
    left_out: Mapping[str, Diagnostic] = field(default_factory=dict)
    endings: Mapping[Span, tuple[str, ...]] = field(default_factory=dict)
    never_entered: tuple[Span, ...] = ()
    rests_on: tuple[str, ...] = ()
    proved: frozenset[Expression] = frozenset()
    rounds: Mapping[str, int] = field(default_factory=dict)

    def elements(self, name: str) -> tuple[str, ...]:
        """Return the plain variables that a name means in a measure: itself, or all elements of an array.

        Raises:
            ValueError: if no statement writes it.
        """
        name = self.aliases.get(name, name)
        if name in self.arrays:
            return tuple(self.aliases.get(f"{name}[{i}]", f"{name}[{i}]") for i in self.arrays[name])
        if name not in self.variables:
            raise ValueError(self.why_not(name))
        return (name,)

    def written(self, name: str) -> tuple[str, ...]:
        """Return the same, none where no statement writes it."""
        try:
            return self.elements(name)
        except ValueError:
            return ()

    def expanded(self, names: Iterable[str]) -> frozenset[str]:
        """Return names as statements read them, in the place of an array's own name all of its elements: a random index may pick any."""
        return frozenset(
            each
            for name in names
            for each in ([f"{name}[{i}]" for i in self.arrays[name]] if name in self.arrays else (name,))
        )

    def why_not(self, name: str) -> str:
        """Say why a name (also an element's) means no variable."""
        left_out = self.left_out.get(array_of(name))
        return f"no statement assigns {name!r}" if left_out is None else left_out.message
