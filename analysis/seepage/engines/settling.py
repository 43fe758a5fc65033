"""Settling: loops of unknown length and local draws become draws of their laws, so that every engine and measure reads plain programs.

A local draw from laws that are continuous or without an end stays as it is, with copies that balance what its observations take away.

The states in which a statement is met are found by a run of what comes before it. In each its law is worked out, with the parameters as symbols
where they are in probabilities only and none of these can vanish in the domains, else at their values; then a branch lets the program go on
for those values alone. What is written is drawn variable by variable, each given those before it. Runs that never end, or meet an
observation in a loop that fails, are left out by an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from flint import fmpq

from seepage import rules
from seepage.algebra import NoAlgebra, Quotient
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.bounded_rounds import in_rounds
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability
from seepage.engines.forward.liveness import Step, plan
from seepage.engines.forward.loops import MOST_STATES, Key, Loops, never_passes
from seepage.engines.forward.never import ranges_after
from seepage.engines.forward.quotients import Domains, Quotients, with_letters
from seepage.engines.forward.run import Machine, run
from seepage.engines.laws_as_draws import Law, Scope, Writing, decided
from seepage.engines.local_draws import bounded, can_be_copied, copied, has_infinite
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.engines.select import faults_of_observations, samples_continuous, solve
from seepage.engines.tallies import LETTER, AsStates, counters_of, restarted, tallied
from seepage.exact import ArithmeticFault, Number, to_fraction
from seepage.semantics.closed_forms import expression_of
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
from seepage.semantics.slice import sink, slice_program
from seepage.semantics.statements import has_loops, may_write, names_read, read_before, walk, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression, array_of, is_made

Statements = tuple[CoreStatement, ...]
_T = TypeVar("_T")
_MOST_COPIES = 32  # of what the observations of one local draw read


def settled_for(
    core: CoreProgram, names: Iterable[str], parameters: Mapping[str, Number], domains: Domains, budget: Budget
) -> CoreProgram:
    """Return what :func:`settled` does, or where that is not known, what some names need of it; the others are left out then.

    Args:
        core: any program.
        names: as measures have them; those that mean no variable count for nothing.
        parameters: values of those that have one.
        domains: of the parameters; None for all real numbers.
        budget: on each law.

    Raises:
        Fault: as :func:`settled`, if what the names need is not known either.
    """
    try:
        return settled(core, parameters, domains, budget)
    except Fault as fault:
        asked = {each for name in names if name not in core.left_out for each in _meant(core, name)}
        asked.update(each for each in core.written_twice if each in core.variables)
        arrays = {array_of(name) for name in asked}
        names_left = (array_of(name) for name in core.variables if name not in asked and not is_made(name))
        others = {name: fault.diagnostic for name in names_left if name not in arrays}
        if fault.diagnostic.rule not in (rules.UNBOUNDED_LOOP, rules.NOT_SUPPORTED) or not asked or not others:
            raise
        part = settled(core, parameters, domains, budget, asked)
        kept = slice_program(part, tuple(sorted(asked)), observations=True)
        return replace(
            kept, variables=tuple(dict.fromkeys((*kept.variables, *asked))), left_out={**core.left_out, **others}
        )


def _meant(core: CoreProgram, name: str) -> tuple[str, ...]:
    try:
        return core.elements(name)
    except ValueError:
        return ()


def settled(
    core: CoreProgram,
    parameters: Mapping[str, Number],
    domains: Domains,
    budget: Budget,
    asked: Collection[str] | None = None,
) -> CoreProgram:
    """Return a program without loops of unknown length and local draws, which means the same at these values of the parameters.

    Args:
        core: any program.
        parameters: values of those that have one.
        domains: of the parameters; None for all real numbers.
        budget: on each law.
        asked: the variables that are asked for, all if None; others may be anything then.

    Raises:
        Fault: of a statement that comes before a loop or stands in it; if a law is not known.
    """
    if not has_loops(core):
        return core
    work = _Settling(core, parameters, domains, budget)
    statements = work.block(core.statements, (), set(core.variables if asked is None else asked))
    variables = dict.fromkeys((*core.variables, *written_variables(statements)))
    loops = [each.span for each in walk(core.statements) if isinstance(each, CoreWhile) and each.never is not None]
    return replace(
        core,
        statements=statements,
        variables=tuple(variables),
        endings=work.writing.endings,
        never_entered=tuple(dict.fromkeys(each for each in loops if each not in work.entered)),
        rests_on=tuple(work.rests_on),
        proved=frozenset(work.proved),
    )


@dataclass(slots=True)
class _Settling:
    core: CoreProgram
    parameters: Mapping[str, Number]
    domains: Domains
    budget: Budget
    writing: Writing = field(default_factory=Writing)
    entered: set[Span] = field(default_factory=set)  # loops whose 'never' some run enters
    rests_on: dict[str, None] = field(default_factory=dict)
    proved: set[Expression] = field(default_factory=set)  # chances of laws that hold at all values of the parameters
    balance: list[CoreStatement] = field(default_factory=list)  # what other arms need for the local draws in this one

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
        if isinstance(statement, CoreLocal):
            return self._local(statement, before, after)
        if samples_continuous((statement,)):
            message = "continuous variables in loops of unknown length are not supported yet"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, statement.span, message))
        if isinstance(statement, CoreWhile) and (rounds := self._in_rounds(statement, before, after)) is not None:
            return rounds
        if counters := counters_of(statement):
            try:
                return self._drawn(restarted(statement, counters), before, after, counters)
            except AsStates as apart:
                return self._counted_apart(statement, before, after, apart.counters)
        return self._drawn(statement, before, after, ())

    # --- local draws --------------------------------------------------------------------------------------------------

    def _local(self, draw: CoreLocal, before: Statements, after: set[str]) -> Statements:
        """Return what stands for a local draw; nothing where no run gets to it, and so none can find that nothing passes."""
        try:
            return self._passing(draw, before, after)
        except Fault as fault:
            if fault.diagnostic.rule is not rules.IMPOSSIBLE_DRAW:
                raise
            led = replace(self.core, statements=before, variables=written_variables(before))
            found = faults_of_observations(led, self.parameters, self.budget) if before else ()
            if any(each.rule is rules.IMPOSSIBLE_OBSERVATION for each in found):
                return ()
            raise

    def _passing(self, draw: CoreLocal, before: Statements, after: set[str]) -> Statements:
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
        prefix = replace(self.core, statements=before, variables=written_variables(before))
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
        prefix = replace(self.core, statements=before, variables=written_variables(before))
        rounds = in_rounds(loop, prefix, self.parameters, self.budget)
        if rounds is None:
            return None
        settled_rounds = self.block(rounds, before, after)
        depends = self._parameters_of(loop, prefix, tuple(self.core.expanded(names_read((loop,)))))
        return self._at_values(depends, settled_rounds, loop.span) if depends else settled_rounds

    def _counted_apart(
        self, statement: CoreWhile, before: Statements, after: set[str], counters: Sequence[str]
    ) -> Statements:
        """Settle a loop whose counters are states like other variables."""
        try:
            return self._drawn(statement, before, after, ())
        except Fault as fault:
            if fault.diagnostic.rule is not rules.UNBOUNDED_LOOP:
                raise
            names = " and ".join(f"'{name}'" for name in counters)
            how = "up and down" if len(counters) == 1 else "apart from each other"
            message = (
                f"the loop counts with {names} {how}, so that their values are states, of which at most {MOST_STATES:,} are followed: "
                "count with one variable in one direction, or leave the loop at some bound"
            )
            raise Fault(replace(fault.diagnostic, message=message)) from fault

    def _drawn(
        self, statement: CoreWhile | CoreLocal, before: Statements, after: set[str], counters: Sequence[str]
    ) -> Statements:
        single = replace(self.core, statements=(statement,))
        step = plan(single, self.core.expanded(after)).steps[0]
        written = may_write(self.core, before)
        read = [name for name in step.reads if name in written and name not in counters]
        prefix = replace(self.core, statements=before, variables=written_variables(before))
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
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, step.statement.span, message)) from fault

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

    # --- the states in which a statement is met -----------------------------------------------------------------------

    def _entries(self, prefix: CoreProgram, read: Sequence[str], span: Span) -> list[Key]:
        if not prefix.statements:
            return [()]
        joint = _unless_impossible(lambda: solve(prefix, tuple(read), self.parameters, self.budget))
        if joint is None:
            return []
        if isinstance(joint, MixtureJoint):
            message = (
                f"a continuous variable is read in a loop of unknown length or a local draw: one of {', '.join(read)}"
            )
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, message))
        if joint.cut is not None:
            message = "infinitely many states lead to a loop of unknown length or a local draw here"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, message))
        return list(joint.masses)

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
            sliced = sink(slice_program(prefix, tuple(read)))
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
    return tree.Number(Fraction(int(weight.p), int(weight.q)), Span(0, 0))


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
