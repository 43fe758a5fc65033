"""Answers to ``show`` and ``require``: of which point of the parameters, in which order, and how long each may take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.answers import require, resting, show, unanswered
from seepage.measures.asking import Asking, InformationUnit
from seepage.measures.facts import Answer
from seepage.measures.joints import Memory
from seepage.measures.meaning import HOPELESS, faults_of, passes
from seepage.measures.parameters import parameter_values
from seepage.semantics.checked import Checked, RequireSymbol, ShowSymbol
from seepage.semantics.core import CoreProgram
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span

Declaration: TypeAlias = ShowSymbol | RequireSymbol

# Of what is left one answer gets half until some joint is found for all, then a third, while others wait.
_SEARCHING, _SHARING = 2, 3


@dataclass(frozen=True, slots=True)
class Point:
    """The program at some values of its parameters.

    Attributes:
        asking: for its measures; None where one of the faults leaves none of them a meaning.
        faults: what is wrong there, anywhere in the program; the one that leaves no measure a meaning first.
    """

    asking: Asking | None
    faults: tuple[Diagnostic, ...]


def point_at(
    checked: Checked,
    params: Mapping[str, Number],
    core: CoreProgram,
    unit: InformationUnit,
    budget: Budget,
    seconds: float,
    reuse: bool,
) -> Point:
    """Return a program (``core`` is ``checked``, unrolled) at values of its parameters, with its faults, which are looked for so many seconds.

    ``reuse``: whether its measures may be those that this process found for other texts.
    """
    try:
        values = parameter_values(checked, params)
    except Fault as fault:
        return Point(None, (fault.diagnostic,))
    asking = Asking(checked, core, values, unit, budget, Memory())
    faults = sorted(faults_of(asking.within(seconds)), key=lambda fault: fault.rule not in HOPELESS)
    hopeless = bool(faults) and faults[0].rule in HOPELESS
    if reuse and not any(fault.rule is rules.UNKNOWN_OBSERVATION for fault in faults):
        # Else what is computed of all observations tells whether some run passes them.
        asking = replace(asking, memory=Memory(reuse=True))
    return Point(None if hopeless else asking, tuple(faults))


def declarations_of(checked: Checked) -> list[Declaration]:
    """Return every ``show`` and ``require``, in the order of the text."""
    return sorted((*checked.symbols.shows, *checked.symbols.requires), key=lambda symbol: symbol.span)


@dataclass(frozen=True, slots=True)
class Questions:
    """Every ``show`` and ``require`` of a program, and what they are asked of.

    Attributes:
        checked: the program.
        declarations: in the order of the text.
        shown: where ``show`` is answered.
        judged: where ``require`` is.
    """

    checked: Checked
    declarations: Sequence[Declaration]
    shown: Point
    judged: Point

    def answers(self, known: Callable[[Sequence[Answer]], object]) -> list[Answer]:
        """Answer all, cheap ones first; those that their share of the time is too short for are asked again with what others left."""
        answers: dict[int, Answer] = {}
        shares: dict[int, float] = {}
        unknown = next((each for each in self.judged.faults if each.rule is rules.UNKNOWN_OBSERVATION), None)
        for waiting, number in _counted(self._cheapest_first()):
            shares[number] = _share(self.shown, waiting)
            answers[number] = self._answer(number, waiting)
            if unknown is None:  # else a budget that holds so far may not in the end
                known([answers[each] for each in sorted(answers) if not _is_late(answers[each])])
        late = [number for number in sorted(answers) if _is_late(answers[number])]
        for waiting, number in _counted(late):
            if _share(self.shown, waiting) > shares[number]:
                answers[number] = self._answer(number, waiting)
        in_order = [answers[number] for number in sorted(answers)]
        if unknown is None:
            return in_order
        some_pass = self.judged.asking is not None and passes(self.judged.asking)
        return [
            answer if some_pass and not _over_ranges(symbol) else resting(answer, unknown)
            for symbol, answer in zip(self.declarations, in_order, strict=True)
        ]

    def with_formulas(self, answers: Sequence[Answer]) -> tuple[Answer, ...]:
        """Return answers with the formulas of their numbers, which are known; budgets over ranges have none."""
        found: list[Answer] = []
        for number, (symbol, answer) in enumerate(zip(self.declarations, answers, strict=True)):
            again = answer
            if answer.result is not None and not _over_ranges(symbol):
                again = self._answer(number, len(answers) - number)
            found.append(answer if again.result is None else again)
        return tuple(found)

    def _cheapest_first(self) -> list[int]:
        """Return the numbers of declarations by what they seem to cost: budgets over ranges last, then by how much of the program they read."""
        core = None if self.shown.asking is None or len(self.declarations) == 1 else self.shown.asking.core

        def cost(number: int) -> tuple[bool, int, int]:
            symbol = self.declarations[number]
            names = dict.fromkeys(name for _, name in names_in(symbol.node.measure))
            size = 0
            if core is not None:
                plain = [each for name in names for each in _elements(core, name)]
                size = sum(1 for _ in walk(slice_program(core, tuple(plain)).statements))
            return _over_ranges(symbol), size, number

        return sorted(range(len(self.declarations)), key=cost)

    def _answer(self, number: int, waiting: int) -> Answer:
        """Answer one, with its share of the time while so many wait, itself included."""
        symbol = self.declarations[number]
        point = self.judged if isinstance(symbol, RequireSymbol) else self.shown
        found = self.checked.diagnostics
        wrong = next((each for each in found if each.is_error and inside(each.span, symbol.span)), None)
        if wrong is not None:
            return unanswered(symbol, wrong)
        if point.asking is None:
            return unanswered(symbol, point.faults[0])
        asking = point.asking if waiting == 1 else point.asking.within(_share(point, waiting))
        match symbol:
            case ShowSymbol():
                return show(asking, symbol)
            case RequireSymbol():
                return require(asking, symbol)
            case _:
                assert_never(symbol)


def _elements(core: CoreProgram, name: str) -> tuple[str, ...]:
    try:
        return core.elements(name)
    except ValueError:
        return ()


def _over_ranges(symbol: Declaration) -> bool:
    """Tell whether a budget is for other values of the parameters, too, at which another run may be all that passes."""
    return isinstance(symbol, RequireSymbol) and bool(symbol.node.ranges)


def _counted(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each with how many are left, itself included."""
    yield from zip(range(len(numbers), 0, -1), numbers, strict=True)


