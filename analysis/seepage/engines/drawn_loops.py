"""Loops of unknown length and local draws as draws of their laws, one statement at a time.

The states in which a statement is met are found by a run of what comes before it. In each its law is worked out, with the parameters as symbols
where they are in probabilities only and none of these can vanish in the domains, else at their values; then a branch lets the program go on
for those values alone. What is written is drawn variable by variable, each given those before it. Runs that never end, or meet an
observation in a loop that fails, are left out by an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from flint import fmpq

from seepage import rules
from seepage.algebra import NoAlgebra, Quotient
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.bounded_rounds import in_rounds
from seepage.engines.cut_draws import cut_draws
from seepage.engines.forward.chain import Ends
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability
from seepage.engines.forward.drift import drift_of
from seepage.engines.forward.following import follow
from seepage.engines.forward.liveness import Step, plan
from seepage.engines.forward.loops import Key, Loops, TooManyStates, never_passes
from seepage.engines.forward.never import ranges_after
from seepage.engines.forward.quotients import Domains, Quotients, with_letters
from seepage.engines.forward.run import Machine, run
from seepage.engines.laws_as_draws import Law, Scope, Writing, decided
from seepage.engines.local_draws import bounded, has_infinite
from seepage.engines.outcome import Budget, DiscreteJoint, MixtureJoint
from seepage.engines.select import faults_of_observations, samples_continuous, solve, solve_masses
from seepage.engines.tallies import LETTER, AsStates, counters_of, restarted, tallied
from seepage.exact import ArithmeticFault, Number, to_fraction
from seepage.laws.forms import Beyond
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.copies import can_be_copied, copied
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.semantics.ranges import ANY
from seepage.semantics.slice import slice_program, sunk_slice
from seepage.semantics.statements import may_write, names_read, read_before, walk, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Statements = tuple[CoreStatement, ...]
_T = TypeVar("_T")
_MOST_COPIES = 32  # of what the observations of one local draw read


class NotClosed(Fault):
    """The law of a loop or local draw is no formula."""


def is_endless(fault: Fault) -> bool:
    """Tell whether all that is wrong is a loop with too many states, or too large numbers, to which hardly a run may get."""
    return isinstance(fault, NotClosed | TooManyStates) or fault.diagnostic.rule is rules.NUMBER_TOO_LARGE


@dataclass(slots=True)
class Settling:
    """The settling of one program.

    Attributes:
        core: the program.
        parameters: values of those that have one.
        domains: of the parameters.
        budget: on each law.
        hopeless: what was said of a loop that goes through too many states.
        followed: whether loops without a law that is known are followed round by round.
        writing: of what stands for the statements.
        entered: the headers of loops whose ``never`` some run may enter.
        rests_on: parameters at whose present values alone the program goes on.
        proved: chances of laws that hold at all values of the parameters.
        balance: what other arms need for the local draws in this one.
    """

    core: CoreProgram
    parameters: Mapping[str, Number]
    domains: Domains
    budget: Budget
    hopeless: TooManyStates | None = None
    followed: bool = False
    writing: Writing = field(default_factory=Writing)
    entered: set[Span] = field(default_factory=set)
    rests_on: dict[str, None] = field(default_factory=dict)
    proved: set[Expression] = field(default_factory=set)
    balance: list[CoreStatement] = field(default_factory=list)

    def block(self, statements: Sequence[CoreStatement], before: Statements, after: set[str]) -> Statements:
        """Settle statements in a row; ``before`` leads to them, ``after`` is read later."""
        result: list[CoreStatement] = []
        for place, statement in enumerate(statements):
            here = (*before, *result)
            later = read_before(statements[place + 1 :], after)
            if not any(isinstance(each, CoreWhile | CoreLocal) for each in walk((statement,))):
                result.append(statement)
            elif isinstance(statement, CoreIf):
                result.append(self._branch(statement, here, later))
            elif isinstance(statement, CoreWhile | CoreLocal):
                result += self._settle(statement, here, later)
        return tuple(result)

    def _branch(self, statement: CoreIf, before: Statements, after: set[str]) -> CoreIf:
        condition = statement.condition
        otherwise = tree.Unary("not", condition, condition.span)
        outer, self.writing.in_branch = self.writing.in_branch, True
        balance, arms, owed = self.balance, list[Statements](), list[list[CoreStatement]]()
        for arm, holds in ((statement.consequent, condition), (statement.alternative, otherwise)):
            self.balance = []
            arms.append(self.block(arm, (*before, CoreObserve(holds, statement.span)), after))
            owed.append(self.balance)
        self.writing.in_branch, self.balance = outer, [*balance, *owed[0], *owed[1]]
        return replace(statement, consequent=(*owed[1], *arms[0]), alternative=(*owed[0], *arms[1]))

    def _settle(self, statement: CoreWhile | CoreLocal, before: Statements, after: set[str]) -> Statements:
        """Return what stands for a loop or local draw; nothing where no run gets to it, whatever is wrong with it."""
        try:
            return (
                self._local(statement, before, after)
                if isinstance(statement, CoreLocal)
                else self._loop(statement, before, after)
            )
        except Fault:
            if not any(isinstance(each, CoreObserve) for each in walk(before)):
                raise
            found = faults_of_observations(self._up_to(before), self.parameters, self.budget)
            if any(each.rule is rules.IMPOSSIBLE_OBSERVATION for each in found):
                return ()
            raise

    def _loop(self, statement: CoreWhile, before: Statements, after: set[str]) -> Statements:
        if samples_continuous((statement,)):
            message = "continuous variables in loops of unknown length are not supported yet"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, statement.span, message))
        if (rounds := self._in_rounds(statement, before, after)) is not None:
            return rounds
        try:
            return self._solved(statement, before, after)
        except Fault as fault:
            if not self.followed or not is_endless(fault):
                raise
        return self._follow(statement, before, after)

    def _solved(self, loop: CoreWhile, before: Statements, after: set[str]) -> Statements:
        """Return draws of the law of a loop that elimination of its states finds."""
        if counters := counters_of(loop):
            try:
                return self._drawn(restarted(loop, counters), before, after, counters)
            except AsStates:
                return self._drawn(loop, before, after, ())
        return self._drawn(loop, before, after, ())

    def _follow(self, loop: CoreWhile, before: Statements, after: set[str]) -> Statements:
        """Return draws of the law of a loop as far as it can be followed round by round."""
        single = replace(self.core, statements=(loop,))
        step = plan(single, self.core.expanded(after)).steps[0]
        written = may_write(self.core, before)
        read = [name for name in step.reads if name in written]
        prefix = self._up_to(before)
        depends = self._parameters_of(loop, prefix, read)
        keys = self._keys(step, read, self._entries(prefix, read, loop.span))
        found = [(key, follow(step, key, single, self.parameters, self.budget)) for key in keys]
        self.entered.add(loop.span)  # perhaps: by runs that are left
        left = max((law.left for _, law in found), default=Fraction(0))
        laws = [(key, Ends(_scaled(law.exits, 1 - law.left), Fraction(0))) for key, law in found]
        scope = Scope(loop.span, step.reads, step.writes)
        beyond = (left, *self._moments(loop, step, keys, left)) if left else ()
        drawn = self.writing.drawn(scope, laws, _fraction, beyond)
        return self._at_values(depends, drawn, loop.span) if depends else drawn

    def _moments(self, loop: CoreWhile, step: Step, keys: Sequence[Key], left: Fraction) -> Sequence[Fraction]:
        """Return bounds of the moments of what a loop leaves behind, over runs of a weight; none where it is not proved to drift to its end."""
        drift = drift_of(loop, step.reads, self.core, self.parameters)
        if drift is None:
            return ()
        bounds = [drift.moments(dict(zip(step.reads, key, strict=True)), left) for key in keys]
        return [max(each) for each in zip(*bounds, strict=True)]

    # --- local draws --------------------------------------------------------------------------------------------------

    def _local(self, draw: CoreLocal, before: Statements, after: set[str]) -> Statements:
        """Return draws of a law that is finite, else the statements with copies of them that balance what their observations take away."""
        if not samples_continuous((draw,)):
            spans = dict.fromkeys((*self.core.variables, *self.core.parameters), ANY)
            finite = bounded(draw, spans, self.core, {})
            if has_infinite(finite):
                finite = self._bounded_here(draw, before)
            if not has_infinite(finite):
                return self._drawn(finite, before, after, ())
        return self._balanced(draw, before)

    def _bounded_here(self, draw: CoreLocal, before: Statements) -> CoreLocal:
        """Return a local draw cut to what may pass at the values of parameters, and of variables, that lead to it."""
        spans = ranges_after(replace(self.core, statements=before), self.parameters)
        return draw if spans is None else bounded(draw, spans, self.core, self.parameters)

    def _balanced(self, draw: CoreLocal, before: Statements) -> Statements:
        if any(isinstance(each, CoreWhile) for each in walk(draw.body)):
            message = "a loop of unknown length in a local draw from continuous or infinite laws is not supported yet"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, draw.span, message))
        body = self.block(draw.body, before, set(written_variables(draw.body)))
        observed = slice_program(replace(self.core, statements=body), (), observations=True).statements
        written = may_write(self.core, before)
        read = sorted(self.core.expanded(read_before(observed, ())) & written)
        prefix = self._up_to(before)
        entries = self._entries(prefix, read, draw.span) if read else [()]
        if not can_be_copied(observed) and (len(entries) > 1 or self.writing.in_branch):
            message = "elements that are picked at random, in a local draw from continuous or infinite laws, are not supported yet"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, draw.span, message))
        if len(entries) > _MOST_COPIES:
            message = f"the draw passes with other chances in each of {len(entries):,} states, at most {_MOST_COPIES} are balanced"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, draw.span, message))
        copies = [self._copy(draw, observed, dict(zip(read, entry, strict=True))) for entry in entries]
        self.balance += [each for copy in copies for each in copy]
        rows = [
            (entry, tuple(each for other, copy in enumerate(copies) if other != place for each in copy))
            for place, entry in enumerate(entries)
        ]
        return (*decided(read, rows, lambda others: others, draw.span), *body)

    def _copy(self, draw: CoreLocal, observed: Statements, state: Mapping[str, Number]) -> Statements:
        """Return statements that pass with the chance that the draw passes in a state.

        Raises:
            Fault: if that is 0.
        """
        self.writing.count += 1
        suffix = f"@other{self.writing.count}"
        names = {*state, *names_read(observed), *written_variables(observed)} - set(self.core.parameters)
        begun = tuple(
            CoreAssign(tree.Name(f"{name}{suffix}", draw.span), expression_of(value), draw.span)
            for name, value in state.items()
        )
        made = (*begun, *copied(observed, names, suffix))
        alone = replace(self.core, statements=made, variables=written_variables(made))
        found = faults_of_observations(alone, self.parameters, self.budget)
        if any(each.rule is rules.IMPOSSIBLE_OBSERVATION for each in found):
            raise Fault(never_passes(draw, state))
        return made

    # --- loops --------------------------------------------------------------------------------------------------------

    def _in_rounds(self, loop: CoreWhile, before: Statements, after: set[str]) -> Statements | None:
        """Return a loop over the digits of a wide value as branches, which may hold loops that are settled in turn."""
        prefix = self._up_to(before)
        rounds = in_rounds(loop, prefix, self.parameters, self.budget)
        if rounds is None:
            return None
        settled_rounds = self.block(rounds, before, after)
        depends = self._parameters_of(loop, prefix, tuple(self.core.expanded(names_read((loop,)))))
        return self._at_values(depends, settled_rounds, loop.span) if depends else settled_rounds

    def _drawn(
        self, statement: CoreWhile | CoreLocal, before: Statements, after: set[str], counters: Sequence[str]
    ) -> Statements:
        single = replace(self.core, statements=(statement,))
        step = plan(single, self.core.expanded(after)).steps[0]
        if self.hopeless is not None and self.hopeless.is_of(step):
            raise self.hopeless
        written = may_write(self.core, before)
        read = [name for name in step.reads if name in written and name not in counters]
        prefix = self._up_to(before)
        depends = self._parameters_of(statement, prefix, read)
        letters = (LETTER,) if any(name in step.writes for name in counters) else ()
        if depends:
            names = (*self.core.parameters, *letters)
            try:
                symbolic = with_letters(
                    names, self.domains, lambda ring: self._symbolic(step, single, prefix, read, counters, ring)
                )
                # The chances in the loop are proved to be such, and those of a chain that they make are, too.
                self.proved.update(_chances(symbolic))
                return symbolic
            except (NoAlgebra, ValueError):
                pass
        keys = self._keys(step, read, self._entries(prefix, read, statement.span))
        drawn = self._at_these(step, single, keys, counters, letters)
        return self._at_values(depends, drawn, statement.span) if depends else drawn

    def _at_these(
        self, step: Step, single: CoreProgram, keys: Sequence[Key], counters: Sequence[str], letters: Sequence[str]
    ) -> Statements:
        """Return draws whose weights are numbers: rational ones, or functions of roots, exponentials and logarithms of such."""
        try:
            loops = Machine(single, self.parameters, RATIONALS, self.budget).loops
            if not letters:
                return self._written(step, [(key, loops.law(step, key)) for key in keys], loops, _number)
            ring = Quotients(letters, {})
            return self._counted(step, keys, loops, counters, ring, partial(_lifted, ring), _unchecked)
        except IrrationalProbability:
            pass
        try:
            return with_letters(
                letters, {}, lambda ring: self._in_field(step, single, keys, counters, self.parameters, ring)
            )
        except (NoAlgebra, ArithmeticFault) as fault:
            what = "draw" if isinstance(step.statement, CoreLocal) else "loop"
            message = f"the law of the {what} is not known in closed form: {fault}"
            raise NotClosed(Diagnostic(rules.NOT_SUPPORTED, step.statement.span, message)) from fault

    def _written(
        self, step: Step, laws: Sequence[Law], loops: Loops[Any], written: Callable[[Any], Expression]
    ) -> Statements:
        self.entered |= loops.entered
        return self.writing.drawn(Scope(step.statement.span, step.reads, step.writes), laws, written)

    def _counted(
        self,
        step: Step,
        keys: Sequence[Key],
        loops: Loops[Any],
        counters: Sequence[str],
        ring: Quotients,
        lifted: Callable[[Any], Quotient],
        checked: Callable[[Quotient], object],
    ) -> Statements:
        """Return draws of what a loop with counters writes, and of what it counts."""
        kept = [name for name in counters if name in step.writes]
        tally = tallied(step, keys, loops, kept, ring, lifted, checked)
        self.entered |= loops.entered
        places = [place for place, name in enumerate(step.reads) if name not in counters]

        def read(key: Key) -> Key:
            return tuple(key[place] for place in places)

        scope = Scope(
            step.statement.span,
            [step.reads[place] for place in places],
            [name for name in step.writes if name not in kept],
            {(read(key), written): count for (key, written), count in tally.counts.items()},
            tally.units,
        )
        return self.writing.drawn(scope, [(read(key), ends) for key, ends in tally.laws], ring.written)

    def _parameters_of(self, statement: CoreStatement, prefix: CoreProgram, read: Sequence[str]) -> list[str]:
        """Return the parameters that the law of a statement, or the states in which it is met, may depend on."""
        names = set(names_read((statement,)))
        if prefix.statements:
            names |= set(names_read(slice_program(prefix, tuple(read)).statements))
        return [name for name in self.core.parameters if name in names]

    def _up_to(self, before: Statements) -> CoreProgram:
        """Return what stands before a statement: a secret has the value there that it has there, whichever measures mean."""
        return replace(self.core, statements=before, variables=written_variables(before), aliases={})

    # --- the states in which a statement is met -----------------------------------------------------------------------

    def _entries(self, prefix: CoreProgram, read: Sequence[str], span: Span) -> list[Key]:
        if not prefix.statements:
            return [()]
        joint = _unless_impossible(lambda: self._led(prefix, tuple(read), span))
        if joint is None:
            return []
        if joint.cut is not None:
            endless = "infinitely many states lead to a loop of unknown length or a local draw here"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, endless))
        return list(joint.masses)

    def _led(self, prefix: CoreProgram, read: tuple[str, ...], span: Span) -> DiscreteJoint[Any]:
        """Return the law of what is read behind some statements, also where it is held against continuous values."""
        sliced = slice_program(prefix, read)
        cells = cut_draws(sliced, self.parameters, (), read)
        led = sliced if cells is None else cells.core
        if samples_continuous(led.statements):
            with suppress(Beyond):  # chances may be drawn
                return solve_masses(led, read, self.parameters, self.budget)
        joint = solve(led, read, self.parameters, self.budget)
        if isinstance(joint, MixtureJoint):
            message = "a continuous variable is read in a loop of unknown length or a local draw: one of "
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, message + ", ".join(read)))
        return joint

    def _keys(self, step: Step, read: Sequence[str], entries: Sequence[Key]) -> list[Key]:
        """Return the values of what a statement reads, 0 of what nothing before it writes."""
        each = (dict(zip(read, entry, strict=True)) for entry in entries)
        return [tuple(values.get(name, 0) for name in step.reads) for values in each]

    # --- with parameters ----------------------------------------------------------------------------------------------

    def _symbolic(
        self,
        step: Step,
        single: CoreProgram,
        prefix: CoreProgram,
        read: Sequence[str],
        counters: Sequence[str],
        ring: Quotients,
    ) -> Statements:
        """Return draws whose weights are formulas.

        Raises:
            NoAlgebra: if the parameters do not allow it.
            ValueError: likewise.
        """
        entries: list[Key] = [()]
        if read:
            sliced = sunk_slice(prefix, tuple(read))
            joint = _unless_impossible(lambda: run(sliced, tuple(read), {}, ring, self.budget))
            entries = [] if joint is None else list(joint.masses)
        return self._in_field(step, single, self._keys(step, read, entries), counters, {}, ring)

    def _in_field(
        self,
        step: Step,
        single: CoreProgram,
        keys: Sequence[Key],
        counters: Sequence[str],
        values: Mapping[str, Number],
        ring: Quotients,
    ) -> Statements:
        """Return draws whose weights are quotients, none of which vanishes where it is not 0.

        Raises:
            NoAlgebra: if that is not known.
        """
        machine: Machine[Quotient] = Machine(single, values, ring, self.budget)
        loops = machine.loops
        if LETTER in ring.parameters:
            return self._counted(step, keys, loops, counters, ring, lambda weight: weight, ring.need)
        laws = [(key, loops.law(step, key)) for key in keys]
        for weight in loops.passing:
            ring.need(weight)
        for rows in loops.rows.values():
            for row in rows.values():
                for weight in (*row.steps.values(), *row.exits.values()):
                    ring.need(weight)
        for _, ends in laws if isinstance(step.statement, CoreWhile) else ():
            for weight in (*ends.exits.values(), ends.never):
                if not weight.is_zero:
                    ring.need(weight)
        return self._written(step, laws, loops, ring.written)

    def _at_values(self, names: Sequence[str], drawn: Statements, span: Span) -> Statements:
        """Return statements that go on at the present values of parameters only."""
        self.rests_on.update(dict.fromkeys(names))
        for name in names:
            value = to_fraction(self.parameters[name]) if name in self.parameters else None
            if value is None:
                message = f"a loop of unknown length or a local draw needs a rational value of the parameter '{name}'"
                raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, message))
            is_it = tree.Binary("==", tree.Name(name, span), tree.Number(value, span), span)
            drawn = (CoreIf(is_it, drawn, (CoreObserve(tree.Number(Fraction(0), span), span),), span),)
        return drawn


def _chances(statements: Statements) -> Iterator[Expression]:
    for each in walk(statements):
        if isinstance(each, CoreSample) and isinstance(each.distribution, tree.Table):
            yield from (chance for _, chance in each.distribution.entries)


def _lifted(ring: Quotients, weight: fmpq) -> Quotient:
    return ring.rational(int(weight.p), int(weight.q))


def _unchecked(weight: Quotient) -> None:
    """Take any weight: without parameters none can vanish somewhere."""


def _number(weight: fmpq) -> Expression:
    return _fraction(Fraction(int(weight.p), int(weight.q)))


def _fraction(weight: Fraction) -> Expression:
    return tree.Number(weight, Span(0, 0))


def _scaled(chances: Mapping[Key, Fraction], whole: Fraction) -> Mapping[Key, Fraction]:
    """Return chances as parts of what they are in."""
    return {written: chance / whole for written, chance in chances.items()}


def _unless_impossible(law: Callable[[], _T]) -> _T | None:
    """Return the law of what leads to a place, None where no run gets there.

    Raises:
        Fault: any but that.
    """
    try:
        return law()
    except Fault as fault:
        if fault.diagnostic.rule is rules.IMPOSSIBLE_OBSERVATION:
            return None
        raise
