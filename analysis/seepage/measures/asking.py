"""What measures are asked of: a program at fixed parameter values, and how long an answer may take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.deadline import Deadline, sooner
from seepage.diagnostics import Diagnostic
from seepage.engines.never_equal import without_equalities
from seepage.engines.outcome import Budget
from seepage.engines.settling import settled_for
from seepage.exact import Number
from seepage.measures.games.game import Decisions, Game
from seepage.measures.games.strategy import Strategy
from seepage.measures.joints import Inquiry, Memory
from seepage.measures.result import Method
from seepage.measures.scope import Scope
from seepage.semantics.checked import Checked, Domain
from seepage.semantics.core import CoreProgram
from seepage.source import Span

Domains: TypeAlias = Mapping[str, Domain | None]
InformationUnit: TypeAlias = Literal["bits", "nats"]

_SHARE = 0.6  # of the time that is left, for one thing while others wait


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A program before its loops of unknown length were settled.

    Attributes:
        core: the program.
        names: what is asked of, where not all variables have laws that are known.
        domains: of the parameters; None for all real numbers.
        only: whether nothing but the names is asked of.
    """

    core: CoreProgram
    names: tuple[str, ...]
    domains: Domains
    only: bool = False


@dataclass(frozen=True, slots=True)
class Asking:
    """A program at fixed parameter values.

    Attributes:
        checked: the program.
        core: the same, unrolled.
        parameters: values; those that have none are left out.
        unit: of entropies, information and divergences.
        budget: of each run of an engine.
        memory: what earlier measures found, to use and to add to.
        game: where an attacker chooses, what; then no engine runs ``core``, but :meth:`under` a strategy.
        ambiguous: the errors of secrets that have two values: measures that name them have no number.
        strategy: of an attacker that this is the program of, where it is to be told with the leakage table.
        better: the game of which this is a strategy, where another one may be better.
        unsettled: the same before its loops were settled, where these may have other laws at other values of the parameters.
        method: which of the paper's bounds to use for mixtures, None for quadrature; one memory belongs to one method.
    """

    checked: Checked
    core: CoreProgram
    parameters: Mapping[str, Number]
    unit: InformationUnit
    budget: Budget
    memory: Memory
    method: Method | None = None
    ambiguous: tuple[Diagnostic, ...] = ()
    game: Game | None = None
    strategy: Strategy | None = None
    better: Game | None = None
    unsettled: Unsettled | None = None

    def at(self, point: Mapping[str, Number]) -> Asking:
        """Return the same with other values of some parameters.

        Raises:
            Fault: of what comes before a loop of unknown length, or stands in it.
        """
        values = {**self.parameters, **point}
        return replace(self, parameters=values, core=self._settled(point, values, {}), memory=Memory())

    def over(self, ranges: Mapping[str, Domain]) -> Asking:
        """Return the same with loops that are settled for all values of some parameters in ranges, where that is possible.

        Raises:
            Fault: as :meth:`at`.
        """
        core = self._settled(ranges, self.parameters, ranges)
        return self if core is self.core else replace(self, core=core, memory=Memory())

    def _settled(self, names: Iterable[str], values: Mapping[str, Number], domains: Domains) -> CoreProgram:
        """Return the program with its loops settled anew if they rest on values of some parameters."""
        before = self.unsettled
        if before is None or set(self.core.rests_on).isdisjoint(names):
            return self.core
        within = {**before.domains, **domains}
        settled = settled_for(before.core, before.names, values, within, self.budget, only=before.only)
        return without_equalities(settled, values, before.domains)

    def random(self) -> Asking:
        """Return the same with choices of an attacker drawn uniformly: every run of some strategy is a run of it. No number is asked of it."""
        return self if self.game is None else replace(self, core=self.game.core, game=None, memory=Memory())

    def under(self, decisions: Decisions) -> Asking:
        """Return the ordinary program in which an attacker follows a strategy."""
        if self.game is None:
            raise AssertionError("a program without choices")
        return replace(self, core=self.game.played(self.game.core, decisions), game=None, memory=Memory())

    def following(self, strategy: Strategy | None, better: Game | None) -> Asking:
        """Return the same as the program of a strategy, None if nobody tells it; ``better`` is the game where another strategy may be better."""
        return replace(self, strategy=strategy, better=better)

    def declared_secrets(self) -> tuple[str, ...]:
        """Return the variables of the declared secrets."""
        return self._variables(secret.name for secret in self.checked.symbols.secrets)

    def declared_outputs(self) -> tuple[str, ...]:
        """Return the variables of the declared outputs."""
        return self._variables(output.name for output in self.checked.symbols.outputs)

    def _variables(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for name in names for each in self.core.written(name)))

    def within(self, seconds: float = math.inf, states: int | None = None) -> Asking:
        """Return the same with less: an end in so many seconds, and before 60 % of the time that was left is gone; fewer states."""
        budget = replace(
            self.budget,
            deadline=sooner(self.budget.deadline, None if math.isinf(seconds) else seconds, _SHARE),
            states=self.budget.states if states is None else min(self.budget.states, states),
            rows=self.budget.rows if states is None else min(self.budget.rows, states),
        )
        return replace(self, budget=budget)

    def at_most(self, seconds: float) -> Asking:
        """Return the same with an end in so many seconds of a processor, a share of the limit, or in those that are left if they are fewer."""
        left = math.inf if self.budget.deadline is None else self.budget.deadline.left()
        return self if left <= seconds else self.for_seconds(seconds)

    def for_seconds(self, seconds: float) -> Asking:
        """Return the same with an end in so many seconds, which are not more than are left."""
        deadline = None if math.isinf(seconds) else Deadline.after(seconds)
        return replace(self, budget=replace(self.budget, deadline=deadline))

    def scope(self, offset: int = 0) -> Scope:
        """Return the meaning of names in a measure whose spans count from ``offset``."""
        return Scope(self.core, self.checked.symbols.consts, self.parameters, offset)

    def inquiry(self, place: Span = Span(0, 0), offset: int = 0) -> Inquiry:  # noqa: B008  # immutable
        """Return what joints are asked with, for a measure at ``place``."""
        return Inquiry(self.scope(offset), place, self.budget, self.memory)