def _share(point: Point, waiting: int) -> float:
    """Return the seconds for the next of so many answers that wait: all that is left for the last."""
    if point.asking is None or point.asking.budget.deadline is None:
        return math.inf
    most = _SHARING if point.asking.memory.joints else _SEARCHING
    return max(0.0, point.asking.budget.deadline - time.monotonic()) / min(waiting, most)


def _is_late(answer: Answer) -> bool:
    return answer.diagnostic is not None and answer.diagnostic.rule is rules.TIME_LIMIT


def inside(inner: Span, outer: Span) -> bool:
    """Tell whether a place lies in another."""
    return outer.start <= inner.start and inner.end <= outer.end


def limit_in(answer: Answer, seconds: float) -> Answer:
    """Return an answer whose finding names the limit, if it is one of the clock."""
    return answer if answer.diagnostic is None else replace(answer, diagnostic=named_limit(answer.diagnostic, seconds))


def named_limit(diagnostic: Diagnostic, seconds: float) -> Diagnostic:
    """Return a finding with, if it is the time limit, how long that is and how to raise it: engines know only when it ends."""
    if diagnostic.rule is not rules.TIME_LIMIT:
        return diagnostic
    message = diagnostic.message.replace("time limit", f"time limit of {seconds:g} s", 1)
    notes = (*diagnostic.notes, "raise the limit with --time-limit (seepage.timeLimit in an editor)")
    return replace(diagnostic, message=message, notes=notes)
