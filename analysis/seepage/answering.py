"""Answers to ``show`` and ``require``: of which point of the parameters, in which order, and how long each may take."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

from seepage import rules
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.answers import named_limit, require, resting, show, unanswered
from seepage.measures.asking import Asking, InformationUnit
from seepage.measures.facts import Answer
from seepage.measures.joints import Memory
from seepage.measures.meaning import ambiguous, faults_of, is_hopeless, passes
from seepage.measures.parameters import parameter_values
from seepage.measures.result import Certainty
from seepage.measures.settled_asking import asking_at
from seepage.semantics.checked import Checked, RequireSymbol, ShowSymbol
from seepage.semantics.core import CoreProgram
from seepage.semantics.effects import asked_names
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span

Declaration: TypeAlias = ShowSymbol | RequireSymbol

# What is asked gets this share of the limit at first, or so many seconds where that is more, so that nothing that takes little waits for what takes much. Then, of what is left, one answer
# gets half until some joint is found for all, then a third, while others wait; the last leaves something for hovers.
_FIRST, _FIRST_SECONDS = 1 / 20, 0.25
_SEARCHING, _SHARING = 2, 3
OF_LAST = 0.9
_OPEN = (None, "cannot tell")  # verdicts that a narrower number may change


@dataclass(frozen=True, slots=True)
class Point:
    """The program at some values of its parameters.

    Attributes:
        asking: for its measures; None where one of the faults leaves none of them a meaning.
        faults: what is wrong there, anywhere in the program; the one that leaves no measure a meaning first.
    """

    asking: Asking | None
    faults: tuple[Diagnostic, ...]

    def without(self, left_out: Collection[Diagnostic]) -> Point:
        """Return the same without some faults, as of what nothing asks for."""
        return replace(self, faults=tuple(fault for fault in self.faults if fault not in left_out))


def point_at(
    checked: Checked,
    params: Mapping[str, Number],
    core: CoreProgram,
    unit: InformationUnit,
    budget: Budget,
    seconds: float,
    reuse: bool,
    only: Iterable[str] | None = None,
    settling: float = math.inf,
) -> Point:
    """Return a program (``core`` is ``checked``, unrolled as far as possible) at values of its parameters, with its faults, which are looked for so many seconds.

    ``reuse``: whether its measures may be those that this process found for other texts. ``only``: names, if nothing else is asked of. ``settling``: seconds for the laws of loops, if fewer than the budget has.
    """
    try:
        values = parameter_values(checked, params)
        names = sorted(asked_names(checked.symbols) if only is None else only)
        asking = asking_at(checked, core, names, values, unit, budget, settling, only is not None)
    except Fault as fault:
        return Point(None, (fault.diagnostic,))
    core = asking.core
    found = faults_of(asking.within(seconds))
    told = ambiguous(checked.diagnostics)
    places = {fault.span for fault in told}  # the run says of each element what the text says of the array
    found = tuple(each for each in found if each.rule is not rules.SECRET_ASSIGNED_TWICE or each.span not in places)
    asking = replace(asking, ambiguous=(*told, *ambiguous(found)))
    hopeless = [fault for fault in found if is_hopeless(fault, core)]
    faults = (*hopeless, *(fault for fault in found if fault not in hopeless))
    if reuse and not any(fault.rule is rules.UNKNOWN_OBSERVATION for fault in faults):
        # Else what is computed of all observations tells whether some run passes them.
        asking = replace(asking, memory=Memory(reuse=True))
    return Point(None if hopeless else asking, tuple(dict.fromkeys((*faults, *core.left_out.values()))))


def first_share(deadline: Deadline | None) -> float:
    """Return the seconds that each thing that is asked may take at first, of what is left for all."""
    return math.inf if deadline is None else max(_FIRST * deadline.left(), _FIRST_SECONDS)


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

    def without(self, left_out: Collection[Diagnostic]) -> Questions:
        """Return the same without some faults of the program, as of what nothing asks for."""
        return replace(self, shown=self.shown.without(left_out), judged=self.judged.without(left_out))

    def with_formulas(self, answers: Sequence[Answer]) -> tuple[Answer, ...]:
        """Return answers with the formulas of their numbers, which are known; budgets over ranges have none."""
        if any(point.asking is not None and point.asking.game is not None for point in (self.shown, self.judged)):
            return tuple(answers)  # their formulas were not put off
        found: list[Answer] = []
        for number, (symbol, answer) in enumerate(zip(self.declarations, answers, strict=True)):
            again = answer
            if answer.result is not None and not _over_ranges(symbol):
                again = self.answer(number, self.share(len(answers) - number))
            found.append(answer if again.result is None else again)
        return tuple(found)

    def cheapest_first(self) -> list[int]:
        """Return the numbers of declarations by what they seem to cost: how much of the program they read says so; budgets over ranges are last."""
        costs = [
            (_over_ranges(symbol), self.size(name for _, name in names_in(symbol.node.measure)), number)
            for number, symbol in enumerate(self.declarations)
        ]
        return [number for *_, number in sorted(costs)]

    @property
    def size_of_table(self) -> float:
        """How much of the program the leakage table depends on, as :meth:`size`; infinite where there is none."""
        secrets, outputs = self.checked.symbols.secrets, self.checked.symbols.outputs
        if not secrets or not outputs:
            return math.inf
        return self.size([*(symbol.name for symbol in secrets), *(symbol.name for symbol in outputs)])

    def size(self, names: Iterable[str]) -> int:
        """Return how many statements of the unrolled program some names depend on."""
        if self.shown.asking is None:
            return 0
        core = self.shown.asking.core
        plain = dict.fromkeys(each for name in names for each in core.written(name))
        return sum(1 for _ in walk(slice_program(core, tuple(plain)).statements))

    def first_share(self) -> float:
        """Return the seconds that each thing that is asked may take at first, of what is left for all."""
        asking = self.shown.asking
        return math.inf if asking is None else first_share(asking.budget.deadline)

    def share(self, waiting: int, of_last: float = 1.0) -> float:
        """Return the seconds for the next of so many answers that wait: a part of what is left, for the last one ``of_last`` of it."""
        asking = self.shown.asking
        if asking is None or asking.budget.deadline is None:
            return math.inf
        left = asking.budget.deadline.left()
        return left * of_last if waiting == 1 else left / min(waiting, _SHARING if asking.memory.joints else _SEARCHING)

    def answer(self, number: int, seconds: float) -> Answer:
        """Answer one within so many seconds."""
        symbol = self.declarations[number]
        point = self.judged if isinstance(symbol, RequireSymbol) else self.shown
        found = self.checked.diagnostics
        wrong = next((each for each in found if each.is_error and inside(each.span, symbol.span)), None)
        if wrong is not None:
            return unanswered(self.checked, symbol, wrong)
        if point.asking is None:
            return unanswered(self.checked, symbol, point.faults[0])
        asking = point.asking if math.isinf(seconds) else point.asking.for_seconds(seconds)
        match symbol:
            case ShowSymbol():
                return show(asking, symbol)
            case RequireSymbol():
                return require(asking, symbol)
            case _:
                assert_never(symbol)


class Answering:
    """The answers to questions as they are found; of one analysis.

    Each is asked with a small share of the time; those that this was too short for are put back, and asked again once all have been asked,
    each with its share of what is left.

    Attributes:
        questions: what is asked.
        first: the seconds that each gets at first.
        found: the best answer to each, by its number.
        shares: the seconds that each had.
    """

    def __init__(self, questions: Questions) -> None:
        self.questions = questions
        self.first = questions.first_share()
        self.found: dict[int, Answer] = {}
        self.shares: dict[int, float] = {}
        faults = questions.judged.faults
        self.unknown = next((each for each in faults if each.rule is rules.UNKNOWN_OBSERVATION), None)

    def ask(self, numbers: Sequence[int], known: Callable[[], object]) -> None:
        """Answer some, none of which was asked before, in this order, each within the first share; ``known`` is called after each."""
        for number in numbers:
            waiting = len(self.questions.declarations) - len(self.found)
            self._ask(number, min(self.first, self.questions.share(waiting, OF_LAST)), known)

    def ask_again(self, known: Callable[[], object], of_last: float = 1.0) -> None:
        """Answer those again that had too little time, in the order in which they were asked, where they get more now; ``known`` is called after each.

        The last one gets the share ``of_last`` of what is left.
        """
        late = [number for number, answer in self.found.items() if is_late(answer)]
        for waiting, number in zip(range(len(late), 0, -1), late, strict=True):
            if (share := self.questions.share(waiting, of_last)) > self.shares[number]:
                self._ask(number, share, known)

    def _ask(self, number: int, share: float, known: Callable[[], object]) -> None:
        before = self.found.get(number)
        answer = self.questions.answer(number, share)
        self.shares[number] = share
        self.found[number] = answer if before is None or before.result is None or answer.result is not None else before
        if self.unknown is None:
            known()

    def so_far(self) -> tuple[Answer, ...]:
        """Return the answers that will not change but by a formula or further digits, in the order of the text."""
        if self.unknown is not None:
            return ()  # a budget that holds so far may not in the end
        in_order = (self.found[number] for number in sorted(self.found))
        return tuple(answer for answer in in_order if not is_late(answer) or _is_rough(answer))

    def whole(self) -> tuple[Answer, ...]:
        """Return all answers, each of which was asked for, in the order of the text; late ones are asked again."""
        self.ask_again(lambda: None)
        in_order = tuple(self.found[number] for number in sorted(self.found))
        if self.unknown is None:
            return in_order
        asking = self.questions.judged.asking
        some_pass = asking is not None and passes(asking)
        return tuple(
            answer if some_pass and not _over_ranges(symbol) else resting(answer, self.unknown)
            for symbol, answer in zip(self.questions.declarations, in_order, strict=True)
        )


def _over_ranges(symbol: Declaration) -> bool:
    """Tell whether a budget is for other values of the parameters, too, at which another run may be all that passes."""
    return isinstance(symbol, RequireSymbol) and bool(symbol.node.ranges)


def is_late(answer: Answer) -> bool:
    """Tell whether more time may give more: a number, a narrower one, or a verdict."""
    late = answer.diagnostic is not None and answer.diagnostic.rule is rules.TIME_LIMIT
    return (
        late
        or answer.given_up is not None
        or (answer.result is not None and answer.result.given_up is not None and answer.verdict in _OPEN)
    )


def _is_rough(answer: Answer) -> bool:
    """Tell whether a late answer has a certain number, of which more time may only give more digits."""
    found = answer.result
    certain = found is not None and found.certainty is Certainty.CERTIFIED and found.value is not None
    return certain and answer.diagnostic is None and answer.verdict is None


def inside(inner: Span, outer: Span) -> bool:
    """Tell whether a place lies in another."""
    return outer.start <= inner.start and inner.end <= outer.end


def limit_in(answer: Answer, seconds: float) -> Answer:
    """Return an answer whose finding names the limit, if it is one of the clock."""
    told = answer.diagnostic
    if told is None or told.rule is not rules.TIME_LIMIT:
        return answer
    return replace(answer, diagnostic=named_limit(told, answer.text, seconds))


def is_told(found: Diagnostic, checked: Checked) -> bool:
    """Tell whether the check says the same already: there, or of what holds the place or lies in it."""
    return any(
        found.rule is told.rule and (inside(found.span, told.span) or inside(told.span, found.span))
        for told in checked.diagnostics
    )


def by_place(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """Return answers in the order of the text."""
    return tuple(sorted(answers, key=lambda answer: answer.span))
