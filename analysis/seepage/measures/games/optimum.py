"""The number of a measure in a program in which an attacker chooses: at the best strategy, or between the least and the largest.

What is best, the measure's row says (:mod:`seepage.measures.planning.table`). The strategy that reaches it is found by backward induction where the measure is a sum
over what is seen (:mod:`~seepage.measures.games.leaves`), else by trying all. Then it is put in, and the measure of that
ordinary program is the number, with its bounds and formulas as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from math import prod

from seepage import rules
from seepage.data_classes import dataclass
from seepage.deadline import processor_seconds
from seepage.diagnostics import Fault
from seepage.exact import show_count
from seepage.measures.asking import Asking
from seepage.measures.evaluation import Evaluation
from seepage.measures.games.backward import best_decisions
from seepage.measures.games.describing import as_statements, described
from seepage.measures.games.few import LEFT_OUT, best_of_few
from seepage.measures.games.found import Found, calls, is_better
from seepage.measures.games.game import Decisions, Game, Move
from seepage.measures.games.influence import influenced, influences_observations, sources
from seepage.measures.games.leaves import OF_GROUPS, Belief, Inapplicable, OfGroups, grows_as_the_sum_falls, mean
from seepage.measures.games.reach import reach
from seepage.measures.games.scores import Score
from seepage.measures.games.strategy import Beforehand, Strategy, on_average
from seepage.measures.games.trying import MOST_STRATEGIES, strategies
from seepage.measures.joints import GHOST, assigning
from seepage.measures.notes import Note
from seepage.measures.planning.plan import Step
from seepage.measures.planning.question import Question, question_of
from seepage.measures.requirement import Comparison
from seepage.measures.result import Certainty, Result
from seepage.measures.rounding import float_above, float_below
from seepage.measures.scope import fail
from seepage.semantics.checked import Kind
from seepage.syntax.parse import parse_measure
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    MeasureCall,
    MeasureExpression,
    MeasureOptimum,
    array_of,
)

_MOST_PLAYS = 64  # strategies for which a budget over ranges is proved one by one
_MOST_AT_ONCE = 2_500  # choices of all rounds together, of which an attacker who sees nothing takes one
_FEW_STRATEGIES = 200  # that are tried where not all are
_LIMITS = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT})
_LIMIT_SECONDS = 2.0  # of a processor, for how many values there are
_UNDER_A_PRIOR = {"C": ("I", ";"), "Cmin": ("Lmin", "->")}  # what a capacity is the largest of, over all priors

Evaluate = Callable[[Asking, MeasureExpression, int, bool], Result]


def optimal(asking: Asking, measure: MeasureExpression, offset: int, formulas: bool, evaluate: Evaluate) -> Result:
    """Return the number of a measure over all strategies.

    Args:
        asking: of a game.
        measure: its spans are relative to ``offset``.
        offset: absolute place of the text that the measure's spans count from.
        formulas: whether to look for closed forms.
        evaluate: what measures ordinary programs.

    Raises:
        Fault: of the program or the measure; arithmetic that no direction is known of.
    """
    game = asking.game
    if game is None:
        raise AssertionError("a program without choices")
    work = _Search(asking, game, offset, formulas, evaluate)
    operand = measure.operand if isinstance(measure, MeasureOptimum) else measure
    work, depending = work.narrowed(operand)
    if not depending:
        return replace(work.number(operand, work.game.first(), formulas), measure=spell(measure))
    if isinstance(measure, MeasureOptimum):
        return replace(work.end(operand, measure.direction == "max"), measure=spell(measure))
    wanted = {question.wanted for question in depending}
    if isinstance(operand, MeasureCall):
        return work.both(operand) if wanted == {None} else work.end(operand, wanted == {"largest"})
    if len(depending) > 1 or wanted == {None}:
        message = "the attacker wants neither the largest nor the least of this: write 'max' or 'min' before it"
        fail(rules.NO_DIRECTION, measure.span.shift(offset), message)
    return work.with_best_of(depending[0], operand)


def best_play(asking: Asking, measure: MeasureExpression, offset: int, evaluate: Evaluate) -> Asking:
    """Return the ordinary program that a measure is derived in: that of its best strategy, as :func:`played` where it has no direction.

    Arguments as for :func:`optimal`, of any program; one without an attacker is returned as it is.
    """
    if asking.game is None:
        return asking
    work = _Search(asking, asking.game, offset, False, evaluate)
    operand = measure.operand if isinstance(measure, MeasureOptimum) else measure
    work, depending = work.narrowed(operand)
    if not depending:
        return work.asking.under(work.game.first())
    if isinstance(measure, MeasureOptimum):
        return work.asking.under(work.best(operand, measure.direction == "max").decisions)
    if len(depending) > 1 or depending[0].wanted is None:
        return played(asking, evaluate)[0]
    return work.asking.under(work.best(depending[0].call, depending[0].wanted == "largest").decisions)


def played(asking: Asking, evaluate: Evaluate) -> tuple[Asking, str]:
    """Return the ordinary program that tables, posteriors and hovers tell of, and what is to be said of them; itself where no attacker chooses.

    It is that of the best strategy for all that the outputs tell of the secrets, or where nobody knows that, of the first strategy.
    """
    game = asking.game
    if game is None:
        return asking, ""
    secrets = ", ".join(one.name for one in asking.checked.symbols.secrets)
    outputs = ", ".join(one.name for one in asking.checked.symbols.outputs)
    first = "tables and posteriors are those of an attacker who always chooses the first value"
    if not secrets or not outputs:
        return asking.under(game.first()), first
    text = f"I({secrets}; {outputs})"
    measure, found = parse_measure(text, asking.checked.context)
    if measure is None or found:
        return asking.under(game.first()), first
    work, depending = _Search(asking, game, 0, False, evaluate).narrowed(measure)
    if not depending:
        return work.asking.under(work.game.first()), first
    try:
        best = work.best(depending[0].call, True)
    except Fault as fault:
        return asking.under(game.first()).following(None, game), f"{first}: {fault.diagnostic.message}"
    which = "best strategy that was found" if best.only_bounds else "best strategy"
    strategy = replace(work.strategy(measure, best), measure=text)
    told = f"tables and posteriors are those of the {which} for {text}: {strategy.short()}"
    return work.asking.under(best.decisions).following(strategy, game if best.only_bounds else None), told


def every_play(
    asking: Asking, measure: MeasureExpression, offset: int, comparison: Comparison, evaluate: Evaluate
) -> tuple[Asking, ...]:
    """Return the ordinary programs of all strategies, where a budget is met exactly if it is met in each of them; none where that is not so, or they are many: so are upper budgets for what an attacker wants large, lower ones for what he wants small, and both for what has no direction."""
    if asking.game is None:
        return (asking,)
    work, depending = _Search(asking, asking.game, offset, False, evaluate).narrowed(measure)
    if not depending:
        return (work.asking.under(work.game.first()),)
    against = {"<=": "least", "<": "least", ">=": "largest", ">": "largest"}.get(comparison)
    if not isinstance(measure, MeasureCall) or depending[0].wanted in ((against,) if against else ("largest", "least")):
        return ()
    try:
        count, every = strategies(work.game, work.asking.parameters, work.asking.budget)
    except Inapplicable:
        return ()
    return tuple(map(work.asking.under, every)) if count <= _MOST_PLAYS else ()


@dataclass(frozen=True, slots=True)
class _Search:
    asking: Asking
    game: Game
    offset: int
    formulas: bool
    evaluate: Evaluate

    def question(self, call: MeasureCall) -> Question | None:
        """Resolve a call in the program in which choices are random."""
        return question_of(self._of_choices(call), call)

    def _of_choices(self, measure: MeasureExpression) -> Evaluation:
        """Return what measures the program in which choices are random."""
        asking = self.asking.random()
        return Evaluation(asking.inquiry(measure.span.shift(self.offset), self.offset), asking.unit, False, {})

    def _choices(self, question: Question) -> set[str]:
        """Return the choices that a question depends on."""
        moves = self.game.moves
        found = sources(question.core, question.names if question.other is None else question.x, moves)
        if question.other is not None:
            found |= sources(question.other, question.y, moves)
        return found & self.game.names

    def narrowed(self, measure: MeasureExpression) -> tuple[_Search, list[Question]]:
        """Return the same of those choices alone that a measure depends on, or what these have seen, and the different calls in it that depend on any.

        The others are their first values. Where these may let no run pass an observation or an event, they are drawn: a run passes that passes under some strategy.
        """
        questions = [each for call in dict.fromkeys(calls(measure)) if (each := self.question(call)) is not None]
        depending = [question for question in questions if self._choices(question)]
        found = {name for question in depending for name in self._choices(question)}
        while True:
            seen = tuple(name for move in self.game.moves if found.intersection(move.names) for name in move.seen)
            more = self.game.names.intersection(sources(self.game.core, tuple(dict.fromkeys(seen)), self.game.moves))
            if more <= found:
                break
            found |= more
        rest = self.game.names - found
        if not rest:
            return self, depending
        cores = (core for each in questions for core in (each.core, each.other) if core is not None)
        drawn = any(influences_observations(core, rest) for core in (self.game.core, *cores))
        game = self.game.narrowed(found, drawn)
        return replace(self, asking=replace(self.asking, game=game), game=game), depending

    def number(self, measure: MeasureExpression, decisions: Decisions, formulas: bool) -> Result:
        """Return the number of a measure under a strategy."""
        return self.evaluate(self.asking.under(decisions), measure, self.offset, formulas)

    def both(self, measure: MeasureCall) -> Result:
        """Return the least and the largest number of a measure without direction; the one number where both are the same exactly."""
        least, largest = self.end(measure, False), self.end(measure, True)
        remarks = tuple(dict.fromkeys((*least.remarks, *largest.remarks)))
        is_exact = least.certainty is largest.certainty is Certainty.EXACT
        if is_exact and (least.exact, least.closed) == (largest.exact, largest.closed) and least.upper >= largest.lower:
            # Every strategy has this number, as far as rounding tells.
            return replace(largest, strategy=None, lower=least.lower, remarks=remarks)
        minimum = replace(least, measure=f"min {least.measure}")
        maximum = replace(largest, measure=f"max {largest.measure}")
        order = list(Certainty)
        return replace(
            largest,
            value=None,
            exact=None,
            closed=None,
            beyond=None,
            formula=None,
            witness="",
            companions=(),
            strategy=None,
            lower=least.lower,
            upper=largest.upper,
            certainty=max(least.certainty, largest.certainty, key=order.index),
            remarks=remarks,
            minimum=minimum,
            maximum=maximum,
        )

    def end(self, measure: MeasureExpression, largest: bool) -> Result:
        """Return the largest or least number of a measure, with the strategy that reaches it."""
        started = processor_seconds()
        found = self.best(measure, largest)
        result = found.result
        if result is None:
            result = self.number(measure, found.decisions, self.formulas)
        beforehand = self._beforehand(measure, largest) if found.engine == "induction" else None
        return self._told(result, measure, found, started, beforehand)

    def _beforehand(self, measure: MeasureExpression, largest: bool) -> Beforehand | None:
        """Return the best that an attacker comes to who chooses all at once; None where that is nothing else, or takes long."""
        moves = self.game.moves
        if len(moves) == 1 or prod(move.count for move in moves) > _MOST_AT_ONCE:
            return None
        once = Move(tuple(one for move in moves for one in move.choices), moves[0].start, moves[0].seen)
        game = replace(self.game, moves=(once,))
        work = replace(self, asking=replace(self.asking.within(), game=game), game=game)
        try:
            found = work.best(measure, largest)
            result = work.number(measure, found.decisions, False)
        except Fault:
            return None
        if len(found.decisions[0]) != 1 or result.value is None:
            return None
        (chosen,) = found.decisions[0].values()
        ends = [seen for _, seen in work.strategy(measure, found).lines() if seen.then is None]
        return Beforehand(tuple(zip(once.names, chosen, strict=True)), result.value, result.unit, on_average(ends))

    def with_best_of(self, question: Question, measure: MeasureExpression) -> Result:
        """Return the number of arithmetic of which one part depends on a choice, at the strategy that is best for that."""
        started = processor_seconds()
        found = self.best(question.call, question.wanted == "largest")
        return self._told(self.number(measure, found.decisions, self.formulas), measure, found, started)

    def _told(
        self,
        result: Result,
        measure: MeasureExpression,
        found: Found,
        started: float,
        beforehand: Beforehand | None = None,
    ) -> Result:
        seconds = processor_seconds() - started
        step = Step(spell(measure), found.how, "answered", found.how, seconds, result.plan)
        holds_everywhere = not self.game.core.parameters
        return replace(
            result,
            measure=spell(measure),
            strategy=replace(self.strategy(measure, found), beforehand=beforehand),
            engine=found.engine,
            formula=result.formula if holds_everywhere else None,
            plan=(step,),
            seconds=seconds,
        )

    def strategy(self, measure: MeasureExpression, found: Found) -> Strategy:
        """Return a strategy as people read it."""
        asking = self.asking.under(found.decisions)
        called = list(calls(measure))
        question = self.question(called[0]) if len(called) == 1 else None
        has_secret = question is not None and question.measure.shape not in ("value", "law against law")
        secret = question.x if question is not None and has_secret else asking.declared_secrets()
        booleans = {name for name, kind in asking.checked.kinds.items() if kind is Kind.BOOLEAN}
        core, outputs = asking.core, asking.declared_outputs()
        if question is not None and has_secret and question.y:
            outputs = question.y
        limits = (asking.parameters, asking.budget)
        start = described(self.game, core, found.decisions, secret, outputs, booleans, *limits)
        told = ", ".join(dict.fromkeys(map(array_of, secret)))
        statements = as_statements(self.game, found.decisions)
        return Strategy(start, found.how, found.is_decided, found.only_bounds, secret=told, statements=statements)

    # --- finding ------------------------------------------------------------------------------------------------------

    def best(self, measure: MeasureExpression, largest: bool) -> Found:
        """Return the best strategy for an end of a measure, or the best one of few where the search for it reaches a limit."""
        question = self.question(measure) if isinstance(measure, MeasureCall) else None
        try:
            if question is not None:
                return self._by_induction(question, largest)
        except Inapplicable:
            pass
        except Fault as fault:
            if fault.diagnostic.rule not in _LIMITS:
                raise
            if self.game.is_adaptive:  # to list strategies takes the same laws
                return self._between(measure, largest, (), _ended(fault), searched=True)
        return self._by_trying(measure, largest)

    def _by_induction(self, question: Question, largest: bool) -> Found:
        """Find the best strategy backward.

        Raises:
            Inapplicable: where the measure is no sum over what is seen.
        """
        name, game = question.measure.name, self.game
        if question.call.named or question.call.gain is not None or question.call.relation is not None:
            raise Inapplicable("the measure has further arguments")
        if influences_observations(question.core, game.names):
            raise Inapplicable("an observation depends on a choice")
        if question.measure.functional in ("chance", "mean"):
            core = assigning(question.core, question.evaluation.scope, question.call.left[0])
            asked: tuple[str, ...] = (GHOST,)
            leaf: Callable[[Belief], Score] = mean
        elif name in OF_GROUPS:
            told = (*question.y, *question.given)
            if not set(game.seen) <= set(told):
                raise Inapplicable("the measure does not name all that the choices saw")
            of_one_try = question.measure.is_leakage and not question.measure.chooses_gain
            fixed = (
                (*question.x, *question.given) if question.measure.is_information else question.x if of_one_try else ()
            )
            if influenced(question.core, game.names).intersection(fixed):
                raise Inapplicable("the secret depends on a choice")
            core = question.core
            last = [each for each in told if each not in game.seen]  # the rest is known where the last choice is made
            asked = tuple(dict.fromkeys((*question.x, *last)))
            leaf = OfGroups(OF_GROUPS[name], tuple(asked.index(each) for each in last))
        else:
            raise Inapplicable("the measure is no sum over what is seen")
        limits = (self.asking.parameters, self.asking.within().budget)
        decisions, is_decided = best_decisions(
            replace(game, core=core), asked, leaf, largest != grows_as_the_sum_falls(question.measure), *limits
        )
        return Found(decisions, "induction", "backward induction", is_decided)

    def _by_trying(self, measure: MeasureExpression, largest: bool) -> Found:
        """Find the best strategy among all."""
        try:
            count, every = strategies(self.game, self.asking.parameters, self.asking.within().budget)
        except Inapplicable as why:
            return self._between(measure, largest, (), str(why))
        except Fault as fault:
            if fault.diagnostic.rule not in _LIMITS:
                raise
            return self._between(measure, largest, (), _ended(fault), searched=True)
        if count > MOST_STRATEGIES:
            many = f"there are {show_count(count)}, more than the {MOST_STRATEGIES:,} that are tried"
            return self._between(measure, largest, (), many)
        best: tuple[Result, Decisions] | None = None
        outside: Fault | None = None
        is_decided = True
        reach: list[float] = []
        limited = self.asking.within()
        limit = self._limit(measure, largest)
        likely = self._likely(measure) if count > _FEW_STRATEGIES else []
        for tried, decisions in enumerate(chain(likely, every)):
            if best is not None and limited.budget.expired():
                told = f"there are {show_count(count)}, of which {show_count(tried)} were tried within the time"
                return self._between(measure, largest, (best[1],), told)
            try:
                result = self.number(measure, decisions, False)
            except Fault as fault:
                if fault.diagnostic.rule not in LEFT_OUT:
                    raise
                outside = fault
                continue
            reach.append(result.upper if largest else result.lower)
            if best is None:
                best = result, decisions
            else:
                better = is_better(result, best[0], largest)
                is_decided &= better is not None
                if better:
                    best = result, decisions
            if best[0].lower >= limit if largest else best[0].upper <= limit:
                return Found(best[1], "strategies", "no strategy can do better", True, best[0])
        if best is None:
            raise outside if outside is not None else AssertionError("no strategy")
        return self._certain(best, count, reach, largest, is_decided)

    def _between(
        self, measure: MeasureExpression, largest: bool, known: Sequence[Decisions], why: str, searched: bool = False
    ) -> Found:
        """Return the best of few strategies, whose number reaches to what an attacker who is told more may come to, and to no more than what values there are allow."""
        told = None if searched else self._told_more(measure, largest)
        ends, tried = ([told[0]], told[1]) if told is not None else ([], self._likely(measure))
        ends.append(self._limit(measure, largest))
        limit = min(ends) if largest else max(ends)
        over = self.asking.within().budget.expired

        def number(decisions: Decisions) -> Result:
            return self.number(measure, decisions, False)

        result, decisions = best_of_few(self.game, (*known, *tried), number, over, largest)
        note = (
            f"only bounds over strategies: {why}; the best that was found bounds the number on one side, "
            "an attacker who is told more, or the number of values, on the other"
        )
        lower, upper = (result.lower, max(limit, result.upper)) if largest else (min(limit, result.lower), result.upper)
        remarks = (*result.remarks, Note(note))
        certainty = max(result.certainty, Certainty.CERTIFIED, key=list(Certainty).index)
        result = replace(
            result,
            value=None,
            lower=lower,
            upper=upper,
            certainty=certainty,
            exact=None,
            closed=None,
            beyond=None,
            remarks=remarks,
        )
        return Found(decisions, "strategies", f"the best of few strategies: {why}", False, result, note)

    def _limit(self, measure: MeasureExpression, largest: bool) -> float:
        """Return what a measure is at most, or at least, under every strategy."""
        work = replace(self, asking=self.asking.within(_LIMIT_SECONDS))
        bounds = reach(work._of_choices(measure), measure)
        return float_above(bounds.upper) if largest else float_below(bounds.lower)

    def _likely(self, measure: MeasureExpression) -> list[Decisions]:
        """Return strategies that are worth a trial first: for a capacity the best one under the program's own prior."""
        question = self.question(measure) if isinstance(measure, MeasureCall) else None
        instead = None if question is None else _UNDER_A_PRIOR.get(question.measure.name)
        if question is None or instead is None:
            return []
        text = f"{instead[0]}({', '.join(question.x)} {instead[1]} {', '.join(question.y)})"
        under, found = parse_measure(text, self.asking.checked.context)
        asked = self.question(under) if isinstance(under, MeasureCall) and not found else None
        try:
            return [] if asked is None else [self._by_induction(asked, True).decisions]
        except (Inapplicable, Fault):
            return []

    def _told_more(self, measure: MeasureExpression, largest: bool) -> tuple[float, list[Decisions]] | None:
        """Return what an attacker comes to who keeps all that the choices saw, and how; None where that is not known."""
        question = self.question(measure) if isinstance(measure, MeasureCall) else None
        if question is None or question.wanted != ("largest" if largest else "least"):
            return None
        missing = tuple(name for name in self.game.seen if name not in (*question.y, *question.given))
        more = question.narrowed(question.x, (*question.y, *missing), question.given)
        try:
            found = self._by_induction(more, largest)
        except (Inapplicable, Fault):
            return None
        result = self.number(more.call, found.decisions, False)
        return (result.upper if largest else result.lower), [found.decisions]

    def _certain(
        self, best: tuple[Result, Decisions], count: int, reach: list[float], largest: bool, is_decided: bool
    ) -> Found:
        """Return the best strategy that was found; its number reaches to where another may."""
        result, decisions = best
        far = max(reach) if largest else min(reach)
        if largest and far > result.upper:
            result = replace(result, upper=far, exact=None, closed=None, beyond=None)
        elif not largest and far < result.lower:
            result = replace(result, lower=far, exact=None, closed=None, beyond=None)
        how = f"all {count:,} strategies tried" if count > 1 else "the only strategy"
        return Found(decisions, "strategies", how, is_decided, result)


def _ended(fault: Fault) -> str:
    return f"the search came to an end: {fault.diagnostic.message}"
